"""Kernels in NumPy: what each computes, and how where nothing is compiled.

Elements of a page are in document order: the parent of each precedes it, and is -1 for the root.
Regions are numbered in page order; ``element`` is the element of each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from math import sqrt
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structce.arrays import Flags, Floats, Floats32, Integers, Integers32

__all__ = [
    "add_rows", "bin_numbers", "bits_down", "bits_up", "block_sums", "count_characters",
    "counts_above", "find_columns", "find_parts", "first_rows", "map_codes", "map_rows",
    "near_unions", "nearest", "number_values", "packed_paths", "path_numbers", "places_of",
    "places_of_keys", "read_names", "sum_leaves", "sum_names", "sums_below", "unions_down",
]  # fmt: skip

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

_PLANES = 0x20000  # code points in the two planes that contain all letters but rare ideographs
_OTHER, _LETTER, _CAPITAL, _DIGIT, _SPACE, _UNKNOWN = range(6)
_MAX_TOGETHER = 16  # values that are added at once
_MAX_TAKEN = 2**13  # rows of a table that are taken at once


def nearest(parent: Integers32, marks: Flags) -> Integers:
    """Return the nearest marked element of each, itself or above it; -1 without one."""
    places: list[int] = []
    for i, (above, is_marked) in enumerate(zip(parent.tolist(), marks.tolist(), strict=True)):
        places.append(i if is_marked else places[above] if above >= 0 else -1)
    return np.array(places, dtype=np.int64)


def _subtree_ends(parent: Integers32) -> Integers:
    """Return the index one past the last element below each element."""
    ends, above = list(range(1, len(parent) + 1)), parent.tolist()
    for i in range(len(ends) - 1, 0, -1):
        if above[i] >= 0 and ends[i] > ends[above[i]]:
            ends[above[i]] = ends[i]
    return np.array(ends, dtype=np.int64)


def sums_below(parent: Integers32, element: Integers32, values: ArrayLike) -> Floats:
    """Return the sum of whole numbers over the regions in and below each element.

    Several columns of values, one in each row of a table, have their sums in rows as well.
    """
    columns, n = np.atleast_2d(np.asarray(values)), len(parent)
    own = np.array([np.bincount(element, weights=column, minlength=n) for column in columns])
    running = np.concatenate([np.zeros((len(own), 1)), np.cumsum(own, axis=1)], axis=1)
    sums = np.asarray(running[:, _subtree_ends(parent)] - running[:, :-1])
    return sums if np.ndim(values) == 2 else sums[0]


def counts_above(parent: Integers32, marks: Flags) -> Integers:
    """Return how many marked elements each element is or lies in."""
    starts, n = np.flatnonzero(marks), len(parent) + 1
    ends = _subtree_ends(parent)[starts]
    return np.cumsum(np.bincount(starts, minlength=n) - np.bincount(ends, minlength=n))[:-1]


def bits_down(parent: Integers32, bits: Integers) -> Integers:
    """Return the union of the bits of each element and of all above it."""
    unions: list[int] = []
    for own, above in zip(bits.tolist(), parent.tolist(), strict=True):
        unions.append(own | unions[above] if above >= 0 else own)
    return np.array(unions, dtype=np.int64)


def bits_up(parent: Integers32, bits: Integers) -> Integers:
    """Return the union of the bits of each element and of all below it."""
    unions, above = bits.tolist(), parent.tolist()
    for i in range(len(unions) - 1, -1, -1):
        if above[i] >= 0:
            unions[above[i]] |= unions[i]
    return np.array(unions, dtype=np.int64)


def path_numbers(parent: Integers32, codes: ArrayLike) -> Integers:
    """Return a number per element, equal for elements with equal codes along their paths.

    Numbers rise in order of appearance, from 0.
    """
    own = np.asarray(codes)
    n_codes = int(own.max(initial=0)) + 1
    known: dict[int, int] = {}
    numbers: list[int] = []
    for code, above in zip(own.tolist(), parent.tolist(), strict=True):
        path = (numbers[above] + 1) * n_codes + code if above >= 0 else code
        numbers.append(known.setdefault(path, len(known)))
    return np.array(numbers, dtype=np.int64)


def packed_paths(parent: Integers32, codes: ArrayLike) -> Integers:
    """Return the codes of each element and of the nearest above it, six in all, as one number.

    Codes are below 1,024; elements with code 0 are passed over.
    """
    own: list[int] = np.asarray(codes).tolist()
    paths: list[int] = []
    for code, above in zip(own, parent.tolist(), strict=True):
        path = paths[above] if above >= 0 else 0
        paths.append((path << 10 | code) & (2**60 - 1) if code else path)
    return np.array(paths, dtype=np.int64)


def unions_down(parent: Integers32, own: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the union of the sets of each element and of all above it.

    Equal unions are mostly one object, so that later work on a set is done only once.
    """
    known: dict[tuple[frozenset[str], frozenset[str]], frozenset[str]] = {}
    sets: list[frozenset[str]] = []
    for names, place in zip(own, parent.tolist(), strict=True):
        above = sets[place] if place >= 0 else frozenset()
        if names and not names <= above:
            key = (above, names)
            joined = known.get(key)
            above = known[key] = above | names if joined is None else joined
        sets.append(above)
    return sets


