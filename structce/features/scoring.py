"""Emission scores of a page without its matrix, by looking up the share of each feature value.

A linear learner scores regions by ``X @ W``. Feature values recur on a page and from page to page,
so the sum of the weights that a value sets is computed once, for each offset at which neighbours
see it, and stored as a row of a table. A page is then scored by summing a few hundred rows of that
table for each region.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from math import sqrt
from threading import Lock
from typing import cast

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.errors import FeatureError
from structce.features.column_keys import ColumnKeys, FeatureKeys
from structce.features.encoding import BIAS, Borders, frozen, member_names
from structce.features.registry import Feature, FeatureValues
from structce.page import Page

_MAX_TOGETHER = 16  # values that are added at once
_MAX_TAKEN = 2**13  # rows of the table that are taken at once
_MAX_ROWS = 2**15  # rows of the table, or values seen, after which it is emptied


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


class _Members(dict[str, tuple[int, ...]]):
    """Columns of the names that values of a feature set, each looked up once; empty for none."""

    def __init__(self, keys: FeatureKeys) -> None:
        super().__init__()
        self._keys = keys

    def __missing__(self, name: str) -> tuple[int, ...]:
        columns = self[name] = self._keys.columns(f"={name}" if name else "")
        return columns


class _FeatureRows:
    """Rows of a table by the values of one feature.

    ``weights`` are multiplied by the columns' factors and end with a row of zeros. ``plain`` is the
    first row of the feature's own name, for a boolean or a number; 0 for none.
    """

    def __init__(
        self,
        feature: Feature,
        keys: FeatureKeys,
        weights: Floats,
        table: _Table,
        *,
        borders: Borders,
        unit_norm: bool,
    ) -> None:
        self.feature, self._members, self._unit_norm = feature, _Members(keys), unit_norm
        self._weights, self._table = weights, table
        self._known: dict[Hashable, int] = {}
        self.plain = self._row_of(keys.columns(""))
        self._borders = np.array(borders, dtype=np.float64) if borders else None
        self._bins = np.zeros(len(borders) + 2, dtype=np.int32)  # the last is for unknown values
        for number in range(len(borders) + 1 if borders else 0):
            self._bins[number] = self._row_of(keys.columns(f":{number}"))

    def _row_of(self, columns: tuple[int, ...]) -> int:
        """Return the first row of a key with these columns; 0 without any."""
        return self._table.add(self._weights[[*columns]]) if columns else 0

    def of(self, page: Page) -> Integers32 | int | Floats:
        """Return the first row of each region's value, or the numbers of a feature without bins."""
        values = self.feature.values(page)
        if not isinstance(values, np.ndarray):
            return self._of_names(values)
        kind = values.dtype.kind
        if kind == "b":
            return values.astype(np.int32) * self.plain if self.plain and values.any() else 0
        if kind not in "iuf":
            raise FeatureError(
                f"feature {self.feature.name} returned an array of {values.dtype}; expected "
                "booleans or numbers"
            )
        if self._borders is None:
            return _known_numbers(values) if self.plain else 0
        which = self._borders.searchsorted(values, side="right")
        if kind == "f":
            which[~np.isfinite(values)] = len(self._bins) - 1
        return self._bins[which]

    def _of_names(self, values: FeatureValues) -> Integers32 | int:
        """Return the first rows of strings, of sets of strings, or of booleans in a list."""
        plain = cast(Sequence[Hashable], values)
        find = self._known.__getitem__
        try:
            return np.fromiter(map(find, plain), np.int32, len(plain))
        except KeyError:
            pass
        except TypeError:  # a set or a list, which cannot be hashed; frozen sets can
            plain = [frozen(value) for value in plain]
        with self._table.lock:
            self._learn([value for value in dict.fromkeys(plain) if value not in self._known])
        return np.fromiter(map(find, plain), np.int32, len(plain))

    def _learn(self, values: Sequence[Hashable]) -> None:
        """Add the rows of new values, all at once."""
        self._table.n_values += len(values)
        full: list[Hashable] = []
        columns: list[tuple[int, ...]] = []  # of all names of these values
        sizes: list[int] = []
        norms: list[float] = []
        for value in values:
            names = member_names(self.feature.name, value)
            own = [*filter(None, map(self._members.__getitem__, names))]
            if not own:
                self._known[value] = 0
                continue
            own.sort(key=min)  # so that sums do not depend on the order of a set
            full.append(value)
            columns += own
            sizes.append(len(own))
            norms.append(1 / sqrt(len(names)) if self._unit_norm else 1.0)
        if full:
            lengths = np.array(sizes, dtype=np.int64)
            sums = np.add.reduceat(self._weights[columns], np.cumsum(lengths) - lengths)
            factors = np.array(norms, dtype=np.float32).astype(np.float64)
            first = self._table.add((sums * factors[:, None, None]).reshape(-1, sums.shape[-1]))
            step = sums.shape[1]
            self._known.update((value, first + step * n) for n, value in enumerate(full))


