"""Features of how a region looks and where it stands on the screen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.landmarks import is_running, text_lengths
from structce.features.registry import feature
from structce.page import Page

_RATIOS = (0.6, 0.8, 0.95, 1.05, 1.2, 1.4, 1.7, 2.2, 3.0)
_PIXELS = (1, 4, 8, 16, 24, 32, 64)
Floats = NDArray[np.float64]


def _column(page: Page, name: str) -> Floats:
    return page.styles[name].astype(np.float64)


def _body_font_size(page: Page) -> float:
    """Return the font size of most characters of running text, else of all text."""
    weights = text_lengths(page) * is_running(page)
    if not weights.sum():
        weights = text_lengths(page)
    if not weights.sum():
        return 16.0
    sizes, places = np.unique(_column(page, "font-size"), return_inverse=True)
    return float(sizes[np.argmax(np.bincount(places, weights=weights))])


@feature("style", bins=_RATIOS)
def relative_font_size(page: Page) -> Floats:
    """Font size divided by that of the running text (dimensionless).

    A headline stands out against its own page, not against a fixed size in pixels, so the
    ratio carries over to unseen sites.
    """
    return _column(page, "font-size") / max(_body_font_size(page), 1.0)


@feature("style", bins=(0.3, 0.5, 0.7, 0.85, 0.999))
def font_size_rank(page: Page) -> Floats:
    """Font size divided by the page's largest: 1 for the largest text."""
    sizes = _column(page, "font-size")
    return sizes / max(float(np.nanmax(sizes, initial=1.0)), 1.0)


@feature("style", bins=(-12, -6, -2, -0.5, 0.5, 2, 6, 12))
def previous_font_size_difference(page: Page) -> Floats:
    """Font size less that of the region before, in CSS pixels."""
    return np.diff(_column(page, "font-size"), prepend=np.nan)


@feature("style", bins=(-12, -6, -2, -0.5, 0.5, 2, 6, 12))
def next_font_size_difference(page: Page) -> Floats:
    """Font size less that of the region after, in CSS pixels."""
    return -np.diff(_column(page, "font-size"), append=np.nan)


@feature("style")
def is_bold(page: Page) -> NDArray[np.bool_]:
    """Font weight of 600 or more: headings, names, lead-ins."""
    return np.asarray(_column(page, "font-weight") >= 600)


@feature("style")
def is_italic(page: Page) -> list[bool]:
    """Slanted text: captions, credits, notes of the editor."""
    return [value != "normal" for value in page.styles["font-style"]]


@feature("style", needs="layout")
def keyword(page: Page) -> list[frozenset[str]]:
    """Values of display, position, float, alignment, case, decoration, list mark and cursor."""
    names = ["display", "position", "float", "text-align", "text-transform"]
    names += ["text-decoration-line", "list-style-type", "cursor", "border-top-style"]
    columns = [page.styles[name] for name in names]
    rows = zip(*columns, strict=True)
    return [frozenset(f"{n}:{v}" for n, v in zip(names, row, strict=True)) for row in rows]


@feature("style", needs="layout")
def colour_differs(page: Page) -> NDArray[np.bool_]:
    """Text colour is not that of the running text: links, bylines, captions in grey."""
    colours = page.styles["color"]
    names, places = np.unique(colours, return_inverse=True)
    weights = text_lengths(page) * is_running(page)
    if not weights.sum():
        return np.zeros(len(page), dtype=bool)
    return np.asarray(colours != names[np.argmax(np.bincount(places, weights=weights))])


@feature("style", needs="layout")
def has_background(page: Page) -> list[bool]:
    """Own background colour: buttons, boxes, labels."""
    return [
        value not in ("rgba(0, 0, 0, 0)", "transparent")
        for value in page.styles["background-color"]
    ]


@feature("style", bins=(0.05, 0.5, 0.95), needs="layout")
def opacity(page: Page) -> Floats:
    """Opacity from 0 to 1."""
    return _column(page, "opacity")


@feature("style", bins=_PIXELS, needs="layout")
def margin_top(page: Page) -> Floats:
    """Margin above the region's element in CSS pixels."""
    return _column(page, "margin-top")


@feature("style", bins=_PIXELS, needs="layout")
def margin_bottom(page: Page) -> Floats:
    """Margin below the region's element in CSS pixels."""
    return _column(page, "margin-bottom")


@feature("style", bins=_PIXELS, needs="layout")
def padding_bottom(page: Page) -> Floats:
    """Padding below the region's text in CSS pixels."""
    return _column(page, "padding-bottom")


@feature("style", bins=(0.01, 0.05, 0.15, 0.3, 0.5, 0.7), needs="layout")
def left(page: Page) -> Floats:
    """Left edge as a share of the window's width."""
    return page.boxes[:, 0].astype(np.float64) / max(page.viewport[0], 1)


@feature("style", bins=(0.1, 0.25, 0.5, 1, 2, 4, 8), needs="layout")
def top(page: Page) -> Floats:
    """Upper edge in heights of the window: below 1 is seen without scrolling."""
    return page.boxes[:, 1].astype(np.float64) / max(page.viewport[1], 1)


@feature("style", bins=(0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8), needs="layout")
def width(page: Page) -> Floats:
    """Width as a share of the window's."""
    return page.boxes[:, 2].astype(np.float64) / max(page.viewport[0], 1)


@feature("style", bins=(1, 12, 20, 32, 60, 120, 240, 480), needs="layout")
def height(page: Page) -> Floats:
    """Height in CSS pixels."""
    return page.boxes[:, 3].astype(np.float64)


@feature("style", bins=(1, 1e3, 5e3, 2e4, 6e4, 2e5), needs="layout")
def surface(page: Page) -> Floats:
    """Area in square CSS pixels."""
    return page.boxes[:, 2].astype(np.float64) * page.boxes[:, 3]


@feature("style", bins=(-200, -20, -2, 2, 20, 200), needs="layout")
def previous_left_difference(page: Page) -> Floats:
    """Left edge less that of the region before, in CSS pixels: 0 in a column of text."""
    return np.diff(page.boxes[:, 0].astype(np.float64), prepend=np.nan)


@feature("style", bins=(-200, -20, 0.5, 12, 24, 48, 96, 300), needs="layout")
def previous_gap(page: Page) -> Floats:
    """Vertical distance from the lower edge of the region before, in CSS pixels."""
    boxes = page.boxes.astype(np.float64)
    bottoms = boxes[:, 1] + boxes[:, 3]
    return np.asarray(boxes[:, 1] - np.concatenate([[np.nan], bottoms])[: len(page)])


@feature("style", needs="layout")
def in_text_column(page: Page) -> NDArray[np.bool_]:
    """Left edge within 40 CSS pixels of that of most running text."""
    weights = text_lengths(page) * is_running(page)
    if not weights.sum():
        return np.zeros(len(page), dtype=bool)
    lefts = page.boxes[:, 0].astype(np.float64)
    edges, places = np.unique(np.round(lefts / 10), return_inverse=True)
    main = edges[np.argmax(np.bincount(places, weights=weights))] * 10
    return np.asarray(np.abs(lefts - main) <= 40)
