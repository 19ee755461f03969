"""Families of features: which an experiment takes, and which columns are whose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structce.errors import ExperimentError, FeatureError
from structce.experiments.asking.names import check_known
from structce.features import FAMILIES, REGISTRY, FeatureSet
from structce.features.registry import OPTIONAL_FAMILIES

KNOWN_FAMILIES = (*FAMILIES, *OPTIONAL_FAMILIES)

Kind = Literal["without", "only"]

KINDS: tuple[Kind, ...] = ("without", "only")

_FAMILY = re.compile(r"(?:(?:previous|next)(?:-\d+)?\.)?([^.]+)\.")


@dataclass(frozen=True)
class Variant:
    """A part of the full set of features: all of it without one family, or that family alone."""

    kind: Kind
    family: str

    def __str__(self) -> str:
        return f"{self.kind} {self.family}"

    @classmethod
    def read(cls, text: str) -> Variant:
        """Return the variant of what ``str`` made of it."""
        kind, family = text.split()
        return next(one for one in variants([family]) if one.kind == kind)

    def places(self, columns: Sequence[str]) -> NDArray[np.int64]:
        """Return the places of the variant's columns among those of the full set.

        The bias belongs to no family, and to every variant.
        """
        wanted = (
            not (family := family_of(column)) or (family == self.family) == (self.kind == "only")
            for column in columns
        )
        return np.flatnonzero(np.fromiter(wanted, dtype=bool, count=len(columns)))


def variants(families: Sequence[str]) -> tuple[Variant, ...]:
    """Return what an ablation of some families tries: first without each, then each alone."""
    return tuple(Variant(kind, family) for kind in KINDS for family in families)


def family_of(column: str) -> str:
    """Return the family that a column belongs to, whichever region it looks at; none: empty."""
    found = _FAMILY.match(column)
    return found[1] if found else ""


def feature_set(
    families: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
    min_count: int = 3,
    min_pages: int = 1,
) -> FeatureSet:
    """Return the features that an experiment takes, not fitted; a name may be an alias.

    Raises
    ------
    ExperimentError
        If a family or feature is unknown, or nothing is chosen.
    """
    check_choice(families, include, exclude)
    try:
        return FeatureSet(
            families, include=include, exclude=exclude, min_count=min_count, min_pages=min_pages
        )
    except FeatureError as error:
        raise ExperimentError(str(error), key=("features",)) from None


def chosen_families(
    families: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> tuple[str, ...]:
    """Return the families of all features that are chosen, in the order of the registry."""
    names = feature_set(families, include, exclude).names
    found = {family_of(name) for name in names}
    return tuple(family for family in KNOWN_FAMILIES if family in found)


def check_choice(families: Sequence[str], include: Sequence[str], exclude: Sequence[str]) -> None:
    """Raise an :class:`ExperimentError` unless each family and feature is known, and wanted."""
    if not families and not include:
        raise ExperimentError(
            f"no feature family; expected some of {KNOWN_FAMILIES}", key=("features", "families")
        )
    check_known(families, KNOWN_FAMILIES, ("features", "families"))
    check_known(include, REGISTRY, ("features", "include"))
    check_known(exclude, REGISTRY, ("features", "exclude"))
    left_out = {REGISTRY[name].name for name in exclude}
    if both := [name for name in include if REGISTRY[name].name in left_out]:
        raise ExperimentError(
            f"{both[0]!r} is in features.exclude, too",
            key=("features", "include", include.index(both[0])),
        )


def check_ablation(ablation: Sequence[str], chosen: Sequence[str]) -> None:
    """Raise an :class:`ExperimentError` unless each family can be taken out of those chosen."""
    if len(chosen) < 2:
        raise ExperimentError(
            f"the features are all of the family {chosen[0]!r}; expected two families or more",
            key=("features", "ablation"),
        )
    check_known(ablation, chosen, ("features", "ablation"))
