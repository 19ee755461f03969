"""Drawing of a page by its regions: escaped, each in its place."""

import numpy as np
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from structce.visualisation.page_drawing import page_drawing

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}"


def test_blocks_of_a_page_with_layout_are_in_place(make_page):
    page = make_page("<h1>Ferry</h1><p>Words <b>in</b> a block</p><p>hidden</p>")
    tall = [[10, 80, 300, 90], [20, 80, 20, 20], [10, 80, 300, 90]]
    boxes = np.array([[10, 20, 300, 20], *tall, [0, 0, 0, 0]], dtype=np.float32)
    page = replace(page, boxes=boxes, renderer="chromium", viewport=(1280, 960))
    root = LexborHTMLParser(page_drawing(page))
    assert [region.attributes["id"] for region in root.css(".region")] == ["r0", "r1", "r2", "r3"]
    heading, text = root.css(".block")
    style = heading.attributes["style"] or ""
    for declaration in ("left:10.0px", "top:20.0px", "width:301.0px", "white-space:nowrap"):
        assert declaration in style
    assert "white-space:normal" in (text.attributes["style"] or "")
    assert root.css("body")[0].text().split() == ["Ferry", "Words", "in", "a", "block"]
    assert "width: 1280px; height: 170px" in root.css("style")[0].text()


def test_a_page_without_layout_or_regions_is_drawn(make_page):
    root = LexborHTMLParser(page_drawing(make_page("<p>Words</p><svg></svg>")))
    assert root.css("#r0")[0].text() == "Words"
    assert "svg" in root.css("#r1")[0].text()
    assert not LexborHTMLParser(page_drawing(make_page(""))).css(".region")


def test_nothing_from_the_page_becomes_markup_or_style(make_page):
    escaped = HOSTILE.replace("<", "&lt;").replace('"', "&quot;")
    page = make_page(
        f'<title>{escaped}</title><h1 style="font-size:1px;}}x;color:url(x)">{escaped}</h1>'
        f'<img src="a.png" alt="{escaped}">'
    )
    root = LexborHTMLParser(page_drawing(page))
    assert root.css("script, img, link, iframe, object, form") == []
    names = {name for element in root.css("*") for name in element.attributes}
    assert not [name for name in names if name.startswith("on")]
    assert root.css("[style*=url]") == []
    assert HOSTILE in root.css("#r0")[0].text()