def _known_numbers(values: NDArray[np.generic]) -> Floats:
    """Return numbers as the cells of a matrix contain them, 0 where they are unknown."""
    numbers = values.astype(np.float64)
    return np.where(np.isfinite(numbers), numbers, 0.0).astype(np.float32).astype(np.float64)


class PageScorer:
    """Scorer of pages: the product of a page's matrix and weights, without building the matrix.

    Parameters
    ----------
    keys
        Keys with columns; features without one are never computed.
    factors : shape (n_columns,)
        Factor by which the values of each column are multiplied.
    weights : shape (n_columns, n_labels)
        Weights, which must not change while the scorer is in use.
    borders
        Borders of bins by feature name.
    unit_norm
        As for :func:`structce.features.encoding.page_cells`.
    """

    def __init__(
        self,
        keys: ColumnKeys,
        factors: Floats,
        weights: Floats,
        *,
        borders: Mapping[str, Borders],
        unit_norm: bool,
    ) -> None:
        self.weights = weights
        self._keys, self._factors = keys, factors
        self._borders, self._unit_norm = borders, unit_norm
        own = [keys.keys[feature.name].offsets for feature in keys.features]
        own.insert(0, keys.keys[BIAS].offsets if BIAS in keys.keys else ())
        self._most_rows = max(map(len, own))
        self._slots = {  # by offset: the features seen there, and which of their rows
            offset: np.array(
                [(f, seen.index(offset)) for f, seen in enumerate(own) if offset in seen],
                dtype=np.int64,
            )
            .reshape(-1, 2)
            .T
            for offset in keys.offsets
        }
        self._state = self._start()

    def __reduce__(self) -> tuple[object, ...]:
        again = partial(PageScorer, borders=self._borders, unit_norm=self._unit_norm)
        return again, (self._keys, self._factors, self.weights)

    def _start(self) -> tuple[_Table, int, list[_FeatureRows]]:
        """Return a new table, the row of the bias, and the rows of the features."""
        keys, n_labels = self._keys, self.weights.shape[1]
        table = _Table(self._most_rows, n_labels)
        weights = np.vstack([self._factors[:, None] * self.weights, np.zeros((1, n_labels))])
        bias = 0
        if BIAS in keys.keys:
            bias = table.add(weights[[*keys.keys[BIAS].columns("")]])
        rows = [
            _FeatureRows(
                feature,
                keys.keys[feature.name],
                weights,
                table,
                borders=self._borders.get(feature.name, feature.borders),
                unit_norm=self._unit_norm,
            )
            for feature in keys.features
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
            if not rows.feature.is_known(page):
                continue
            values = rows.of(page)
            if isinstance(values, np.ndarray) and values.dtype.kind == "f":
                numbers[f] = cast(Floats, values)
            else:
                firsts[f] = values
        return self._summed(firsts, numbers, [rows.plain for rows in features], table.rows)

    def _summed(
        self, firsts: Integers32, numbers: Mapping[int, Floats], plain: Sequence[int], rows: Floats
    ) -> Floats:
        """Return the scores of all regions from their own values and from their neighbours'.

        ``firsts`` contains the first row of each region's value, shape (n_features + 1, n_regions);
        ``numbers`` the values of features without bins, by the number of the feature; ``plain`` the
        first rows of all features' own names.
        """
        n = firsts.shape[1]
        is_set: Flags = np.asarray(firsts.any(axis=1))
        result = np.zeros((n, rows.shape[1]))
        for offset, (f, which) in self._slots.items():
            chosen = is_set[f]
            part = _row_sums(firsts[f[chosen]] + which[chosen, None], rows)
            for number in numbers.keys() & set(f.tolist()):
                row = plain[number - 1] + which[f == number]
                part += numbers[number][:, None] * rows[row]
            seen = part[max(offset, 0) : n + min(offset, 0)]
            result[max(-offset, 0) : max(-offset, 0) + len(seen)] += seen
        return result


def _row_sums(chosen: Integers, rows: Floats) -> Floats:
    """Return the sum of the chosen rows, shape (n_values, n_regions), for each region.

    A few values are added at once, as many as fit into the processor's cache; for a large page one
    after another, which takes the memory of two results.
    """
    n_values, n_regions = chosen.shape
    result = np.zeros((n_regions, rows.shape[1]))
    step = max(1, min(_MAX_TOGETHER, _MAX_TAKEN // max(n_regions, 1)))
    added = np.empty((step, *result.shape))
    for first in range(0, n_values, step):
        places = chosen[first : first + step]
        # Indices are never outside the table; the other modes would copy the rows.
        taken = rows.take(places, axis=0, out=added[: len(places)], mode="clip")
        result += np.add.reduce(taken, axis=0)
    return result
