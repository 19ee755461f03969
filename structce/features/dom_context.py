"""Features of the document around a region: headings above, lists and tables, siblings."""

from __future__ import annotations

import numpy as np

from structce.arrays import Floats, Integers, Integers32
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    ancestor_steps,
    counts_above,
    elements_called,
    elements_with,
    innermost,
    named_bins,
    regions_below,
)
from structce.features.registry import SPENGLER, feature, once_a_page
from structce.page import Page

_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
_ARIA_LEVELS = {str(level): level for level in range(1, 7)}
_ENTRIES = frozenset({"li", "dt", "dd", "option"})
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_CELLS = frozenset({"td", "th"})
_ENTRY_ROLES = frozenset({"listitem"})
_CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_COUNTS = (1, 2, 3, 5, 9, 17, 33)
_SIBLING_COUNTS = (1, 2, 3, 5, 9, 17)


@feature("dom", bins=(2, 3, 4, 5))
@once_a_page
def heading_level(page: Page) -> Floats:
    """Level of the heading that the region lies in, 1 to 6; unknown outside headings.

    It is given by the element's name or by ``aria-level``, and is 2 for a heading by role alone.
    """
    called, rows = elements_called(page), page.elements.attributes
    levels = {i: level for name, level in _HEADING_LEVELS.items() for i in called.get(name, ())}
    for i in elements_with(page).get("role", ()):
        if rows[i]["role"] == "heading":
            levels[i] = _ARIA_LEVELS.get(rows[i].get("aria-level", ""), levels.get(i, 2))
    return np.array([levels.get(i, np.nan) for i in innermost(page, list(levels))], dtype=float)


@once_a_page
def _last_heading(page: Page) -> Integers:
    """Return the last region in a heading, up to each region itself; -1 above the first."""
    rows = np.where(np.isnan(heading_level(page)), -1, np.arange(len(page)))
    return np.maximum.accumulate(np.append(-1, rows))[: len(page)]


@feature("dom", bins=(2, 3, 4, 5))
def heading_above(page: Page) -> Floats:
    """Level of the last heading before the region, 1 to 6: text below h1 differs from below h4."""
    return np.append(heading_level(page), np.nan)[_last_heading(page)]


@feature("dom", bins=(2, 3, 4, 6, 9, 14, 25))
def since_heading(page: Page) -> Floats:
    """Number of regions since the last heading; unknown above the first."""
    since = np.arange(len(page)) - _last_heading(page)
    return np.where(_last_heading(page) >= 0, since, np.nan)


@once_a_page
def _entries(page: Page) -> list[int]:
    """Return the innermost list entry that each region lies in, or -1."""
    return innermost(page, _elements_of(page, _ENTRIES, _ENTRY_ROLES))


@once_a_page
def _cells(page: Page) -> list[int]:
    """Return the innermost table cell that each region lies in, or -1."""
    return innermost(page, _elements_of(page, _CELLS, _CELL_ROLES))


def _elements_of(page: Page, names: NameSet, roles: NameSet = NO_NAMES) -> set[int]:
    """Return the elements with one of the given names or ARIA roles."""
    called, rows = elements_called(page), page.elements.attributes
    stated = {i for i in elements_with(page).get("role", ()) if rows[i]["role"] in roles}
    return stated.union(*(called.get(name, ()) for name in names))


def _element_column(places: list[int], values: Integers32) -> Floats:
    """Return the values of elements, unknown for -1."""
    return np.append(values.astype(np.float64), np.nan)[places]


@feature("dom", bins=_COUNTS)
def list_place(page: Page) -> Floats:
    """Position of the region's entry in its list, from 0; unknown outside lists."""
    return _element_column(_entries(page), page.elements.position)


@feature("dom", bins=_COUNTS)
def list_length(page: Page) -> Floats:
    """Number of entries of the innermost list: long lists are menus or teasers."""
    return _element_column(_entries(page), page.elements.n_siblings)


@feature("dom", bins=(1, 2, 3, 4))
def list_depth(page: Page) -> Integers:
    """Number of lists around the region: menus are nested, lists in an article hardly ever."""
    return counts_above(page, list(_elements_of(page, _LISTS)))[page.element]


@feature("dom", bins=(1, 2, 3, 5))
def table_column(page: Page) -> Floats:
    """Column of the region in the innermost table, from 0; unknown outside tables."""
    return _element_column(_cells(page), page.elements.position)


@feature("dom", bins=(1, 2, 3, 5))
def table_width(page: Page) -> Floats:
    """Number of cells in the row of the innermost table: 1 if a table is only used for layout."""
    return _element_column(_cells(page), page.elements.n_siblings)


@once_a_page
def _places_in_parent(page: Page) -> tuple[Integers, Integers]:
    """Return how many regions below the same parent come before and after each region.

    The parent is the element above the region's own, as for ``dom.parent-tag``, since most text is
    alone in its own element. A region of the root is counted among those of the root.
    """
    above = ancestor_steps(page)[1, page.element]
    parent = np.where(above >= 0, above, page.element)
    first, count = (column[parent] for column in regions_below(page))
    before = np.arange(len(page)) - first
    return before, count - 1 - before


@feature("text", bins=_SIBLING_COUNTS, aliases=["output-siblings-next"], source=SPENGLER)
def next_in_parent(page: Page) -> Integers:
    """Number of regions after this one below the same parent element."""
    return _places_in_parent(page)[1]


@feature("text", bins=_SIBLING_COUNTS)
def previous_in_parent(page: Page) -> Integers:
    """Number of regions before this one below the same parent element."""
    return _places_in_parent(page)[0]


@feature("dom")
def place_in_parent(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one below its parent: names open their line."""
    return _place_names(*_places_in_parent(page))


@feature("dom")
def place_in_block(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one of its block: "By" comes before a name."""
    rows = np.arange(len(page))
    blocks = page.blocks
    before = rows - np.searchsorted(blocks, blocks)
    return _place_names(before, np.searchsorted(blocks, blocks, side="right") - 1 - rows)


def _place_names(before: Integers, after: Integers) -> list[str]:
    places = 2 * (before > 0) + (after > 0)
    return named_bins(places, (1, 2, 3), ("only", "first", "last", "middle"))
