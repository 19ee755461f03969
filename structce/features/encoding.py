"""One page described: which keys are set in which regions, before any choice of columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from structce.arrays import Flags, Floats, Floats32, Integers, Integers32
from structce.errors import FeatureError
from structce.features.registry import Feature, FeatureValues
from structce.features.windows import prefix
from structce.page import Page

BIAS = "bias"
"""Column that is set in every region."""

Borders = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Cells:
    """Non-zero cells of a page's table of keys.

    Parameters
    ----------
    keys
        Distinct names of future columns: ``text.token=by``, ``dom.depth:3``.
    owners : shape (n_keys,)
        Index of the feature that each key belongs to; -1 for the bias.
    rows, codes : shape (n_cells,)
        Region, and index into ``keys``.
    values : shape (n_cells,)
        1 except for numbers without bins.
    n_regions
        Number of regions of the page.
    """

    keys: tuple[str, ...]
    owners: Integers32
    rows: Integers32
    codes: Integers32
    values: Floats32
    n_regions: int


def page_cells(
    page: Page,
    features: Sequence[Feature],
    *,
    borders: Mapping[str, Borders] | None = None,
    n_buckets: int | None = None,
    unit_norm: bool = False,
) -> Cells:
    """Return the cells of a page: the bias, then one feature after the other.

    Features that need what the page has not give no cell.

    Parameters
    ----------
    borders
        Borders of bins by feature name; without an entry those that the feature was registered
        with, and none where it asks for learnt ones.
    n_buckets
        Names that a feature gives are hashed to so many keys a feature; None keeps the names.
    unit_norm
        Whether the names that a feature gives a region are scaled to a Euclidean norm of 1.
    """
    table = _Table(len(page))
    table.add(-1, [BIAS], np.zeros(len(page), dtype=np.int32))
    for number, feature in enumerate(features):
        if not feature.is_known(page):
            continue
        values = feature.values(page)
        if isinstance(values, np.ndarray):
            bins = (borders or {}).get(feature.name, feature.borders)
            _add_array(table, number, feature.name, values, bins)
        else:
            _add_names(table, number, feature.name, values, n_buckets, unit_norm)
    return table.cells()


class _Table:
    """Cells while they are gathered.

    Each feature puts every region into one of its groups, and a group sets some keys: of a number
    the key of its bin, of a set of names one for each name. Groups become cells for all features
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
        """Add the groups of one feature.

        Parameters
        ----------
        groups : shape (n_regions,)
            Group of each region, counted from 0; -1 for none.
        codes, sizes, norms
            Indices into `keys` of all groups, number of keys and value of the cells of each
            group; without, each key is a group and its cells are 1.
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
        """Add a column of numbers that stay what they are."""
        self.numbers.append((len(self.keys), values))
        self.keys.append(key)
        self.owners.append(owner)

    def cells(self) -> Cells:
        """Return what was gathered."""
        first_group, first_key, first_code = np.array(self.starts).T
        stacked = np.array(self.groups, dtype=np.int32)
        groups = np.where(stacked >= 0, stacked + first_group[:, None], -1).ravel()
        n_codes = np.diff(first_code, append=len(self.codes))
        keys = np.array(self.codes, dtype=np.int32) + np.repeat(first_key, n_codes)
        sizes = np.array([*self.sizes, 0], dtype=np.int32)
        starts = np.concatenate([[0], np.cumsum(sizes[:-1])])
        counts = sizes[groups]
        firsts = np.cumsum(counts) - counts
        at = np.arange(counts.sum()) + np.repeat(starts[groups] - firsts, counts)
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


def _add_array(
    table: _Table, owner: int, name: str, values: NDArray[np.generic], bins: Borders
) -> None:
    """Add a column of truth values or numbers."""
    if values.dtype.kind == "b":
        table.add(owner, [name], values.astype(np.int32) - 1)
        return
    if values.dtype.kind not in "iuf":
        raise FeatureError(f"feature {name} gave an array of {values.dtype}")
    if not bins:
        table.add_numbers(owner, name, values.astype(np.float64))
        return
    groups = np.array(bins, dtype=np.float64).searchsorted(values, side="right")
    if values.dtype.kind == "f":
        groups[~np.isfinite(values)] = -1
    table.add(owner, _bin_keys(name, len(bins) + 1), groups)


@lru_cache(maxsize=4096)
def _bin_keys(name: str, n_bins: int) -> tuple[str, ...]:
    return tuple([f"{name}:{n}" for n in range(n_bins)])


def _add_names(
    table: _Table,
    owner: int,
    name: str,
    values: FeatureValues,
    n_buckets: int | None,
    unit_norm: bool,
) -> None:
    """Add a column of strings, of sets of strings, or of truth values in a list.

    Neighbouring regions mostly share their value, so each distinct one is taken apart once.
    """
    distinct, which = _distinct(values)
    codes: dict[str, int] = {}
    members: list[int] = []
    sizes: list[int] = []
    for value in distinct:
        names = _members(name, value)
        if n_buckets is not None:
            names = sorted({_bucket(member, n_buckets) for member in names})
        members += [codes.setdefault(member, len(codes)) for member in names]
        sizes.append(len(names))
    keys = [f"{name}={member}" if member else name for member in codes]
    norms = [1 / sqrt(max(size, 1)) for size in sizes] if unit_norm else None
    table.add(owner, keys, which, members, sizes, norms)


def _distinct(values: FeatureValues) -> tuple[list[Hashable], Integers]:
    """Return the distinct values, and the place of each region's among them."""
    plain: Iterable[Hashable] = cast(Iterable[Hashable], values)
    try:
        places = dict.fromkeys(plain, 0)
    except TypeError:  # a set or a list; a frozen one is as good
        plain = [_frozen(value) for value in plain]
        places = dict.fromkeys(plain, 0)
    found = list(places)
    places.update(zip(found, range(len(found)), strict=True))
    return found, np.fromiter(map(places.__getitem__, plain), np.int64, len(values))


