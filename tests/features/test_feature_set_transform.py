"""Pages of training and new pages are encoded alike, whatever columns a set has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from structce.errors import FeatureError
from structce.features import ODD_HTML, FeatureSet, lay_out
from structce.features.registry import FeatureRegistry, feature
from structce.page import Page

Make = Callable[..., Page]


def both(features: FeatureSet, page: Page) -> tuple[Sequence[object], Sequence[object]]:
    """Return the matrix of a page whose cells are known, and that of a set which knows none."""
    other = FeatureSet.from_state(features.state(), registry_of(features))
    known, new = features.transform(page), other.transform(page)
    assert new.has_canonical_format or new.nnz == 0
    return tuple(
        (X.shape, X.data.tolist(), X.indices.tolist(), X.indptr.tolist())  # type: ignore[return-value]
        for X in (known, new)
    )


def registry_of(features: FeatureSet) -> FeatureRegistry:
    """Return a registry of just the features of a set."""
    registry = FeatureRegistry()
    for entry in features._settings.features:
        registry.add(entry)
    return registry


@pytest.mark.parametrize("laid_out", [False, True])
@pytest.mark.parametrize("name", list(ODD_HTML))
def test_a_new_page_is_encoded_like_a_known_one(
    name: str, laid_out: bool, make_page: Make, article_html: Callable[[int], str]
) -> None:
    pages = [make_page(ODD_HTML[name]), *(make_page(article_html(n)) for n in range(3))]
    pages = [lay_out(page) for page in pages] if laid_out else pages
    features = FeatureSet(min_count=1).fit(pages)
    for page in pages:
        known, new = both(features, page)
        assert known == new


def test_columns_that_are_rare_or_in_another_order_are_encoded_as_well(
    make_page: Make, article_html: Callable[[int], str]
) -> None:
    pages = [make_page(article_html(n)) for n in range(4)]
    whole = FeatureSet(min_count=1).fit(pages)
    state, columns = whole.state(), list(whole.columns_)
    places = np.random.default_rng(1).permutation(len(columns))[: len(columns) // 3].tolist()
    chosen = [columns[i] for i in places]
    scales = dict.fromkeys(chosen[::5], 2.5)
    part = FeatureSet.from_state({**state, "columns": chosen, "scales": scales})
    expected = whole.transform(pages[0]).toarray()[:, places]
    expected *= whole._scales[places]  # 1, but for numbers without bins
    expected[:, ::5] /= 2.5
    matrix = part.transform(pages[0])
    assert matrix.nnz > 0
    assert matrix.has_sorted_indices
    np.testing.assert_allclose(matrix.toarray(), expected)


@pytest.fixture
def registry() -> FeatureRegistry:
    """Features with numbers, names that hold separators, and values of several types."""
    registry = FeatureRegistry()

    @feature("text", registry=registry)
    def size(page: Page) -> NDArray[np.float64]:
        """Number of letters without bins; unknown for one letter."""
        return np.array([len(t) * 1.5 if len(t) > 1 else np.nan for t in page.text])

    @feature("text", registry=registry, name="size:2")
    def odd(page: Page) -> list[object]:
        """A name that looks like a bin of another feature."""
        return [frozenset({"a=b:c", t}) for t in page.text]

    @feature("dom", registry=registry, window=(-2, 40))
    def mixed(page: Page) -> list[object]:
        """Truth, a text, nothing and a set."""
        return [[True, "x", None, frozenset({"", "y"})][i % 4] for i in range(len(page))]

    return registry


def test_odd_names_and_far_neighbours_are_encoded_alike(
    make_page: Make, registry: FeatureRegistry
) -> None:
    pages = [make_page("<p>ab</p><a>c</a><p>abcd</p>" * n) for n in (1, 2, 20)]
    features = FeatureSet(min_count=1, registry=registry).fit(pages)
    for page in pages:
        known, new = both(features, page)
        assert known == new
    assert "next-40.dom.mixed=x" in features.columns_


def test_what_has_no_column_is_never_computed(make_page: Make) -> None:
    registry, calls = FeatureRegistry(), []

    @feature("text", registry=registry)
    def rare(page: Page) -> list[str]:
        """Each value once."""
        calls.append("rare")
        return list(page.text)

    @feature("dom", registry=registry)
    def tag(page: Page) -> tuple[str, ...]:
        """Name of the element."""
        return page.tag

    page, other = make_page("<p>ab</p><p>cd</p><p>ef</p>"), make_page("<p>ab</p>")
    features = FeatureSet(min_count=2, registry=registry).fit([page])
    assert calls == ["rare"]
    assert features.transform(other).toarray().tolist() == [[1.0, 1.0]]
    assert calls == ["rare"]


def test_a_value_of_a_wrong_type_is_an_error_that_names_the_feature(make_page: Make) -> None:
    registry = FeatureRegistry()

    @feature("text", registry=registry)
    def changing(page: Page) -> list[object]:
        """A text on long pages, and a number on short ones."""
        return list(page.text) if len(page) > 1 else [3]

    features = FeatureSet(min_count=1, registry=registry).fit([make_page("<p>a</p><p>b</p>")])
    with pytest.raises(FeatureError, match=r"text\.changing returned a value of type int"):
        features.transform(make_page("<p>a</p>"))
