"""Encoding of a page as cells: which keys (names of future columns) are set in which regions."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Floats, Floats32, Integers, Integers32
from structce.errors import FeatureError
from structce.features.registry import Feature, FeatureValues
from structce.page import Page

BIAS = "bias"
"""Column that is set in every region."""

Borders = tuple[float, ...]
Encoding = Literal["bins", "value", "both"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
"""Encodings of numbers: a column for each bin, for each distinct value, or both."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Non-zero cells of a page's table of keys."""

    keys: tuple[str, ...]  # distinct names of future columns, such as "dom.depth:3"
    owners: Integers32  # feature of each key, by index; -1 for the bias
    rows: Integers32  # region of each cell
    codes: Integers32  # index of each cell into keys
    values: Floats32  # 1 except for numbers without bins
    n_regions: int


def page_cells(
    page: Page,
    features: Sequence[Feature],
    *,
    borders: Mapping[str, Borders] | None = None,
    unit_norm: bool = False,
    encoding: Encoding = "bins",
) -> Cells:
    """Return the cells of a page: the bias, then one feature after the other.

    Features that need something the page does not have add no cells.

    Parameters
    ----------
    borders
        Borders of bins by feature name; by default those that the feature was registered with,
        and none if its borders are to be learnt.
    unit_norm
        Whether the names that a feature sets for a region are scaled to a Euclidean norm of 1.
    encoding
        Columns of a number: one for each bin, one for each distinct value (of four significant
        digits), or both.
    """
    table = _Table(len(page))
    table.add(-1, [BIAS], np.zeros(len(page), dtype=np.int32))
    for number, feature in enumerate(features):
        if not feature.is_known(page):
            continue
        values = feature.values(page)
        if isinstance(values, np.ndarray):
            bins = (borders or {}).get(feature.name, feature.borders)
            if encoding != "bins" and values.dtype.kind in "iuf":
                _add_distinct(table, number, feature.name, values)
            if encoding != "value" or values.dtype.kind not in "iuf":
                _add_array(table, number, feature.name, values, bins)
        else:
            _add_names(table, number, feature.name, values, unit_norm)
    return table.cells()


class _Table:
    """Cells while they are being collected.

    Each feature assigns every region to one of its groups, and a group sets some keys: the key of
    the bin for a number, one key per name for a set of names. Groups become cells for all features
    at once.
    """

    def __init__(self, n_regions: int) -> None:
        self.n_regions = n_regions
        self.keys: list[str] = []
        self.owners: list[int] = []
        self.codes: list[int] = []
        self.sizes: list[int] = []
        self.norms: list[float] = []
        self.starts: list[tuple[int, int, int]] = []
        self.groups: list[Integers32 | Integers] = []
        self.numbers: list[tuple[int, Floats]] = []

    def add(
        self,
        owner: int,
        keys: Sequence[str],
        groups: Integers32 | Integers,
        codes: Sequence[int] | None = None,
        sizes: Sequence[int] | None = None,
        norms: Sequence[float] | None = None,
    ) -> None:
        """Add the groups of one feature, one per region, counted from 0; -1 for none.

        ``codes`` are indices into ``keys`` for all groups; ``sizes`` and ``norms`` are each group's
        number of keys and cell value. By default each key is a group with cells of 1.
        """
        n_groups = len(keys) if sizes is None else len(sizes)
        self.starts.append((len(self.sizes), len(self.keys), len(self.codes)))
        self.groups.append(groups)
        self.codes.extend(range(len(keys)) if codes is None else codes)
        self.sizes.extend([1] * n_groups if sizes is None else sizes)
        self.norms.extend([1.0] * n_groups if norms is None else norms)
        self.keys.extend(keys)
        self.owners.extend([owner] * len(keys))

    def add_numbers(self, owner: int, key: str, values: Floats) -> None:
        """Add a column of numbers that are used without bins."""
        self.numbers.append((len(self.keys), values))
        self.keys.append(key)
        self.owners.append(owner)

    def cells(self) -> Cells:
        """Return the collected cells."""
        first_group, first_key, first_code = np.array(self.starts).T
        stacked = np.array(self.groups, dtype=np.int32)
        groups = np.where(stacked >= 0, stacked + first_group[:, None], -1).ravel()
        n_codes = np.diff(first_code, append=len(self.codes))
        keys = np.array(self.codes, dtype=np.int32) + np.repeat(first_key, n_codes)
        sizes = np.array([*self.sizes, 0], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes[:-1])])
        counts = sizes[groups]
        at = concatenated_ranges(starts[groups], counts)
        regions = np.tile(np.arange(self.n_regions, dtype=np.int32), len(self.groups))
        rows = [np.repeat(regions, counts)]
        codes = [keys[at].astype(np.int32)]
        norms = np.array([*self.norms, 0], dtype=np.float32)
        values = [np.repeat(norms[groups], counts)]
        for code, numbers in self.numbers:
            known = np.flatnonzero(np.isfinite(numbers)).astype(np.int32)
            rows.append(known)
            codes.append(np.full(len(known), code, dtype=np.int32))
            values.append(numbers[known].astype(np.float32))
        return Cells(
            keys=tuple(self.keys),
            owners=np.array(self.owners, dtype=np.int32),
            rows=np.concatenate(rows),
            codes=np.concatenate(codes),
            values=np.concatenate(values),
            n_regions=self.n_regions,
        )


