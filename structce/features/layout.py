"""Features of a region's box: position on the screen, size, spacing, alignment.

If a page was laid out but has no box for a region, that region's features are unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.features.style import SIDES, less_next, less_previous, line_heights, style_numbers
from structce.page import Page

_SHARES = (0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95)
_WINDOWS = (0.1, 0.25, 0.5, 1, 2, 4, 8)
_WIDTHS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
_HEIGHTS = (1, 12, 20, 32, 60, 120, 240, 480)
_EDGE_TOLERANCE = 1.0  # CSS pixels by which equal edges may differ, since browsers round
_MIDDLE_TOLERANCE = 8.0  # CSS pixels by which centres may differ, due to padding and scroll bars
_DIFFERENCES = {
    "left": ((-200, -20, -2, 2, 20, 200), "0 in a column of text"),
    "top": (
        (-1000, -200, -60, -20, -2, 2, 20, 60, 200, 1000),
        "0 in a row, a jump where a new column begins",
    ),
    "height": (
        (-200, -40, -10, -1, 1, 10, 40, 200),
        "a headline is taller than what follows, a paragraph taller than what precedes it",
    ),
    "width": (
        (-400, -100, -20, -2, 2, 20, 100, 400),
        "a change marks the border of a part of the page",
    ),
}
_NEIGHBOURS = {"previous": ("before", less_previous), "next": ("after", less_next)}
_PIXELS = (1, 4, 8, 16, 24, 32, 64)
_GAPS = (-200, -20, 0.5, 12, 24, 48, 96, 300)
_LINES = (-4, -0.5, 0.1, 0.5, 1, 1.5, 2.5, 4, 8)
_SPACES = {
    "margin-{side}": (_PIXELS, "Margin {place} the element", "paragraphs are evenly spaced"),
    "padding-{side}": (_PIXELS, "Padding {place} the text", "buttons, cells and cards have it"),
    "border-{side}-width": (
        (0.5, 1.5, 3, 6),
        "Width of the border {place} the text",
        "rules divide a page, frames mark boxes",
    ),
}
_SIDE_WORDS = {"top": "above", "right": "right of", "bottom": "below", "left": "left of"}
_ROW_BAND = 6.0  # CSS pixels by which centres in one row may differ: less than half a line of text
_JUMPS = (-100, -30, -10, -3, -0.5, 0.5, 3, 10, 30, 100)


@dataclass(frozen=True, eq=False)
class Boxes:
    """Edges and sizes of all regions in CSS pixels, each of shape (n_regions,); NaN if unknown."""

    left: Floats
    top: Floats
    width: Floats
    height: Floats
    right: Floats
    bottom: Floats


@once_a_page
def region_boxes(page: Page) -> Boxes:
    """Return the boxes of a page's regions."""
    left, top, width, height = page.boxes.astype(np.float64).T
    return Boxes(left, top, width, height, left + width, top + height)


def window(page: Page) -> tuple[float, float]:
    """Return width and height of the window in CSS pixels, each at least 1."""
    return max(float(page.viewport[0]), 1.0), max(float(page.viewport[1]), 1.0)


@once_a_page
def page_height(page: Page) -> float:
    """Return the lower edge of the lowest region in CSS pixels, at least the window's height."""
    return float(np.fmax.reduce(region_boxes(page).bottom, initial=window(page)[1]))


@feature("style", bins=_SHARES[:6], needs="layout", source=SPENGLER)
def left(page: Page) -> Floats:
    """Left edge as a share of the window's width: side columns begin far to the right."""
    return region_boxes(page).left / window(page)[0]


@feature("style", bins=_SHARES, needs="layout", source=SPENGLER)
def right(page: Page) -> Floats:
    """Right edge as a share of the window's width: text columns end at the same place."""
    return region_boxes(page).right / window(page)[0]


@feature("style", bins=_WINDOWS, needs="layout", source=SPENGLER)
def top(page: Page) -> Floats:
    """Upper edge in window heights: below 1 is visible without scrolling."""
    return region_boxes(page).top / window(page)[1]


@feature("style", bins=_WINDOWS, needs="layout", source=SPENGLER)
def bottom(page: Page) -> Floats:
    """Lower edge in window heights: the header ends early."""
    return region_boxes(page).bottom / window(page)[1]


