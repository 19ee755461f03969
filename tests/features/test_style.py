"""Type, boxes and colours worked by hand on pages whose styles are given."""

import numpy as np
import pytest
from msgspec.structs import replace

from structce.features.registry import REGISTRY
from structce.features.style import colour_name, parse_colour
from structce.rendering.document import Document

LONG = "A long enough line of running text to count as such, since it has more than eighty letters."
BOXES = {
    "left": [0.078, 0.703, None],
    "right": [0.547, 0.938, None],
    "top": [0.069, 1.944, None],
    "bottom": [0.181, 2, None],
    "width": [0.469, 0.234, None],
    "height": [80, 40, None],
    "surface": [48000, 12000, None],
    "next-left-difference": [-800, None, None],
    "previous-height-difference": [None, -40, None],
    "left-in-pixels": [100, 900, None],
    "top-in-pixels": [50, 1400, None],
    "right-in-pixels": [700, 1200, None],
    "bottom-in-pixels": [130, 1440, None],
    "width-in-pixels": [600, 300, None],
}


@pytest.mark.parametrize("name", BOXES)
def test_boxes_are_measured_against_the_window(make_page, lay_out, values, name):
    boxes = [(100, 50, 600, 80), (900, 1400, 300, 40), (np.nan,) * 4]
    page = lay_out(make_page("<p>a</p><p>b</p><p>c</p>"), boxes)
    found = [None if value is None else round(value, 3) for value in values(f"style.{name}", page)]
    assert found == BOXES[name]


def test_properties_are_those_of_the_element(make_page, lay_out, values):
    styles = {
        "margin-left": {"b": 4.0},
        "padding-bottom": {"b": 5.0},
        "border-bottom-width": {"b": 6.0},
        "opacity": {"b": 0.5, "i": 1.0},
        "border-left-color": {"b": "rgb(255, 0, 0)", "i": "rgb(0, 0, 255)"},
        "border-left-width": {"b": 2.0},
        "color": {"b": "rgb(0, 0, 0)", "i": "lab(1 1 1)"},
        "background-color": {"b": "rgba(0, 0, 0, 0)", "i": "rgb(200, 0, 0)"},
    }
    page = lay_out(make_page("<b>x</b><i>y</i>"), [(0, 0, 9, 9)] * 2, styles)
    expected = {
        "margin-left": [4, 0], "padding-bottom": [5, 0], "border-bottom-width": [6, 0],
        "opacity": [0.5, 1], "border-left-colour": ["red", None], "text-color": ["black", None],
        "background-color": ["transparent", "red"],
        "text-colour-value": ["rgb(0, 0, 0)", "lab(1 1 1)"],
    }  # fmt: skip
    assert {name: values(f"style.{name}", page) for name in expected} == expected


def test_type_is_measured_against_the_running_text(make_page, lay_out, values):
    styles = {
        "font-size": {"h1": 40.0, "p": 20.0, "b": 20.0, "i": 10.0, "img": 20.0},
        "font-weight": {"h1": 700.0, "p": 300.0, "b": 700.0, "i": 300.0, "img": 300.0},
    }
    page = make_page(f"<h1>Head</h1><p>{LONG}</p><b>SHOUT</b><i>said</i><img>")
    page = lay_out(page, [(0, 0, 9, 9)] * 5, styles)
    expected = {
        "relative-font-size": [2.0, 1.0, 1.0, 0.5, 1.0],
        "font-size-rank": [1.0, 0.5, 0.5, 0.25, 0.5],
        "max-font-size-difference": [0, -20, -20, -30, -20],
        "previous-font-size-difference": [None, -20, 0, -10, 10],
        "next-font-size-difference": [20, 0, 10, -10, None],
        "relative-font-weight": [400, 0, 400, 0, 0],
        "is-bold": [True, False, True, False, False],
    }
    assert {name: values(f"style.{name}", page) for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "colour", "name"),
    [
        ("rgb(255, 0, 0)", (1, 0, 0, 1), "red"),
        ("rgba(0, 0, 0, 0)", (0, 0, 0, 0), "transparent"),
        ("rgba(0, 0, 255, 0.5)", (0, 0, 1, 0.5), "blue"),
        ("rgb(20, 20, 24)", None, "black"),
        ("rgb(85, 85, 85)", None, "dark-grey"),
        ("rgb(0, 64, 32)", None, "green"),
        ("rgb(255, 0, 170)", None, "pink"),
        ("color(srgb 1 1 1 / 0.5)", (1, 1, 1, 0.5), "white"),
        ("color(srgb 100% none none)", (1, 0, 0, 1), "red"),
        ("transparent", (0, 0, 0, 0), "transparent"),
        ("lab(50 1 1)", None, None),
        ("rgb(1, two, 3)", None, None),
        ("rgb(1, 2)", None, None),
        ("", None, None),
    ],
)  # fmt: skip
def test_colours_are_read_and_named(text, colour, name):
    parsed = parse_colour(text)
    if colour is not None:
        assert parsed == pytest.approx(colour)
    assert colour_name(parsed) == name


@pytest.mark.parametrize("html", ["<p></p>", "<p>x</p>", "<img>", f"<p>{LONG}</p><h1>x</h1><img>"])
@pytest.mark.parametrize("viewport", [(0, 0), (1280, 720)])
def test_odd_pages_have_values_without_infinities(make_page, lay_out, html, viewport):
    page = make_page(html)
    page = replace(lay_out(page, [(0, 0, 0, 0)] * len(page)), viewport=viewport)
    for feature in REGISTRY.values():
        if feature.family == "style":
            found = feature.values(page)
            assert not (isinstance(found, np.ndarray) and np.isinf(found.astype(float)).any())


@pytest.mark.browser
def test_a_browser_lays_an_article_out_as_expected(chromium, article_html, values):
    styles = (
        "<style>body{margin:0;font:16px/24px Georgia,serif} nav a{color:#fff}"
        "article{margin-left:100px;width:600px} h1{font-size:40px;line-height:1}"
        "aside{position:absolute;left:900px;top:0;width:300px;opacity:.5}</style></head>"
    )
    page = chromium.render(Document(article_html().replace("</head>", styles)))
    rows = {text: i for i, text in enumerate(page.text) if text}
    home, title = rows["Home"], rows["Ferry to stop in June, part 0"]
    assert values("style.text-colour", page)[home] == "white"
    assert values("style.relative-font-size", page)[title] == 2.5
    assert values("style.left-in-pixels", page)[title] == 100
