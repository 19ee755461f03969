"""Columns of a feature set: counted in training, looked up by key, and summed to scores.

A region also sees cells of the regions around it, at the offsets of each feature's window. Such a
shifted cell has a column of its own, ``previous.dom.tag=p``, and is not computed anew.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from structce import kernels
from structce.arrays import Floats, Integers32
from structce.features.encoding import (
    BIAS,
    Cells,
    CellSettings,
    checked_numbers,
    concatenated_ranges,
    frozen,
    member_names,
)
from structce.features.registry import REGISTRY, Feature, FeatureValues
from structce.page import Page
from structce.patterns import lazy_pattern

if TYPE_CHECKING:
    import scipy

NEIGHBOUR_STRENGTH = 0.5
"""Weight of the cues of neighbouring regions relative to a region's own; chosen on training sites
of Fundus."""

T = TypeVar("T")

_PREFIX = lazy_pattern(r"(previous|next)(?:-(\d+))?\.(.*)", re.DOTALL)
_MARK = lazy_pattern("[=:]")  # between the name of a feature and its value or bin
_MAX_ROWS = 2**15  # rows of a table of scores, or values seen, after which it is emptied


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
    match = _PREFIX.fullmatch(column) if column.startswith(("previous", "next")) else None
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
    name, _, value = key.partition("=") if "=" in key else (_head(key)[0], "", "")
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


def _head(column: str) -> tuple[str, str]:
    """Return what precedes the value in a column's name, and the mark between; empty for none."""
    match = _MARK.search(column)
    return (column[: match.start()], match[0]) if match else (column, "")


def column_runs(columns: Sequence[str]) -> Iterator[tuple[int, str, int, int]]:
    """Yield offset, feature, begin and end of each run of sorted columns with one head and mark."""
    begin = 0
    while begin < len(columns):
        head, mark = _head(columns[begin])
        end = begin + 1
        if mark:
            end = bisect_left(columns, head + chr(ord(mark) + 1), begin)
        yield *split_name(head), begin, end
        begin = end


class KeyCounts:
    """Number of regions and pages, and largest value, of every key at every offset in training.

    Parameters
    ----------
    windows
        Offsets at which the cells of each feature are seen by the regions around them.
    """

    def __init__(self, windows: Sequence[tuple[int, ...]]) -> None:
        self.offsets = tuple(sorted({0, *(offset for window in windows for offset in window)}))
        seen = [(*(o == 0 or o in window for window in windows), o == 0) for o in self.offsets]
        self._seen = np.array(seen, dtype=bool).T  # the owner of the bias is -1
        self._places: dict[str, int] = {}
        self._regions, self._pages = np.zeros((2, 0, len(self.offsets)), dtype=np.int64)
        self._largest = np.zeros((0, len(self.offsets)), dtype=np.float32)

    def add(self, cells: Cells) -> None:
        """Count the cells of one page."""
        places = self._places
        at = np.array([places.setdefault(key, len(places)) for key in cells.keys], dtype=np.int64)
        lacking = len(places) - len(self._regions)
        if lacking > 0:
            more = ((0, max(lacking, len(self._regions))), (0, 0))
            self._regions, self._pages = np.pad(self._regions, more), np.pad(self._pages, more)
            self._largest = np.pad(self._largest, more, constant_values=1)
        is_large = np.abs(cells.values) > 1  # numbers without bins, whose largest becomes a scale
        for o, offset in enumerate(self.offsets):
            rows = cells.rows - np.int32(offset)
            inside = (
                (rows >= 0) & (rows < cells.n_regions) & self._seen[cells.owners, o][cells.codes]
            )
            counts = np.bincount(cells.codes[inside], minlength=len(at))
            self._regions[at, o] += counts
            self._pages[at, o] += counts > 0
            large = np.flatnonzero(inside & is_large)
            values = np.abs(cells.values[large])
            np.maximum.at(self._largest[:, o], at[cells.codes[large]], values)

    def kept(self, min_count: int, min_pages: int) -> dict[str, float]:
        """Return the scale of each column that is frequent enough, sorted by column name.

        A column must be set in ``min_count`` regions and on ``min_pages`` pages, except the bias.
        """
        keep = (self._regions >= max(min_count, 1)) & (self._pages >= min_pages)
        if BIAS in self._places:
            keep[self._places[BIAS]] |= np.array(self.offsets) == 0
        keys, starts = list(self._places), [prefix(offset) for offset in self.offsets]
        names = {
            starts[o] + keys[i]: float(self._largest[i, o])
            for i, o in np.argwhere(keep[: len(keys)]).tolist()
        }
        return dict(sorted(names.items()))


class FeatureColumns:
    """Columns of the keys of one feature, at the offsets where it has any."""

    def __init__(self, name: str, numbers: dict[str, int], offsets: Sequence[int]) -> None:
        self.offsets, self.numbers = tuple(offsets), numbers
        self.starts = [prefix(offset) + name for offset in offsets]

    def of(self, *rests: str) -> list[tuple[int, ...]]:
        """Return the columns of keys, see `kernels.find_columns`, given what follows the name."""
        return kernels.find_columns([*rests], self.starts, self.numbers)


