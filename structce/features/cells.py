"""One page described: which keys are set in which regions, before any choice of columns."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

import numpy as np
from numpy.typing import NDArray

from structce.errors import FeatureError
from structce.features.registry import Feature, Values
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
    owners: NDArray[np.int32]
    rows: NDArray[np.int32]
    codes: NDArray[np.int32]
    values: NDArray[np.float32]
    n_regions: int


def describe(
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
    table.add(-1, [BIAS], np.arange(len(page)), np.zeros(len(page)))
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
    """Cells while they are gathered."""

    def __init__(self, n_regions: int) -> None:
        self.n_regions = n_regions
        self.keys: list[str] = []
        self.owners: list[int] = []
        self.rows: list[NDArray[np.int32]] = []
        self.codes: list[NDArray[np.int32]] = []
        self.values: list[NDArray[np.float32]] = []

    def add(
        self,
        owner: int,
        keys: Sequence[str],
        rows: Iterable[int],
        codes: Iterable[int],
        values: NDArray[np.float32] | None = None,
    ) -> None:
        """Add the cells of one feature; ``codes`` index into ``keys``."""
        here = np.asarray(rows, dtype=np.int32)
        self.rows.append(here)
        self.codes.append(np.asarray(codes, dtype=np.int32) + np.int32(len(self.keys)))
        self.values.append(np.ones(len(here), dtype=np.float32) if values is None else values)
        self.keys.extend(keys)
        self.owners.extend([owner] * len(keys))

    def cells(self) -> Cells:
        """Return what was gathered."""
        return Cells(
            keys=tuple(self.keys),
            owners=np.array(self.owners, dtype=np.int32),
            rows=np.concatenate(self.rows),
            codes=np.concatenate(self.codes),
            values=np.concatenate(self.values),
            n_regions=self.n_regions,
        )


def _add_array(
    table: _Table, owner: int, name: str, values: NDArray[np.generic], bins: Borders
) -> None:
    """Add a column of truth values or numbers."""
    if values.dtype.kind == "b":
        rows = np.flatnonzero(values)
        table.add(owner, [name], rows, np.zeros(len(rows)))
        return
    if values.dtype.kind not in "iuf":
        raise FeatureError(f"feature {name} gave an array of {values.dtype}")
    numbers = values.astype(np.float64)
    rows = np.flatnonzero(np.isfinite(numbers))
    if bins:
        codes = np.searchsorted(bins, numbers[rows], side="right")
        table.add(owner, [f"{name}:{n}" for n in range(len(bins) + 1)], rows, codes)
    else:
        table.add(owner, [name], rows, np.zeros(len(rows)), numbers[rows].astype(np.float32))


def _add_names(
    table: _Table,
    owner: int,
    name: str,
    values: Values,
    n_buckets: int | None,
    unit_norm: bool,
) -> None:
    """Add a column of strings, of sets of strings, or of truth values in a list.

    Neighbouring regions mostly share their value, so each distinct one is taken apart once.
    """
    distinct, which = _distinct(values)
    codes: dict[str, int] = {}
    members: list[list[int]] = []
    for value in distinct:
        names = _members(name, value)
        if n_buckets is not None:
            names = sorted({_bucket(member, n_buckets) for member in names})
        members.append([codes.setdefault(member, len(codes)) for member in names])
    counts = np.array([len(found) for found in members], dtype=np.int64)
    flat = np.array(list(chain.from_iterable(members)), dtype=np.int64)
    many = counts[which]
    rows = np.repeat(np.arange(len(which)), many)
    # A cell's place in ``flat``: where its value begins, and how far into the value it is.
    begin = (np.cumsum(counts) - counts)[which] - (np.cumsum(many) - many)
    cells = flat[np.repeat(begin, many) + np.arange(len(rows))]
    keys = [f"{name}={member}" if member else name for member in codes]
    norms = (1 / np.sqrt(many[rows])).astype(np.float32) if unit_norm else None
    table.add(owner, keys, rows, cells, norms)


def _distinct(values: Values) -> tuple[list[Hashable], NDArray[np.int64]]:
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
