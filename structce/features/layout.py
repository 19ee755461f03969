"""Features of a region's box: its place on the screen, its size, what it lines up with.

A page that was laid out but has no box for a region leaves that region's features unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.features.computed_style import Floats, less_next, less_previous, line_heights
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page

_PAPER = "Spengler et al. (2010)"
_SHARES = (0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95)
_WINDOWS = (0.1, 0.25, 0.5, 1, 2, 4, 8)
_SAME = 1.0  # CSS pixels by which equal edges may differ, for browsers round
_CENTRED = 8.0  # CSS pixels by which middles may differ; our choice


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
def boxes_of(page: Page) -> Boxes:
    """Return the boxes of a page's regions."""
    left, top, width, height = page.boxes.astype(np.float64).T
    return Boxes(left, top, width, height, left + width, top + height)


def window(page: Page) -> tuple[float, float]:
    """Return width and height of the window in CSS pixels, at least 1."""
    return max(float(page.viewport[0]), 1.0), max(float(page.viewport[1]), 1.0)


@once_a_page
def page_height(page: Page) -> float:
    """Return the lower edge of the lowest region in CSS pixels, at least the window's."""
    return float(np.fmax.reduce(boxes_of(page).bottom, initial=window(page)[1]))


@feature("style", bins=_SHARES[:6], needs="layout", source=_PAPER)
def left(page: Page) -> Floats:
    """Left edge as a share of the window's width: side columns begin far right."""
    return boxes_of(page).left / window(page)[0]


@feature("style", bins=_SHARES, needs="layout", source=_PAPER)
def right(page: Page) -> Floats:
    """Right edge as a share of the window's width: text columns end at the same place."""
    return boxes_of(page).right / window(page)[0]


@feature("style", bins=_WINDOWS, needs="layout", source=_PAPER)
def top(page: Page) -> Floats:
    """Upper edge in heights of the window: below 1 is seen without scrolling."""
    return boxes_of(page).top / window(page)[1]


@feature("style", bins=_WINDOWS, needs="layout", source=_PAPER)
def bottom(page: Page) -> Floats:
    """Lower edge in heights of the window: the header ends early."""
    return boxes_of(page).bottom / window(page)[1]


@feature("style", bins=(0.1, 0.25, 0.5, 1, 2, 4), needs="layout")
def from_page_end(page: Page) -> Floats:
    """Distance of the lower edge from the page's end in heights of the window: footers."""
    return (page_height(page) - boxes_of(page).bottom) / window(page)[1]


@feature("style", bins=(0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8), needs="layout", source=_PAPER)
def width(page: Page) -> Floats:
    """Width as a share of the window's: lines of text are wide, entries of menus narrow."""
    return boxes_of(page).width / window(page)[0]


@feature("style", bins=(1, 12, 20, 32, 60, 120, 240, 480), needs="layout", source=_PAPER)
def height(page: Page) -> Floats:
    """Height in CSS pixels: one line or many, icon or picture."""
    return boxes_of(page).height


@feature("style", bins=(1, 1e3, 5e3, 2e4, 6e4, 2e5), needs="layout", source=_PAPER)
def surface(page: Page) -> Floats:
    """Area in square CSS pixels: the text and its pictures take the most room."""
    return boxes_of(page).width * boxes_of(page).height


@feature("style", bins=(1e-4, 5e-4, 2e-3, 5e-3, 0.02, 0.1), needs="layout")
def area_share(page: Page) -> Floats:
    """Area as a share of the whole page's, window's width by page's height."""
    return surface(page) / (window(page)[0] * page_height(page))


@feature("style", bins=(0.5, 1.5, 2.5, 3.5, 5.5, 8.5, 15), needs="layout")
def line_count(page: Page) -> Floats:
    """Height in line heights, which is the number of lines of a text; unknown for media."""
    return np.where(page.is_media, np.nan, boxes_of(page).height / line_heights(page))


@feature("style", needs="layout")
def above_fold(page: Page) -> NDArray[np.bool_]:
    """Upper edge is seen without scrolling: headlines mostly, footers never."""
    return np.asarray(boxes_of(page).top < window(page)[1])


@feature("style", needs="layout")
def outside_window(page: Page) -> NDArray[np.bool_]:
    """Box beyond the window's side or the page's upper edge: hidden links, slides not yet shown."""
    box = boxes_of(page)
    beside = (box.right <= 0) | (box.left >= window(page)[0])
    return np.asarray(beside | (box.bottom <= 0))


@feature("style", needs="layout")
def is_centred(page: Page) -> NDArray[np.bool_]:
    """Middle of the box within 8 CSS pixels of the window's: titles, notices, wide pictures."""
    middles = boxes_of(page).left + boxes_of(page).width / 2
    return np.asarray(np.abs(middles - window(page)[0] / 2) <= _CENTRED)


@feature("style", needs="layout")
def same_left_as_previous(page: Page) -> NDArray[np.bool_]:
    """Left edge of the region before, within 1 CSS pixel: both stand in one column."""
    return np.asarray(np.abs(less_previous(boxes_of(page).left)) <= _SAME)


@feature("style", needs="layout")
def same_left_as_next(page: Page) -> NDArray[np.bool_]:
    """Left edge of the region after, within 1 CSS pixel: both stand in one column."""
    return np.asarray(np.abs(less_next(boxes_of(page).left)) <= _SAME)


@feature("style", needs="layout")
def same_width_as_previous(page: Page) -> NDArray[np.bool_]:
    """Width of the region before, within 1 CSS pixel: tiles of a grid, pictures of a gallery."""
    return np.asarray(np.abs(less_previous(boxes_of(page).width)) <= _SAME)


_DIFFERENCES: dict[str, tuple[Callable[[Boxes], Floats], tuple[float, ...], str]] = {
    "left": (lambda box: box.left, (-200, -20, -2, 2, 20, 200), "0 in a column of text"),
    "top": (
        lambda box: box.top,
        (-1000, -200, -60, -20, -2, 2, 20, 60, 200, 1000),
        "0 in a row, a jump where a new column begins",
    ),
    "height": (
        lambda box: box.height,
        (-200, -40, -10, -1, 1, 10, 40, 200),
        "a headline is higher than what follows, a paragraph than what goes before",
    ),
    "width": (
        lambda box: box.width,
        (-400, -100, -20, -2, 2, 20, 100, 400),
        "a change marks the border of a part of the page",
    ),
}


def _register_difference(quantity: str) -> None:
    measure, bins, reason = _DIFFERENCES[quantity]

    def previous(page: Page) -> Floats:
        return less_previous(measure(boxes_of(page)))

    def following(page: Page) -> Floats:
        return less_next(measure(boxes_of(page)))

    named = f"{quantity.capitalize()} less that of the region"
    for side, place, compute in (("previous", "before", previous), ("next", "after", following)):
        compute.__doc__ = f"{named} {place}, in CSS pixels: {reason}."
        feature(
            "style",
            bins=bins,
            needs="layout",
            name=f"{side}-{quantity}-difference",
            source=_PAPER,
        )(compute)


for _quantity in _DIFFERENCES:
    _register_difference(_quantity)
