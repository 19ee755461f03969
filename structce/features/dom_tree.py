"""Tree of elements above the regions: ancestors, subtrees, inherited names, over kernels.

Elements are in document order, so all elements below an element follow it without a gap, and so
do the regions below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from structce import kernels
from structce.arrays import Flags, Floats, Integers, Integers32
from structce.features.registry import once_a_page
from structce.language import WORDS
from structce.page import Page

K = TypeVar("K")
T = TypeVar("T")
NameSet = frozenset[str]
NO_NAMES: NameSet = frozenset()
_NEAR_STEPS = 3  # elements above a region's own; seldom more than three wrappers carry names


@once_a_page
def holders(page: Page) -> list[int]:
    """Return ``page.element`` as a list, which is faster for indexing lists."""
    elements: list[int] = page.element.tolist()
    return elements


def at_regions(page: Page, values: Mapping[int, T]) -> list[T | None]:
    """Return for each region the value given for it, or None."""
    result: list[T | None] = [None] * len(page)
    for i, value in values.items():
        result[i] = value
    return result


def bin_codes(values: ArrayLike, borders: Sequence[float]) -> Integers:
    """Return the number of each value's interval; a value on a border belongs above it."""
    return np.asarray(borders).searchsorted(values, "right")


def of_regions(page: Page, values: Sequence[T]) -> list[T]:
    """Return for each region the value of its element, given one value per element."""
    return [values[i] for i in holders(page)]


@once_a_page
def elements_called(page: Page) -> dict[str, list[int]]:
    """Return the indices of elements by their name."""
    return kernels.places_of(page.elements.tag)


def named(page: Page, names: Set[str]) -> Flags:
    """Return whether each element has one of several names, shape (n_elements,)."""
    are_names = [*map(names.__contains__, elements_called(page))]
    return np.array(are_names, dtype=bool)[tag_numbers(page)]


@once_a_page
def elements_with(page: Page) -> dict[str, list[int]]:
    """Return the indices of elements by the attributes that they have, ascending."""
    return kernels.places_of_keys(page.elements.attributes)


@once_a_page
def ancestor_steps(page: Page) -> Integers32:
    """Return the element 0 to 4 steps above each element, shape (5, n_elements + 1).

    -1 above the root; the last column is -1 throughout, so that -1 leads to itself.
    """
    parent = np.append(page.elements.parent, np.int32(-1))
    steps = [np.append(np.arange(len(parent) - 1, dtype=np.int32), np.int32(-1))]
    for _ in range(_NEAR_STEPS + 1):
        steps.append(parent[steps[-1]])
    return np.array(steps, dtype=np.int32)


@once_a_page
def tag_numbers(page: Page) -> Integers32:
    """Return a number for the name of each element, in order of appearance, (n_elements,)."""
    return kernels.number_values(page.elements.tag)


@once_a_page
def classes_of(page: Page) -> list[str]:
    """Return the classes of each element as written, empty without any."""
    return [attributes.get("class", "") for attributes in page.elements.attributes]


@once_a_page
def mark_up_numbers(page: Page) -> Integers:
    """Return a number for the name and the classes of each element, shape (n_elements,)."""
    tags, classes = tag_numbers(page), kernels.number_values(classes_of(page))
    pairs = classes * (tags.max(initial=0) + np.int64(1)) + tags
    return kernels.path_numbers(np.full(len(pairs), -1, dtype=np.int32), pairs)  # without parents


@once_a_page
def path_numbers(page: Page) -> tuple[Integers, Integers]:
    """Return two path numbers per element, equal for equal paths from the root, (n_elements,) each.

    The first is for paths of element names with classes, the second for element names alone: the
    paragraphs of an article share one path, and the cards of a list of teasers another.
    """
    codes, parent = (mark_up_numbers(page), tag_numbers(page)), page.elements.parent
    named, plain = (kernels.path_numbers(parent, own) for own in codes)
    return named, plain


@once_a_page
def ends(page: Page) -> Integers:
    """Return the index one past the last element below each element, shape (n_elements,)."""
    parent = page.elements.parent
    every = np.arange(len(parent))
    n_below = kernels.sums_below(parent, every.astype(np.int32), np.ones(len(parent)))
    return every + n_below.astype(np.int64)


def sums_below(page: Page, values: ArrayLike) -> Floats:
    """Return the sum of whole numbers over the regions below each element, shape (n_elements,).

    Values in the rows of a table have their sums in rows as well, shape (n_columns, n_elements).
    """
    return kernels.sums_below(page.elements.parent, page.element, values)


def counts_above(page: Page, chosen: Sequence[int] | Integers) -> Integers:
    """Return how many of the chosen elements each element lies in, shape (n_elements,).

    An element counts as lying in itself.
    """
    return kernels.counts_above(page.elements.parent, marked(page, chosen))


def inside_any(page: Page, chosen: Sequence[int]) -> Flags:
    """Return whether each region is, or lies in, one of the chosen elements, shape (n_regions,)."""
    if not len(chosen):
        return np.zeros(len(page), dtype=bool)
    return np.asarray(counts_above(page, chosen)[page.element] > 0)


def marked(page: Page, chosen: Sequence[int] | Integers) -> Flags:
    """Return whether each element is among the chosen ones, shape (n_elements,)."""
    marks = np.zeros(len(page.elements), dtype=bool)
    marks[np.asarray(chosen, dtype=np.int64)] = True
    return marks


def nearest_marked(page: Page, marks: Flags) -> Integers:
    """Return for each element the nearest marked one, itself or above it, shape (n_elements,).

    -1 where there is no marked one.
    """
    return kernels.nearest(page.elements.parent, marks)


def innermost(page: Page, chosen: Iterable[int]) -> Integers:
    """Return the innermost of the chosen elements that each region is or lies in, or -1."""
    return nearest_marked(page, marked(page, [*chosen]))[page.element]


def innermost_values(page: Page, values: Mapping[int, T]) -> list[T | None]:
    """Return the value of the innermost element with one that each region is or lies in, or None.

    ``values`` are those of elements.
    """
    if not values:
        return [None] * len(page)
    return [*map(values.get, innermost(page, values).tolist())]


@once_a_page
def regions_below(page: Page) -> tuple[Integers, Integers]:
    """Return first region and number of regions below each element, shape (n_elements,) each."""
    reached = np.maximum.accumulate(page.element) if len(page) else page.element
    first = np.searchsorted(reached, np.arange(len(page.elements)))
    return first, sums_below(page, np.ones(len(page))).astype(np.int64)


def joined_near(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return for each region the names of the three elements above its own.

    ``own`` is one set per element. Equal sets are mostly one object, here as in the functions
    below, so that later work on a set is done only once.
    """
    if not any(own):
        return [NO_NAMES] * len(page)
    return kernels.near_unions(page.elements.parent, page.element, own)


def marked_near(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return each region's names from its element and, prefixed by ``^``, from the three above."""
    return kernels.map_rows(_with_marked, of_regions(page, own), joined_near(page, own))


@lru_cache(maxsize=WORDS)
def _with_marked(own: NameSet, near: NameSet) -> NameSet:
    return own | {f"^{name}" for name in near}


def joined_far(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return for each region the names of all elements four or more steps above its own."""
    padded = [*inherited(page, own), NO_NAMES]
    return [padded[i] for i in ancestor_steps(page)[_NEAR_STEPS + 1, page.element].tolist()]


def inherited(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return the names of each element and of all above it, one set per element."""
    return kernels.unions_down(page.elements.parent, own)
