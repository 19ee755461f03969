"""Style and layout: geometry and colours worked by hand on pages whose boxes are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from structce.features import REGISTRY
from structce.features.cells import describe
from structce.features.computed_style import nearest_marked, product_from_root
from structce.page import Page, StyleColumn
from structce.rendering import ChromiumRenderer, Document
from structce.rendering.chromium.style import KEYWORDS, LENGTHS

Make = Callable[..., Page]
Box = tuple[float, float, float, float]
STYLE = [feature for feature in REGISTRY.values() if feature.family == "style"]
LONG = "A long enough line of running text to count as such, since it has more than eighty letters."
USUAL = {
    "opacity": 1.0,
    "line-height": 20.0,
    "z-index": np.nan,
    "position": "static",
    "visibility": "visible",
    "overflow": "visible",
    "color": "rgb(0, 0, 0)",
    "background-color": "rgba(0, 0, 0, 0)",
    "font-family": "Georgia, serif",
}


def laid_out(
    page: Page, boxes: Sequence[Box], styles: Mapping[str, Mapping[str, str | float]] | None = None
) -> Page:
    """Return a page as if a browser had laid it out.

    Parameters
    ----------
    boxes
        Left, top, width and height of each region.
    styles
        What each CSS property is, by tag.
    """
    columns: dict[str, StyleColumn] = {}
    for name in (*LENGTHS, *KEYWORDS):
        usual = USUAL.get(name, 0.0 if name in LENGTHS else "none")
        of_tag = (styles or {}).get(name, {})
        values = [of_tag.get(tag, usual) for tag in page.elements.tag]
        column = np.array(values)
        columns[name] = column.astype(np.float32) if name in LENGTHS else column.astype(np.str_)
    kept = {
        name: column for name, column in page.elements.styles.items() if name not in (styles or {})
    }
    return replace(
        page,
        renderer="chromium",
        viewport=(1280, 720),
        boxes=np.array(boxes, dtype=np.float32).reshape(-1, 4),
        elements=replace(page.elements, styles={**columns, **kept}),
    )


def values(name: str, page: Page) -> list[object]:
    """Return a feature's values, numbers rounded and unknown ones as None."""
    found = REGISTRY[f"style.{name}"].values(page)
    if not isinstance(found, np.ndarray):
        return list(found)
    if found.dtype.kind == "b":
        return list(found.tolist())
    return [None if np.isnan(number) else round(number, 3) for number in found.tolist()]


@pytest.fixture
def article(make_page: Make) -> Page:
    """A menu of three, a headline, two paragraphs, a side column, a footer; 1280 x 1440 pixels."""
    page = make_page(
        f"<nav><a>One</a><a>Two</a><a>Three</a></nav><h1>Ferry to stop in June</h1><p>{LONG}</p>"
        f"<aside>Related</aside><p>{LONG}</p><footer>Rights</footer>"
    )
    menu: list[Box] = [(100, 10, 50, 20), (160, 12, 50, 20), (220, 10, 60, 20)]
    body: list[Box] = [(100, 50, 600, 80), (100, 150, 600, 100), (900, 155, 300, 20)]
    return laid_out(page, [*menu, *body, (100, 270, 600, 100), (0, 1400, 1280, 40)])


def test_every_name_of_the_paper_is_known() -> None:
    sides = ("top", "right", "bottom", "left")
    quantities = ("left", "top", "height", "width", "font-size")
    names = ["text-color", "background-color", *sides, "height", "width", "surface", "opacity"]
    names += [f"border-{side}-{kind}" for side in sides for kind in ("color", "width")]
    names += [f"{space}-{side}" for space in ("margin", "padding") for side in sides]
    names += [f"{side}-{q}-difference" for side in ("previous", "next") for q in quantities]
    for name in (*names, "max-font-size-difference"):
        assert REGISTRY[f"style.{name}"].source == "Spengler et al. (2010)", name


def test_edges_are_shares_of_the_window(article: Page) -> None:
    assert values("left", article)[3:6] == [0.078, 0.078, 0.703]
    assert values("right", article)[3:6] == [0.547, 0.547, 0.938]
    assert values("top", article)[-2:] == [0.375, 1.944]
    assert values("bottom", article)[-2:] == [0.514, 2.0]
    assert values("from-page-end", article)[-2:] == [1.486, 0.0]
    assert values("above-fold", article) == [True] * 7 + [False]
    assert values("surface", article)[3] == 48000
    assert values("area-share", article)[3] == round(48000 / (1280 * 1440), 3)
    assert values("line-count", article)[3:6] == [4.0, 5.0, 1.0]


def test_differences_are_the_own_value_less_the_neighbours(article: Page) -> None:
    assert values("previous-left-difference", article)[:5] == [None, 60, 60, -120, 0]
    assert values("next-left-difference", article)[3:] == [0, -800, 800, 100, None]
    assert values("previous-top-difference", article)[3] == 40
    assert values("next-height-difference", article)[3] == -20
    assert values("previous-width-difference", article)[3] == 540
    assert values("previous-gap", article)[:5] == [None, -18, -22, 20, 20]
    assert values("next-gap", article)[3:5] == [20, -95]
    assert values("previous-gap-in-lines", article)[3:5] == [1.0, 1.0]
    assert values("same-left-as-previous", article)[:5] == [False, False, False, False, True]
    assert values("same-left-as-next", article)[2:5] == [False, True, False]
    assert values("same-width-as-previous", article)[:5] == [False, True, False, False, True]


