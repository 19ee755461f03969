"""A feature set as JSON values: what it consists of, and whether it is one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from scipy.sparse import csr_matrix

from structce.errors import FeatureError
from structce.features.cache import CellSettings, Descriptions
from structce.features.encoding import (
    NEIGHBOUR_STRENGTH,
    STRENGTHS,
    KeyCounts,
    ColumnIndex,
    Windows,
    assemble,
    column_strengths,
    learn_borders,
)
from structce.features.registry import FAMILIES, OPTIONAL_FAMILIES, REGISTRY, FeatureRegistry
from structce.features.windows import WINDOWS, offsets_of
from structce.io import encode_json
from structce.page import Page

State: TypeAlias = dict[str, object]
"""A feature set as JSON values."""

FARTHEST = 10_000
"""Regions between a region and a neighbour at most; no page has many more in all."""

LARGEST_SCALE = float(np.finfo(np.float32).max)


class Checked(NamedTuple):
    """The parts of a feature set, each of its type."""

    names: list[str]
    min_count: int
    min_pages: int
    unit_norm: bool
    n_buckets: int | None
    windows: dict[str, list[int]]
    strengths: dict[str, float]
    neighbour_strength: float
    bins: dict[str, list[float]]
    columns: list[str]
    scales: dict[str, float]


def check_state(state: object) -> Checked:
    """Return the parts of a feature set that may come from anywhere.

    Raises
    ------
    FeatureError
        If a part is missing or of another type, an offset is too far, bins do not rise, or a
        scale is out of range.
    """
    if not isinstance(state, dict) or not set(Checked._fields) <= set(state):
        raise FeatureError(f"a feature set must hold {', '.join(Checked._fields)}")
    parts = Checked(*(state[name] for name in Checked._fields))
    if not (_are_texts(parts.names) and _are_texts(parts.columns)):
        raise FeatureError("a feature set's names and columns must be lists of texts")
    for name in ("min_count", "min_pages"):
        if type(getattr(parts, name)) is not int:
            raise FeatureError(
                f"a feature set's {name} is {getattr(parts, name)!r}; expected an integer"
            )
    if type(parts.unit_norm) is not bool:
        raise FeatureError(f"a feature set's unit_norm is {parts.unit_norm!r}; expected true/false")
    if parts.n_buckets is not None and type(parts.n_buckets) is not int:
        raise FeatureError(f"a feature set's n_buckets is {parts.n_buckets!r}; expected an integer")
    if not (isinstance(parts.windows, dict) and all(map(_are_offsets, parts.windows.values()))):
        raise FeatureError(f"a feature set's windows must be lists of offsets up to {FARTHEST}")
    strengths = parts.strengths.values() if isinstance(parts.strengths, dict) else [None]
    if not all(map(_is_strength, (*strengths, parts.neighbour_strength))):
        raise FeatureError("a feature set's strengths must be finite numbers above 0")
    if not (isinstance(parts.bins, dict) and all(map(_are_borders, parts.bins.values()))):
        raise FeatureError("a feature set's bins must be lists of rising finite numbers")
    if not (isinstance(parts.scales, dict) and all(map(_is_scale, parts.scales.values()))):
        raise FeatureError("a feature set's scales must be finite numbers of at least 1")
    return parts


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and set(map(type, value)) <= {str}


def _are_offsets(value: object) -> bool:
    return isinstance(value, list) and all(
        type(one) is int and abs(one) <= FARTHEST for one in value
    )


def _are_borders(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(type(one) in (int, float) and abs(one) <= LARGEST_SCALE for one in value)
        and value == sorted(set(value))
    )


def _is_strength(value: object) -> bool:
    return type(value) in (int, float) and 0 < value <= LARGEST_SCALE  # type: ignore[operator]


def _is_scale(value: object) -> bool:
    return type(value) in (int, float) and 1 <= value <= LARGEST_SCALE  # type: ignore[operator]


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
    min_pages
        Columns set on fewer training pages are left out.
    windows
        Offsets of neighbouring regions whose cues a region has too, by feature or family.
    strengths
        How much a cell of a feature counts, by feature or family; 1 where nothing is said.
    neighbour_strength
        What a neighbouring region's cell counts beside a region's own.
    unit_norm
        Scale the names that a feature gives a region to a Euclidean norm of 1, so that thirty
        words count no more than one tag; else each name counts 1.
    n_buckets
        Hash the names that a feature gives (tokens, attributes) to so many columns a feature, for
        vocabularies that never end; None, the default, keeps names, which can be explained.
    registry
        Where the features are looked up.
    descriptions
        Where descriptions of pages are kept; to be shared among feature sets.
    n_jobs
        Processes that describe pages in :meth:`fit` and :meth:`transform_all`; -1 for all cores.

    Attributes
    ----------
    columns_
        Names of the columns, sorted.

    Raises
    ------
    FeatureError
        If a family or feature is unknown, a number is out of range, or nothing is chosen.
    """

    def __init__(
        self,
        families: Sequence[str] = FAMILIES,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        min_count: int = 3,
        min_pages: int = 1,
        windows: Mapping[str, Sequence[int]] = WINDOWS,
        strengths: Mapping[str, float] = STRENGTHS,
        neighbour_strength: float = NEIGHBOUR_STRENGTH,
        unit_norm: bool = True,
        n_buckets: int | None = None,
        registry: FeatureRegistry = REGISTRY,
        descriptions: Descriptions | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.names = _choose(registry, families, include, exclude)
        if n_buckets is not None and n_buckets < 2:
            raise FeatureError(f"n_buckets = {n_buckets}; expected 2 or more, or None")
        for name, strength in (*strengths.items(), ("neighbour_strength", neighbour_strength)):
            if not 0 < strength < np.inf:
                raise FeatureError(f"the strength of {name} is {strength}; expected more than 0")
        self.families = tuple(families)
        self.min_count, self.min_pages = min_count, min_pages
        self.windows = {key: tuple(offsets) for key, offsets in windows.items()}
        self.strengths, self.neighbour_strength = dict(strengths), neighbour_strength
        self.n_jobs = n_jobs
        chosen = tuple(registry[name] for name in self.names)
        self._choice = CellSettings(chosen, {}, n_buckets, unit_norm)
        self._shifts = Windows(offsets_of(self.names, self.windows))
        self._descriptions = Descriptions() if descriptions is None else descriptions
        self._set_columns({})

    def fit(self, pages: Iterable[Page]) -> Self:
        """Learn the columns, scales and borders of bins from training pages."""
        pages = list(pages)
        borders = learn_borders(pages, self._choice.features)
        self._choice = replace(self._choice, borders=borders)
        self._descriptions.prepare(pages, self._choice, self.n_jobs)
        counts = KeyCounts(self._shifts)
        for page in pages:
            counts.add(self._descriptions.of(page, self._choice))
        return self._set_columns(counts.kept(self.min_count, self.min_pages))

    def transform(self, page: Page) -> csr_matrix:
        """Return the page's regions as rows, shape (n_regions, n_columns).

        A cell is 1, or for numbers without bins the number over the largest of training; times
        the strength of its feature.

        Raises
        ------
        FeatureError
            If the set is not fitted.
        """
        if not self.columns_:
            raise FeatureError("the feature set is not fitted: call fit, or load a model")
        cells = self._descriptions.of(page, self._choice)
        columns = self._lookup(cells.keys)
        return assemble(cells, columns, self._shifts.offsets, self._factors)

    def transform_all(self, pages: Iterable[Page]) -> list[csr_matrix]:
        """Return one matrix a page, described in ``n_jobs`` processes."""
        pages = list(pages)
        self._descriptions.prepare(pages, self._choice, self.n_jobs)
        return [self.transform(page) for page in pages]

    def _set_columns(self, scales: Mapping[str, float]) -> Self:
        self.columns_: tuple[str, ...] = tuple(scales)
        self._lookup = ColumnIndex(self.columns_, self._shifts.offsets)
        self._scales = np.array(list(scales.values()), dtype=np.float32)
        strengths = column_strengths(self.columns_, self.strengths, self.neighbour_strength)
        self._factors = strengths.astype(np.float64) / self._scales
        return self

    @property
    def needs_sites(self) -> bool:
        """Whether a feature looks at what other pages of a site have in common."""
        return any(feature.needs == "site" for feature in self._choice.features)

    @property
    def digest(self) -> str:
        """SHA-256 over the choice and the columns."""
        return hashlib.sha256(encode_json(self.state(), indent=None)).hexdigest()

    def state(self) -> State:
        """Return the fitted set as JSON values; it keeps the borders of bins of its training."""
        bins = {feature.name: feature.borders for feature in self._choice.features}
        bins |= self._choice.borders
        return {
            "names": list(self.names),
            "min_count": self.min_count,
            "min_pages": self.min_pages,
            "unit_norm": self._choice.unit_norm,
            "n_buckets": self._choice.n_buckets,
            "windows": {key: list(offsets) for key, offsets in self.windows.items()},
            "strengths": self.strengths,
            "neighbour_strength": self.neighbour_strength,
            "bins": {name: list(borders) for name, borders in bins.items() if borders},
            "columns": list(self.columns_),
            "scales": {
                key: float(scale)
                for key, scale in zip(self.columns_, self._scales, strict=True)
                if scale != 1.0
            },
        }

    @classmethod
    def from_state(cls, state: object, registry: FeatureRegistry = REGISTRY) -> FeatureSet:
        """Return the set that :meth:`state` described.

        Raises
        ------
        FeatureError
            If the state is malformed, or a feature of the set is not registered.
        """
        parts = check_state(state)
        result = cls(
            (),
            include=parts.names,
            min_count=parts.min_count,
            min_pages=parts.min_pages,
            windows=parts.windows,
            strengths=parts.strengths,
            neighbour_strength=parts.neighbour_strength,
            unit_norm=parts.unit_norm,
            n_buckets=parts.n_buckets,
            registry=registry,
        )
        borders = {name: tuple(parts.bins.get(name, ())) for name in result.names}
        result._choice = replace(result._choice, borders=borders)
        scales = dict.fromkeys(parts.columns, 1.0)
        if len(scales) < len(parts.columns):
            raise FeatureError("a feature set's columns repeat")
        if not parts.scales.keys() <= scales.keys():
            raise FeatureError("a feature set has scales of columns that it has not")
        return result._set_columns(scales | parts.scales)


def _choose(
    registry: FeatureRegistry,
    families: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
) -> tuple[str, ...]:
    """Return the names of the chosen features, in the order of the registry."""
    known = (*FAMILIES, *OPTIONAL_FAMILIES)
    for family in families:
        if family not in known:
            raise FeatureError(f"unknown family {family!r}; expected some of {known}")
    wanted = {registry[name].name for name in include}
    unwanted = {registry[name].name for name in exclude}
    names = tuple(
        name
        for name, feature in registry.items()
        if (feature.family in families or name in wanted) and name not in unwanted
    )
    if not names:
        raise FeatureError("no feature is chosen")
    return names
