from collections.abc import Callable

import numpy as np
import pytest

from structce.errors import CorpusError
from structce.files import compress, to_json
from structce.page import Page
from structce.rendering import ChromiumRenderer, Document
from structce.site import with_sites
from structce.snapshot import pack_page, unpack_page


def assert_same(one: Page, other: Page) -> None:
    assert pack_page(one) == pack_page(other)
    assert one.text == other.text
    assert one.metadata == other.metadata
    np.testing.assert_array_equal(one.boxes, other.boxes)
    np.testing.assert_array_equal(one.blocks, other.blocks)
    assert one.elements.attributes == other.elements.attributes
    assert one.comments == other.comments
    np.testing.assert_array_equal(one.comment_places, other.comment_places)
    assert one.comment_places.dtype == other.comment_places.dtype


def test_a_page_comes_back_as_it_went(
    make_page: Callable[..., Page], article_html: Callable[..., str]
) -> None:
    page = make_page(article_html().replace("<article>", "<!-- story --><article>"))
    assert page.comments == ("story",)
    assert_same(page, unpack_page(pack_page(page), "page"))


def test_counts_of_the_site_are_not_kept(make_page: Callable[..., Page]) -> None:
    pages = [make_page(f"<p>{n}</p>") for n in range(2)]
    counted, _ = with_sites(pages, ["a", "a"])
    assert counted.site is not None
    assert pack_page(counted) == pack_page(pages[0])
    assert unpack_page(pack_page(counted), "page").site is None


@pytest.mark.browser
def test_boxes_and_styles_come_back(
    chromium: ChromiumRenderer, article_html: Callable[..., str]
) -> None:
    page = chromium.render(Document(article_html()))
    back = unpack_page(pack_page(page), "page")
    assert_same(page, back)
    for name, column in page.elements.styles.items():
        assert column.dtype.kind == back.elements.styles[name].dtype.kind


def test_an_empty_page_comes_back(make_page: Callable[..., Page]) -> None:
    assert len(unpack_page(pack_page(make_page("<html></html>")), "page")) == 0


@pytest.mark.parametrize("data", [b"", b"not gzip", compress(b"{"), compress(b'{"format": 1}')])
def test_damage_is_an_error_that_names_the_page(data: bytes) -> None:
    with pytest.raises(CorpusError, match="news-7"):
        unpack_page(data, "news-7")


@pytest.mark.parametrize("version", [1, 99])
def test_another_version_is_an_error_that_names_both(version: int) -> None:
    data = compress(to_json({"format": "structce-page", "version": version}))
    with pytest.raises(CorpusError, match=rf"news-7: .* version {version};.* version 2$"):
        unpack_page(data, "news-7")
