"""The contract of a feature, run over all that are registered: registering puts it under test."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from structce.features.contract import (
    ODD_HTML,
    check_docstring,
    check_feature,
    instability,
    lay_out,
)
from structce.features.encoding import CellSettings
from structce.features.registry import FAMILIES, OPTIONAL_FAMILIES, REGISTRY, Feature
from structce.page import Page, pack_page, unpack_page, with_sites
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document

each_feature = pytest.mark.parametrize("feature", REGISTRY.values(), ids=list(REGISTRY))


@pytest.fixture(scope="module")
def odd_pages(
    make_page: Callable[..., Page], article_html: Callable[..., str]
) -> Iterator[list[Page]]:
    """Odd pages and a whole article, each of a site of two pages, without layout and with one.

    Each has its name in its address, which is what an error tells of a page. Behind the last test
    no page may have changed; a change is looked for in each feature on a fresh copy of the page.
    """
    htmls = {**ODD_HTML, "whole article": article_html()}
    urls = [f"https://www.harbour-post.example/{name.replace(' ', '-')}" for name in htmls]
    twice = [
        make_page(html, url=url)
        for html, url in zip(htmls.values(), urls, strict=True)
        for _ in range(2)
    ]
    known = with_sites(twice, [page.url for page in twice])[::2]
    pages = [*known, *map(lay_out, known)]
    packed = [pack_page(page) for page in pages]
    yield pages
    for page, before in zip(pages, packed, strict=True):
        if pack_page(page) != before:
            for feature in REGISTRY.values():
                check_feature(feature, [replace(unpack_page(before, page.url), site=page.site)])
            pytest.fail(f"{page.url}: features together changed the page")


@pytest.fixture(scope="module")
def layout_page(chromium: ChromiumRenderer, article_html: Callable[..., str]) -> Page:
    return chromium.render(Document(article_html(), url="https://post.example/1"))


@each_feature
def test_it_keeps_its_contract_on_every_odd_page(feature: Feature, odd_pages: list[Page]) -> None:
    assert feature.family in (*FAMILIES, *OPTIONAL_FAMILIES)
    assert feature.source
    check_docstring(feature)
    for page in odd_pages:
        assert not feature.is_known(page) or instability(feature, page) is None, page.url


def test_all_become_cells_of_every_odd_page(odd_pages: list[Page]) -> None:
    for page in odd_pages:
        cells = CellSettings(tuple(REGISTRY.values())).cells(page)
        assert len(cells.rows) == len(cells.codes) == len(cells.values), page.url


@pytest.mark.browser
def test_all_keep_their_contract_on_a_page_with_layout(layout_page: Page) -> None:
    for feature in REGISTRY.values():
        check_feature(feature, [layout_page])


def test_there_are_features_of_every_family() -> None:
    counts = dict.fromkeys((*FAMILIES, *OPTIONAL_FAMILIES), 0)
    for feature in REGISTRY.values():
        counts[feature.family] += 1
    assert sum(counts.values()) >= 30
    assert min(counts[family] for family in FAMILIES) >= 5
