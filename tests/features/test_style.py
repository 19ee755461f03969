"""Style: colours, borders and type worked by hand on pages whose styles are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from structce.features.dom_tree import nearest_marked, product_from_root
from structce.features.registry import REGISTRY
from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document

Make = Callable[..., Page]
LayOut = Callable[..., Page]
Box = tuple[float, float, float, float]
STYLE = [feature for feature in REGISTRY.values() if feature.family == "style"]
LONG = "A long enough line of running text to count as such, since it has more than eighty letters."


def values(name: str, page: Page) -> list[object]:
    """Return a feature's values, numbers rounded and unknown ones as None."""
    array = REGISTRY[f"style.{name}"].values(page)
    if not isinstance(array, np.ndarray):
        return list(array)
    if array.dtype.kind == "b":
        return list(array.tolist())
    return [None if np.isnan(number) else round(number, 3) for number in array.tolist()]


def test_every_name_of_the_paper_is_known() -> None:
    sides = ("top", "right", "bottom", "left")
    quantities = ("left", "top", "height", "width", "font-size")
    names = ["text-color", "background-color", *sides, "height", "width", "surface", "opacity"]
    names += [f"border-{side}-{kind}" for side in sides for kind in ("color", "width")]
    names += [f"{space}-{side}" for space in ("margin", "padding") for side in sides]
    names += [f"{side}-{q}-difference" for side in ("previous", "next") for q in quantities]
    for name in (*names, "max-font-size-difference"):
        assert REGISTRY[f"style.{name}"].source == "Spengler et al. (2010)", name


def test_backgrounds_shine_through_from_above(make_page: Make, lay_out: LayOut) -> None:
    page = lay_out(
        make_page(f"<main><div><b>in</b>own<i>odd</i></div><p>{LONG}</p></main><u>x</u>"),
        [(0, 0, 9, 9)] * 5,
        {
            "background-color": {
                "main": "rgb(255, 255, 255)",
                "div": "rgba(0, 0, 0, 0.5)",
                "b": "rgba(255, 255, 255, 0)",
                "i": "lab(1 1 1)",
                "u": "rgb(200, 0, 0)",
            },
            "color": {"b": "rgb(255, 255, 255)", "u": "rgb(200, 0, 0)"},
            "opacity": {"main": 0.5, "div": 0.5},
        },
    )
    assert values("shown-background", page) == ["grey", "grey", None, "white", "red"]
    assert values("background-color", page) == [
        "transparent", "black", None, "transparent", "red"
    ]  # fmt: skip
    assert values("has-background", page) == [False, True, True, False, True]
    assert values("background-differs", page) == [False, True, True, False, True]
    assert values("off-text-background", page) == [True, True, True, False, True]
    assert values("contrast-ratio", page) == [3.977, 5.281, None, 21.0, 1.0]
    assert values("colour-differs", page) == [True, False, False, False, True]
    assert values("is-commonest-colour", page) == [False, True, True, True, False]
    assert values("colour-saturation", page)[3:] == [0.0, round(200 / 255, 3)]
    assert values("background-saturation", page)[1:] == [0.0, None, 0.0, round(200 / 255, 3)]
    assert values("opacity", page) == [1.0, 0.5, 1.0, 1.0, 1.0]
    assert values("shown-opacity", page) == [0.25, 0.25, 0.25, 0.5, 1.0]


def test_a_border_has_a_colour_only_where_it_is_drawn(make_page: Make, lay_out: LayOut) -> None:
    page = lay_out(
        make_page("<b>x</b><i>y</i>"),
        [(0, 0, 9, 9)] * 2,
        {
            "border-left-color": {"b": "rgb(255, 0, 0)", "i": "rgb(0, 0, 255)"},
            "border-left-width": {"b": 2.0},
        },
    )
    assert values("border-left-color", page) == ["red", None]
    assert values("border-left-width", page) == [2.0, 0.0]
    assert values("border-top-colour", page) == [None, None]


def test_type_is_measured_against_the_running_text(make_page: Make, lay_out: LayOut) -> None:
    page = lay_out(
        make_page(f"<h1>Head</h1><p>{LONG}</p><b>SHOUT</b><i>said</i><img>"),
        [(0, 0, 9, 9)] * 5,
        {
            "font-size": {"h1": 40.0, "p": 20.0, "b": 20.0, "i": 10.0, "img": 20.0},
            "font-weight": {"h1": 700.0, "p": 300.0, "b": 700.0, "i": 300.0, "img": 300.0},
            "line-height": {"h1": 44.0, "b": np.nan},
            "font-family": {"b": '"Roboto Slab", serif', "i": "Helvetica, serif", "h1": "Courier"},
            "text-transform": {"i": "uppercase", "img": "uppercase"},
        },
    )
    assert values("relative-font-size", page) == [2.0, 1.0, 1.0, 0.5, 1.0]
    assert values("font-size-rank", page) == [1.0, 0.5, 0.5, 0.25, 0.5]
    assert values("max-font-size-difference", page) == [0, -20, -20, -30, -20]
    assert values("previous-font-size-difference", page) == [None, -20, 0, -10, 10]
    assert values("next-font-size-difference", page) == [20, 0, 10, -10, None]
    assert values("relative-font-weight", page) == [400, 0, 400, 0, 0]
    assert values("line-height-ratio", page) == [1.1, 1.0, None, 2.0, 1.0]
    assert values("font-kind", page) == ["mono", "serif", "serif", "sans", "serif"]
    assert values("is-text-font", page) == [False, True, False, False, True]
    assert values("shown-in-capitals", page) == [False, False, True, True, False]


