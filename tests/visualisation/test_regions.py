"""Pages that show the regions of a page: escaped, marked, each in its place."""

from dataclasses import replace

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from structce.corpus.storage import LabelledPage
from structce.gold import Gold, Match
from structce.labels import UNKNOWN
from structce.page import Page
from structce.visualisation.regions import region_page, text_layout_page

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
    assert "[svg]" in root.css("#r5")[0].text()


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


def test_texts_of_a_page_with_layout_are_in_place(make_page):
    page = make_page("<h1>Ferry</h1><p>Words</p><p>hidden</p>")
    families = np.array(['"Times New Roman"'] * len(page.elements))
    elements = replace(page.elements, styles={**page.elements.styles, "font-family": families})
    boxes = np.array([[10, 20, 300, 40], [10, 80, 300, 90], [0, 0, 0, 0]], dtype=np.float32)
    page = replace(page, elements=elements, boxes=boxes, renderer="chromium", viewport=(1280, 960))
    root = LexborHTMLParser(region_page(labelled(page, ("Title", "Paragraph", "None"))))
    assert [region.attributes["id"] for region in root.css(".region")] == ["r0", "r1"]
    style = root.css("#r0")[0].attributes["style"] or ""
    for told in ("left: 10.0px", "top: 20.0px", "width: 300.0px", "white-space: nowrap"):
        assert told in style
    assert "serif" in style
    assert "white-space" not in (root.css("#r1")[0].attributes["style"] or "")
    bare = LexborHTMLParser(text_layout_page(page))
    assert [span.text() for span in bare.css("body span")] == ["Ferry", "Words"]
    assert "width: 1280px; height: 170px" in bare.css("style")[0].text()


def test_nothing_from_the_page_becomes_markup_or_style(make_page):
    escaped = HOSTILE.replace("<", "&lt;").replace('"', "&quot;")
    page = make_page(
        f'<title>{escaped}</title><h1 style="font-size:1px;}}x">{escaped}</h1>'
        f'<img src="a.png" alt="{escaped}">',
        url="javascript:alert(3)",
    )
    matches = (Match(HOSTILE, HOSTILE, "exact", 1.0, (0,)),)
    labelled = LabelledPage(HOSTILE, "x", "x", page, ("Title", "Multimedia"), Gold(), matches)
    html = region_page(labelled)
    root = LexborHTMLParser(html)
    assert root.css("script, img, link, iframe, object, form") == []
    assert not [
        name for element in root.css("*") for name in element.attributes if name[:2] == "on"
    ]
    assert all((a.attributes["href"] or "").startswith("#r") for a in root.css("a"))
    assert HOSTILE in root.css("#r0")[0].text()
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
