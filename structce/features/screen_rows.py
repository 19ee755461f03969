"""Features of rows on the screen, as menus make them, and of the order in which a reader sees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.computed_style import Floats, less_previous
from structce.features.layout import boxes_of
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page

_BAND = 6.0  # CSS pixels by which the middles of one row's regions may differ; our choice
_JUMPS = (-100, -30, -10, -3, -0.5, 0.5, 3, 10, 30, 100)


@once_a_page
def _rows(page: Page) -> NDArray[np.int64]:
    """Return the row of each region, counted from above, -1 without a box, shape (n_regions,).

    A row is a band of vertical middles: it begins with the highest one that no row has yet and
    reaches 6 CSS pixels down.
    """
    middles = boxes_of(page).top + boxes_of(page).height / 2
    order = np.argsort(middles, kind="stable")
    order = order[~np.isnan(middles[order])]
    numbers = []
    number, start = -1, -np.inf
    for middle in middles[order].tolist():
        if middle > start + _BAND:
            number, start = number + 1, middle
        numbers.append(number)
    rows = np.full(len(page), -1, dtype=np.int64)
    rows[order] = numbers
    return rows


@once_a_page
def _ranks(page: Page) -> Floats:
    """Return each region's place row by row, from the left, from 0; NaN without a box."""
    rows = _rows(page)
    order = np.lexsort((boxes_of(page).left, rows))
    order = order[rows[order] >= 0]
    ranks = np.full(len(page), np.nan)
    ranks[order] = np.arange(len(order))
    return ranks


@once_a_page
def _row_sizes(page: Page) -> NDArray[np.int64]:
    """Return the number of regions in each row, shape (n_rows,)."""
    rows = _rows(page)
    return np.bincount(rows[rows >= 0])


@feature("style", bins=(2, 3, 4, 6, 9, 14), needs="layout")
def row_size(page: Page) -> Floats:
    """Number of regions in the row on the screen: paragraphs stand alone, menus in rows."""
    rows, sizes = _rows(page), np.append(_row_sizes(page).astype(np.float64), np.nan)
    return np.asarray(sizes[rows])


@feature("style", bins=(1, 2, 3, 4, 6, 9, 14), needs="layout")
def row_position(page: Page) -> Floats:
    """Number of regions left of this one in its row: marks come first, entries of menus follow."""
    sizes = _row_sizes(page)
    starts = np.append(np.cumsum(sizes) - sizes, 0)
    return np.asarray(_ranks(page) - starts[_rows(page)])


@feature("style", bins=_JUMPS, needs="layout")
def reading_order_difference(page: Page) -> Floats:
    """Place row by row on the screen less place in the document, in regions.

    Side columns and what is laid over the page stand elsewhere in the source than on the screen.
    """
    ranks = _ranks(page)
    places = np.cumsum(~np.isnan(ranks)) - 1
    return np.asarray(ranks - places)


@feature("style", bins=_JUMPS, needs="layout")
def reading_order_jump(page: Page) -> Floats:
    """Regions on the screen between the one before in the document and this; below 0 backwards."""
    return less_previous(_ranks(page)) - 1
