"""Configuration of an experiment: its candidates, features, splits and measure, all checked."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from structce.arrays import Integers
from structce.corpus import PART_SIZES, SPLIT_BY, are_counts, are_shares
from structce.errors import ExperimentError, FeatureError
from structce.experiments.toml_tables import ParameterValue, check_known, require, unknown_name
from structce.features import (
    FAMILIES,
    OPTIONAL_FAMILIES,
    PRESETS,
    REGISTRY,
    Encoding,
    FeatureSet,
    preset_features,
)
from structce.labelling import LearnerFactory
from structce.rendering import RENDERERS

MEASURES = (
    "macro_f1",
    "micro_f1",
    "weighted_f1",
    "accuracy",
    "macro_f1_foreground",
    "micro_f1_foreground",
)
"""Measures to choose hyper-parameters by: properties of `structce.evaluation.Scores`."""

FRACTIONS = (0.5, 0.17, 0.33)
"""Training, validation and test: the 300, 100 and 204 pages of Spengler et al. (2010)."""

ALL_FEATURES = "all"  # preset that stands for the families and the included features

KNOWN_FAMILIES = (*FAMILIES, *OPTIONAL_FAMILIES)

VariantKind = Literal["without", "only"]

FeatureWindows = Mapping[str, tuple[int, ...]]
"""Offsets of neighbours by feature or family, see :class:`structce.features.FeatureSet`."""

VARIANT_KINDS: tuple[VariantKind, ...] = ("without", "only")

Parameters = Mapping[str, ParameterValue]

Learners = Mapping[str, LearnerFactory]  # learners by name, such as ``structce.learners.LEARNERS``

_NEIGHBOUR = r"(?:previous|next)(?:-\d+)?\."
_FAMILY = re.compile(rf"(?:{_NEIGHBOUR})?([^.]+)\.")


@dataclass(frozen=True)
class Variant:
    """A part of the features: all of them without one family, or that family alone."""

    kind: VariantKind
    family: str

    def __str__(self) -> str:
        return f"{self.kind} {self.family}"

    @classmethod
    def read(cls, text: str) -> Variant:
        """Return the variant that ``str`` wrote."""
        kind, family = text.split()
        return cls("only" if kind == "only" else "without", family)

    def places(self, columns: Sequence[str]) -> Integers:
        """Return the indices of the variant's columns among those of the full set.

        The bias belongs to no family, and to every variant.
        """
        families = list(map(family_of, columns))
        is_alone = self.kind == "only"
        return np.flatnonzero(
            [not family or (family == self.family) == is_alone for family in families]
        )


def own_places(columns: Sequence[str]) -> Integers:
    """Return the indices of the columns that are not a neighbour's."""
    return np.flatnonzero([re.match(_NEIGHBOUR, column) is None for column in columns])


def family_of(column: str) -> str:
    """Return the family of a column, whichever region it describes; empty if it has none."""
    match = _FAMILY.match(column)
    return match[1] if match else ""


def feature_set(
    families: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
    min_count: int = 3,
    min_pages: int = 1,
    *,
    windows: FeatureWindows | None = None,
    strengths: Mapping[str, float] | None = None,
    unit_norm: bool = True,
    encoding: Encoding = "bins",
) -> FeatureSet:
    """Return the chosen features, checked but not fitted; a name may be an alias."""
    check_features(families, include, exclude)
    try:
        return FeatureSet(
            families,
            include=include,
            exclude=exclude,
            min_count=min_count,
            min_pages=min_pages,
            windows=windows,
            strengths=strengths,
            unit_norm=unit_norm,
            encoding=encoding,
        )
    except FeatureError as error:
        raise ExperimentError(str(error), key=("features",)) from None


