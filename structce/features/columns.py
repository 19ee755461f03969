"""Columns of a feature set: keys counted in training, and a page's cells as a sparse matrix.

A region also sees cells of the regions around it, at the offsets of each feature's window. Such a
shifted cell has a column of its own, ``previous.dom.tag=p``, and is not computed anew.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import count, repeat
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from structce.arrays import Flags, Floats, Floats32, Integers, Integers32
from structce.features.encoding import BIAS, Cells, concatenated_ranges
from structce.features.registry import REGISTRY

if TYPE_CHECKING:
    import scipy

NEIGHBOUR_STRENGTH = 0.5
"""Weight of the cues of neighbouring regions relative to a region's own; chosen on training sites
of Fundus."""

T = TypeVar("T")

_PREFIX = re.compile(r"(previous|next)(?:-(\d+))?\.(.*)", re.DOTALL)
_SIDES = ("previous", "next")
MARKS = "=:"
"""Marks between the name of a feature and its value or bin."""

_MARK = re.compile(f"[{MARKS}]")


class Run(NamedTuple):
    """Consecutive columns of one feature at one offset, before whose values the same mark stands.

    ``head`` is what precedes the mark: the prefix of the offset and the feature; ``mark`` is empty
    for a column without a value. ``end`` is exclusive.
    """

    head: str
    mark: str
    begin: int
    end: int


class Windows:
    """Offsets at which the cells of a page are seen by the regions around them."""

    def __init__(self, windows: Sequence[tuple[int, ...]]) -> None:
        self.offsets = tuple(sorted({0, *(offset for window in windows for offset in window)}))
        seen = [(*(o == 0 or o in window for window in windows), o == 0) for o in self.offsets]
        self._seen = np.array(seen, dtype=bool).T  # the owner of the bias is -1

    def seen(self, cells: Cells) -> Flags:
        """Return whether each key is seen at each offset, shape (n_keys, n_offsets)."""
        return np.asarray(self._seen[cells.owners])

    def counts(self, cells: Cells) -> Integers:
        """Return how many regions see each key at each offset, shape (n_keys, n_offsets).

        The regions that have the key, minus those whose neighbour would lie outside the page.
        """
        n_keys = len(cells.keys)
        own = np.bincount(cells.codes, minlength=n_keys)
        counts = np.where(self.seen(cells), own[:, None], 0)
        for o, offset in enumerate(self.offsets):
            if offset:
                rows = cells.rows - np.int32(offset)
                lost = np.flatnonzero((rows < 0) | (rows >= cells.n_regions))
                counts[:, o] -= np.bincount(cells.codes[lost], minlength=n_keys)
        return np.maximum(counts, 0)


class KeyCounts:
    """Number of regions and pages, and largest value, of every key at every offset in training."""

    def __init__(self, shifts: Windows) -> None:
        self._shifts = shifts
        self._places: dict[str, int] = {}
        n_offsets = len(shifts.offsets)
        self._regions = np.zeros((0, n_offsets), dtype=np.int64)
        self._pages = np.zeros((0, n_offsets), dtype=np.int64)
        self._largest = np.zeros((0, n_offsets), dtype=np.float32)

    def add(self, cells: Cells) -> None:
        """Count the cells of one page."""
        places = self._places
        at = np.array([places.setdefault(key, len(places)) for key in cells.keys], dtype=np.int64)
        self._grow(len(places))
        counts = self._shifts.counts(cells)
        self._regions[at] += counts
        self._pages[at] += counts > 0
        large = np.flatnonzero(np.abs(cells.values) > 1)
        if len(large):
            self._add_large(at, cells, large)

    def _add_large(self, at: Integers, cells: Cells, large: Integers) -> None:
        """Record numbers above 1, which become scales."""
        codes, rows, values = cells.codes[large], cells.rows[large], np.abs(cells.values[large])
        seen = self._shifts.seen(cells)[codes]
        for o, offset in enumerate(self._shifts.offsets):
            inside = (rows - offset >= 0) & (rows - offset < cells.n_regions) & seen[:, o]
            np.maximum.at(self._largest[:, o], at[codes[inside]], values[inside])

    def _grow(self, n_keys: int) -> None:
        lacking = n_keys - len(self._regions)
        if lacking > 0:
            more = ((0, max(lacking, len(self._regions))), (0, 0))
            self._regions = np.pad(self._regions, more)
            self._pages = np.pad(self._pages, more)
            self._largest = np.pad(self._largest, more, constant_values=1)

    def kept(self, min_count: int, min_pages: int) -> dict[str, float]:
        """Return the scale of each column that is frequent enough, sorted by column name.

        A column must be set in ``min_count`` regions and on ``min_pages`` pages, except the bias.
        """
        keep = (self._regions >= max(min_count, 1)) & (self._pages >= min_pages)
        is_own = np.array(self._shifts.offsets) == 0
        keep[self._places.get(BIAS, 0) : self._places.get(BIAS, -1) + 1, :] |= is_own
        keys = list(self._places)
        starts = [prefix(offset) for offset in self._shifts.offsets]
        at, offsets = np.nonzero(keep[: len(keys)])
        names = {
            starts[o] + keys[i]: float(self._largest[i, o])
            for i, o in zip(at.tolist(), offsets.tolist(), strict=True)
        }
        return dict(sorted(names.items()))


class ColumnIndex:
    """Index from keys and offsets to columns; names at other offsets are left out.

    Attributes
    ----------
    codes
        Number of each key, in the order of its first column.
    columns : shape (n_keys + 1, n_offsets)
        Column of each key at each offset; -1 for none, as in the last row.
    """

    def __init__(self, columns: Sequence[str], offsets: Sequence[int]) -> None:
        places = {offset: o for o, offset in enumerate(offsets)}
        keys: list[str] = []
        cells: list[tuple[int, int]] = []  # column and index of the offset, of each key
        for head, _, begin, end in column_runs(columns):
            offset, name = split_name(head)
            if offset in places:
                start = len(head) - len(name)
                keys += [column[start:] for column in columns[begin:end]]
                cells += zip(range(begin, end), repeat(places[offset]), strict=False)
        self.codes: dict[str, int] = dict(zip(dict.fromkeys(keys), count(), strict=False))
        rows = np.fromiter(map(self.codes.__getitem__, keys), np.int64, len(keys))
        numbers, where = np.array(cells, dtype=np.int64).reshape(-1, 2).T
        self.columns = np.full((len(self.codes) + 1, len(places)), -1, dtype=np.int32)
        self.columns[rows, where] = numbers

    def __call__(self, keys: Sequence[str]) -> Integers32:
        """Return columns, shape (n_keys, n_offsets); -1 for none."""
        codes = map(self.codes.get, keys, repeat(len(self.codes)))
        return np.asarray(self.columns[np.fromiter(codes, np.int64, len(keys))])


def assemble(
    cells: Cells, columns: Integers32, offsets: Sequence[int], factors: Floats
) -> scipy.sparse.csr_matrix:
    """Return the cells of a page as a matrix with sorted rows, shape (n_regions, n_columns).

    Cells are laid out column by column, which yields rows that need no sorting.

    Parameters
    ----------
    columns : shape (n_keys, n_offsets)
        Column of each key at each offset; -1 for none.
    factors : shape (n_columns,)
        Factor by which the values of each column are multiplied.
    """
    import scipy  # late: labelling a page does not need it

    codes, places = np.nonzero(columns >= 0)
    column_numbers = columns[codes, places]
    order = np.argsort(column_numbers)
    codes, places, column_numbers = codes[order], places[order], column_numbers[order]
    sizes = np.bincount(cells.codes, minlength=len(cells.keys))
    starts, counts = (np.cumsum(sizes) - sizes)[codes], sizes[codes]
    at = np.argsort(cells.codes, kind="stable")[concatenated_ranges(starts, counts)]
    rows = cells.rows[at] - np.repeat(np.array(offsets, dtype=np.int32)[places], counts)
    inside = np.flatnonzero((rows >= 0) & (rows < cells.n_regions))
    data = cells.values[at] * np.repeat(factors[column_numbers], counts)
    where = rows[inside], np.repeat(column_numbers, counts)[inside]
    return scipy.sparse.csr_matrix((data[inside], where), shape=(cells.n_regions, len(factors)))


def prefix(offset: int) -> str:
    """Return the prefix of a column at an offset: ``previous.``, ``next-2.``, nothing for 0."""
    if offset == 0:
        return ""
    side = "previous" if offset < 0 else "next"
    return f"{side}." if abs(offset) == 1 else f"{side}-{abs(offset)}."


def split_name(column: str) -> tuple[int, str]:
    """Return the offset and the key of a column's name.

    >>> split_name("previous-2.dom.tag=p"), split_name("next.text.length:3"), split_name("bias")
    ((-2, 'dom.tag=p'), (1, 'text.length:3'), (0, 'bias'))
    """
    match = _PREFIX.fullmatch(column) if column.startswith(_SIDES) else None
    if match is None:
        return 0, column
    steps = int(match[2] or 1)
    return (-steps if match[1] == "previous" else steps), match[3]


def column_meaning(column: str) -> str:
    """Return what a column says about a region, in words; empty if its feature is unknown.

    >>> column_meaning("previous.dom.tag=p")
    'Region before: name of the element that contains the text, or of the media element. Here: p.'
    """
    offset, key = split_name(column)
    name, _, value = key.partition("=") if "=" in key else (head_of(key)[0], "", "")
    if name not in REGISTRY:
        return "Always set: how frequent the label is." if key == BIAS else ""
    words = REGISTRY[name].summary.strip()
    if offset:
        side = "before" if offset < 0 else "after"
        place = f"Region {side}" if abs(offset) == 1 else f"{abs(offset)} regions {side}"
        words = f"{place}: {words[:1].lower()}{words[1:]}"
    return f"{words} Here: {value}." if value else words


def setting_of(name: str, settings: Mapping[str, T], default: T) -> T:
    """Return a feature's own setting, else that of its family, else the default."""
    return settings.get(name, settings.get(name.split(".")[0], default))


