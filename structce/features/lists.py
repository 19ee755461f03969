"""Features of lists and tables: entries of menus, teasers, comments and data stand in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.tree import counts_above, elements_called, elements_with, innermost
from structce.page import Page

_ENTRIES = frozenset({"li", "dt", "dd", "option"})
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_CELLS = frozenset({"td", "th"})
_ENTRY_ROLES = frozenset({"listitem"})
_CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_COUNTS = (1, 2, 3, 5, 9, 17, 33)
Floats = NDArray[np.float64]


@once_a_page
def _entries(page: Page) -> list[int]:
    """Return the innermost entry of a list that each region lies in, or -1."""
    return innermost(page, _called(page, _ENTRIES) | _with_role(page, _ENTRY_ROLES))


@once_a_page
def _cells(page: Page) -> list[int]:
    """Return the innermost cell of a table that each region lies in, or -1."""
    return innermost(page, _called(page, _CELLS) | _with_role(page, _CELL_ROLES))


def _called(page: Page, names: frozenset[str]) -> set[int]:
    return {i for name in names for i in elements_called(page).get(name, ())}


def _with_role(page: Page, roles: frozenset[str]) -> set[int]:
    rows = page.elements.attributes
    return {i for i in elements_with(page).get("role", ()) if rows[i]["role"] in roles}


def _column(places: list[int], values: NDArray[np.int32]) -> Floats:
    """Return the values of elements, unknown for -1."""
    return np.append(values.astype(np.float64), np.nan)[places]


@feature("dom", bins=_COUNTS)
def list_place(page: Page) -> Floats:
    """Place of the region's entry in its list, from 0; unknown outside lists."""
    return _column(_entries(page), page.elements.position)


@feature("dom", bins=_COUNTS)
def list_length(page: Page) -> Floats:
    """Number of entries of the innermost list: long ones are menus, or teasers."""
    return _column(_entries(page), page.elements.n_siblings)


@feature("dom", bins=(1, 2, 3, 4))
def list_depth(page: Page) -> NDArray[np.int64]:
    """Number of lists around the region: menus nest, lists of an article hardly."""
    return counts_above(page, list(_called(page, _LISTS)))[page.element]


@feature("dom", bins=(1, 2, 3, 5))
def table_column(page: Page) -> Floats:
    """Column of the innermost table that the region stands in, from 0; unknown outside tables."""
    return _column(_cells(page), page.elements.position)


@feature("dom", bins=(1, 2, 3, 5))
def table_width(page: Page) -> Floats:
    """Number of cells in the row of the innermost table: one where a table only sets the page."""
    return _column(_cells(page), page.elements.n_siblings)