def test_the_column_of_text_is_where_most_running_text_stands(article: Page) -> None:
    assert values("in-text-column", article) == [True] * 5 + [False, True, False]
    assert values("column-overlap", article)[-3:] == [0.0, 1.0, round(600 / 1280, 3)]
    assert values("column-coverage", article)[:2] == [round(50 / 600, 3)] * 2
    assert values("column-coverage", article)[-2:] == [1.0, 1.0]
    assert values("column-distance", article)[4:] == [0.0, round(200 / 600, 3), 0.0, 0.0]
    assert values("column-left-difference", article)[-3:] == [800, 0, -100]


def test_regions_left_of_the_column_have_a_negative_distance(make_page: Make) -> None:
    page = laid_out(
        make_page(f"<p>{LONG}</p><b>x</b><i>y</i>"),
        [(400, 0, 600, 100), (100, 0, 150, 20), (660, 100, 80, 20)],
    )
    assert values("column-distance", page) == [0.0, -0.25, 0.0]
    assert values("centred-in-column", page) == [False, False, True]
    assert values("is-centred", page) == [False, False, False]


def test_a_row_is_what_stands_side_by_side(article: Page) -> None:
    assert values("row-size", article) == [3, 3, 3, 1, 1, 1, 1, 1]
    assert values("row-position", article) == [0, 1, 2, 0, 0, 0, 0, 0]


def test_reading_order_tells_where_screen_and_source_part(make_page: Make) -> None:
    boxes: list[Box] = [(0, 500, 9, 9), (50, 0, 9, 9), (0, 3, 9, 9), (0, 100, 9, 9)]
    page = laid_out(make_page("<p>a</p><p>b</p><p>c</p><p>d</p>"), boxes)
    assert values("reading-order-difference", page) == [3, 0, -2, -1]
    assert values("reading-order-jump", page) == [None, -3, -2, 1]


def test_distances_run_from_the_boxes_of_headline_and_text(article: Page) -> None:
    assert values("heading-offset", article)[:5] == [-120, -118, -120, -80, 20]
    assert values("heading-distance", article)[:4] == [20, 18, 20, 0]
    assert values("heading-distance", article)[5] == round(float(np.hypot(200, 25)), 3)
    assert values("text-offset", article)[3:] == [-100, 0, 5, 120, 1250]
    assert values("text-end-offset", article)[-1] == 1030
    assert values("text-distance", article)[3:] == [20, 0, 200, 0, 1030]


def test_media_have_sizes_ranks_and_ratios(make_page: Make) -> None:
    boxes: list[Box] = [(0, 0, 302, 249), (0, 0, 728, 93), (0, 0, 1, 1), (0, 0, 16, 16)]
    boxes += [(0, 0, 0, 0), (0, 0, 728, 90), (0, 0, 300, 250)]
    page = laid_out(make_page("<img><img><img><img><img><iframe></iframe><p>x</p>"), boxes)
    sizes = ["300x250", None, None, None, None, "728x90", None]
    assert values("advertisement-size", page) == sizes
    assert values("has-advertisement-size", page) == [size is not None for size in sizes]
    assert values("is-tiny", page) == [False, False, True, False, True, False, False]
    assert values("is-icon", page) == [False, False, False, True, False, False, False]
    assert values("media-rank", page) == [0, 1, 4, 3, 5, 2, None]
    assert values("media-area-ratio", page)[0] == 1.0
    assert values("aspect-ratio", page)[2:] == [1.0, 1.0, None, round(728 / 90, 3), None]


def test_boxes_beside_the_window_are_outside(make_page: Make) -> None:
    boxes: list[Box] = [(-300, 0, 200, 9), (1280, 0, 9, 9), (0, -50, 9, 9), (1200, 0, 200, 9)]
    page = laid_out(make_page("<p>a</p><p>b</p><p>c</p><p>d</p>"), boxes)
    assert values("outside-window", page) == [True, True, True, False]


def test_backgrounds_shine_through_from_above(make_page: Make) -> None:
    page = laid_out(
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


def test_a_border_has_a_colour_only_where_it_is_drawn(make_page: Make) -> None:
    page = laid_out(
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


def test_type_is_measured_against_the_running_text(make_page: Make) -> None:
    page = laid_out(
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


def test_what_is_pinned_or_clipped_is_told_by_the_nearest_element_above(make_page: Make) -> None:
    page = laid_out(
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


def test_equal_keywords_share_one_set(make_page: Make) -> None:
    page = laid_out(
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
def test_odd_pages_have_values_without_infinities(make_page: Make, html: str, box: Box) -> None:
    page = make_page(html)
    page = laid_out(page, [box] * len(page))
    for feature in STYLE:
        found = feature.values(page)
        assert len(found) == len(page)
        assert not (isinstance(found, np.ndarray) and np.isinf(found.astype(float)).any())


def test_regions_without_boxes_have_no_columns_of_layout(article: Page) -> None:
    boxed = describe(article, STYLE)
    none = describe(replace(article, boxes=np.full_like(article.boxes, np.nan)), STYLE)
    gone = {boxed.keys[code].split(":")[0] for code in boxed.codes}
    gone -= {none.keys[code].split(":")[0] for code in none.codes}
    places = {"left", "right", "top", "bottom", "width", "height", "surface", "above-fold"}
    places |= {"row-size", "row-position", "column-distance", "text-distance", "line-count"}
    places |= {"previous-gap", "same-left-as-previous", "reading-order-difference"}
    assert {f"style.{name}" for name in places} <= gone


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