class Columns:
    """Columns of a fitted set, by feature and key.

    Parameters
    ----------
    settings
        Settings of the features' cells.
    names
        Names of the columns, sorted.
    offsets
        Offsets at which cells are seen; columns at others are never set.
    factors : shape (n_columns,)
        Factor by which the values of each column are multiplied.

    Attributes
    ----------
    features
        Features with columns. One that has a mark in its name, as in ``text.word=a``, is always
        among them if there are columns of the feature that its name begins with.
    """

    def __init__(
        self,
        settings: CellSettings,
        names: Sequence[str],
        offsets: Sequence[int],
        factors: Floats,
    ) -> None:
        self.settings, self.offsets, self.factors = settings, tuple(offsets), factors
        numbers = dict(zip(names, range(len(names)), strict=True))  # one is quick to create
        seen: dict[str, set[int]] = {}
        for offset, name, _, _ in column_runs(names):
            seen.setdefault(name, set()).add(offset)
        self.by_name = {
            name: FeatureColumns(name, numbers, [o for o in self.offsets if o in own])
            for name in (BIAS, *(feature.name for feature in settings.features))
            if not (own := seen.get(_head(name)[0], set())).isdisjoint(self.offsets)
        }
        self.features = [feature for feature in settings.features if feature.name in self.by_name]

    def matrix(self, cells: Cells, features: Sequence[Feature]) -> scipy.sparse.csr_matrix:
        """Return the cells of a page as a matrix with sorted rows, shape (n_regions, n_columns).

        ``features`` are those of the cells. Cells are laid out column by column, which yields rows
        that need no sorting.
        """
        import scipy  # late: labelling a page does not need it

        names = [*(feature.name for feature in features), BIAS]  # the owner of the bias is -1
        found: list[tuple[int, int, int]] = []  # column, offset and key
        for owner in sorted(set(cells.owners.tolist())):
            if (own := self.by_name.get(names[owner])) is not None:
                places = np.flatnonzero(cells.owners == owner).tolist()
                rests = [cells.keys[code].removeprefix(names[owner]) for code in places]
                for code, columns in zip(places, own.of(*rests), strict=True):
                    pairs = zip(columns, own.offsets, strict=False)  # none if it has no column
                    found += [(at, offset, code) for at, offset in pairs if at < len(self.factors)]
        table = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
        column_numbers, offsets, codes = table.T
        sizes = np.bincount(cells.codes, minlength=len(cells.keys))
        starts, counts = (np.cumsum(sizes) - sizes)[codes], sizes[codes]
        at = np.argsort(cells.codes, kind="stable")[concatenated_ranges(starts, counts)]
        rows = cells.rows[at] - np.repeat(offsets, counts)
        inside = np.flatnonzero((rows >= 0) & (rows < cells.n_regions))
        data = cells.values[at] * np.repeat(self.factors[column_numbers], counts)
        where = rows[inside], np.repeat(column_numbers, counts)[inside]
        shape = (cells.n_regions, len(self.factors))
        return scipy.sparse.csr_matrix((data[inside], where), shape=shape)


