"""Which features, which of their columns, and a page as a sparse matrix of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix

from structce.errors import FeatureError
from structce.features.bins import learn_borders
from structce.features.columns import Counts, Lookup, Shifts, assemble
from structce.features.descriptions import Choice, Descriptions
from structce.features.neighbours import WINDOWS, offsets_of
from structce.features.registry import FAMILIES, OPTIONAL_FAMILIES, REGISTRY, Registry
from structce.features.state import State, check_state
from structce.features.strengths import NEIGHBOUR_STRENGTH, STRENGTHS, column_strengths
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
        registry: Registry = REGISTRY,
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
        self._choice = Choice(chosen, {}, n_buckets, unit_norm)
        self._shifts = Shifts(offsets_of(self.names, self.windows))
        self._descriptions = Descriptions() if descriptions is None else descriptions
        self._set_columns({})

    def fit(self, pages: Iterable[Page]) -> Self:
        """Learn the columns, scales and borders of bins from training pages."""
        pages = list(pages)
        borders = learn_borders(pages, self._choice.features)
        self._choice = replace(self._choice, borders=borders)
        self._descriptions.prepare(pages, self._choice, self.n_jobs)
        counts = Counts(self._shifts)
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
        self._lookup = Lookup(self.columns_, self._shifts.offsets)
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
        return hashlib.sha256(to_json(self.state(), indent=None)).hexdigest()

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
    def from_state(cls, state: object, registry: Registry = REGISTRY) -> FeatureSet:
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
    registry: Registry, families: Sequence[str], include: Sequence[str], exclude: Sequence[str]
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
