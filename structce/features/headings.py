"""Features of the headings that a region is in or stands below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.tree import elements_called, elements_with, innermost
from structce.page import Page

_LEVELS = {f"h{level}": level for level in range(1, 7)}
_STATED = {str(level): level for level in range(1, 7)}
Floats = NDArray[np.float64]


@once_a_page
def heading_levels(page: Page) -> Floats:
    """Return the level of the heading that each region lies in; NaN outside headings.

    It is that of the element's name, or of ``aria-level``, or 2 for a heading by role alone.
    """
    called, rows = elements_called(page), page.elements.attributes
    levels = {i: level for name, level in _LEVELS.items() for i in called.get(name, ())}
    for i in elements_with(page).get("role", ()):
        if rows[i]["role"] == "heading":
            levels[i] = _STATED.get(rows[i].get("aria-level", ""), levels.get(i, 2))
    return np.array([levels.get(i, np.nan) for i in innermost(page, list(levels))], dtype=float)


@feature("dom", bins=(2, 3, 4, 5))
def heading_level(page: Page) -> Floats:
    """Level of the heading that the region lies in, 1 to 6; unknown outside headings."""
    return heading_levels(page)


@once_a_page
def _last_heading(page: Page) -> NDArray[np.int64]:
    """Return the last region in a heading before each region; -1 above the first."""
    rows = np.where(np.isnan(heading_levels(page)), -1, np.arange(len(page)))
    latest = np.maximum.accumulate(rows) if len(page) else rows
    return np.concatenate([[-1], latest])[: len(page)].astype(np.int64)


@feature("dom", bins=(2, 3, 4, 5))
def heading_above(page: Page) -> Floats:
    """Level of the last heading before the region, 1 to 6: text below h1 differs from below h4."""
    return np.append(heading_levels(page), np.nan)[_last_heading(page)]


@feature("dom", bins=(2, 3, 4, 6, 9, 14, 25))
def since_heading(page: Page) -> Floats:
    """Number of regions since the last heading; unknown above the first."""
    since = np.arange(len(page)) - _last_heading(page)
    return np.where(_last_heading(page) >= 0, since, np.nan)
