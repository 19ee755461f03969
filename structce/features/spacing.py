"""Features of the space around a region: margins, paddings, borders, gaps to its neighbours."""

from __future__ import annotations

import numpy as np

from structce.features.computed_style import SIDES, Floats, line_heights, numbers
from structce.features.layout import boxes_of
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page

_PAPER = "Spengler et al. (2010)"
_PIXELS = (1, 4, 8, 16, 24, 32, 64)
_GAPS = (-200, -20, 0.5, 12, 24, 48, 96, 300)
_LINES = (-4, -0.5, 0.1, 0.5, 1, 1.5, 2.5, 4, 8)

_SPACES = {
    "margin-{side}": (_PIXELS, "Margin {place} the element", "paragraphs keep one distance"),
    "padding-{side}": (_PIXELS, "Padding {place} the text", "buttons, cells and cards have it"),
    "border-{side}-width": (
        (0.5, 1.5, 3, 6),
        "Width of the border {place} the text",
        "rules part a page, frames mark boxes",
    ),
}
_PLACES = {"top": "above", "right": "right of", "bottom": "below", "left": "left of"}


def _register_space(pattern: str, side: str) -> None:
    bins, what, reason = _SPACES[pattern]
    name = pattern.format(side=side)

    def compute(page: Page) -> Floats:
        return numbers(page, name)

    compute.__doc__ = f"{what.format(place=_PLACES[side])} in CSS pixels: {reason}."
    feature("style", bins=bins, needs="layout", name=name, source=_PAPER)(compute)


for _pattern in _SPACES:
    for _side in SIDES:
        _register_space(_pattern, _side)


@once_a_page
def _gaps(page: Page) -> Floats:
    """Return vertical distances between regions in document order, shape (n_regions + 1,).

    The one above each region, and last the one below the last; NaN at both ends.
    """
    box = boxes_of(page)
    return np.append(box.top, np.nan) - np.insert(box.bottom, 0, np.nan)


@feature("style", bins=_GAPS, needs="layout")
def previous_gap(page: Page) -> Floats:
    """Upper edge less the lower one of the region before, in CSS pixels: parts are apart."""
    return _gaps(page)[:-1]


@feature("style", bins=_GAPS, needs="layout")
def next_gap(page: Page) -> Floats:
    """Upper edge of the region after less the own lower one, in CSS pixels: parts are apart."""
    return _gaps(page)[1:]


@feature("style", bins=_LINES, needs="layout")
def previous_gap_in_lines(page: Page) -> Floats:
    """Gap above over the line height: 0 inside a paragraph, about 1 between paragraphs."""
    return previous_gap(page) / line_heights(page)


@feature("style", bins=_LINES, needs="layout")
def next_gap_in_lines(page: Page) -> Floats:
    """Gap below over the line height: a heading is nearer to its text than to what is above."""
    return next_gap(page) / line_heights(page)