@feature("style", bins=(0.1, 0.25, 0.5, 1, 2, 4), needs="layout")
def from_page_end(page: Page) -> Floats:
    """Distance of the lower edge from the end of the page, in window heights: small in footers."""
    return (page_height(page) - region_boxes(page).bottom) / window(page)[1]


@feature("style", bins=_WIDTHS, needs="layout", source=SPENGLER, window=BESIDE)
def width(page: Page) -> Floats:
    """Width as a share of the window's: lines of text are wide, menu entries narrow."""
    return region_boxes(page).width / window(page)[0]


@feature("style", bins=_HEIGHTS, needs="layout", source=SPENGLER, window=BESIDE)
def height(page: Page) -> Floats:
    """Height in CSS pixels: separates one line from many, icons from pictures."""
    return region_boxes(page).height


@feature("style", bins=(1, 1e3, 5e3, 2e4, 6e4, 2e5), needs="layout", source=SPENGLER)
def surface(page: Page) -> Floats:
    """Area in square CSS pixels: the text and its pictures take up the most space."""
    return region_boxes(page).width * region_boxes(page).height


@feature("style", bins=(1e-4, 5e-4, 2e-3, 5e-3, 0.02, 0.1), needs="layout")
def area_share(page: Page) -> Floats:
    """Area as a share of the whole page's, which is the window's width by the page's height."""
    return surface(page) / (window(page)[0] * page_height(page))


@feature("style", bins=(0.5, 1.5, 2.5, 3.5, 5.5, 8.5, 15), needs="layout")
def line_count(page: Page) -> Floats:
    """Height divided by the line height: the number of lines of a text; unknown for media."""
    return np.where(page.is_media, np.nan, region_boxes(page).height / line_heights(page))


@feature("style", needs="layout")
def above_fold(page: Page) -> Flags:
    """Upper edge is visible without scrolling: headlines mostly, footers never."""
    return np.asarray(region_boxes(page).top < window(page)[1])


@feature("style", needs="layout")
def outside_window(page: Page) -> Flags:
    """Box beyond the window's sides or the page's top: hidden links, slides not yet shown."""
    box = region_boxes(page)
    beside = (box.right <= 0) | (box.left >= window(page)[0])
    return np.asarray(beside | (box.bottom <= 0))


@feature("style", needs="layout")
def is_centred(page: Page) -> Flags:
    """Horizontal centre within 8 CSS pixels of the window's: titles, notices, wide pictures."""
    middles = region_boxes(page).left + region_boxes(page).width / 2
    return np.asarray(np.abs(middles - window(page)[0] / 2) <= _MIDDLE_TOLERANCE)


def _register_alignment(quantity: str, side: str, what: str, reason: str) -> None:
    place, difference = _NEIGHBOURS[side]

    def compute(page: Page) -> Flags:
        change = difference(getattr(region_boxes(page), quantity))
        return np.asarray(np.abs(change) <= _EDGE_TOLERANCE)

    compute.__doc__ = f"{what} equals that of the region {place}, within 1 CSS pixel: {reason}."
    feature("style", needs="layout", name=f"same-{quantity}-as-{side}")(compute)


_register_alignment("left", "previous", "Left edge", "both are in one column")
_register_alignment("left", "next", "Left edge", "both are in one column")
_register_alignment("width", "previous", "Width", "tiles of a grid, pictures of a gallery")


def _register_difference(quantity: str, side: str) -> None:
    bins, reason = _DIFFERENCES[quantity]

    def compute(page: Page) -> Floats:
        return difference(getattr(region_boxes(page), quantity))

    place, difference = _NEIGHBOURS[side]
    summary = f"{quantity.capitalize()} minus that of the region {place}"
    compute.__doc__ = f"{summary}, in CSS pixels: {reason}."
    name = f"{side}-{quantity}-difference"
    feature("style", bins=bins, needs="layout", name=name, source=SPENGLER)(compute)


for _quantity in _DIFFERENCES:
    for _neighbour in _NEIGHBOURS:
        _register_difference(_quantity, _neighbour)


def _register_space(pattern: str, side: str) -> None:
    bins, what, reason = _SPACES[pattern]
    name = pattern.format(side=side)

    def compute(page: Page) -> Floats:
        return style_numbers(page, name)

    compute.__doc__ = f"{what.format(place=_SIDE_WORDS[side])} in CSS pixels: {reason}."
    feature("style", bins=bins, needs="layout", name=name, source=SPENGLER)(compute)