def _frozen(value: Hashable | Collection[str]) -> Hashable:
    if isinstance(value, Collection) and not isinstance(value, str):
        return frozenset(value)
    return value


def _bucket(member: str, n_buckets: int) -> str:
    """Return the name of a bucket; the empty name stands for the feature and stays."""
    from sklearn.utils import murmurhash3_32  # half a second to import, and seldom needed

    return f"#{murmurhash3_32(member, positive=True) % n_buckets}" if member else ""


def _members(name: str, value: object) -> Collection[str]:
    """Return the names that one value sets; the empty name stands for the feature itself."""
    if isinstance(value, frozenset):
        try:
            members = sorted(value) if len(value) > 1 else value
            "".join(members)  # the quickest way to see that all are texts
        except TypeError:
            raise FeatureError(
                f"feature {name} gave a set that holds no texts: {value!r}"
            ) from None
        return [member for member in members if member] if "" in value else members
    if value is None or value is False or value is np.False_:
        return ()
    if value is True or value is np.True_:
        return ("",)
    if isinstance(value, str):
        return (value,) if value else ()
    raise FeatureError(f"feature {name} gave a value of {type(value).__name__}: {value!r}")


_OFFSET = re.compile(r"(previous|next)(?:-(\d+))?\.(.*)", re.DOTALL)


class Windows:
    """At which offsets the cells of a page are seen by the regions around them.

    Parameters
    ----------
    windows
        Offsets at which each feature is seen besides its own region.
    """

    def __init__(self, windows: Sequence[tuple[int, ...]]) -> None:
        self.offsets = tuple(sorted({0, *(offset for window in windows for offset in window)}))
        seen = [(*(o == 0 or o in window for window in windows), o == 0) for o in self.offsets]
        self._seen = np.array(seen, dtype=bool).T  # the bias has -1 for an owner

    def seen(self, cells: Cells) -> Flags:
        """Return whether each key is seen at each offset, shape (n_keys, n_offsets)."""
        found: Flags = self._seen[cells.owners]
        return found

    def counts(self, cells: Cells) -> Integers:
        """Return how many regions see each key at each offset, shape (n_keys, n_offsets).

        As many as have it, less those at the page's border whose neighbour would be outside.
        """
        n_keys = len(cells.keys)
        own = np.bincount(cells.codes, minlength=n_keys)
        found = np.where(self.seen(cells), own[:, None], 0)
        for o, offset in enumerate(self.offsets):
            if offset:
                rows = cells.rows - np.int32(offset)
                lost = np.flatnonzero((rows < 0) | (rows >= cells.n_regions))
                found[:, o] -= np.bincount(cells.codes[lost], minlength=n_keys)
        return np.maximum(found, 0)


class KeyCounts:
    """What training pages show of every key at every offset."""

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
        """Note numbers above 1, which become scales."""
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
        """Return the scale of each column that is frequent enough, by its name, sorted.

        Parameters
        ----------
        min_count, min_pages
            Least number of regions and of pages that a column is set in; the bias always stays.
        """
        keep = (self._regions >= max(min_count, 1)) & (self._pages >= min_pages)
        keep[self._places.get(BIAS, 0) : self._places.get(BIAS, -1) + 1, :] |= self._is_own()
        keys = list(self._places)
        starts = [prefix(offset) for offset in self._shifts.offsets]
        at, offsets = np.nonzero(keep[: len(keys)])
        names = {
            starts[o] + keys[i]: float(self._largest[i, o])
            for i, o in zip(at.tolist(), offsets.tolist(), strict=True)
        }
        return dict(sorted(names.items()))

    def _is_own(self) -> Flags:
        return np.array([offset == 0 for offset in self._shifts.offsets])


