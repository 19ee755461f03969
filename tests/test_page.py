from collections.abc import Callable

from structce.page import Page


def test_blocks_join_inline_mark_up_and_part_at_two_breaks(make_page: Callable[..., Page]) -> None:
    page = make_page("<p>One <b>two</b> three</p><div>four<br>five<br><br>six</div>")
    assert page.text == ("One", "two", "three", "four", "five", "six")
    assert page.blocks.tolist() == [0, 0, 0, 1, 1, 2]


def test_a_page_without_regions_has_no_blocks(make_page: Callable[..., Page]) -> None:
    page = make_page("<html><body></body></html>")
    assert len(page) == 0
    assert page.blocks.tolist() == []
    assert list(page) == []


def test_a_region_is_a_view_of_its_row(make_page: Callable[..., Page]) -> None:
    page = make_page("<p>One</p><p><img src=a.png></p>")
    regions = list(page)
    assert [region.tag for region in regions] == ["p", "img"]
    assert regions[0].text == "One"
    assert regions[0].box is None
    assert page.is_media.tolist() == [False, True]


def test_depth_and_ancestors_agree(make_page: Callable[..., Page]) -> None:
    page = make_page("<div><ul><li><a>x</a></li></ul></div>")
    element = int(page.element[0])
    chain = [page.elements.tag[i] for i in page.elements.ancestors(element)]
    assert chain == ["a", "li", "ul", "div", "body", "html"]
    assert page.elements.depth[element] == len(chain) - 1