def head_of(column: str) -> tuple[str, str]:
    """Return what precedes the value in a column's name, and the mark between; empty for none.

    >>> head_of("previous.dom.tag=p"), head_of("bias")
    (('previous.dom.tag', '='), ('bias', ''))
    """
    match = _MARK.search(column)
    return (column[: match.start()], match[0]) if match else (column, "")


def column_runs(columns: Sequence[str]) -> list[Run]:
    """Return the runs of columns with one head and mark.

    Those of a fitted set are sorted, so that the end of a run is found by bisection and not column
    by column; columns in another order are runs of one.
    """
    is_sorted = sorted(columns) == list(columns)
    runs: list[Run] = []
    begin = 0
    while begin < len(columns):
        head, mark = head_of(columns[begin])
        end = begin + 1
        if mark and is_sorted:
            end = bisect_left(columns, head + chr(ord(mark) + 1), begin)
        runs.append(Run(head, mark, begin, end))
        begin = end
    return runs


def column_strengths(
    columns: Sequence[str], strengths: Mapping[str, float], neighbour_strength: float
) -> Floats32:
    """Return the strength of each column, shape (n_columns,)."""
    result = np.empty(len(columns), dtype=np.float32)
    for head, _, begin, end in column_runs(columns):
        offset, name = split_name(head)
        own = setting_of(name, strengths, 1.0)
        result[begin:end] = own * neighbour_strength if offset else own
    return result
