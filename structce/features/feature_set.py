"""Feature sets: a choice of features, the columns learnt from training pages, and both as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Annotated, Self, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from structce.arrays import Floats
from structce.errors import FeatureError
from structce.features.columns import (
    NEIGHBOUR_STRENGTH,
    Columns,
    KeyCounts,
    PageScorer,
    column_runs,
    setting_of,
)
from structce.features.encoding import (
    ENCODINGS,
    CellSettings,
    Descriptions,
    Encoding,
    learn_borders,
)
from structce.features.registry import (
    FAMILIES,
    FAMILY_WINDOWS,
    REGISTRY,
    FeatureRegistry,
    check_strength,
    check_window,
)
from structce.io import encode_json
from structce.page import Page
from structce.runtime import without_collection

if TYPE_CHECKING:
    import scipy

State: TypeAlias = dict[str, object]  # a feature set as JSON values
_FARTHEST = 10_000  # regions between a region and a neighbour; few pages have more in total
_LARGEST = float(np.finfo(np.float32).max)  # largest number that is stored in 32 bits
_LARGEST_INTEGER = 2**62  # largest integer that msgspec compares

_Offset = Annotated[int, Meta(ge=-_FARTHEST, le=_FARTHEST)]
_Border = (
    Annotated[int, Meta(ge=-_LARGEST_INTEGER, le=_LARGEST_INTEGER)]
    | Annotated[float, Meta(ge=-_LARGEST, le=_LARGEST)]
)
_Strength = (
    Annotated[int, Meta(ge=1, le=_LARGEST_INTEGER)] | Annotated[float, Meta(gt=0, le=_LARGEST)]
)
_Scale = Annotated[int, Meta(ge=1, le=_LARGEST_INTEGER)] | Annotated[float, Meta(ge=1, le=_LARGEST)]


class FeatureSetState(msgspec.Struct, frozen=True):
    """A fitted feature set as it is stored; see :meth:`FeatureSet.state`."""

    names: list[str]
    min_count: int
    min_pages: int
    unit_norm: bool
    n_buckets: None
    windows: dict[str, list[_Offset]]
    strengths: dict[str, _Strength]
    neighbour_strength: _Strength
    bins: dict[str, list[_Border]]
    columns: list[str]
    scales: dict[str, _Scale]
    encoding: Encoding = "bins"

    def __post_init__(self) -> None:
        for name, borders in self.bins.items():
            if borders != sorted(set(borders)):
                raise ValueError(f"the bins of {name} must rise")
        if not all(map(lt, self.columns, islice(self.columns, 1, None))):
            raise ValueError("the names of columns must rise")
        if self.scales and not self.scales.keys() <= {*self.columns}:
            raise ValueError("there are scales for columns that do not exist")


class FeatureSet:
    """A choice of features and, once fitted, the columns learnt from training pages.

    Parameters
    ----------
    families
        Families to use as a whole.
    include, exclude
        Names of features to add to those of the families, and to leave out.
    min_count
        Smallest number of training regions in which a column must be set to be kept; 3 in
        Spengler et al. (2010), section 4.1.
    min_pages
        Smallest number of training pages on which a column must be set to be kept.
    windows
        Offsets of neighbouring regions whose cues a region also sees, by feature or family, instead
        of those that the features were registered with; without an entry, no neighbours.
    strengths
        Weight of a feature's cells, by feature or family, instead of what the features were
        registered with; without an entry, 1.
    neighbour_strength
        Weight of a neighbouring region's cell relative to a region's own.
    unit_norm
        Whether the names that a feature sets for a region are scaled to a Euclidean norm of 1, so
        that thirty words count no more than one tag; otherwise each name counts 1.
    encoding
        Columns of a number: ``bins``, one for each interval; ``value``, one for each distinct
        number, with four significant digits; or ``both``.
    descriptions
        Cache of page descriptions, which feature sets may share.
    n_jobs
        Number of processes in :meth:`fit` and :meth:`transform_all`; -1 for all cores.

    Attributes
    ----------
    columns_
        Names of the columns, sorted.

    Raises
    ------
    FeatureError
        If a family or feature is unknown, a number is out of range, or no feature is chosen.
    """

    def __init__(
        self,
        families: Sequence[str] = FAMILIES,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        min_count: int = 3,
        min_pages: int = 1,
        windows: Mapping[str, Sequence[int]] | None = None,
        strengths: Mapping[str, float] | None = None,
        neighbour_strength: float = NEIGHBOUR_STRENGTH,
        unit_norm: bool = True,
        encoding: Encoding = "bins",
        registry: FeatureRegistry = REGISTRY,
        descriptions: Descriptions | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.names = _choose(registry, families, include, exclude)
        self.families = tuple(families)
        self.min_count, self.min_pages, self.n_jobs = min_count, min_pages, n_jobs
        if encoding not in ENCODINGS:
            raise FeatureError(f"unknown encoding {encoding!r}; expected one of {ENCODINGS}")
        chosen = tuple(registry[name] for name in self.names)
        self._settings = CellSettings(chosen, unit_norm=unit_norm, encoding=encoding)
        self._is_shared = descriptions is not None
        self._descriptions = Descriptions() if descriptions is None else descriptions
        self._weigh(
            _windows_of(registry, windows), _strengths_of(registry, strengths), neighbour_strength
        )

    def _weigh(
        self,
        windows: Mapping[str, tuple[int, ...]],
        strengths: Mapping[str, float],
        neighbour_strength: float,
    ) -> None:
        """Set windows and strengths; discard the columns."""
        for name, strength in (*strengths.items(), ("neighbour_strength", neighbour_strength)):
            check_strength(name, strength)
        self.windows, self.strengths = dict(windows), dict(strengths)
        self.neighbour_strength = neighbour_strength
        self._windows = [setting_of(name, self.windows, ()) for name in self.names]
        self._set_columns((), {})

    def fit(self, pages: Iterable[Page]) -> Self:
        """Learn the columns, scales and borders of bins from training pages."""
        pages = list(pages)
        borders = learn_borders(pages, self._settings.features)
        self._settings = replace(self._settings, borders=borders)
        self._descriptions.prepare(pages, self._settings, self.n_jobs)
        counts = KeyCounts(self._windows)
        for page in pages:
            counts.add(self._descriptions.of(page, self._settings))
        scales = counts.kept(self.min_count, self.min_pages)
        return self._set_columns(scales, scales)

    def transform(self, page: Page) -> scipy.sparse.csr_matrix:
        """Return the page's regions as rows, shape (n_regions, n_columns).

        A cell is 1, or for numbers without bins the number divided by the largest in training,
        times the strength of its feature. FeatureError if the set is not fitted.
        """
        if not self.columns_:
            raise FeatureError("the feature set is not fitted: call fit, or load a model")
        cells = self._descriptions.known(page, self._settings)
        if cells is None and self._is_shared:
            cells = self._descriptions.of(page, self._settings)
        if cells is not None:
            return self._columns.matrix(cells, self._settings.features)
        settings = replace(self._settings, features=tuple(self._columns.features))
        return self._columns.matrix(settings.cells(page), settings.features)

    @without_collection
    def scores(self, page: Page, weights: Floats) -> Floats:
        """Return ``transform(page) @ weights`` up to rounding, mostly without building the matrix.

        The contribution of each feature value is kept for the next page for as long as the same
        weights are passed, an array that must not be changed in between.
        FeatureError if the set is not fitted, or the weights have another number of columns.

        Parameters
        ----------
        weights : shape (n_columns, n_labels)

        Returns
        -------
        shape (n_regions, n_labels)
        """
        if len(weights) != len(self.columns_):
            n = len(self.columns_)
            raise FeatureError(f"expected weights for {n} columns, got {len(weights)}")
        is_described = self._descriptions.known(page, self._settings) is not None
        if self._is_shared or is_described or self._settings.encoding != "bins":
            return np.asarray(self.transform(page) @ weights)
        if not self.columns_:
            raise FeatureError("the feature set is not fitted: call fit, or load a model")
        scorer: PageScorer | None = self.__dict__.get("_scorer")
        if scorer is None or scorer.weights is not weights:
            scorer = self.__dict__["_scorer"] = PageScorer(self._columns, weights)
        return scorer.scores(page)

    def transform_all(self, pages: Iterable[Page]) -> list[scipy.sparse.csr_matrix]:
        """Return one matrix per page, computed in ``n_jobs`` processes."""
        pages = list(pages)
        self._descriptions.prepare(pages, self._settings, self.n_jobs)
        return [self.transform(page) for page in pages]

    def _set_columns(self, columns: Iterable[str], scales: Mapping[str, float]) -> Self:
        self.columns_: tuple[str, ...] = tuple(columns)
        self._scales = np.ones(len(self.columns_), dtype=np.float32)
        if scales:  # loading a set without any takes no pass over the columns
            self._scales[:] = [scales.get(name, 1.0) for name in self.columns_]
        for cached in ("_columns", "_scorer"):
            self.__dict__.pop(cached, None)
        return self

    @cached_property
    def _columns(self) -> Columns:
        strengths = np.ones(len(self.columns_), dtype=np.float32)
        for offset, name, begin, end in column_runs(self.columns_):
            own = setting_of(name, self.strengths, 1.0)
            strengths[begin:end] = own * self.neighbour_strength if offset else own
        offsets = sorted({0, *(offset for window in self._windows for offset in window)})
        factors = strengths.astype(np.float64) / self._scales
        return Columns(self._settings, self.columns_, offsets, factors)

    @property
    def needing_layout(self) -> tuple[str, ...]:
        """Names of the features that are unknown on pages rendered without layout."""
        features = self._settings.features
        return tuple(feature.name for feature in features if feature.needs == "layout")

    @property
    def digest(self) -> str:
        """SHA-256 of the choice of features and the columns."""
        return hashlib.sha256(encode_json(self.state(), indent=None)).hexdigest()

    def state(self) -> State:
        """Return the fitted set as JSON values, including the borders of bins from training."""
        bins = {feature.name: feature.borders for feature in self._settings.features}
        bins |= self._settings.borders
        scales = zip(self.columns_, self._scales.tolist(), strict=True)
        return {
            "names": list(self.names),
            "min_count": self.min_count,
            "min_pages": self.min_pages,
            "unit_norm": self._settings.unit_norm,
            "n_buckets": None,  # names were once hashed on demand
            "windows": {key: list(offsets) for key, offsets in self.windows.items()},
            "strengths": self.strengths,
            "neighbour_strength": self.neighbour_strength,
            "bins": {name: list(borders) for name, borders in bins.items() if borders},
            "columns": list(self.columns_),
            "scales": {key: scale for key, scale in scales if scale != 1.0},
            # Left out where it is the usual one, so that digests of older sets stay valid.
            **({} if self._settings.encoding == "bins" else {"encoding": self._settings.encoding}),
        }

    @classmethod
    def from_state(cls, state: object, registry: FeatureRegistry = REGISTRY) -> FeatureSet:
        """Restore a set from what :meth:`state` returned.

        FeatureError if a part is missing, malformed or out of range, bins or columns do not rise,
        or a feature of the set is not registered. The parts of a `FeatureSetState` were checked
        when it was decoded.
        """
        try:
            parts = msgspec.convert(state, FeatureSetState)
        except msgspec.ValidationError as error:
            names = ", ".join(FeatureSetState.__struct_fields__)
            reason = f"not a feature set, which must contain {names}: {error}"
            raise FeatureError(reason) from None
        result = cls(
            (),
            include=parts.names,
            min_count=parts.min_count,
            min_pages=parts.min_pages,
            unit_norm=parts.unit_norm,
            encoding=parts.encoding,
            registry=registry,
        )
        windows = {name: tuple(offsets) for name, offsets in parts.windows.items()}
        result._weigh(windows, parts.strengths, parts.neighbour_strength)
        borders = {name: tuple(parts.bins.get(name, ())) for name in result.names}
        result._settings = replace(result._settings, borders=borders)
        return result._set_columns(parts.columns, parts.scales)


def _windows_of(
    registry: FeatureRegistry, given: Mapping[str, Sequence[int]] | None
) -> dict[str, tuple[int, ...]]:
    """Return given windows, or those of families and of features whose window differs."""
    if given is None:
        own = {
            feature.name: feature.window
            for feature in registry.values()
            if feature.window != FAMILY_WINDOWS.get(feature.family, ())
        }
        return {**FAMILY_WINDOWS, **own}
    for name, window in given.items():
        check_window(name, window)
    return {registry.setting_name(name): tuple(window) for name, window in given.items()}


def _strengths_of(registry: FeatureRegistry, given: Mapping[str, float] | None) -> dict[str, float]:
    if given is None:
        return {entry.name: entry.strength for entry in registry.values() if entry.strength != 1.0}
    return {registry.setting_name(name): strength for name, strength in given.items()}


def _choose(
    registry: FeatureRegistry,
    families: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
) -> tuple[str, ...]:
    """Return the names of the chosen features, in the order of the registry."""
    for family in families:
        if family not in FAMILIES:
            raise FeatureError(f"unknown family {family!r}; expected some of {FAMILIES}")
    wanted = {registry[name].name for name in include}
    unwanted = {registry[name].name for name in exclude}
    names = tuple(
        name
        for name, feature in registry.items()
        if name not in unwanted
        and (name in wanted or (feature.family in families and not feature.is_optional))
    )
    if not names:
        raise FeatureError("no feature is chosen")
    return names
