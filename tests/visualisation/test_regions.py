"""Drawings of a page by its regions: escaped, marked, each in its place."""

from dataclasses import replace

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from structce.corpus.storage import LabelledPage
from structce.gold import Gold, Match
from structce.labels import UNKNOWN
from structce.page import Page
from structce.visualisation.regions import page_drawing, region_page

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}"
HTML = """<title>Ferry</title><nav>Home <b>Town</b></nav><h1>Ferry stops</h1><p>Ann Lee</p>
<img src="/quay.jpg"><svg></svg><p>Ann Lee, again</p>"""
MATCHES = (
    Match("Title", "Ferry stops", "exact", 1.0, (2,)),
    Match("Author", "Ann Lee", "exact", 1.0, (3,), (6,)),
    Match("Date", "2026-03-14"),
)
LABELS = ("None", UNKNOWN, "Title", "Author", "Multimedia", "None", "None")


def labelled(page: Page, labels: tuple[str, ...] = LABELS) -> LabelledPage:
    return LabelledPage("page", "x.example", "x.example", page, labels, Gold(), MATCHES)


def marked(root: LexborHTMLParser) -> list[str | None]:
    return [region.attributes["id"] for region in root.css(".region.marked")]


def test_labelled_regions_are_marked_and_rivals_shown(make_page):
    root = LexborHTMLParser(region_page(labelled(make_page(HTML))))
    assert len(root.css(".region")) == 7
    assert marked(root) == ["r2", "r3", "r4"]
    assert [tag.text() for tag in root.css(".tag")] == ["Title", "Author", "Multimedia"]
    assert [region.attributes["id"] for region in root.css(".region.rival")] == ["r6"]
    assert root.css("#r3")[0].attributes["title"] == "region 3: Author; Author by exact, score 1.00"
    assert "svg" in root.css("#r5")[0].text()


def test_values_lead_to_their_regions(make_page):
    root = LexborHTMLParser(region_page(labelled(make_page(HTML))))
    assert [link.attributes["href"] for link in root.css(".match a")] == ["#r2", "#r3", "#r6"]
    assert [state.text() for state in root.css(".state.missing")] == ["missing"]
    assert "1 found, 1 ambiguous, 1 missing" in " ".join(root.css("header")[0].text().split())


def test_chosen_matches_alone_are_marked_and_listed(make_page):
    root = LexborHTMLParser(region_page(labelled(make_page(HTML)), MATCHES[:1]))
    assert marked(root) == ["r2"]
    assert len(root.css(".match")) == 1
    assert root.css(".region.rival") == []


def test_blocks_of_a_page_with_layout_are_in_place(make_page):
    page = make_page("<h1>Ferry</h1><p>Words <b>in</b> a block</p><p>hidden</p>")
    tall = [[10, 80, 300, 90], [20, 80, 20, 20], [10, 80, 300, 90]]
    boxes = np.array([[10, 20, 300, 20], *tall, [0, 0, 0, 0]], dtype=np.float32)
    page = replace(page, boxes=boxes, renderer="chromium", viewport=(1280, 960))
    root = LexborHTMLParser(region_page(labelled(page, ("Title", *["Paragraph"] * 3, "None"))))
    assert [region.attributes["id"] for region in root.css(".region")] == ["r0", "r1", "r2", "r3"]
    heading, text = root.css(".block")
    style = heading.attributes["style"] or ""
    for told in ("left:10.0px", "top:20.0px", "width:301.0px", "white-space:nowrap"):
        assert told in style
    assert "white-space:normal" in (text.attributes["style"] or "")
    bare = LexborHTMLParser(page_drawing(page))
    assert bare.css("body")[0].text().split() == ["Ferry", "Words", "in", "a", "block"]
    assert "width: 1280px; height: 170px" in bare.css("style")[0].text()


@pytest.mark.parametrize("is_bare", [False, True])
def test_nothing_from_the_page_becomes_markup_or_style(make_page, is_bare):
    escaped = HOSTILE.replace("<", "&lt;").replace('"', "&quot;")
    page = make_page(
        f'<title>{escaped}</title><h1 style="font-size:1px;}}x;color:url(x)">{escaped}</h1>'
        f'<img src="a.png" alt="{escaped}">',
        url="javascript:alert(3)",
    )
    matches = (Match(HOSTILE, HOSTILE, "exact", 1.0, (0,)),)
    labelled = LabelledPage(HOSTILE, "x", "x", page, ("Title", "Multimedia"), Gold(), matches)
    root = LexborHTMLParser(page_drawing(page) if is_bare else region_page(labelled))
    assert root.css("script, img, link, iframe, object, form") == []
    assert not [
        name for element in root.css("*") for name in element.attributes if name[:2] == "on"
    ]
    assert all((a.attributes["href"] or "").startswith("#r") for a in root.css("a"))
    assert root.css("[style*=url]") == []
    assert HOSTILE in root.css("#r0")[0].text()
    if not is_bare:
        (policy,) = root.css("meta[http-equiv=Content-Security-Policy]")
        assert "script-src" not in (policy.attributes["content"] or "")
        assert (policy.attributes["content"] or "").startswith("default-src 'none';")


@pytest.mark.parametrize("html", ["", "<p>Words</p>"], ids=["empty", "words"])
def test_a_page_without_values_says_so(make_page, html):
    page = make_page(html)
    labelled = LabelledPage("page", "x", "x", page, ("None",) * len(page))
    root = LexborHTMLParser(region_page(labelled))
    assert "no values." in root.css("header")[0].text()
    assert len(root.css(".region")) == len(page)
