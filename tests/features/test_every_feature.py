"""The contract of a feature, run over all that are registered: registering puts it under test."""

from collections.abc import Callable

import pytest

from structce.features.contract import ODD_HTML, check_docstring, check_feature, lay_out
from structce.features.encoding import page_cells
from structce.features.registry import FAMILIES, OPTIONAL_FAMILIES, REGISTRY, Feature
from structce.page import Page, with_sites
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document


@pytest.fixture(params=REGISTRY.values(), ids=list(REGISTRY))
def feature(request: pytest.FixtureRequest) -> Feature:
    result: Feature = request.param
    return result


@pytest.fixture(scope="module")
def odd_pages(make_page: Callable[..., Page]) -> dict[str, Page]:
    """Odd pages, each of a site of two pages."""
    names = list(ODD_HTML)
    twice = [make_page(ODD_HTML[name]) for name in names for _ in range(2)]
    known = with_sites(twice, [name for name in names for _ in range(2)])
    return dict(zip(names, known[::2], strict=True))


@pytest.fixture(scope="module")
def laid_out(odd_pages: dict[str, Page]) -> dict[str, Page]:
    return {name: lay_out(page) for name, page in odd_pages.items()}


@pytest.fixture(scope="module")
def whole_article(make_page: Callable[..., Page], article_html: Callable[..., str]) -> Page:
    return make_page(article_html())


@pytest.fixture(scope="module")
def layout_page(chromium: ChromiumRenderer, article_html: Callable[..., str]) -> Page:
    return chromium.render(Document(article_html(), url="https://post.example/1"))


@pytest.mark.parametrize("name", ODD_HTML)
def test_it_keeps_its_contract_on_an_odd_page(
    feature: Feature, name: str, odd_pages: dict[str, Page], laid_out: dict[str, Page]
) -> None:
    check_feature(feature, [odd_pages[name], laid_out[name]])
    page_cells(laid_out[name], [feature])


def test_it_keeps_its_contract_on_a_whole_article(feature: Feature, whole_article: Page) -> None:
    check_feature(feature, [whole_article, lay_out(whole_article)])


@pytest.mark.browser
def test_it_keeps_its_contract_on_a_page_with_layout(feature: Feature, layout_page: Page) -> None:
    check_feature(feature, [layout_page])


def test_it_says_why_it_should_help(feature: Feature) -> None:
    assert feature.family in (*FAMILIES, *OPTIONAL_FAMILIES)
    assert feature.source
    check_docstring(feature)


def test_there_are_features_of_every_family() -> None:
    counts = dict.fromkeys((*FAMILIES, *OPTIONAL_FAMILIES), 0)
    for feature in REGISTRY.values():
        counts[feature.family] += 1
    assert sum(counts.values()) >= 30
    assert min(counts[family] for family in FAMILIES) >= 5
