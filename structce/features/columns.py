"""Columns of a feature set: counted in training, looked up by key, and summed to scores.

A region also sees cells of the regions around it, at the offsets of each feature's window. Such a
shifted cell has a column of its own, ``previous.dom.tag=p``, and is not computed anew.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats, Floats32, Integers32
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

Run = tuple[int, str, int, int]
"""Offset, feature, begin and end of neighbouring columns."""

_PREFIX = lazy_pattern(r"(previous|next)(?:-(\d+))?\.(.*)", re.DOTALL)
_MARK = lazy_pattern("[=:]")  # between the name of a feature and its value or bin
_HALF = np.array([0.5])  # between false and true
_MOST_SEARCHES = 10_000  # by bisection, which takes five times as long as a look-up
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


def column_runs(columns: Sequence[str]) -> Iterator[Run]:
    """Yield offset, feature, begin and end of each run of columns with one head and mark.

    Those of a fitted set are sorted, so that the end of a run is found by bisection and not column
    by column; columns in another order are runs of one.
    """
    is_sorted = sorted(columns) == list(columns)
    begin = 0
    while begin < len(columns):
        head, mark = _head(columns[begin])
        end = begin + 1
        if mark and is_sorted:
            end = bisect_left(columns, head + chr(ord(mark) + 1), begin)
        yield *split_name(head), begin, end
        begin = end


def column_strengths(
    runs: Sequence[Run], strengths: Mapping[str, float], neighbour_strength: float
) -> Floats32:
    """Return the strength of each column of the :func:`column_runs`, shape (n_columns,)."""
    result = np.empty(runs[-1][-1] if runs else 0, dtype=np.float32)
    for offset, name, begin, end in runs:
        own = setting_of(name, strengths, 1.0)
        result[begin:end] = own * neighbour_strength if offset else own
    return result


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


class _Numbers:
    """Numbers of columns by name.

    Sorted names are searched by bisection: a dictionary of all would take a third of the time of
    loading a model. It is made once many names have been looked up.
    """

    def __init__(self, names: Sequence[str], *, is_sorted: bool) -> None:
        self._names, self._n_searches = names, _MOST_SEARCHES if is_sorted else 0
        self._numbers: dict[str, int] | None = None

    def find(self, keys: list[str], starts: list[str]) -> list[tuple[int, ...]]:
        """Return the columns of each key after each start, as :meth:`FeatureColumns.of`."""
        self._n_searches -= len(keys) * len(starts)
        if self._n_searches < 0 and self._numbers is None:
            self._numbers = dict(zip(self._names, range(len(self._names)), strict=True))
        if self._numbers is not None:
            return kernels.find_columns(keys, starts, self._numbers)
        rows = [tuple([self._search(start + key) for start in starts]) for key in keys]
        return [row if min(row) < len(self._names) else () for row in rows]

    def _search(self, name: str) -> int:
        at, n_columns = bisect_left(self._names, name), len(self._names)
        return at if at < n_columns and self._names[at] == name else n_columns


class FeatureColumns:
    """Columns of the keys of one feature, at the offsets where it has any."""

    def __init__(self, name: str, numbers: _Numbers, offsets: Sequence[int]) -> None:
        self.offsets, self._numbers = tuple(offsets), numbers
        self._starts = [prefix(offset) + name for offset in offsets]

    def of(self, *rests: str) -> list[tuple[int, ...]]:
        """Return the column of each key at each offset, the number of columns for none.

        Empty if the key has no column. ``rests`` follow the name of the feature: nothing, ``:3`` or
        ``=by``.
        """
        return self._numbers.find([*rests], self._starts)


class Columns:
    """Columns of a fitted set, by feature and key.

    Parameters
    ----------
    settings
        Settings of the features' cells.
    names
        Names of the columns.
    offsets
        Offsets at which cells are seen; columns at others are never set.
    factors : shape (n_columns,)
        Factor by which the values of each column are multiplied.
    runs
        The :func:`column_runs` of the names, if they are at hand.

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
        runs: Sequence[Run] | None = None,
    ) -> None:
        self.settings, self.offsets, self.factors = settings, tuple(offsets), factors
        runs = [*column_runs(names)] if runs is None else runs
        numbers = _Numbers(names, is_sorted=len(runs) < len(names))  # otherwise runs of one
        seen: dict[str, set[int]] = {}
        for offset, name, _, _ in runs:
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


class _Table:
    """Table of the scores that values add; each value has as many rows as its feature has offsets.

    The first rows are zero, for values that add nothing and for what is outside the page. Rows
    are only ever added, so several threads can share one table.
    """

    def __init__(self, n_zeros: int, n_labels: int) -> None:
        self.lock = Lock()
        self.n_rows = n_zeros
        self.n_values = 0  # seen so far, with rows or without
        self.rows: Floats = np.zeros((1024 + n_zeros, n_labels))

    def add(self, rows: Floats) -> int:
        """Add rows; return the number of the first."""
        first, self.n_rows = self.n_rows, self.n_rows + len(rows)
        if self.n_rows > len(self.rows):
            self.rows = np.pad(self.rows, ((0, max(len(rows), len(self.rows))), (0, 0)))
        self.rows[first : self.n_rows] = rows
        return first


