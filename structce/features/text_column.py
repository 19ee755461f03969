"""Features of the column of running text, and of distances to headline and text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.features.landmarks import heading_region, is_running, main_mask
from structce.features.layout import Boxes, region_boxes
from structce.features.registry import BESIDE, feature, once_a_page
from structce.features.text import widths
from structce.page import Page

_EDGE_STEP = 10.0  # CSS pixels; left edges this close together belong to one column
_MIN_INSIDE = 0.8  # of a region's width; the rest may be padding
_MIDDLE_TOLERANCE = 8.0  # CSS pixels by which middles may differ
_OFFSETS = (-1000, -300, -100, -20, 0, 20, 60, 150, 400, 1000, 3000)
_DISTANCES = (0.5, 20, 60, 150, 400, 1000, 3000)
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Extent(NamedTuple):
    """Bounding box of a part of a page in CSS pixels; NaN if the page has no such part."""

    left: float
    top: float
    right: float
    bottom: float


@once_a_page
def text_column(page: Page) -> tuple[float, float]:
    """Return left and right edge of the column with most running text, in CSS pixels, or NaN.

    The left edge shared by most characters, and their median right edge.
    """
    box = region_boxes(page)
    known = is_running(page) & (box.width > 0)
    left, right, weight = box.left[known], box.right[known], widths(page)[known]
    if not weight.any():
        return float("nan"), float("nan")
    edges, places = np.unique(np.round(left / _EDGE_STEP), return_inverse=True)
    densest = edges[np.argmax(np.bincount(places, weights=weight))] * _EDGE_STEP
    here = np.abs(left - densest) <= _EDGE_STEP
    return _median(left[here], weight[here]), _median(right[here], weight[here])


def _median(values: Floats, weights: Integers) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(sums, sums[-1] / 2)]])


@once_a_page
def _overlap(page: Page) -> Floats:
    """Return the width that each region shares with the column of text, in CSS pixels."""
    (left, right), box = text_column(page), region_boxes(page)
    shared = np.minimum(box.right, right) - np.maximum(box.left, left)
    return np.asarray(np.maximum(shared, 0.0))


@feature("style", bins=_SHARES, needs="layout")
def column_overlap(page: Page) -> Floats:
    """Share of the region's width that lies in the column of text, from 0 to 1.

    A region of zero width is in the column (1) if its left edge is.
    """
    (left, right), box = text_column(page), region_boxes(page)
    share = _overlap(page) / np.where(box.width > 0, box.width, np.inf)
    at_edge = (box.width == 0) & (box.left >= left) & (box.left <= right)
    return np.where(at_edge, 1.0, share)


@feature("style", needs="layout", window=BESIDE)
def in_text_column(page: Page) -> Flags:
    """At least 80 % of the region's width lies in the column with most running text.

    What is beside the text is mostly navigation, advertising or a teaser.
    """
    return np.asarray(column_overlap(page) >= _MIN_INSIDE)


@feature("style", bins=_SHARES, needs="layout")
def column_coverage(page: Page) -> Floats:
    """Share of the column of text that the region covers, from 0 to 1: 1 for a full line."""
    left, right = text_column(page)
    return _overlap(page) / max(right - left, 1.0)


@feature("style", bins=(-1, -0.3, -0.02, 0.02, 0.3, 1), needs="layout")
def column_distance(page: Page) -> Floats:
    """Distance to the column of text in column widths: negative to its left, 0 on overlap."""
    (left, right), box = text_column(page), region_boxes(page)
    gap = np.maximum(box.left - right, 0.0) + np.minimum(box.right - left, 0.0)
    return gap / max(right - left, 1.0)


@feature("style", bins=(-200, -40, -10, -1, 1, 10, 40, 200, 500), needs="layout")
def column_left_difference(page: Page) -> Floats:
    """Left edge minus that of the column of text, in CSS pixels: 0 for most paragraphs."""
    return region_boxes(page).left - text_column(page)[0]


@feature("style", needs="layout")
def centred_in_column(page: Page) -> Flags:
    """Centred inside the column of text without touching its edges: ornaments, short notes."""
    (left, right), box = text_column(page), region_boxes(page)
    off_middle = np.abs(box.left + box.width / 2 - (left + right) / 2)
    return np.asarray((off_middle <= _MIDDLE_TOLERANCE) & (box.left >= left + _MIDDLE_TOLERANCE))


@once_a_page
def _heading(page: Page) -> Extent:
    return _bounding_box(region_boxes(page), np.arange(len(page)) == heading_region(page))


@once_a_page
def _main_text(page: Page) -> Extent:
    return _bounding_box(region_boxes(page), main_mask(page) & is_running(page))


def _bounding_box(box: Boxes, chosen: Flags) -> Extent:
    """Return the smallest rectangle around the chosen regions that have boxes."""
    rows = np.flatnonzero(chosen & ~np.isnan(box.left))
    if not len(rows):
        return Extent(*(float("nan"),) * 4)
    starts = (float(edge[rows].min()) for edge in (box.left, box.top))
    return Extent(*starts, *(float(edge[rows].max()) for edge in (box.right, box.bottom)))


def _box_distance(box: Boxes, part: Extent) -> Floats:
    """Return the shortest distance between each box and a part of the page, 0 if they overlap."""
    across = np.maximum(np.maximum(part.left - box.right, box.left - part.right), 0.0)
    down = np.maximum(np.maximum(part.top - box.bottom, box.top - part.bottom), 0.0)
    return np.hypot(across, down)


@feature("style", bins=_OFFSETS, needs="layout")
def heading_offset(page: Page) -> Floats:
    """Upper edge minus the headline's lower edge, in CSS pixels: bylines follow closely."""
    return region_boxes(page).top - _heading(page).bottom


@feature("style", bins=_DISTANCES, needs="layout")
def heading_distance(page: Page) -> Floats:
    """Shortest distance to the headline's box, in CSS pixels: 0 for the headline itself."""
    return _box_distance(region_boxes(page), _heading(page))


@feature("style", bins=_OFFSETS, needs="layout")
def text_offset(page: Page) -> Floats:
    """Upper edge minus that of the main text, in CSS pixels, negative above it."""
    return region_boxes(page).top - _main_text(page).top


@feature("style", bins=_OFFSETS, needs="layout")
def text_end_offset(page: Page) -> Floats:
    """Upper edge minus the main text's lower edge, in CSS pixels: 0 or more below the text."""
    return region_boxes(page).top - _main_text(page).bottom


@feature("style", name="text-distance", bins=_DISTANCES, needs="layout")
def main_text_distance(page: Page) -> Floats:
    """Shortest distance to the box around the main text, in CSS pixels: 0 inside it."""
    return _box_distance(region_boxes(page), _main_text(page))
