"""Which features, which of their columns, and a page as a sparse matrix of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from structce.errors import FeatureError
from structce.features.cells import BIAS, Cells, describe
from structce.features.neighbours import WINDOWS, offsets_of, prefix
from structce.features.registry import FAMILIES, REGISTRY, Registry
from structce.features.state import State, check_state
from structce.files import to_json
from structce.page import Page


class FeatureSet:
    """A choice of features; fitted, the columns that training pages gave.

    Parameters
    ----------
    families
        Families to take whole.
    include, exclude
        Names of features to take besides, and to leave out.
    min_count
        Columns set in fewer regions of the training pages are left out; 3 in Spengler et al.
        (2010), section 4.1.
    windows
        Offsets of neighbouring regions whose cues a region has too, by feature or family.
    registry
        Where the features are looked up.

    Attributes
    ----------
    columns_
        Names of the columns, sorted.

    Raises
    ------
    FeatureError
        If a family or feature is unknown, or nothing is chosen.
    """

    def __init__(
        self,
        families: Sequence[str] = FAMILIES,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        min_count: int = 3,
        windows: Mapping[str, Sequence[int]] = WINDOWS,
        registry: Registry = REGISTRY,
    ) -> None:
        for family in families:
            if family not in FAMILIES:
                raise FeatureError(f"unknown family {family!r}; expected some of {FAMILIES}")
        for name in (*include, *exclude):
            registry[name]
        self.names = tuple(
            name
            for name, feature in registry.items()
            if (feature.family in families or name in include) and name not in exclude
        )
        if not self.names:
            raise FeatureError("no feature is chosen")
        self.families = tuple(families)
        self.min_count = min_count
        self.windows = {key: tuple(offsets) for key, offsets in windows.items()}
        self._features = [registry[name] for name in self.names]
        self._offsets = offsets_of(self.names, self.windows)
        self._described: WeakKeyDictionary[Page, Cells] = WeakKeyDictionary()
        self.columns_: tuple[str, ...] = ()
        self._places: dict[str, int] = {}
        self._scales = np.zeros(0, dtype=np.float32)

    def fit(self, pages: Iterable[Page]) -> Self:
        """Learn the columns and scales from training pages."""
        counts: Counter[str] = Counter()
        largest: dict[str, float] = {}
        for page in pages:
            for keys, _, codes, values in self._shifted(page):
                for key, n in zip(keys, np.bincount(codes, minlength=len(keys)), strict=True):
                    counts[key] += int(n)
                for i in np.flatnonzero(np.abs(values) > 1):
                    key = keys[codes[i]]
                    largest[key] = max(largest.get(key, 1.0), abs(float(values[i])))
        kept = sorted(key for key, n in counts.items() if n >= self.min_count or key == BIAS)
        return self._set_columns(kept, [largest.get(key, 1.0) for key in kept])

    def transform(self, page: Page) -> csr_matrix:
        """Return the page's regions as rows, shape (n_regions, n_columns).

        Cells are 1, or for numbers without bins the number over the largest of training.

        Raises
        ------
        FeatureError
            If the set is not fitted.
        """
        if not self.columns_:
            raise FeatureError("the feature set is not fitted: call fit, or load a model")
        rows, columns, cells = [], [], []
        for keys, here, codes, values in self._shifted(page):
            places = np.array([self._places.get(key, -1) for key in keys], dtype=np.int64)
            place = places[codes]
            known = place >= 0
            rows.append(here[known])
            columns.append(place[known])
            cells.append(values[known])
        column = np.concatenate(columns)
        data = np.concatenate(cells).astype(np.float64) / self._scales[column]
        shape = (len(page), len(self.columns_))
        matrix = csr_matrix((data, (np.concatenate(rows), column)), shape=shape)
        matrix.sort_indices()
        return matrix

    def _set_columns(self, columns: Sequence[str], scales: ArrayLike) -> Self:
        self.columns_ = tuple(columns)
        self._places = dict(zip(columns, range(len(columns)), strict=True))
        self._scales = np.array(scales, dtype=np.float32)
        return self

    def _shifted(
        self, page: Page
    ) -> Iterator[tuple[Sequence[str], NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]]:
        """Yield keys, rows, codes and values for each offset at which a feature is seen."""
        cells = self._described.get(page)
        if cells is None:
            cells = self._described[page] = describe(page, self._features)
        owners = cells.owners[cells.codes] if len(cells.keys) else cells.codes
        offsets = sorted({0, *(offset for window in self._offsets for offset in window)})
        for offset in offsets:
            seen = [offset == 0 or offset in window for window in self._offsets]
            wanted = np.array([*seen, offset == 0], dtype=bool)[owners]  # the bias is last, at -1
            rows = cells.rows - np.int32(offset)
            wanted &= (rows >= 0) & (rows < cells.n_regions)
            start = prefix(offset)
            keys = [start + key for key in cells.keys] if start else cells.keys
            yield keys, rows[wanted], cells.codes[wanted], cells.values[wanted]

    @property
    def digest(self) -> str:
        """SHA-256 over the choice and the columns."""
        return hashlib.sha256(to_json(self.state(), indent=None)).hexdigest()

    def state(self) -> State:
        """Return the fitted set as JSON values."""
        return {
            "names": list(self.names),
            "min_count": self.min_count,
            "windows": {key: list(offsets) for key, offsets in self.windows.items()},
            "columns": list(self.columns_),
            "scales": {
                key: float(scale)
                for key, scale in zip(self.columns_, self._scales, strict=True)
                if scale != 1.0
            },
        }

    @classmethod
    def from_state(cls, state: object, registry: Registry = REGISTRY) -> FeatureSet:
        """Return the set that :meth:`state` described.

        Raises
        ------
        FeatureError
            If the state is malformed, or a feature of the set is not registered.
        """
        names, min_count, windows, columns, scales = check_state(state)
        result = cls(
            (), include=names, min_count=min_count, windows=windows, registry=registry
        )._set_columns(columns, np.ones(len(columns)))
        if len(result._places) < len(columns):
            raise FeatureError("a feature set's columns repeat")
        if not scales.keys() <= result._places.keys():
            raise FeatureError("a feature set has scales of columns that it has not")
        for key, scale in scales.items():
            result._scales[result._places[key]] = scale
        return result