def concatenated_ranges(starts: Integers, counts: Integers) -> Integers:
    """Return the concatenated ranges that begin at each start and have the given lengths."""
    firsts = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - firsts, counts))


def _add_array(
    table: _Table, owner: int, name: str, values: NDArray[np.generic], bins: Borders
) -> None:
    """Add a column of booleans or numbers."""
    if values.dtype.kind == "b":
        table.add(owner, [name], values.astype(np.int32) - 1)
        return
    if values.dtype.kind not in "iuf":
        raise FeatureError(
            f"feature {name} returned an array of {values.dtype}; expected booleans or numbers"
        )
    if not bins:
        table.add_numbers(owner, name, values.astype(np.float64))
        return
    groups = np.array(bins, dtype=np.float64).searchsorted(values, side="right")
    if values.dtype.kind == "f":
        groups[~np.isfinite(values)] = -1
    table.add(owner, _bin_keys(name, len(bins) + 1), groups)


def _add_distinct(table: _Table, owner: int, name: str, values: NDArray[np.generic]) -> None:
    """Add a column for each distinct number, written with four significant digits."""
    written = [f"{number:.4g}" if np.isfinite(number) else None for number in values.tolist()]
    _add_names(table, owner, name, written, unit_norm=False)


@lru_cache(maxsize=4096)
def _bin_keys(name: str, n_bins: int) -> tuple[str, ...]:
    return tuple([f"{name}:{n}" for n in range(n_bins)])


def _add_names(
    table: _Table, owner: int, name: str, values: FeatureValues, unit_norm: bool
) -> None:
    """Add a column of strings, of sets of strings, or of booleans in a list.

    Neighbouring regions mostly share their value, so each distinct value is processed only once.
    """
    distinct, which = distinct_values(values)
    codes: dict[str, int] = {}
    members: list[int] = []
    sizes: list[int] = []
    for value in distinct:
        names = sorted(member_names(name, value))
        members += [codes.setdefault(member, len(codes)) for member in names]
        sizes.append(len(names))
    keys = [f"{name}={member}" if member else name for member in codes]
    norms = [1 / sqrt(max(size, 1)) for size in sizes] if unit_norm else None
    table.add(owner, keys, which, members, sizes, norms)


def distinct_values(values: FeatureValues) -> tuple[list[Hashable], Integers]:
    """Return the distinct values, and the index of each region's value among them."""
    plain: Iterable[Hashable] = cast(Iterable[Hashable], values)
    try:
        places = dict.fromkeys(plain, 0)
    except TypeError:  # a set or a list, which cannot be hashed; frozen sets can
        plain = [frozen(value) for value in plain]
        places = dict.fromkeys(plain, 0)
    distinct = list(places)
    places.update(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.fromiter(map(places.__getitem__, plain), np.int64, len(values))


def frozen(value: Hashable | Collection[str]) -> Hashable:
    """Return a set or list of strings as a frozen set, and any other value unchanged."""
    if isinstance(value, Collection) and not isinstance(value, str):
        return frozenset(value)
    return value


def member_names(name: str, value: object) -> Collection[str]:
    """Return the names that a value sets, in any order; the empty name is the feature itself."""
    if isinstance(value, frozenset):
        try:
            "".join(value)  # the fastest check that all are strings
        except TypeError:
            raise FeatureError(
                f"feature {name} returned a set with members other than strings: {value!r}"
            ) from None
        return [member for member in value if member] if "" in value else value
    if value is None or value is False or value is np.False_:
        return ()
    if value is True or value is np.True_:
        return ("",)
    if isinstance(value, str):
        return (value,) if value else ()
    raise FeatureError(
        f"feature {name} returned a value of type {type(value).__name__}: {value!r}; expected a "
        "string, a set of strings, a boolean or None"
    )


def learn_borders(pages: Sequence[Page], features: Sequence[Feature]) -> dict[str, Borders]:
    """Learn the borders of each feature that specifies a number of bins.

    Borders are quantiles of the feature's values over all regions of the pages; there are fewer
    where values repeat, and none where all values are unknown.
    """
    return {
        feature.name: _quantile_borders(pages, feature, feature.bins)
        for feature in features
        if isinstance(feature.bins, int)
    }


def _quantile_borders(pages: Sequence[Page], feature: Feature, n_bins: int) -> Borders:
    columns = [np.zeros(0)]
    for page in pages:
        if not feature.is_known(page):
            continue
        values = feature.values(page)
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf":
            raise FeatureError(
                f"feature {feature.name} has bins, but does not return an array of numbers"
            )
        columns.append(values[np.isfinite(values)].astype(np.float64))
    numbers = np.concatenate(columns)
    if not len(numbers):
        return ()
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    borders = np.unique(np.quantile(numbers, inner, method="higher"))
    return tuple(float(border) for border in borders if border > numbers.min())