class _FeatureRows:
    """Rows of a table by the values of one feature.

    ``weights`` are multiplied by the columns' factors and end with a row of zeros.
    """

    def __init__(
        self,
        feature: Feature,
        columns: FeatureColumns,
        settings: CellSettings,
        weights: Floats,
        table: _Table,
    ) -> None:
        self.feature, self._columns, self._unit_norm = feature, columns, settings.unit_norm
        self._weights, self._table = weights, table
        self._known: dict[Hashable, int] = {}
        self._members: dict[str, int] = {}
        self.plain = self._row_of("")  # of the feature's own name: for a boolean or a number
        self._flags = np.array([0, self.plain, 0], dtype=np.int32)
        self._borders = np.array(settings.borders_of(feature), dtype=np.float64)
        bins = [self._row_of(f":{n}") for n in range(len(self._borders) + 1)]
        self._bins = np.array([*bins, 0], dtype=np.int32)  # the last is for unknown values

    def _row_of(self, rest: str) -> int:
        """Return the first row of a key; 0 if it has no columns."""
        (columns,) = self._columns.of(rest)
        return self._table.add(self._weights[[*columns]]) if columns else 0

    def of(self, page: Page) -> Integers32 | int | Floats:
        """Return the first row of each region's value, or the numbers of a feature without bins."""
        values = self.feature.values(page)
        if not isinstance(values, np.ndarray):
            return self._of_names(values)
        if values.dtype.kind == "b":
            return kernels.bin_numbers(values, _HALF, self._flags) if self.plain else 0
        if len(self._borders) and values.dtype.kind in "iuf":
            return kernels.bin_numbers(values, self._borders, self._bins)
        numbers = checked_numbers(self.feature.name, values)
        if not self.plain:
            return 0
        # As the cells of a matrix contain them, 0 where they are unknown.
        known = np.where(np.isfinite(numbers), numbers, 0.0)
        return known.astype(np.float32).astype(np.float64)

    def _of_names(self, values: FeatureValues) -> Integers32:
        """Return the first rows of strings, of sets of strings, or of booleans in a list."""
        plain = cast(Sequence[Hashable], values)
        try:
            rows, unknown = kernels.look_up(plain, self._known)
        except TypeError:  # a set or a list, which cannot be hashed; frozen sets can
            plain = [frozen(value) for value in plain]
            rows, unknown = kernels.look_up(plain, self._known)
        if unknown:
            with self._table.lock:
                self._learn([value for value in unknown if value not in self._known])
            rows, _ = kernels.look_up(plain, self._known)
        return rows

    def _learn(self, values: Sequence[Hashable]) -> None:
        """Add the rows of new values, all at once: the sums of the rows of their names."""
        self._table.n_values += len(values)
        names = [member_names(self.feature.name, value) for value in values]
        step = len(self._columns.offsets)
        new = kernels.new_members(names, self._members)
        found = self._columns.of(*[f"={name}" if name else "" for name in new])
        self._members.update(dict.fromkeys(new, 0))
        kept = [(name, own) for name, own in zip(new, found, strict=True) if own]
        first = self._table.add(self._weights[[column for _, own in kept for column in own]])
        for n, (name, own) in enumerate(kept):
            self._members[name] = min(own) << 32 | (first + step * n)
        rows, unit_norm = self._table.rows, self._unit_norm
        singles, sums = kernels.sum_members(names, self._members, rows, step, unit_norm)
        next_row = self._table.add(sums)
        for value, row in zip(values, singles.tolist(), strict=True):
            self._known[value] = next_row if row < 0 else row
            next_row += step if row < 0 else 0


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
        self._most_rows = max(map(len, own))
        self._slots = {  # by offset: the features seen there, and which of their rows
            offset: np.array(
                [(f, seen.index(offset)) for f, seen in enumerate(own) if offset in seen],
                dtype=np.int64,
            )
            .reshape(-1, 2)
            .T
            for offset in columns.offsets
        }
        self._state = self._start()

    def __reduce__(self) -> tuple[object, ...]:
        return PageScorer, (self.columns, self.weights)

    def _start(self) -> tuple[_Table, int, list[_FeatureRows]]:
        """Return a new table, the row of the bias, and the rows of the features."""
        columns, n_labels = self.columns, self.weights.shape[1]
        table = _Table(self._most_rows, n_labels)
        weights = np.zeros((len(self.weights) + 1, n_labels))
        np.multiply(columns.factors[:, None], self.weights, out=weights[:-1])
        has_bias = BIAS in columns.by_name
        bias = table.add(weights[[*columns.by_name[BIAS].of("")[0]]]) if has_bias else 0
        rows = [
            _FeatureRows(feature, columns.by_name[feature.name], columns.settings, weights, table)
            for feature in columns.features
        ]
        return table, bias, rows

    def scores(self, page: Page) -> Floats:
        """Return the score of each label at each region, shape (n_regions, n_labels)."""
        table, bias, features = self._state
        if max(table.n_rows, table.n_values) > _MAX_ROWS:
            table, bias, features = self._state = self._start()
        firsts = np.zeros((len(features) + 1, len(page)), dtype=np.int32)
        firsts[0] = bias
        numbers: dict[int, Floats] = {}
        for f, rows in enumerate(features, start=1):
            if rows.feature.is_known(page):
                values = rows.of(page)
                if isinstance(values, np.ndarray) and values.dtype.kind == "f":
                    numbers[f] = cast(Floats, values)
                else:
                    firsts[f] = values
        is_set: Flags = np.asarray(firsts.any(axis=1))
        result = np.zeros((len(page), self.weights.shape[1]))
        for offset, (seen_there, which) in self._slots.items():
            chosen = is_set[seen_there]
            own, steps = seen_there[chosen], which[chosen]
            kernels.add_rows(result, table.rows, firsts, own, steps, offset)
            for number in numbers.keys() & set(seen_there.tolist()):
                row = table.rows[features[number - 1].plain + which[seen_there == number]]
                begin, end = max(-offset, 0), len(page) - max(offset, 0)
                seen = numbers[number][max(offset, 0) :][: max(end - begin, 0)]
                result[begin : begin + len(seen)] += seen[:, None] * row
        return result