def test_what_is_pinned_or_clipped_is_known_by_the_nearest_element_above(
    make_page: Make, lay_out: LayOut
) -> None:
    page = lay_out(
        make_page("<header><div><b>x</b></div><i>y</i></header><p>z</p>"),
        [(0, 0, 9, 9)] * 3,
        {
            "position": {"header": "fixed", "div": "sticky"},
            "overflow": {"header": "hidden"},
        },
    )
    assert values("pinned", page) == ["sticky", "fixed", None]
    assert values("clipped", page) == ["hidden", "hidden", None]
    older = {name: col for name, col in page.elements.styles.items() if name != "overflow"}
    page = replace(page, elements=replace(page.elements, styles=older))
    assert values("clipped", page) == [None] * 3


def test_equal_keywords_share_one_set(make_page: Make, lay_out: LayOut) -> None:
    page = lay_out(
        make_page("<p>a</p><b>b</b><p>c</p>"), [(0, 0, 9, 9)] * 3, {"cursor": {"b": "pointer"}}
    )
    first, other, last = REGISTRY["style.keyword"].values(page)
    assert first is last
    assert isinstance(other, frozenset)
    assert {"cursor:pointer", "display:inline", "float:none"} <= other
    assert isinstance(first, frozenset)
    assert {"cursor:none", "display:block"} <= first


def test_what_comes_from_above_is_what_a_walk_up_finds(make_page: Make) -> None:
    random = np.random.default_rng(3)
    page = make_page(
        "<div><p><b>x</b><i><u>y</u></i></p><ul><li>z</li><li><a>w</a></li></ul></div>"
    )
    for _ in range(20):
        marks: NDArray[np.bool_] = random.random(len(page.elements)) < 0.3
        factors = random.random(len(page.elements))
        above = [list(page.elements.ancestors(i)) for i in range(len(page.elements))]
        nearest = [next((n for n in chain if marks[n]), -1) for chain in above]
        assert nearest_marked(page, marks).tolist() == nearest
        products = [np.prod(factors[chain]) for chain in above]
        np.testing.assert_allclose(product_from_root(page, factors), products)


@pytest.mark.parametrize("html", ["<p></p>", "<p>x</p>", "<img>", f"<p>{LONG}</p><h1>x</h1><img>"])
@pytest.mark.parametrize("box", [(0, 0, 0, 0), (np.nan,) * 4])
def test_odd_pages_have_values_without_infinities(
    make_page: Make, html: str, box: Box, lay_out: LayOut
) -> None:
    page = make_page(html)
    page = lay_out(page, [box] * len(page))
    for feature in STYLE:
        values = feature.values(page)
        assert len(values) == len(page)
        assert not (isinstance(values, np.ndarray) and np.isinf(values.astype(float)).any())


@pytest.mark.browser
def test_a_browser_lays_an_article_out_as_expected(
    chromium: ChromiumRenderer, article_html: Callable[..., str]
) -> None:
    styles = (
        "<style>body{margin:0;font:16px/24px Georgia,serif} nav{position:fixed;background:#036}"
        "nav a{color:#fff} article{margin-left:100px;width:600px} h1{font-size:40px;line-height:1}"
        "aside{position:absolute;left:900px;top:0;width:300px;opacity:.5}</style></head>"
    )
    page = chromium.render(Document(article_html().replace("</head>", styles)))
    rows = {text: i for i, text in enumerate(page.text) if text}
    home, title = rows["Home"], rows["Ferry to stop in June, part 0"]
    advert = max(i for i, tag in enumerate(page.tag) if tag == "img")
    assert values("pinned", page)[home] == "fixed"
    assert values("shown-background", page)[home] == "blue"
    assert values("row-size", page)[home] == 3
    assert values("text-colour", page)[home] == "white"
    assert values("relative-font-size", page)[title] == 2.5
    assert values("heading-distance", page)[title] == 0
    assert values("line-height-ratio", page)[title] == 1.0
    assert values("advertisement-size", page)[advert] == "300x250"
    assert values("shown-opacity", page)[advert] == 0.5
    assert values("in-text-column", page)[advert] is False
    running = [i for text, i in rows.items() if text.endswith("pay for them.")]
    assert [values("in-text-column", page)[i] for i in running] == [True]
    assert [values("font-kind", page)[i] for i in running] == ["serif"]
