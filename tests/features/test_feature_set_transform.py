"""Pages of training and new pages are encoded alike, whatever columns a set has."""

import numpy as np
import pytest

from structce.features import ODD_HTML, FeatureSet, lay_out
from structce.features.registry import FeatureRegistry, feature


def both(features, page):
    """Return the matrix of a page whose cells are known, and that of a set which knows none."""
    other = FeatureSet.from_state(features.state(), registry_of(features))
    known, new = features.transform(page), other.transform(page)
    assert new.has_canonical_format or new.nnz == 0
    return tuple(
        (X.shape, X.data.tolist(), X.indices.tolist(), X.indptr.tolist()) for X in (known, new)
    )


def registry_of(features):
    """Return a registry of just the features of a set."""
    registry = FeatureRegistry()
    for entry in features._settings.features:
        registry.add(entry)
    return registry


@pytest.mark.parametrize("laid_out", [False, True])
@pytest.mark.parametrize("name", list(ODD_HTML))
def test_a_new_page_is_encoded_like_a_known_one(name, laid_out, make_page, article_html):
    pages = [make_page(ODD_HTML[name]), make_page(article_html(0))]
    pages = [lay_out(page) for page in pages] if laid_out else pages
    features = FeatureSet(min_count=1).fit(pages)
    for page in pages:
        known, new = both(features, page)
        assert known == new


def test_rare_and_reordered_columns_are_encoded(make_page, article_html):
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
def registry():
    """Features with numbers, names that hold separators, and values of several types."""
    registry = FeatureRegistry()

    @feature("text", registry=registry)
    def size(page):
        return np.array([len(t) * 1.5 if len(t) > 1 else np.nan for t in page.text])

    @feature("text", registry=registry, name="size:2")
    def odd(page):
        return [frozenset({"a=b:c", t}) for t in page.text]

    @feature("dom", registry=registry, window=(-2, 40))
    def mixed(page):
        return [[True, "x", None, frozenset({"", "y"})][i % 4] for i in range(len(page))]

    return registry


def test_odd_names_and_far_neighbours_are_encoded_alike(make_page, registry):
    pages = [make_page("<p>ab</p><a>c</a><p>abcd</p>" * n) for n in (1, 2, 20)]
    features = FeatureSet(min_count=1, registry=registry).fit(pages)
    for page in pages:
        known, new = both(features, page)
        assert known == new
    assert "next-40.dom.mixed=x" in features.columns_


def test_what_has_no_column_is_never_computed(make_page):
    registry, calls = FeatureRegistry(), []

    @feature("text", registry=registry)
    def rare(page):
        calls.append("rare")
        return list(page.text)

    @feature("dom", registry=registry)
    def tag(page):
        return page.tag

    page, other = make_page("<p>ab</p><p>cd</p><p>ef</p>"), make_page("<p>ab</p>")
    features = FeatureSet(min_count=2, registry=registry).fit([page])
    assert calls == ["rare"]
    assert features.transform(other).toarray().tolist() == [[1.0, 1.0]]
    assert calls == ["rare"]