def near_unions(
    parent: Integers32, element: Integers32, own: Sequence[frozenset[str]]
) -> list[frozenset[str]]:
    """Return for each region the union of the sets of the three elements above its own."""
    above, padded = [*parent.tolist(), -1], [*own, frozenset[str]()]  # -1 is no element
    known: dict[tuple[frozenset[str], ...], frozenset[str]] = {}
    unions = []
    for place in element.tolist():
        first = above[place]
        second = above[first]
        key = padded[first], padded[second], padded[above[second]]
        if key not in known:
            known[key] = frozenset[str]().union(*key)
        unions.append(known[key])
    return unions


def number_values(values: Sequence[Hashable]) -> Integers32:
    """Return a number for each value, equal for equal values, in order of appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int32)


def map_rows(function: Callable[..., T], *columns: Sequence[Hashable]) -> list[T]:
    """Return the value of a pure function for each row of columns.

    Neighbouring regions mostly have the same objects, for which a compiled loop calls it once.
    """
    return list(map(function, *columns))


def map_codes(function: Callable[..., T], *columns: NDArray[np.generic]) -> list[T]:
    """Return the value of a pure function for each row of codes, which are 0 or more.

    A compiled loop calls it once for each distinct row.
    """
    return list(map(function, *(column.astype(np.int64).tolist() for column in columns)))


def places_of(values: Iterable[K]) -> dict[K, list[int]]:
    """Return the indices of each distinct value."""
    places: dict[K, list[int]] = {}
    for i, value in enumerate(values):
        places.setdefault(value, []).append(i)
    return places


def places_of_keys(rows: Sequence[Mapping[K, object]]) -> dict[K, list[int]]:
    """Return the indices of the rows that have each key."""
    places: dict[K, list[int]] = {}
    for keys, indices in places_of(map(tuple, rows)).items():  # few distinct ones
        for key in keys:
            places.setdefault(key, []).extend(indices)
    return {key: sorted(indices) for key, indices in places.items()}


def read_names(
    attributes: Sequence[Mapping[str, str]],
    masks: Mapping[str, int],
    rows: Integers32,
    entries: Integers,
    doubtful: int,
    settled: Callable[[str, int], int],
    otherwise: Callable[[str], tuple[int, frozenset[str]]],
) -> tuple[Integers, list[frozenset[str]]]:
    """Return the bits and the words of the names of each element.

    Bits that are 0 in the mask of an attribute do not count there. A function reads each value; a
    compiled loop has it read only what is not ASCII, searches the trie of
    :mod:`structce.features.element_names` for the rest, and has doubtful bits settled there.
    """
    bits, words = [0] * len(attributes), [frozenset[str]()] * len(attributes)
    for i, row in enumerate(attributes):
        for key, value in row.items():
            if key in masks:
                found, own = otherwise(value)
                bits[i] |= found & masks[key]
                words[i] = words[i] | own if words[i] else own
    return np.array(bits, dtype=np.int64), words


def block_sums(blocks: Integers32, values: ArrayLike) -> Integers:
    """Return for each region the sum of whole numbers over its block, numbered from 0."""
    if not len(blocks):
        return np.zeros(0, dtype=np.int64)
    return np.bincount(blocks, weights=values).astype(np.int64)[blocks]


def bin_numbers(values: NDArray[np.generic], borders: ArrayLike) -> Integers32:
    """Return the interval of each number, from 0; -1 for an unknown one.

    A number on a border belongs above it.
    """
    given = values.astype(np.float64)
    places = np.asarray(borders, dtype=np.float64).searchsorted(given, side="right")
    return np.where(np.isfinite(given), places, -1).astype(np.int32)


def first_rows(
    values: list[Any],
    known: list[dict[Hashable, int]],
    borders: list[Floats],
    bins: list[Integers32],
    plain: list[int],
    learn: Callable[[int, list[Hashable]], None],
    firsts: Integers32,
) -> list[int]:
    """Set the number of each feature's value at each region; return the features left to others.

    Left are numbers without bins, arrays of another type, and values that cannot be hashed.

    Parameters
    ----------
    values, known
        Values of each feature, None for an unknown one, and their numbers; ``learn`` adds new ones.
    borders, bins
        Borders of each feature's intervals, and their numbers; the last is for unknown values.
    plain
        Number of each feature's flag where it is set.
    firsts : shape (n_features, n_regions)
        Changed in place.
    """
    left = []
    for f, own in enumerate(values):
        if isinstance(own, np.ndarray):
            if own.dtype.kind == "b":
                firsts[f] = own * plain[f]
            elif own.dtype.kind in "iuf" and len(borders[f]):
                firsts[f] = bins[f][bin_numbers(own, borders[f])]
            else:
                left.append(f)
        elif own is not None:
            try:
                missing = [value for value in dict.fromkeys(own) if value not in known[f]]
            except TypeError:
                left.append(f)
                continue
            if missing:
                learn(f, missing)
            firsts[f] = [known[f][value] for value in own]
    return left


def add_rows(
    result: Floats,
    rows: Floats,
    firsts: Integers32,
    features: Integers,
    steps: Integers,
    offsets: Integers,
) -> None:
    """Add the rows of a table that features choose for a neighbour of each region.

    Parameters
    ----------
    result : shape (n_regions, n_labels)
        Sums to which the rows are added.
    rows : shape (n_rows, n_labels)
        The table; the first rows, up to the largest step, are 0.
    firsts : shape (n_features, n_regions)
        First row of each feature's value; 0 for none.
    features, steps, offsets : shape (n_chosen,)
        Chosen features, how far behind its first row the row of each is, and the place of the
        neighbour, 1 for the next region. Equal offsets are together.
    """
    n, is_set = len(result), np.asarray(firsts.any(axis=1))
    step = max(1, min(_MAX_TOGETHER, _MAX_TAKEN // max(n, 1)))
    for offset in dict.fromkeys(offsets.tolist()):
        chosen = np.flatnonzero((offsets == offset) & is_set[features])
        begin, end = max(-offset, 0), n - max(offset, 0)
        if begin >= end:
            continue
        added = np.empty((step, end - begin, rows.shape[1]))
        for first in range(0, len(chosen), step):
            some = chosen[first : first + step]
            places = firsts[features[some], begin + offset : end + offset] + steps[some, None]
            # Indices are never outside the table; the other modes would copy the rows.
            taken = rows.take(places, axis=0, out=added[: len(places)], mode="clip")
            result[begin:end] += np.add.reduce(taken, axis=0)


def find_columns(
    rests: list[str], starts: list[str], numbers: dict[str, int]
) -> list[tuple[int, ...]]:
    """Return for each rest the number of each start followed by it; empty if none is numbered.

    The number of all others stands for one that is missing.
    """
    none = len(numbers)
    rows = [tuple([numbers.get(start + rest, none) for start in starts]) for rest in rests]
    return [row if min(row) < none else () for row in rows]


def sum_names(
    values: list[Hashable],
    names_of: Callable[[Hashable], Collection[str]],
    members: dict[str, tuple[int, ...]],
    starts: list[str],
    numbers: dict[str, int],
    weights: Floats,
    unit_norm: bool,
    known: dict[Hashable, int],
    rows: Floats,
    first: int,
) -> int:
    """Set rows of a table to the sums of the weights of the names of each value.

    A value with columns has one row for each start of a column's name. Returns the number of the
    row after the last.

    Parameters
    ----------
    values, names_of
        Values, and what returns the names of one; the empty name is the feature itself.
    members
        Columns of the names met so far, see :func:`find_columns`; those of new names are added.
    starts, numbers
        Beginnings of the names of columns, and the columns by name.
    weights : shape (n_columns + 1, n_labels)
        The last row is 0.
    unit_norm
        Whether sums are divided by the root of the number of names.
    known
        Given the first row of each value, 0 without columns.
    rows : shape (n_rows, n_labels)
        The table, with room for all values from the row ``first`` on; changed in place.
    """
    names = [names_of(value) for value in values]
    new = [name for name in dict.fromkeys(chain.from_iterable(names)) if name not in members]
    rests = [f"={name}" if name else "" for name in new]
    members.update(zip(new, find_columns(rests, starts, numbers), strict=True))
    places: list[int] = []
    flat: list[tuple[int, ...]] = []
    firsts: list[int] = []
    norms: list[float] = []
    for own in names:
        columns = sorted([members[name] for name in own if members[name]], key=min)
        places.append(first + len(firsts) * len(starts) if columns else 0)
        if columns:
            firsts.append(len(flat))
            flat += columns
            norms.append(1 / sqrt(len(own)) if unit_norm else 1.0)
    end = first + len(firsts) * len(starts)
    if firsts:
        sums = np.add.reduceat(weights[np.array(flat, dtype=np.int64)], firsts)
        sums *= np.array(norms, dtype=np.float32).astype(np.float64)[:, None, None]
        rows[first:end] = sums.reshape(-1, weights.shape[1])
    known.update(zip(values, places, strict=True))
    return end


def sum_leaves(
    rows: Floats32,
    columns: Integers32,
    unknown_left: Flags,
    thresholds: Floats32,
    nodes: Integers32,
    leaves: Floats32,
    starts: Integers,
) -> Floats:
    """Return the sum of the leaves that each row reaches in each group of complete binary trees.

    Parameters
    ----------
    rows : shape (n_rows, n_columns)
        NaN for an unknown value.
    columns, unknown_left, thresholds : shape (n_tests,)
        Distinct tests: a row goes left if its value is at most the threshold, or unknown and
        ``unknown_left`` true. Tests of one column are together, and their thresholds rise.
    nodes : shape (n_trees * (2**depth - 1),)
        Test of each node, tree by tree and level by level within a tree; depth is 8 at most.
    leaves : shape (n_trees * 2**depth,)
    starts : shape (n_groups,)
        First tree of each group.

    Returns
    -------
    shape (n_rows, n_groups)
    """
    n_trees = len(leaves) - len(nodes)
    if not n_trees:
        return np.zeros((len(rows), len(starts)))
    low = np.where(np.isnan(rows), np.float32(-np.inf), rows)
    flat = np.concatenate([rows, low], axis=1).ravel()
    first = (np.arange(len(rows), dtype=np.intp) * 2 * rows.shape[1])[:, None]
    tested = columns + rows.shape[1] * unknown_left
    n_inner, trees = len(nodes) // n_trees, np.arange(n_trees, dtype=np.intp)
    places = np.zeros((len(rows), n_trees), dtype=np.intp)
    for _ in range(n_inner.bit_length()):  # the children of node i are 2 * i + 1 and 2 * i + 2
        tests = nodes.take(trees * n_inner + places)
        is_left = flat.take(first + tested.take(tests)) <= thresholds.take(tests)
        places = 2 * places + 2 - is_left
    reached = leaves.take(trees * (n_inner + 1) + places - n_inner).astype(np.float64)
    return np.asarray(np.add.reduceat(reached, starts, axis=1))


def find_parts(text: str, parts: Sequence[str], starts: Integers) -> Integers:
    """Return which of less than 64 parts each section of a text contains, one bit for each part.

    Sections begin at ``starts``, which rise from 0; a part is in the section in which it begins.
    """
    begins, held = [*starts.tolist(), len(text)], [0] * len(starts)
    for n, part in enumerate(parts):
        at = text.find(part)
        while at >= 0:
            section = bisect_right(begins, at, hi=len(starts)) - 1
            held[section] |= 1 << n
            at = text.find(part, max(begins[section + 1], at + 1))
    return np.array(held, dtype=np.int64)


def count_characters(texts: Sequence[str]) -> Integers:
    """Return counts of the characters of each text, shape (10, n_texts).

    Characters, columns (two for a wide character), words of letters, words that begin with a
    capital, digits, and marks: what is no letter, digit or space. Then code points of the first
    letter and of the last character, 0 for none, 1 for a text in capitals, and 1 for two to four
    words without digits that all begin with a capital, as names do.
    """
    joined = "".join([f"{text} " for text in texts])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    rows = np.repeat(np.arange(len(texts)), lengths + 1)
    kinds = _kinds(np.minimum(codes, _PLANES))
    in_word = (kinds == _LETTER) | (kinds == _CAPITAL)
    starts = np.diff(in_word.astype(np.int8), prepend=0) > 0
    chosen = (_is_wide(codes), starts, starts & (kinds == _CAPITAL), kinds == _DIGIT)
    counts = [np.bincount(rows[marks], minlength=len(texts)) for marks in chosen]
    others = np.bincount(rows[kinds == _OTHER], minlength=len(texts))
    firsts = [ord(next(filter(str.isalpha, text), "\0")) for text in texts]
    lasts = [ord(text[-1:] or "\0") for text in texts]
    of_texts = [firsts, lasts, [*map(str.isupper, texts)], [*map(_is_like_a_name, texts)]]
    return np.array([lengths, lengths + counts[0], *counts[1:], others, *of_texts])


def _is_like_a_name(text: str) -> bool:
    parts = text.split(maxsplit=4) if text.lstrip()[:1].isupper() else []  # mostly none
    is_capitalised = 2 <= len(parts) <= 4 and all(part[0].isupper() for part in parts)
    return is_capitalised and not any(map(str.isdigit, text))


def _is_wide(codes: NDArray[np.uint32]) -> Flags:
    is_wide = np.zeros(len(codes), dtype=bool)
    if codes.max(initial=0) >= 0x1100:
        for first, last in (
            (0x1100, 0x115F), (0x2E80, 0x9FFF), (0xA960, 0xA97F),
            (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF01, 0xFF60),
        ):  # fmt: skip
            is_wide |= (first <= codes) & (codes <= last)
    return is_wide


def _kinds(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the kind of each character, which is determined when it is first met."""
    table = _kind_table()
    kinds = table[codes]
    if (kinds == _UNKNOWN).any():
        for code in np.unique(codes[kinds == _UNKNOWN]).tolist():
            table[code] = _kind_of(chr(code))
        kinds = table[codes]
    return kinds


@cache
def _kind_table() -> NDArray[np.uint8]:
    """Return the kinds of code points; all from the 131,073rd on count as letters."""
    kinds = np.full(_PLANES + 1, _UNKNOWN, dtype=np.uint8)
    kinds[_PLANES] = _LETTER
    return kinds


def _kind_of(character: str) -> int:
    if character.isspace():
        return _SPACE
    if character.isdecimal():
        return _DIGIT
    if character.isalnum():
        return _CAPITAL if character.isupper() else _LETTER
    return _OTHER
