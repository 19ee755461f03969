"""Features of a region's place among the regions of its parent and of its block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.tree import ancestors, regions_below
from structce.page import Page

_COUNTS = (1, 2, 3, 5, 9, 17)
Integers = NDArray[np.int64]


@once_a_page
def _places(page: Page) -> tuple[Integers, Integers]:
    """Return how many regions below the same parent stand before and after each region.

    The parent is the element above the region's own, as for ``dom.parent-tag``: in its own element
    most text is alone. A region of the root is counted among those of the root.
    """
    above = ancestors(page)[1, page.element]
    parent = np.where(above >= 0, above, page.element)
    first, count = (column[parent] for column in regions_below(page))
    before = np.arange(len(page)) - first
    return before, count - 1 - before


@feature("text", bins=_COUNTS, aliases=["output-siblings-next"], source="Spengler et al. (2010)")
def next_in_parent(page: Page) -> Integers:
    """Number of regions after this one below the same parent element."""
    return _places(page)[1]


@feature("text", bins=_COUNTS)
def previous_in_parent(page: Page) -> Integers:
    """Number of regions before this one below the same parent element."""
    return _places(page)[0]


@feature("dom")
def place_in_parent(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one of its parent: names open their line."""
    return _kinds(*_places(page))


@feature("dom")
def place_in_block(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one of its block: "By" comes before a name."""
    rows = np.arange(len(page))
    blocks = page.blocks
    before = rows - np.searchsorted(blocks, blocks)
    return _kinds(before, np.searchsorted(blocks, blocks, side="right") - 1 - rows)


def _kinds(before: Integers, after: Integers) -> list[str]:
    names = np.array(["only", "first", "last", "middle"])
    kinds: list[str] = names[2 * (before > 0) + (after > 0)].tolist()
    return kinds
