"""Encoder of pages as rows of fitted columns: keys without a column are dropped before sorting.

A set is fitted to the cells of all keys, from :mod:`structce.features.encoding`. On a page that is
only to be labelled, most keys have no column, and regions mostly share the values of a feature, so
each distinct value is looked up once and becomes a run of columns; a region's row concatenates the
runs of its own values and of its neighbours'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.errors import FeatureError
from structce.features.column_keys import ColumnKeys, FeatureKeys, KeyGroup
from structce.features.encoding import BIAS, Borders, concatenated_ranges, distinct_values
from structce.features.registry import Feature, FeatureValues
from structce.page import Page

if TYPE_CHECKING:
    import scipy


class _Groups:
    """Groups of keys that are set together in regions of a page; group 0 is empty."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.sizes: list[int] = [0]
        self.norms: list[float] = [0.0]

    def add(self, groups: Sequence[KeyGroup]) -> int:
        """Add groups; return the number of the first."""
        first = len(self.sizes)
        for codes, norm in groups:
            self.codes += codes
            self.sizes.append(len(codes))
            self.norms.append(norm)
        return first


class Encoder:
    """Encoder of pages as the rows of a fitted set's columns.

    Parameters
    ----------
    keys
        Keys with columns; features without one are never computed.
    factors : shape (n_columns,)
        Factor by which the values of each column are multiplied.
    borders
        Borders of bins by feature name.
    unit_norm
        As for :func:`structce.features.encoding.page_cells`.
    """

    def __init__(
        self,
        keys: ColumnKeys,
        factors: Floats,
        *,
        borders: Mapping[str, Borders],
        unit_norm: bool,
    ) -> None:
        self._borders, self._unit_norm, self._factors = borders, unit_norm, factors
        self._keys, self._features = keys.keys, keys.features
        self._columns, self._slots, self._offsets = keys.columns, keys.slots, keys.offsets

    def matrix(self, page: Page) -> scipy.sparse.csr_matrix:
        """Return the page's regions as sorted rows, shape (n_regions, n_columns)."""
        groups = _Groups()
        table = np.zeros((len(page) + 1, len(self._features) + 1), dtype=np.int32)
        if BIAS in self._keys:
            table[:-1, 0] = groups.add([((self._keys[BIAS].plain,), 1.0)])
        for f, feature in enumerate(self._features, start=1):
            if feature.is_known(page):
                table[:-1, f] = self._regions(feature, feature.values(page), groups)
        return self._assembled(table, groups, len(page))

    def _regions(
        self, feature: Feature, values: FeatureValues, groups: _Groups
    ) -> Integers | Integers32 | int:
        """Return the group of each region, 0 for none, shape (n_regions,)."""
        if isinstance(values, np.ndarray):
            return self._regions_of_array(feature, values, groups)
        keys, name = self._keys[feature.name], feature.name
        distinct, which = distinct_values(values)
        key_groups = [keys.group(name, value, self._unit_norm) for value in distinct]
        places, n = [], len(groups.sizes)
        for codes, _ in key_groups:
            places.append(n if codes else 0)
            n += bool(codes)
        groups.add([group for group in key_groups if group[0]])
        return np.array(places, dtype=np.int32)[which] if places else 0

    def _regions_of_array(
        self, feature: Feature, values: NDArray[np.generic], groups: _Groups
    ) -> Integers | Integers32 | int:
        """Return the group of each region for an array of booleans or numbers."""
        keys, bins = self._keys[feature.name], self._borders.get(feature.name, feature.borders)
        if values.dtype.kind == "b":
            if keys.plain < 0 or not values.any():
                return 0
            return values.astype(np.int32) * groups.add([((keys.plain,), 1.0)])
        if values.dtype.kind not in "iuf":
            raise FeatureError(
                f"feature {feature.name} returned an array of {values.dtype}; expected booleans "
                "or numbers"
            )
        if not bins:
            return _regions_of_numbers(keys, values.astype(np.float64), groups)
        which = np.array(bins, dtype=np.float64).searchsorted(values, side="right")
        if values.dtype.kind == "f":
            which[~np.isfinite(values)] = len(bins) + 1
        places = np.zeros(len(bins) + 2, dtype=np.int32)
        first = groups.add([((code,), 1.0) for code in keys.bins.values()])
        for i, number in enumerate(keys.bins):
            if number <= len(bins):
                places[number] = first + i
        return places[which]

    def _assembled(
        self, table: Integers32, groups: _Groups, n_regions: int
    ) -> scipy.sparse.csr_matrix:
        """Return the rows: the runs of columns of each region's slots, concatenated.

        Parameters
        ----------
        table : shape (n_regions + 1, n_features + 1)
            Groups of the regions; the last row represents what is outside the page.
        """
        import scipy  # late: labelling a page does not need it

        starts, counts, columns, data = self._column_runs(groups)
        is_set: Flags = np.asarray(table.any(axis=0))
        slots = self._slots[is_set[self._slots[:, 0]]]
        rows = np.arange(n_regions) + self._offsets[:, None]
        rows[(rows < 0) | (rows >= n_regions)] = n_regions
        places = table[rows[slots[:, 1]].T, slots[:, 0]] + slots[:, 1] * len(groups.sizes)
        sizes = counts[places]
        indptr = np.append(0, np.cumsum(sizes.sum(axis=1)))
        places, sizes = places.ravel(), sizes.ravel()
        full = np.flatnonzero(sizes)
        at = concatenated_ranges(starts[places[full]], sizes[full])
        result = scipy.sparse.csr_matrix(
            (data[at], columns[at], indptr.astype(np.int32)),
            shape=(n_regions, len(self._factors)),
        )
        result.sum_duplicates()  # also sorts the rows of a set whose columns are in another order
        return result

    def _column_runs(self, groups: _Groups) -> tuple[Integers, Integers, Integers32, Floats]:
        """Return the columns of each group at each offset, as runs.

        Start and length of each run, shape (n_offsets * n_groups,), the columns of all runs, and
        the values of their cells.
        """
        sizes, n = np.array(groups.sizes), len(groups.sizes)
        norms = np.repeat(np.array(groups.norms, dtype=np.float32), sizes)
        column_numbers = self._columns[np.array(groups.codes, dtype=np.int64)].T
        o, at = np.nonzero(column_numbers >= 0)
        columns = column_numbers[o, at]
        owners = np.repeat(np.arange(n), sizes)
        counts = np.bincount(o * n + owners[at], minlength=len(self._offsets) * n)
        data = norms[at] * self._factors[columns]
        return np.cumsum(counts) - counts, counts, columns, data


def _regions_of_numbers(keys: FeatureKeys, values: Floats, groups: _Groups) -> Integers | int:
    """Return the group of each region whose number is known, 0 for the others."""
    if keys.plain < 0:
        return 0
    known = np.flatnonzero(np.isfinite(values))
    places = np.zeros(len(values), dtype=np.int64)
    numbers = values[known].astype(np.float32).tolist()
    first = groups.add([((keys.plain,), number) for number in numbers])
    places[known] = first + np.arange(len(known))
    return places
