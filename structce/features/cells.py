"""One page described: which keys are set in which regions, before any choice of columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.errors import FeatureError
from structce.features.registry import Feature, Values
from structce.page import Page

BIAS = "bias"
"""Column that is set in every region."""


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


def describe(page: Page, features: Sequence[Feature]) -> Cells:
    """Return the cells of a page: the bias, then one feature after the other.

    Features that need layout give no cell on a page without it.
    """
    table = _Table(len(page))
    table.add(-1, [BIAS], np.arange(len(page)), np.zeros(len(page)))
    for number, feature in enumerate(features):
        if not feature.is_known(page):
            continue
        values = feature.values(page)
        if isinstance(values, np.ndarray):
            _add_array(table, number, feature, values)
        else:
            _add_names(table, number, feature.name, values)
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


def _add_array(table: _Table, owner: int, feature: Feature, values: NDArray[np.generic]) -> None:
    """Add a column of truth values or numbers."""
    if values.dtype.kind == "b":
        rows = np.flatnonzero(values)
        table.add(owner, [feature.name], rows, np.zeros(len(rows)))
        return
    if values.dtype.kind not in "iuf":
        raise FeatureError(f"feature {feature.name} gave an array of {values.dtype}")
    numbers = values.astype(np.float64)
    rows = np.flatnonzero(np.isfinite(numbers))
    if isinstance(feature.bins, tuple) and feature.bins:
        bins = np.searchsorted(feature.bins, numbers[rows], side="right")
        keys = [f"{feature.name}:{n}" for n in range(len(feature.bins) + 1)]
        table.add(owner, keys, rows, bins)
    else:
        table.add(
            owner, [feature.name], rows, np.zeros(len(rows)), numbers[rows].astype(np.float32)
        )


def _add_names(table: _Table, owner: int, name: str, values: Values) -> None:
    """Add a column of strings, of sets of strings, or of truth values in a list."""
    codes: dict[str, int] = {}
    rows: list[int] = []
    found: list[int] = []
    for row, value in enumerate(values):
        for member in _members(value):
            rows.append(row)
            found.append(codes.setdefault(member, len(codes)))
    keys = [f"{name}={member}" if member else name for member in codes]
    table.add(owner, keys, rows, found)


def _members(value: object) -> Collection[str]:
    """Return the names that one value sets; the empty name stands for the feature itself."""
    if value is None or value is False or value is np.False_:
        return ()
    if value is True or value is np.True_:
        return ("",)
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, Collection):
        return sorted(member for member in value if member)
    raise FeatureError(f"a feature gave a value of {type(value).__name__}: {value!r}")