def chosen_families(
    families: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> tuple[str, ...]:
    """Return the families of all chosen features, in the order of the registry."""
    names = feature_set(families, include, exclude).names
    chosen = {family_of(name) for name in names}
    return tuple(family for family in KNOWN_FAMILIES if family in chosen)


def check_features(families: Sequence[str], include: Sequence[str], exclude: Sequence[str]) -> None:
    """Raise an :class:`ExperimentError` unless families and features are known and not excluded."""
    message = f"no feature family; expected some of {KNOWN_FAMILIES}"
    require(bool(families or include), message, "features", "families")
    check_known(families, KNOWN_FAMILIES, ("features", "families"))
    check_known(include, REGISTRY, ("features", "include"))
    check_known(exclude, REGISTRY, ("features", "exclude"))
    left_out = {REGISTRY[name].name for name in exclude}
    for i, name in enumerate(include):
        is_wanted = REGISTRY[name].name not in left_out
        require(is_wanted, f"{name!r} is in features.exclude, too", "features", "include", i)


@dataclass(frozen=True)
class Candidate:
    """A learner with the hyper-parameters to try, under its own name.

    Parameters
    ----------
    name
        Name in the report; by default the learner's.
    values
        At least one value to try for each hyper-parameter, by its Python name (``lambda_``).
    neighbours
        Whether it sees the columns of neighbouring regions, if the features have any.
    """

    learner: str
    values: Mapping[str, tuple[ParameterValue, ...]] = field(default_factory=dict)
    name: str = ""
    neighbours: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.learner)

    @property
    def points(self) -> tuple[Parameters, ...]:
        """Every combination of values, the last hyper-parameter varying fastest."""
        rows = itertools.product(*self.values.values())
        return tuple(dict(zip(self.values, row, strict=True)) for row in rows)


@dataclass(frozen=True)
class Splits:
    """Splits of the pages of a corpus, for each way in ``by``.

    Parameters
    ----------
    fractions
        Shares, or numbers, of training, validation and test pages; not used with folds or a file.
    by
        Ways to split, each a study of its own: ``site`` (the same as ``family``) keeps sites and
        template families whole; ``page`` draws single pages, as Spengler et al. (2010) did, which
        flatters the figures; ``time`` tests the newest pages.
    folds
        Number of folds, each of which is the test part once; None for drawn parts.
    repeats
        Number of times that all splits are drawn, with consecutive seeds.
    file
        A stored split of the corpus with parts train, validation and test; empty for none. It
        must have been drawn by the single way in ``by``.

    Raises
    ------
    ExperimentError
        If a value cannot work, or two of them not together.
    """

    fractions: tuple[float, float, float] = FRACTIONS
    by: tuple[str, ...] = ("site",)
    folds: int | None = None
    repeats: int = 1
    file: str = ""

    def __post_init__(self) -> None:
        check_known(self.by, SPLIT_BY, ("splits", "by"))
        require(bool(self.by), "expected a way to split, or several", "splits", "by")
        message = (
            f"{self.folds} folds; expected 3 or more: one is the test part, one is for "
            "validation, the rest for training"
        )
        require(self.folds is None or self.folds >= 3, message, "splits", "folds")
        message = f"train, validation and test are {self.fractions}; expected {PART_SIZES}"
        require(are_shares(self.fractions) or are_counts(self.fractions), message, "splits")
        message = f"{self.repeats} repeats; expected 1 or more"
        require(self.repeats >= 1, message, "splits", "repeats")
        is_once = self.folds is None and self.repeats == 1
        message = "excludes folds, repeats and several ways of by: it is one split"
        require(not self.file or (is_once and len(self.by) == 1), message, "splits", "file")
        is_drawn = self.folds is None and not self.file
        message = "train, validation and test exclude folds and file"
        require(is_drawn or self.fractions == FRACTIONS, message, "splits")
        message = "'time' excludes folds and repeats: time runs once"
        require(is_once or "time" not in self.by, message, "splits", "by")


