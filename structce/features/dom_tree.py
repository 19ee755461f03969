"""Tree of elements above the regions, read once per page: ancestors, subtrees, inherited names.

Elements are in document order, so all elements below an element follow it without a gap, and so
do the regions below it. Sums over a subtree are then differences of running sums.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.features.registry import once_a_page
from structce.language import WORDS
from structce.page import Page

K = TypeVar("K")
T = TypeVar("T")
NameSet = frozenset[str]
NO_NAMES: NameSet = frozenset()
_NEAR_STEPS = 3  # elements above a region's own; seldom more than three wrappers carry names
_N_STEPS = _NEAR_STEPS + 1


@once_a_page
def holders(page: Page) -> list[int]:
    """Return ``page.element`` as a list, which is faster for indexing lists."""
    elements: list[int] = page.element.tolist()
    return elements


def parents(page: Page) -> list[int]:
    """Return the index of each element's parent as a list; -1 for the root."""
    return page.elements.parents


def at_regions(page: Page, values: Mapping[int, T]) -> list[T | None]:
    """Return for each region the value given for it, or None."""
    return [values.get(i) for i in range(len(page))]


def name_sets(page: Page, names: Mapping[int, Iterable[str]]) -> list[NameSet]:
    """Return for each region the names given for it, or an empty set."""
    sets = [NO_NAMES] * len(page)
    for i, own in names.items():
        sets[i] = frozenset(own)
    return sets


def named_bins(values: ArrayLike, borders: Sequence[float], names: Sequence[str]) -> list[str]:
    """Return for each value the name of its interval; a value on a border belongs above it."""
    places: list[int] = np.asarray(borders).searchsorted(values, "right").tolist()
    return [names[place] for place in places]


def of_regions(page: Page, values: Sequence[T]) -> list[T]:
    """Return for each region the value of its element, given one value per element."""
    return [values[i] for i in holders(page)]


@once_a_page
def elements_called(page: Page) -> dict[str, list[int]]:
    """Return the indices of elements by their name."""
    return _places(enumerate(page.elements.tag))


@once_a_page
def elements_with(page: Page) -> dict[str, list[int]]:
    """Return the indices of elements by the attributes that they have, ascending."""
    places: dict[str, list[int]] = {}
    for names, elements in elements_by_attributes(page).items():
        for name in names:
            places.setdefault(name, []).extend(elements)
    for elements in places.values():
        elements.sort()
    return places


@once_a_page
def elements_by_attributes(page: Page) -> dict[tuple[str, ...], list[int]]:
    """Return the indices of elements by the names of all their attributes, in source order.

    A page has about ten times fewer such combinations than elements.
    """
    return _places(enumerate(map(tuple, page.elements.attributes)))


def _places(keys: Iterable[tuple[int, K]]) -> dict[K, list[int]]:
    places: defaultdict[K, list[int]] = defaultdict(list)
    for i, key in keys:
        places[key].append(i)
    return dict(places)


@once_a_page
def ancestor_steps(page: Page) -> Integers32:
    """Return the element 0 to 4 steps above each element, shape (5, n_elements + 1).

    -1 above the root; the last column is -1 throughout, so that -1 leads to itself.
    """
    parent = np.append(page.elements.parent, np.int32(-1))
    steps = [np.append(np.arange(len(parent) - 1, dtype=np.int32), np.int32(-1))]
    for _ in range(_N_STEPS):
        steps.append(parent[steps[-1]])
    return np.array(steps, dtype=np.int32)


@once_a_page
def path_numbers(page: Page) -> tuple[Integers, Integers]:
    """Return two path numbers per element, equal for equal paths from the root, (n_elements,) each.

    The first is for paths of element names with classes, the second for element names alone: the
    paragraphs of an article share one path, and the cards of a list of teasers another.
    """
    tags, attributes = page.elements.tag, page.elements.attributes
    codes: dict[str | tuple[str, str], int] = {tag: n for n, tag in enumerate(dict.fromkeys(tags))}
    plain = [*map(codes.__getitem__, tags)]
    named = plain.copy()
    for i in elements_with(page).get("class", ()):
        if words := attributes[i]["class"]:
            named[i] = codes.setdefault((tags[i], words), len(codes))
    above = parents(page)
    return _paths(named, above, len(codes)), _paths(plain, above, len(codes))


def _paths(own: Sequence[int], above: Sequence[int], n_codes: int) -> Integers:
    """Return a number per element, equal for elements with equal codes along their paths."""
    known: dict[int, int] = {}
    numbers: list[int] = []
    for code, parent in zip(own, above, strict=True):
        key = (numbers[parent] + 1) * n_codes + code if parent >= 0 else code
        numbers.append(known.setdefault(key, len(known)))
    return np.array(numbers, dtype=np.int64)


@once_a_page
def ends(page: Page) -> Integers:
    """Return the index one past the last element below each element, shape (n_elements,)."""
    after = list(range(1, len(page.elements) + 1))
    above = parents(page)
    for i in range(len(after) - 1, 0, -1):
        if after[i] > after[above[i]]:
            after[above[i]] = after[i]
    return np.array(after, dtype=np.int64)


