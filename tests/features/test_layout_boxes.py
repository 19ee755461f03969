"""Layout: geometry worked by hand on pages whose boxes are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from structce.features.encoding import page_cells
from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]


LayOut = Callable[..., Page]


Box = tuple[float, float, float, float]


STYLE = [feature for feature in REGISTRY.values() if feature.family == "style"]


LONG = "A long enough line of running text to count as such, since it has more than eighty letters."


def style_values(name: str, page: Page) -> list[object]:
    """Return a feature's values, numbers rounded and unknown ones as None."""
    values = REGISTRY[f"style.{name}"].values(page)
    if not isinstance(values, np.ndarray):
        return list(values)
    if values.dtype.kind == "b":
        return list(values.tolist())
    return [None if np.isnan(number) else round(number, 3) for number in values.tolist()]


def test_edges_are_shares_of_the_window(article: Page) -> None:
    assert style_values("left", article)[3:6] == [0.078, 0.078, 0.703]
    assert style_values("right", article)[3:6] == [0.547, 0.547, 0.938]
    assert style_values("top", article)[-2:] == [0.375, 1.944]
    assert style_values("bottom", article)[-2:] == [0.514, 2.0]
    assert style_values("from-page-end", article)[-2:] == [1.486, 0.0]
    assert style_values("above-fold", article) == [True] * 7 + [False]
    assert style_values("surface", article)[3] == 48000
    assert style_values("area-share", article)[3] == round(48000 / (1280 * 1440), 3)
    assert style_values("line-count", article)[3:6] == [4.0, 5.0, 1.0]


def test_differences_are_the_own_value_less_the_neighbours(article: Page) -> None:
    assert style_values("previous-left-difference", article)[:5] == [None, 60, 60, -120, 0]
    assert style_values("next-left-difference", article)[3:] == [0, -800, 800, 100, None]
    assert style_values("previous-top-difference", article)[3] == 40
    assert style_values("next-height-difference", article)[3] == -20
    assert style_values("previous-width-difference", article)[3] == 540
    assert style_values("previous-gap", article)[:5] == [None, -18, -22, 20, 20]
    assert style_values("next-gap", article)[3:5] == [20, -95]
    assert style_values("previous-gap-in-lines", article)[3:5] == [1.0, 1.0]
    assert style_values("same-left-as-previous", article)[:5] == [False, False, False, False, True]
    assert style_values("same-left-as-next", article)[2:5] == [False, True, False]
    assert style_values("same-width-as-previous", article)[:5] == [False, True, False, False, True]


def test_the_column_of_text_is_where_most_running_text_stands(article: Page) -> None:
    assert style_values("in-text-column", article) == [True] * 5 + [False, True, False]
    assert style_values("column-overlap", article)[-3:] == [0.0, 1.0, round(600 / 1280, 3)]
    assert style_values("column-coverage", article)[:2] == [round(50 / 600, 3)] * 2
    assert style_values("column-coverage", article)[-2:] == [1.0, 1.0]
    assert style_values("column-distance", article)[4:] == [0.0, round(200 / 600, 3), 0.0, 0.0]
    assert style_values("column-left-difference", article)[-3:] == [800, 0, -100]


def test_regions_left_of_the_column_have_a_negative_distance(
    make_page: Make, lay_out: LayOut
) -> None:
    page = lay_out(
        make_page(f"<p>{LONG}</p><b>x</b><i>y</i>"),
        [(400, 0, 600, 100), (100, 0, 150, 20), (660, 100, 80, 20)],
    )
    assert style_values("column-distance", page) == [0.0, -0.25, 0.0]
    assert style_values("centred-in-column", page) == [False, False, True]
    assert style_values("is-centred", page) == [False, False, False]


def test_a_row_is_what_stands_side_by_side(article: Page) -> None:
    assert style_values("row-size", article) == [3, 3, 3, 1, 1, 1, 1, 1]
    assert style_values("row-position", article) == [0, 1, 2, 0, 0, 0, 0, 0]


def test_reading_order_shows_where_screen_and_source_part(make_page: Make, lay_out: LayOut) -> None:
    boxes: list[Box] = [(0, 500, 9, 9), (50, 0, 9, 9), (0, 3, 9, 9), (0, 100, 9, 9)]
    page = lay_out(make_page("<p>a</p><p>b</p><p>c</p><p>d</p>"), boxes)
    assert style_values("reading-order-difference", page) == [3, 0, -2, -1]
    assert style_values("reading-order-jump", page) == [None, -3, -2, 1]


def test_distances_run_from_the_boxes_of_headline_and_text(article: Page) -> None:
    assert style_values("heading-offset", article)[:5] == [-120, -118, -120, -80, 20]
    assert style_values("heading-distance", article)[:4] == [20, 18, 20, 0]
    assert style_values("heading-distance", article)[5] == round(float(np.hypot(200, 25)), 3)
    assert style_values("text-offset", article)[3:] == [-100, 0, 5, 120, 1250]
    assert style_values("text-end-offset", article)[-1] == 1030
    assert style_values("text-distance", article)[3:] == [20, 0, 200, 0, 1030]


def test_boxes_beside_the_window_are_outside(make_page: Make, lay_out: LayOut) -> None:
    boxes: list[Box] = [(-300, 0, 200, 9), (1280, 0, 9, 9), (0, -50, 9, 9), (1200, 0, 200, 9)]
    page = lay_out(make_page("<p>a</p><p>b</p><p>c</p><p>d</p>"), boxes)
    assert style_values("outside-window", page) == [True, True, True, False]


def test_regions_without_boxes_have_no_columns_of_layout(article: Page) -> None:
    boxed = page_cells(article, STYLE)
    none = page_cells(replace(article, boxes=np.full_like(article.boxes, np.nan)), STYLE)
    gone = {boxed.keys[code].split(":")[0] for code in boxed.codes}
    gone -= {none.keys[code].split(":")[0] for code in none.codes}
    places = {"left", "right", "top", "bottom", "width", "height", "surface", "above-fold"}
    places |= {"row-size", "row-position", "column-distance", "text-distance", "line-count"}
    places |= {"previous-gap", "same-left-as-previous", "reading-order-difference"}
    assert {f"style.{name}" for name in places} <= gone