class _ScoreTable:
    """Table of the scores that the values of features add at the offsets of each feature.

    A value has one row for each offset, one after another. The first rows are zero, for values that
    add nothing and for what is outside the page. Rows are only ever added, so several threads can
    share one table.
    """

    def __init__(self, columns: Columns, weights: Floats) -> None:
        n_labels = weights.shape[1]
        self._weights = np.zeros((len(weights) + 1, n_labels))
        np.multiply(columns.factors[:, None], weights, out=self._weights[:-1])
        self._lock, self._unit_norm = Lock(), columns.settings.unit_norm
        self.n_rows = max((len(own.offsets) for own in columns.by_name.values()), default=1)
        self.n_values = 0  # seen so far, with rows or without
        self.rows: Floats = np.zeros((1024 + self.n_rows, n_labels))
        self.bias = self._row_of(columns.by_name[BIAS], "") if BIAS in columns.by_name else 0
        self._features = columns.features
        self._columns = [columns.by_name[feature.name] for feature in columns.features]
        self._names_of = [partial(member_names, own.name) for own in columns.features]
        self._known: list[dict[Hashable, int]] = [{} for _ in self._columns]
        self._members: list[dict[str, tuple[int, ...]]] = [{} for _ in self._columns]
        self.plain = [self._row_of(own, "") for own in self._columns]  # of a flag, or a number
        borders = map(columns.settings.borders_of, columns.features)
        self._borders = [np.array(own, dtype=np.float64) for own in borders]
        self._bins = [
            np.array([*(self._row_of(own, f":{n}") for n in range(len(limits) + 1)), 0], np.int32)
            for own, limits in zip(self._columns, self._borders, strict=True)
        ]  # the last is for unknown values
        self._n_fixed = self.n_rows

    def emptied(self) -> _ScoreTable:
        """Return a table without values, to which the columns of names are known already."""
        result = copy(self)
        result.rows, result._lock = self.rows[: 1024 + self._n_fixed].copy(), Lock()
        result.n_rows, result.n_values = self._n_fixed, 0
        result._known = [{} for _ in self._columns]
        with self._lock:
            result._members = [{k: own for k, own in of.items() if own} for of in self._members]
        return result

    def _reserve(self, n_rows: int) -> None:
        """Make room for more rows."""
        if self.n_rows + n_rows > len(self.rows):
            self.rows = np.pad(self.rows, ((0, max(n_rows, len(self.rows))), (0, 0)))

    def _row_of(self, columns: FeatureColumns, rest: str) -> int:
        """Return the first row of a key, which is added; 0 if it has no columns."""
        (own,) = columns.of(rest)
        if not own:
            return 0
        self._reserve(len(own))
        first, self.n_rows = self.n_rows, self.n_rows + len(own)
        self.rows[first : self.n_rows] = self._weights[[*own]]
        return first

    def find_rows(
        self, values: Sequence[FeatureValues | None], firsts: Integers32
    ) -> dict[int, Floats]:
        """Set the first row of each feature's value at each region, shape (n_features, n_regions).

        Returns the numbers of the features without bins, as the cells of a matrix contain them.
        """
        known, numbers = self._known, {}
        lists = known, self._borders, self._bins, self.plain
        for f in kernels.first_rows([*values], *lists, self._learn, firsts):
            own = values[f]
            if isinstance(own, np.ndarray):
                checked = checked_numbers(self._features[f].name, own)
                finite = np.where(np.isfinite(checked), checked, 0.0)  # 0 where unknown
                if self.plain[f]:
                    numbers[f] = finite.astype(np.float32).astype(np.float64)
                continue
            hashable = [frozen(value) for value in cast(Sequence[Hashable], own)]
            self._learn(f, [value for value in dict.fromkeys(hashable) if value not in known[f]])
            firsts[f] = [known[f][value] for value in hashable]
        return numbers

    def _learn(self, f: int, values: list[Hashable]) -> None:
        """Add the rows of new values of a feature: the sums of the weights of their names."""
        own, names_of, members = self._columns[f], self._names_of[f], self._members[f]
        with self._lock:
            self._reserve(len(values) * len(own.starts))
            self.n_rows = kernels.sum_names(
                values, names_of, members, own.starts, own.numbers, self._weights, self._unit_norm,
                self._known[f], self.rows, self.n_rows,
            )  # fmt: skip
            self.n_values += len(values)


class PageScorer:
    """Scorer of pages: the product of a page's matrix and weights, without building the matrix.

    Feature values recur on a page and from page to page, so the sum of the weights that a value
    sets is computed once, for each offset at which neighbours see it, and stored as a row of a
    table. A page is then scored by summing a few hundred rows of that table for each region.

    Parameters
    ----------
    columns
        Columns of the set; features without one are never computed.
    weights : shape (n_columns, n_labels)
        Weights, which must not change while the scorer is in use.
    """

    def __init__(self, columns: Columns, weights: Floats) -> None:
        self.columns, self.weights = columns, weights
        own = [columns.by_name[feature.name].offsets for feature in columns.features]
        own.insert(0, columns.by_name[BIAS].offsets if BIAS in columns.by_name else ())
        seen = [
            (f, offsets.index(offset), offset)
            for offset in columns.offsets
            for f, offsets in enumerate(own)
            if offset in offsets
        ]
        # Features, which of their rows, and offsets, of all pairs of a feature and an offset.
        self._pairs = np.array(seen, dtype=np.int64).reshape(-1, 3).T.copy()
        self._table = _ScoreTable(columns, weights)

    def __reduce__(self) -> tuple[object, ...]:
        return PageScorer, (self.columns, self.weights)

    def scores(self, page: Page) -> Floats:
        """Return the score of each label at each region, shape (n_regions, n_labels)."""
        table, features, n = self._table, self.columns.features, len(page)
        if max(table.n_rows, table.n_values) > _MAX_ROWS:
            table = self._table = table.emptied()
        firsts = np.zeros((len(features) + 1, n), dtype=np.int32)
        firsts[0] = table.bias
        values = [own.values(page) if own.is_known(page) else None for own in features]
        numbers = table.find_rows(values, firsts[1:])
        result = np.zeros((n, self.weights.shape[1]))
        kernels.add_rows(result, table.rows, firsts, *self._pairs)
        for f, step, offset in self._pairs.T.tolist() if numbers else ():
            if (own := numbers.get(f - 1)) is not None:
                begin, end = max(-offset, 0), n - max(offset, 0)
                seen = own[max(offset, 0) :][: max(end - begin, 0)]
                row = table.rows[table.plain[f - 1] + step]
                result[begin : begin + len(seen)] += seen[:, None] * row
        return result