for _pattern in _SPACES:
    for _side in SIDES:
        _register_space(_pattern, _side)


@once_a_page
def _vertical_gaps(page: Page) -> Floats:
    """Return vertical distances between regions in document order, shape (n_regions + 1,).

    The distance above each region, and finally that below the last; NaN at both ends.
    """
    box = region_boxes(page)
    return np.append(box.top, np.nan) - np.insert(box.bottom, 0, np.nan)


@feature("style", bins=_GAPS, needs="layout", window=BESIDE)
def previous_gap(page: Page) -> Floats:
    """Upper edge minus the lower edge of the region before, in CSS pixels: gaps separate parts."""
    return _vertical_gaps(page)[:-1]


@feature("style", bins=_GAPS, needs="layout")
def next_gap(page: Page) -> Floats:
    """Upper edge of the region after minus own lower edge, in CSS pixels: gaps separate parts."""
    return _vertical_gaps(page)[1:]


@feature("style", bins=_LINES, needs="layout")
def previous_gap_in_lines(page: Page) -> Floats:
    """Gap above divided by the line height: 0 inside a paragraph, about 1 between paragraphs."""
    return previous_gap(page) / line_heights(page)


@feature("style", bins=_LINES, needs="layout")
def next_gap_in_lines(page: Page) -> Floats:
    """Gap below divided by the line height: headings are close to the text that follows."""
    return next_gap(page) / line_heights(page)


@once_a_page
def _screen_rows(page: Page) -> Integers:
    """Return the row of each region, counted from the top, -1 without a box, shape (n_regions,).

    A row is a band of vertical centres: it begins with the highest centre that is not in a row yet
    and extends 6 CSS pixels downwards.
    """
    middles = region_boxes(page).top + region_boxes(page).height / 2
    order = np.argsort(middles, kind="stable")
    order = order[~np.isnan(middles[order])]
    rows = np.full(len(page), -1, dtype=np.int64)
    number, start = -1, -np.inf
    for i, middle in zip(order.tolist(), middles[order].tolist(), strict=True):
        if middle > start + _ROW_BAND:
            number, start = number + 1, middle
        rows[i] = number
    return rows


@once_a_page
def _screen_ranks(page: Page) -> Floats:
    """Return each region's rank in reading order, row by row from 0; NaN without a box."""
    rows = _screen_rows(page)
    order = np.lexsort((region_boxes(page).left, rows))
    order = order[rows[order] >= 0]
    ranks = np.full(len(page), np.nan)
    ranks[order] = np.arange(len(order))
    return ranks


@once_a_page
def _row_sizes(page: Page) -> Integers:
    """Return the number of regions in each row, shape (n_rows,)."""
    rows = _screen_rows(page)
    return np.bincount(rows[rows >= 0])


@feature("style", bins=(2, 3, 4, 6, 9, 14), needs="layout")
def row_size(page: Page) -> Floats:
    """Number of regions in the row on the screen: paragraphs are alone, menu entries are not."""
    rows, sizes = _screen_rows(page), np.append(_row_sizes(page).astype(np.float64), np.nan)
    return np.asarray(sizes[rows])


@feature("style", bins=(1, 2, 3, 4, 6, 9, 14), needs="layout")
def row_position(page: Page) -> Floats:
    """Number of regions left of this one in its row: symbols come first, menu entries follow."""
    sizes = _row_sizes(page)
    starts = np.append(np.cumsum(sizes) - sizes, 0)
    return np.asarray(_screen_ranks(page) - starts[_screen_rows(page)])


@feature("style", bins=_JUMPS, needs="layout")
def reading_order_difference(page: Page) -> Floats:
    """Rank in reading order on the screen minus position in the document, in regions.

    Side columns and overlays are in another place in the source than on the screen.
    """
    ranks = _screen_ranks(page)
    places = np.cumsum(~np.isnan(ranks)) - 1
    return np.asarray(ranks - places)


@feature("style", bins=_JUMPS, needs="layout")
def reading_order_jump(page: Page) -> Floats:
    """Regions on the screen between the document's previous one and this; negative if backwards."""
    return less_previous(_screen_ranks(page)) - 1