class ColumnIndex:
    """The column of each key at each offset.

    Parameters
    ----------
    columns
        Names of columns, in their order.
    """

    def __init__(self, columns: Sequence[str], offsets: Sequence[int]) -> None:
        numbers = {offset: o for o, offset in enumerate(offsets)}
        self._places: dict[str, int] = {}
        rows: list[int] = []
        where: list[int] = []
        found: list[int] = []
        for j, name in enumerate(columns):
            offset, key = split_name(name)
            if offset in numbers:
                rows.append(self._places.setdefault(key, len(self._places)))
                where.append(numbers[offset])
                found.append(j)
        self._columns = np.full((len(self._places) + 1, len(numbers)), -1, dtype=np.int32)
        self._columns[rows, where] = found

    def __call__(self, keys: Sequence[str]) -> Integers32:
        """Return columns, shape (n_keys, n_offsets); -1 for none."""
        none = len(self._places)
        get = self._places.get
        found: Integers32 = self._columns[[get(key, none) for key in keys]]
        return found


def assemble(
    cells: Cells,
    columns: Integers32,
    offsets: Sequence[int],
    factors: Floats,
) -> csr_matrix:
    """Return the cells of a page as a matrix, shape (n_regions, n_columns), its rows sorted.

    Cells are laid out column by column, which makes rows that need no sorting.

    Parameters
    ----------
    columns : shape (n_keys, n_offsets)
        Column of each key at each offset; -1 for none.
    factors : shape (n_columns,)
        What the values of each column are multiplied by.
    """
    codes, places = np.nonzero(columns >= 0)
    found = columns[codes, places]
    order = np.argsort(found)
    codes, places, found = codes[order], places[order], found[order]
    sizes = np.bincount(cells.codes, minlength=len(cells.keys))
    starts, counts = (np.cumsum(sizes) - sizes)[codes], sizes[codes]
    at = np.argsort(cells.codes, kind="stable")[_ranges(starts, counts)]
    rows = cells.rows[at] - np.repeat(np.array(offsets, dtype=np.int32)[places], counts)
    inside = np.flatnonzero((rows >= 0) & (rows < cells.n_regions))
    data = cells.values[at] * np.repeat(factors[found], counts)
    where = rows[inside], np.repeat(found, counts)[inside]
    return csr_matrix((data[inside], where), shape=(cells.n_regions, len(factors)))


def _ranges(starts: Integers, counts: Integers) -> Integers:
    """Return the numbers from each start on, so many of each, one range after the other."""
    firsts = np.cumsum(counts) - counts
    found: Integers = np.arange(counts.sum()) + np.repeat(starts - firsts, counts)
    return found


def split_name(column: str) -> tuple[int, str]:
    """Return the offset and the key of a column's name.

    >>> split_name("previous-2.dom.tag=p"), split_name("next.text.length:3"), split_name("bias")
    ((-2, 'dom.tag=p'), (1, 'text.length:3'), (0, 'bias'))
    """
    found = _OFFSET.fullmatch(column)
    if found is None:
        return 0, column
    steps = int(found[2] or 1)
    return (-steps if found[1] == "previous" else steps), found[3]


def learn_borders(
    pages: Sequence[Page], features: Sequence[Feature]
) -> dict[str, tuple[float, ...]]:
    """Return the borders of each feature that asks for a number of bins.

    Quantiles of the feature's values over all regions of the pages; fewer borders where values
    repeat, none where nothing is known.

    Raises
    ------
    FeatureError
        If such a feature gives no numbers.
    """
    return {
        feature.name: _quantiles(pages, feature, feature.bins)
        for feature in features
        if isinstance(feature.bins, int)
    }


def _quantiles(pages: Sequence[Page], feature: Feature, n_bins: int) -> tuple[float, ...]:
    columns = [np.zeros(0)]
    for page in pages:
        if not feature.is_known(page):
            continue
        values = feature.values(page)
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf":
            raise FeatureError(f"feature {feature.name} has bins but gives no array of numbers")
        columns.append(values[np.isfinite(values)].astype(np.float64))
    numbers = np.concatenate(columns)
    if not len(numbers):
        return ()
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    borders = np.unique(np.quantile(numbers, inner, method="higher"))
    return tuple(float(border) for border in borders if border > numbers.min())


STRENGTHS: Mapping[str, float] = dict.fromkeys(
    (
        "task.author-place",
        "task.headline-place",
        "task.description-place",
        "task.date-place",
        "task.body-match",
        "task.company",
        "task.caption-place",
        "task.media-place",
        "task.like-text",
        "task.meaning-cue",
    ),
    3.0,
)
"""Strengths by feature name or family; 1 where nothing is said. Chosen on training sites of
Fundus, as one value for all features that join several cues."""

NEIGHBOUR_STRENGTH = 0.5
"""What the cues of neighbouring regions count beside a region's own; chosen as above."""

_VALUE = re.compile(r"[=:]")


def column_strengths(
    columns: Sequence[str], strengths: Mapping[str, float], neighbour_strength: float
) -> Floats32:
    """Return the strength of each column, shape (n_columns,)."""
    known: dict[str, float] = {}
    found = np.ones(len(columns), dtype=np.float32)
    for j, column in enumerate(columns):
        offset, key = split_name(column)
        name = _VALUE.split(key, maxsplit=1)[0]
        if name not in known:
            known[name] = strengths.get(name, strengths.get(name.split(".")[0], 1.0))
        found[j] = known[name] * (neighbour_strength if offset else 1.0)
    return found