def sums_below(page: Page, values: ArrayLike) -> Floats:
    """Return the sum of whole numbers over the regions below each element, shape (n_elements,)."""
    own = np.bincount(page.element, weights=values, minlength=len(page.elements))
    running = np.concatenate([[0.0], np.cumsum(own)])
    return np.asarray(running[ends(page)] - running[:-1])


def counts_above(page: Page, chosen: Sequence[int] | Integers) -> Integers:
    """Return how many of the chosen elements each element lies in, shape (n_elements,).

    An element counts as lying in itself.
    """
    starts = np.asarray(chosen, dtype=np.int64)
    n = len(page.elements) + 1
    opened = np.bincount(starts, minlength=n) - np.bincount(ends(page)[starts], minlength=n)
    return np.cumsum(opened)[:-1]


def inside_any(page: Page, chosen: Sequence[int]) -> Flags:
    """Return whether each region is, or lies in, one of the chosen elements, shape (n_regions,)."""
    return np.asarray(counts_above(page, chosen)[page.element] > 0)


def nearest_marked(page: Page, marks: Flags) -> Integers:
    """Return for each element the nearest marked one, itself or above it, shape (n_elements,).

    -1 where there is no marked one.
    """
    nearest: list[int] = []
    for i, (mark, parent) in enumerate(zip(marks.tolist(), parents(page), strict=True)):
        nearest.append(i if mark else nearest[parent] if parent >= 0 else -1)
    return np.array(nearest, dtype=np.int64)


def product_from_root(page: Page, values: Floats) -> Floats:
    """Return the product of each element's value and all those above it, shape (n_elements,)."""
    if (values == 1.0).all():
        return values
    products: list[float] = []
    for value, parent in zip(values.tolist(), parents(page), strict=True):
        products.append(value * products[parent] if parent >= 0 else value)
    return np.array(products, dtype=np.float64)


@once_a_page
def regions_below(page: Page) -> tuple[Integers, Integers]:
    """Return first region and number of regions below each element, shape (n_elements,) each."""
    reached = np.maximum.accumulate(page.element) if len(page) else page.element
    first = np.searchsorted(reached, np.arange(len(page.elements)))
    return first, sums_below(page, np.ones(len(page))).astype(np.int64)


@once_a_page
def tags_opened(page: Page) -> Integers:
    """Return the number of elements that begin between a region and the one before it."""
    if not len(page):
        return np.zeros(0, dtype=np.int64)
    return np.diff(np.maximum.accumulate(page.element), prepend=-1).astype(np.int64)


def joined_near(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return for each region the names of the three elements above its own.

    ``own`` is one set per element. Equal sets are mostly one object, here as in the functions
    below, so that later work on a set is done only once.
    """
    if not any(own):
        return [NO_NAMES] * len(page)
    above, chains = _chains_above(page)
    padded = [*own, NO_NAMES]
    known: dict[tuple[NameSet, ...], NameSet] = {}
    below: dict[int, NameSet] = {}
    for chain in chains:
        key = tuple([padded[i] for i in chain])
        names = known.get(key)
        if names is None:
            names = known[key] = NO_NAMES.union(*key)
        below[chain[0]] = names
    return [below[i] for i in above]


@once_a_page
def _chains_above(page: Page) -> tuple[list[int], list[list[int]]]:
    """Return the element above each region's own, and each such element with the two above it."""
    steps = ancestor_steps(page)
    above: list[int] = steps[1, page.element].tolist()
    chains: list[list[int]] = steps[:_NEAR_STEPS, list(dict.fromkeys(above))].T.tolist()
    return above, chains


def marked_near(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return each region's names from its element and, prefixed by ``^``, from the three above."""
    return list(map(_with_marked, of_regions(page, own), joined_near(page, own)))


@lru_cache(maxsize=WORDS)
def _with_marked(own: NameSet, near: NameSet) -> NameSet:
    return own | {f"^{name}" for name in near}


def joined_far(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return for each region the names of all elements four or more steps above its own."""
    names = inherited(page, own)
    padded = [*names, NO_NAMES]
    return [padded[i] for i in ancestor_steps(page)[_NEAR_STEPS + 1, page.element].tolist()]


def inherited(page: Page, own: Sequence[NameSet]) -> list[NameSet]:
    """Return the names of each element and of all above it, one set per element."""
    known: dict[tuple[NameSet, NameSet], NameSet] = {}
    sets: list[NameSet] = []
    for names, parent in zip(own, parents(page), strict=True):
        above = sets[parent] if parent >= 0 else NO_NAMES
        if not names <= above:
            key = (above, names)
            if key not in known:
                known[key] = above | names
            above = known[key]
        sets.append(above)
    return sets


def innermost(page: Page, chosen: Iterable[int]) -> list[int]:
    """Return the innermost of the chosen elements that each region is or lies in, or -1."""
    nearest = np.full(len(page.elements), -1)
    after = ends(page)
    for i in sorted(chosen):  # those inside others come later and win
        nearest[i : after[i]] = i
    return of_regions(page, nearest.tolist())
