"""Layouts of pages in a real Chromium: boxes that scroll, hidden regions, style sheets."""

import pytest
from labelling_tab import click_region, row_with, wait_version

from structce.annotate.workspace import StyleSheet

pytestmark = pytest.mark.browser

SCROLLING = f"""<!doctype html><html><head><style>.bar {{ position: fixed; top: 0 }}
.box {{ height: 200px; overflow: auto }} iframe {{ height: 150px; border: 5px solid }}
</style></head><body><div class=bar>Stands still</div><h1>Ferry to stop</h1>
<div class=box>{"".join(f"<p>Line {n} of the box</p>" for n in range(30))}</div>
<iframe srcdoc="<p>In the frame</p><p style='margin-top:900px'>Far down in it</p>"></iframe>
{"".join(f"<p>Line {n} of the page</p>" for n in range(200))}</body></html>"""


@pytest.fixture
def scrolling_tab(tab_of):
    return tab_of(SCROLLING)


def selected_words(tab):
    return tab.locator(".row[aria-selected=true] .words").all_text_contents()


def after_drawing(tab):
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


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_region_beside_the_window_is_scrolled_to(tab_of, direction):
    tab = tab_of(f"""<!doctype html><html dir={direction}><p>Here</p><div style="width:5000px">
    <p style="width:900px; margin-inline-start:3500px">Far beside it</p></div></html>""")
    for words in ("Far beside it", "Here"):
        i = row_with(tab, words)
        tab.click(f"#row-{i}")
        stage = tab.locator("#stage").bounding_box()
        x, _ = tab.evaluate("i => structce.view.screenPlace(i)", i)
        assert stage["x"] < x < stage["x"] + stage["width"]
        assert not tab.evaluate("structce.view.unseen.size")


def test_style_sheets_saved_beside_a_page_are_used(tab_of):
    rules = "h1 { width: 333px; background: url(https://evil.example/x.png) }"
    unused = StyleSheet("h1 { width: 222px !important }", "print")
    html = "<link rel=stylesheet href=style.css><h1>Ferry</h1>"
    tab = tab_of(html, sheets=[StyleSheet(rules), unused])
    loaded = []
    tab.on("requestfinished", lambda request: loaded.append(request.url))
    tab.reload()
    tab.wait_for_selector("body[data-ready=page0]")
    assert tab.evaluate("structce.view.doc.querySelector('h1').clientWidth") == 333
    assert not [url for url in loaded if "evil" in url]


def test_a_page_opens_at_its_title(tab_of):
    links = "".join(f"<p>Link {n}</p>" for n in range(90))
    tab = tab_of(f"<nav>{links}</nav><h1>Ferry to stop</h1>{links}")
    title = row_with(tab, "Ferry to stop")
    top, bottom = tab.evaluate("i => structce.view.boxes[i][0].filter((_, k) => k % 2)", title)
    above = tab.evaluate("structce.view.win.scrollY")
    assert above < top < bottom < above + tab.evaluate("structce.view.height")
    tab.keyboard.press("ArrowDown")
    assert selected_words(tab) == ["Ferry to stop"]


def test_the_list_leaves_out_background_that_holds_nothing(tab_of):
    tab = tab_of("<p>Here</p><svg><path/></svg><p>There</p>")
    assert tab.locator(".row").count() == 3
    assert tab.locator(".row:visible .words").all_text_contents() == ["Here", "There"]
    tab.click("#row-0")
    tab.keyboard.press("ArrowDown")
    assert selected_words(tab) == ["There"]
    click_region(tab, 1)
    tab.keyboard.press("7")
    wait_version(tab, 1)
    assert tab.locator(".row:visible").count() == 3


HIDDEN = """<!doctype html><div class=box><p>The ferry will stop, the company said on Monday.</p>
<ul><li>Ferry menu</ul></div>"""
RULES = """p, ul { margin: 0; width: 300px } .box { position: relative }
ul { position: absolute; top: 0; left: 0; %s }"""


HIDING = "opacity:0|visibility:hidden|display:none|clip-path:inset(50%)|left:-999px"


@pytest.mark.parametrize("style", [*HIDING.split("|"), "height:1px; overflow:hidden"])
def test_a_hidden_region_takes_neither_mouse_nor_first_hit(tab_of, style):
    tab = tab_of(HIDDEN, sheets=[StyleSheet(RULES % style)])
    text, hidden = row_with(tab, "The ferry will"), row_with(tab, "Ferry menu")
    unseen = tab.locator(".row.unseen").evaluate_all("rows => rows.map(r => +r.dataset.i)")
    assert unseen == [hidden]
    click_region(tab, text)
    assert tab.get_attribute(f"#row-{text}", "aria-selected") == "true"
    tab.keyboard.press("Escape")
    tab.keyboard.press("/")
    tab.keyboard.type("ferry")
    for hit in (text, hidden):
        tab.keyboard.press("Enter")
        assert tab.get_attribute(f"#row-{hit}", "aria-selected") == "true"


def test_the_uppermost_of_two_regions_takes_the_mouse(tab_of):
    over = "position:absolute; top:0; left:0; width:600px; background:#fff"
    tab = tab_of(f"<p>Below</p><p style='{over}'>Above, <br>and larger than the other</p>")
    x, y = tab.evaluate("i => structce.view.screenPlace(i)", row_with(tab, "Above"))
    tab.mouse.click(x, y)
    assert selected_words(tab) == ["Above,"]


def test_a_doubtful_page_is_accepted_by_a_second_enter(tab_of):
    sheets = [StyleSheet(RULES % "opacity: 0")]
    tab = tab_of(f"<h1>Ferry</h1>{HIDDEN}", "<p>Next</p>", sheets=sheets)
    steps = ("company said", "1", "2 × Title"), ("Ferry menu", "4", "Cannot be seen")
    for words, key, question in steps:
        tab.click(f"#row-{row_with(tab, words)}")
        tab.keyboard.press(key)
        tab.keyboard.press("Escape")
        tab.keyboard.press("Enter")
        tab.wait_for_selector(f"#banner:has-text('{question}')")
    assert tab.get_attribute("body", "data-ready") == "page0"
    tab.keyboard.press("Enter")
    tab.wait_for_selector("body[data-ready=page1]")
    assert tab.is_hidden("#banner")