@dataclass(frozen=True)
class Experiment:
    """One experiment: its question, corpora, candidates, and how they are compared.

    Parameters
    ----------
    corpora
        Paths as the user wrote them; the runner gets a function to open them.
    renderers
        Renderers of corpora of raw pages, each a study of its own; empty to leave pages as they
        are, or use the best renderer available.
    measure
        Measure to choose hyper-parameters by on the validation part, one of ``MEASURES``.
    min_count, min_pages
        Fewest regions, and pages, of the training part in which a column must be set.
    include, exclude
        Names of features to use besides the families, and to leave out.
    presets
        Named choices of features, each a study of its own; ``all`` stands for families
        and include.
    windows, strengths
        As for :class:`structce.features.FeatureSet`; None for the registered values.
    unit_norm
        Whether the names that a feature gives a region share one strength, regardless of number.
    encoding
        Encoding of numbers, as for :class:`structce.features.FeatureSet`.
    refit
        Whether the chosen model is fitted again on training and validation pages before its test;
        Spengler et al. (2010) fitted on the training pages only.
    ablation
        Families without which, and with only which, each candidate is also tested.
    learning_curve
        Shares of the training sites, in (0, 1], that each candidate is also fitted on.
    left_out
        Optional candidates that cannot be trained here, as messages on what is missing.

    Raises
    ------
    ExperimentError
        If there is no candidate, or a value is not valid.
    """

    question: str
    corpora: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    splits: Splits = Splits()
    renderers: tuple[str, ...] = ()
    seed: int = 0
    measure: str = "macro_f1"
    families: tuple[str, ...] = FAMILIES
    min_count: int = 3
    min_pages: int = 1
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    presets: tuple[str, ...] = (ALL_FEATURES,)
    windows: FeatureWindows | None = None
    strengths: Mapping[str, float] | None = None
    unit_norm: bool = True
    encoding: Encoding = "bins"
    refit: bool = True
    ablation: tuple[str, ...] = ()
    learning_curve: tuple[float, ...] = ()
    left_out: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        message = "missing; expected a table such as [learner.structured-svm]"
        require(bool(self.candidates), message, "learner")
        names = [candidate.name for candidate in self.candidates]
        for name in names:
            require(names.count(name) == 1, "there are two of this name", "learner", name)
        require(bool(self.corpora), "expected a corpus, or several", "corpus")
        check_known(self.corpora, self.corpora, ("corpus",))
        message = f"is of one corpus; {len(self.corpora)} are given"
        require(not self.splits.file or len(self.corpora) == 1, message, "splits", "file")
        check_known(self.renderers, RENDERERS, ("renderer",))
        if self.measure not in MEASURES:
            raise unknown_name(self.measure, MEASURES, "measure")
        require(self.seed >= 0, f"{self.seed}; expected 0 or more", "seed")
        for name, least in (("min_count", self.min_count), ("min_pages", self.min_pages)):
            require(least >= 1, f"{least}; expected 1 or more", "features", name)
        require(bool(self.presets), "expected a preset, or several", "features", "preset")
        check_known(self.presets, (ALL_FEATURES, *PRESETS), ("features", "preset"))
        for preset in self.presets:
            self.feature_set(preset)
        if self.ablation:
            families, include = self.feature_names(self.presets[0])
            chosen = chosen_families(families, include, self.exclude)
            message = (
                f"the features are all of the family {chosen[0]!r}; expected two families or more"
            )
            require(len(chosen) > 1, message, "features", "ablation")
            check_known(self.ablation, chosen, ("features", "ablation"))
        for i, share in enumerate(self.learning_curve):
            require(0 < share <= 1, f"{share}; expected shares in (0, 1]", "learning_curve", i)
            is_new = share not in self.learning_curve[:i]
            require(is_new, f"{share} occurs twice", "learning_curve", i)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Variants of the ablation: first without each family, then each family alone."""
        return tuple(Variant(kind, family) for kind in VARIANT_KINDS for family in self.ablation)

    def feature_names(self, preset: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the families, and the further features, of a preset."""
        if preset == ALL_FEATURES:
            return self.families, self.include
        return (), tuple(dict.fromkeys((*preset_features(preset), *self.include)))

    def feature_set(self, preset: str = "") -> FeatureSet:
        """Return the features of a preset, by default the first, not fitted."""
        families, include = self.feature_names(preset or self.presets[0])
        return feature_set(
            families,
            include,
            self.exclude,
            self.min_count,
            self.min_pages,
            windows=self.windows,
            strengths=self.strengths,
            unit_norm=self.unit_norm,
            encoding=self.encoding,
        )
