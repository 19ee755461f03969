"""Layouts of pages in a real Chromium: boxes that scroll, right to left, narrow windows."""

from __future__ import annotations

import pytest
from labelling_tab import click_region, row_with

from structce.annotate.session import Session
from structce.annotate.workspace import Workspace
from structce.corpus import LabelledPage

pytestmark = pytest.mark.browser

SCROLLING = (
    """<!doctype html><html><head><style>.bar { position: fixed; top: 0 }
.box { height: 200px; overflow: auto } iframe { height: 150px; border: 5px solid }</style></head>
<body><div class=bar>Stands still</div><h1>Ferry to stop</h1>
<div class=box>"""
    + "".join(f"<p>Line {n} of the box</p>" for n in range(30))
    + """</div>
<iframe srcdoc="<p>In the frame</p><p style='margin-top:900px'>Far down in it</p>"></iframe>
"""
    + "".join(f"<p>Line {n} of the page</p>" for n in range(200))
    + "</body></html>"
)


@pytest.fixture
def scrolling_tab(new_workspace, open_tab, served, tag_proposer):
    with (
        Workspace(new_workspace(htmls=[SCROLLING])) as workspace,
        served(Session(workspace, tag_proposer)) as address,
    ):
        yield open_tab(address)


def selected_words(tab) -> list[str]:
    return tab.locator(".row[aria-selected=true] .words").all_text_contents()


def after_drawing(tab) -> None:
    tab.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


UNDER = """i => {
  const { boxes, doc, win, nodes } = structce.view;
  const [x, y] = boxes[i][0];
  const top = doc.elementFromPoint(x - win.scrollX + 2, y - win.scrollY + 2);
  return [nodes[i].parentElement, nodes[i].ownerDocument.defaultView.frameElement].includes(top);
}"""  # whether a region is what the page shows at its place


@pytest.mark.parametrize("words", ["Line 25 of the box", "Far down in it", "Line 3 of the box"])
def test_a_region_in_a_scrolling_box_is_shown_and_clicked(scrolling_tab, words):
    tab = scrolling_tab
    click_region(tab, row_with(tab, "Line 150 of the page"))
    i = row_with(tab, words)
    tab.evaluate("i => structce.list.reveal(i)", i)
    tab.click(f"#row-{i}")
    after_drawing(tab)
    tab.keyboard.press("Escape")
    assert tab.evaluate(UNDER, i)
    tab.mouse.click(*tab.evaluate("i => structce.view.screenPlace(i)", i))
    assert selected_words(tab) == [words]


def test_regions_hidden_by_scrolling_cover_no_other(scrolling_tab):
    tab = scrolling_tab
    hidden, below = row_with(tab, "Line 12 of the box"), row_with(tab, "Line 5 of the page")
    assert not tab.evaluate("i => structce.view.isShown(i)", hidden)
    click_region(tab, below)
    assert selected_words(tab) == ["Line 5 of the page"]


def test_the_wheel_scrolls_the_box_and_then_the_page(scrolling_tab):
    tab = scrolling_tab
    x, y = tab.evaluate("i => structce.view.screenPlace(i)", row_with(tab, "Line 2 of the box"))
    last = row_with(tab, "Line 29 of the box")
    tab.dispatch_event("#overlay", "wheel", {"deltaY": 5_000, "clientX": x, "clientY": y})
    assert tab.evaluate("i => structce.view.isShown(i)", last)
    assert tab.evaluate("structce.view.win.scrollY") == 0
    tab.dispatch_event("#overlay", "wheel", {"deltaY": 100, "clientX": x, "clientY": y})
    assert tab.evaluate("structce.view.win.scrollY") > 0


def test_a_fixed_region_is_clicked_after_a_jump(scrolling_tab):
    tab = scrolling_tab
    click_region(tab, row_with(tab, "Line 190 of the page"))
    after_drawing(tab)
    tab.mouse.click(*tab.evaluate("structce.view.screenPlace(0)"))
    assert selected_words(tab) == ["Stands still"]


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_region_beside_the_window_is_scrolled_to(
    new_workspace, open_tab, served, tag_proposer, direction
):
    html = f"""<!doctype html><html dir={direction}><body><p>Here</p><div style="width:5000px">
    <p style="width:900px; margin-inline-start:3500px">Far beside it</p></div></body></html>"""
    with (
        Workspace(new_workspace(htmls=[html])) as workspace,
        served(Session(workspace, tag_proposer)) as address,
    ):
        tab = open_tab(address)
        for words in ("Far beside it", "Here"):
            i = row_with(tab, words)
            tab.click(f"#row-{i}")
            stage = tab.locator("#stage").bounding_box()
            x, _ = tab.evaluate("i => structce.view.screenPlace(i)", i)
            assert stage["x"] < x < stage["x"] + stage["width"]


ARABIC = "<html lang=ar dir=rtl><h1>توقف العبارة</h1><p>بقلم أحمد، 3 مايو 2026.</p></html>"

ENDS = """i => {
  const { doc, nodes } = structce.view;
  const text = nodes[i].firstChild;
  return [0, text.length - 1].map((at) => {
    const range = doc.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  });
}"""  # where the first and the last character of a region stand


def test_a_right_to_left_snapshot_is_drawn_so(
    new_workspace, make_page, open_tab, served, tag_proposer
):
    with Workspace(new_workspace(0)) as workspace:
        page = make_page(ARABIC, url="https://post.example/")
        labels = ("?",) * len(page)
        workspace.add_pages([(LabelledPage("page0", "post", "post", page, labels), "")])
        with served(Session(workspace, tag_proposer)) as address:
            tab = open_tab(address)
            first, last = tab.evaluate(ENDS, 1)
            assert last < first  # the full stop is at the left
            assert len(tab.evaluate("structce.view.boxes[1]")) == 1  # one outline, figures and all
