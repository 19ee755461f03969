"""The contract of a feature, run over all that are registered: registering puts it under test."""

import pytest

from structce.features.contract import (
    ODD_HTML,
    check_docstring,
    check_feature,
    instability,
    lay_out,
)
from structce.features.encoding import CellSettings
from structce.features.registry import FAMILIES, REGISTRY
from structce.page import pack_page, unpack_page
from structce.rendering.document import Document

each_feature = pytest.mark.parametrize("feature", REGISTRY.values(), ids=list(REGISTRY))


@pytest.fixture(scope="module")
def odd_pages(make_page, article_html):
    """Odd pages and a whole article, without layout and with one.

    Each has its name in its address, which is what an error tells of a page. Behind the last test
    no page may have changed; a change is looked for in each feature on a fresh copy of the page.
    """
    htmls = {**ODD_HTML, "whole article": article_html()}
    urls = [f"https://www.harbour-post.example/{name.replace(' ', '-')}" for name in htmls]
    plain = [make_page(html, url=url) for html, url in zip(htmls.values(), urls, strict=True)]
    pages = [*plain, *map(lay_out, plain)]
    packed = [pack_page(page) for page in pages]
    yield pages
    for page, before in zip(pages, packed, strict=True):
        if pack_page(page) != before:
            for feature in REGISTRY.values():
                check_feature(feature, [unpack_page(before, page.url)])
            pytest.fail(f"{page.url}: features together changed the page")


@pytest.fixture(scope="module")
def layout_page(chromium, article_html):
    return chromium.render(Document(article_html(), url="https://post.example/1"))


@each_feature
def test_it_keeps_its_contract_on_every_odd_page(feature, odd_pages):
    assert feature.family in FAMILIES
    assert feature.source
    check_docstring(feature)
    for page in odd_pages:
        assert not feature.is_known(page) or instability(feature, page) is None, page.url


def test_all_become_cells_of_every_odd_page(odd_pages):
    for page in odd_pages:
        cells = CellSettings(tuple(REGISTRY.values())).cells(page)
        assert len(cells.rows) == len(cells.codes) == len(cells.values), page.url


@pytest.mark.browser
def test_all_keep_their_contract_on_a_page_with_layout(layout_page):
    for feature in REGISTRY.values():
        check_feature(feature, [layout_page])
