import xml.etree.ElementTree as ET

import pytest

from benchmarks.rendering import agreement, report
from benchmarks.rendering.node_states import NodeState, Tree, node_states
from benchmarks.rendering.plots import Axis, Series, draw_bars, draw_chart
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

HIDING = """<!doctype html><html><head><style>
.none { display: none } .invisible { visibility: hidden } .clear { opacity: 0 }
.away { position: absolute; left: -9000px } .flat { font-size: 0 }
.small { width: 1px; height: 1px; overflow: hidden; position: absolute }
img { display: block }
</style></head><body>
<p>shown</p>
<p class="none">none</p>
<p class="invisible">invisible</p>
<p class="clear">clear</p>
<p class="away">away</p>
<p class="flat">flat</p>
<div class="small"><p>small</p></div>
<img src="nothing.png" width="0" height="0">
<custom-host><template shadowrootmode="open"><b>in the shadow</b></template></custom-host>
</body></html>"""


@pytest.mark.browser
def test_a_plain_browser_says_why_a_node_is_hidden(browser):
    paths = [f"/html[1]/body[1]/p[{n}]/text()[1]" for n in range(1, 7)]
    paths += [
        "/html[1]/body[1]/div[1]/p[1]/text()[1]",
        "/html[1]/body[1]/img[1]",
        "/html[1]/body[1]/p[9]",
    ]
    states = node_states(browser, Document(HIDING), paths)
    assert [node.state for node in states] == [
        "shown",
        "display",
        "visibility",
        "opacity",
        "off the page",
        "no size",
        "clipped",
        "medium without size",
        "not there",
    ]
    assert states[0].text == "shown"


def test_a_parsed_tree_is_looked_up_by_address():
    tree = Tree(Document("<body><p>one <b>two</b> three<!-- --> four</p><img src=a>"))
    assert tree.text("/html[1]/body[1]/p[1]/text()[2]") == "three"
    assert tree.text("/html[1]/body[1]/p[1]/text()[3]") == "four"
    assert tree.text("/html[1]/body[1]/img[1]") == ""
    assert tree.text("/html[1]/body[1]/p[2]/b[1]/text()[1]") is None
    assert tree.text("/html[1]/body[1]/p[1]/b[1]/text()[2]") is None


def test_causes_follow_from_what_stands_at_the_address():
    shown, hidden, gone = (
        NodeState("shown", "a"),
        NodeState("display", "a"),
        NodeState("not there", ""),
    )
    assert agreement.why_missed("a", shown, None, False) == agreement.PARSERS
    assert agreement.why_missed("a", shown, "b", True) == agreement.TEXT
    assert agreement.why_missed("a", hidden, "a", False) == agreement.HIDDEN_UNTIL_SCRIPTS
    assert agreement.why_missed("a", shown, "a", False) == agreement.REVEALED
    assert agreement.why_added("a", gone, False) == agreement.PARSERS
    assert agreement.why_added("a", hidden, False) == agreement.SHEET
    assert agreement.why_added("a", shown, False) == agreement.OTHER


@pytest.mark.browser
def test_what_style_sheets_hide_is_counted_as_that(chromium, browser):
    document = Document(HIDING, name="hiding")
    comparison = agreement.Comparison(browser)
    static = StaticRenderer().render(document)
    comparison_of_page = comparison.compare(document, chromium.render(document), static)
    causes = comparison_of_page["static_only"]
    assert causes[agreement.SHEET] == 3
    assert causes["hidden by layout: off the page"] == 1
    assert causes["hidden by layout: no size"] == 1
    assert causes["hidden by layout: clipped"] == 1
    assert comparison_of_page["chromium"] - comparison_of_page["agreed"] == sum(
        comparison_of_page["chromium_only"].values()
    )
    assert comparison_of_page["static"] - comparison_of_page["agreed"] == sum(causes.values())


def test_ticks_are_round_numbers_on_the_axis():
    even = Axis("pages", 0, 500, 0, 100)
    assert [tick["name"] for tick in even.ticks()] == ["0", "100", "200", "300", "400", "500"]
    logarithmic = Axis("kB", 30, 1000, 0, 100, is_log=True)
    assert [tick["name"] for tick in logarithmic.ticks()] == ["50", "100", "200", "500", "1,000"]
    assert (logarithmic.place(30), logarithmic.place(1000)) == (0.0, 100.0)


def test_plots_are_svg_whatever_the_names():
    series = [Series("<a>", [1, 2, 2], [3, 4, 4], "line"), Series("b", [], [])]
    chart = draw_chart("a & b", ("x", "y"), series)
    bars = draw_bars("<bars>", [("one", 0.0, "0"), ("two", 5.0, "5")])
    for picture in (chart, bars, draw_bars("none", [])):
        assert ET.fromstring(picture).tag.endswith("svg")
    assert "&lt;a&gt;" in chart


def test_pages_without_disagreement_are_not_among_the_worst():
    numbers = dict.fromkeys(("chromium", "static", "agreed"), 4)
    characters = dict.fromkeys(("chromium_characters", "static_characters"), 40)
    sides = ("chromium_only", "static_only")
    none = {f"{side}{end}": {} for side in sides for end in ("", "_characters")}
    page = {"name": "p", "kilobytes": 1.0, **numbers, **characters, **none}
    page |= {"agreed_characters": 40, "same_text": 40}
    odd = {**page, "agreed": 3, "agreed_characters": 30}
    odd |= {
        "chromium_only": {"hidden until scripts run": 1},
        "chromium_only_characters": {"hidden until scripts run": 10},
    }
    odd |= {"static_only": {"parsers differ": 1}, "static_only_characters": {"parsers differ": 9}}
    tables = report.tables({"agreement": {"errors": [], "pages": [odd, page], "examples": []}})
    first, causes, worst = tables.values()
    assert first[0]["the other has"] == "87.50%"
    assert [row["cause"] for row in causes] == ["hidden until scripts run", "parsers differ"]
    assert [row["both"] for row in worst] == [3]
