"""Configuration of experiments on learners or on extractors, with the keys of their files.

Only ``[learner.NAME]`` and ``[method.NAME]``, whose keys are also parameters of their subject, are
rearranged.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec
import numpy as np

from structce.arrays import Integers
from structce.corpus import PART_SIZES, SPLIT_BY, are_counts, are_shares
from structce.datasets import READERS
from structce.errors import ExperimentError, FeatureError
from structce.evaluation import FOUR
from structce.experiments.toml_tables import ParameterValue, check_known, require, unknown_name
from structce.extraction import MEASURES as EXTRACTION_MEASURES
from structce.extraction import Method
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

Measure = Literal[
    "macro_f1",
    "micro_f1",
    "weighted_f1",
    "accuracy",
    "macro_f1_foreground",
    "micro_f1_foreground",
]
MEASURES: tuple[str, ...] = get_args(Measure)
"""Measures to choose hyper-parameters by: properties of `structce.evaluation.Scores`."""

FRACTIONS = (0.5, 0.17, 0.33)
"""Training, validation and test: the 300, 100 and 204 pages of Spengler et al. (2010)."""

ALL_FEATURES = "all"  # preset that stands for the families and the included features
KNOWN_FAMILIES = (*FAMILIES, *OPTIONAL_FAMILIES)

SECONDS = 60.0
"""Time limit for one method on one page; beyond it the page is a failure. Our choice."""

Parameters = Mapping[str, ParameterValue]
Learners = Mapping[str, LearnerFactory]  # learners by name, such as ``structce.learners.LEARNERS``


class Splits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Splits of the pages of a corpus; each way in ``by`` is a study of its own.

    ``train``, ``validation`` and ``test`` are shares or numbers of pages, by default ``FRACTIONS``;
    they exclude folds and a file, a stored split. By ``site`` keeps sites and template families
    whole, ``page`` draws single pages, as Spengler et al. (2010) did, ``time`` tests the newest
    pages.
    """

    train: int | float | None = None
    validation: int | float | None = None
    test: int | float | None = None
    by: tuple[str, ...] = ("site",)
    folds: int | None = None
    repeats: int = 1
    file: str = ""

    @property
    def fractions(self) -> tuple[float, float, float]:
        """The shares, or numbers, of training, validation and test pages."""
        if self.train is None or self.validation is None or self.test is None:
            return FRACTIONS
        return self.train, self.validation, self.test

    def check(self) -> None:
        """Raise an ExperimentError if a value cannot work, or two of them not together."""
        check_known(self.by, SPLIT_BY, ("splits", "by"))
        require(bool(self.by), "expected a way to split, or several", "splits", "by")
        message = f"{self.folds} folds; expected 3 or more: for test, validation and training"
        require(self.folds is None or self.folds >= 3, message, "splits", "folds")
        parts = {"train": self.train, "validation": self.validation, "test": self.test}
        given = [name for name, size in parts.items() if size is not None]
        for name in ("folds", "file") if given else ():
            message = f"excludes {', '.join(given)}; leave out one or the other"
            require(not getattr(self, name), message, "splits", name)
        for name in parts if given else ():
            require(name in given, "missing; it must be given", "splits", name)
        sizes = self.fractions
        message = f"train, validation and test are {sizes}; expected {PART_SIZES}"
        require(are_shares(sizes) or are_counts(sizes), message, "splits")
        require(self.repeats >= 1, f"{self.repeats}; expected 1 or more", "splits", "repeats")
        is_once = self.folds is None and self.repeats == 1
        message = "excludes folds, repeats and several ways of by: it is one split"
        require(not self.file or (is_once and len(self.by) == 1), message, "splits", "file")
        message = "'time' excludes folds and repeats: time runs once"
        require(is_once or "time" not in self.by, message, "splits", "by")


class Features(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Features of an experiment, as for :class:`structce.features.FeatureSet`.

    Each preset is a study of its own; ``all`` stands for families and include. Windows and
    strengths are by feature or family. The ablation names families without which, and with only
    which, each candidate is also tested; true for all.
    """

    families: tuple[str, ...] = FAMILIES
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    min_count: int = 3
    min_pages: int = 1
    preset: tuple[str, ...] = (ALL_FEATURES,)
    windows: Literal["default", "none"] | dict[str, tuple[int, ...]] = "default"
    strengths: Literal["default", "none"] | dict[str, float] = "default"
    unit_norm: bool = True
    encoding: Encoding = "bins"
    ablation: bool | tuple[str, ...] = False

    def feature_set(self, preset: str = "") -> FeatureSet:
        """Return the features of a preset, by default the first, checked but not fitted."""
        preset = preset or self.preset[0]
        families, include = self.families, self.include
        if preset != ALL_FEATURES:
            families = ()
            include = tuple(dict.fromkeys((*preset_features(preset), *self.include)))
        check_features(families, include, self.exclude)
        registered: dict[str, Any] = {"default": None, "none": {}}
        given: tuple[Any, ...] = (self.windows, self.strengths)
        windows, strengths = (registered[x] if isinstance(x, str) else x for x in given)
        try:
            return FeatureSet(
                families,
                include=include,
                exclude=self.exclude,
                min_count=self.min_count,
                min_pages=self.min_pages,
                windows=windows,
                strengths=strengths,
                unit_norm=self.unit_norm,
                encoding=self.encoding,
            )
        except FeatureError as error:
            raise ExperimentError(str(error), key=("features",)) from None

    @property
    def ablated(self) -> tuple[str, ...]:
        """Families of the ablation, in the order of the registry if all are meant."""
        if not isinstance(self.ablation, bool):
            return self.ablation
        chosen = {family_of(name) for name in self.feature_set().names} if self.ablation else ()
        return tuple(family for family in KNOWN_FAMILIES if family in chosen)

    @property
    def variants(self) -> tuple[str, ...]:
        """Parts of the features to test: without each ablated family, then each family alone."""
        return tuple(f"{kind} {name}" for kind in ("without", "only") for name in self.ablated)

    def check(self) -> None:
        """Raise an ExperimentError for an unknown name or an impossible value."""
        for name, least in (("min_count", self.min_count), ("min_pages", self.min_pages)):
            require(least >= 1, f"{least}; expected 1 or more", "features", name)
        require(bool(self.preset), "expected a preset, or several", "features", "preset")
        check_known(self.preset, (ALL_FEATURES, *PRESETS), ("features", "preset"))
        for preset in self.preset:
            self.feature_set(preset)
        if self.ablation is not False:
            key = ("features", "ablation")
            message = "expected true, false or a list of families, got none"
            require(bool(self.ablation), message, *key)
            chosen = dict.fromkeys(family_of(name) for name in self.feature_set().names)
            message = f"the features are all of the family {next(iter(chosen))!r}; expected two"
            require(len(chosen) > 1, message, *key)
            check_known(self.ablated, chosen, key)


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


_NEIGHBOUR = r"(?:previous|next)(?:-\d+)?\."
_FAMILY = re.compile(rf"(?:{_NEIGHBOUR})?([^.]+)\.")


def family_of(column: str) -> str:
    """Return the family of a column, whichever region it describes; empty if it has none."""
    match = _FAMILY.match(column)
    return match[1] if match else ""


def own_places(columns: Sequence[str]) -> Integers:
    """Return the indices of the columns that are not a neighbour's."""
    return np.flatnonzero([re.match(_NEIGHBOUR, column) is None for column in columns])


def part_places(part: str, columns: Sequence[str]) -> Integers:
    """Return the indices of the columns of a part, ``without text`` or ``only text``.

    The bias belongs to no family, and to every part.
    """
    kind, chosen = part.split()
    families = map(family_of, columns)
    return np.flatnonzero(
        [not family or (family == chosen) == (kind == "only") for family in families]
    )


class Candidate(msgspec.Struct, frozen=True):
    """A learner with the hyper-parameters to try, under its own name.

    Parameters
    ----------
    values
        At least one value to try for each hyper-parameter, by its Python name (``lambda_``).
    neighbours
        Whether it sees the columns of neighbouring regions, if the features have any.
    """

    name: str
    learner: str
    values: dict[str, tuple[ParameterValue, ...]] = {}
    neighbours: bool = True

    @property
    def points(self) -> tuple[Parameters, ...]:
        """Every combination of values, the last hyper-parameter varying fastest."""
        rows = itertools.product(*self.values.values())
        return tuple(dict(zip(self.values, row, strict=True)) for row in rows)


class Experiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One question about learners: corpora, candidates, and how they are compared.

    Parameters
    ----------
    corpus
        Paths as the user wrote them; the runner gets a function to open them.
    renderer
        Renderers of corpora of raw pages, each a study of its own; empty to leave pages as they
        are, or use the best renderer available.
    refit
        Whether the chosen model is fitted again on training and validation pages before its test;
        Spengler et al. (2010) fitted on the training pages only.
    learning_curve
        Shares of the training sites, in (0, 1], that each candidate is also fitted on.

    Raises
    ------
    ExperimentError
        If there is no candidate, or a value is not valid.
    """

    question: str
    corpus: tuple[str, ...]
    renderer: tuple[str, ...] = ()
    splits: Splits = Splits()
    seed: int = 0
    measure: str = "macro_f1"
    refit: bool = True
    learning_curve: tuple[float, ...] = ()
    features: Features = Features()
    learner: dict[str, Candidate] = {}

    def __post_init__(self) -> None:
        message = "missing; expected a table such as [learner.structured-svm]"
        require(bool(self.learner), message, "learner")
        require(bool(self.corpus), "expected a corpus, or several", "corpus")
        check_known(self.corpus, self.corpus, ("corpus",))
        message = f"is of one corpus; {len(self.corpus)} are given"
        require(not self.splits.file or len(self.corpus) == 1, message, "splits", "file")
        check_known(self.renderer, RENDERERS, ("renderer",))
        if self.measure not in MEASURES:
            raise unknown_name(self.measure, MEASURES, "measure")
        require(self.seed >= 0, f"{self.seed}; expected 0 or more", "seed")
        self.splits.check()
        self.features.check()
        for i, share in enumerate(self.learning_curve):
            require(0 < share <= 1, f"{share}; expected shares in (0, 1]", "learning_curve", i)
            is_new = share not in self.learning_curve[:i]
            require(is_new, f"{share} occurs twice", "learning_curve", i)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates in the order of the file."""
        return tuple(self.learner.values())

    @property
    def shares(self) -> tuple[float, ...]:
        """Shares of the learning curve below 1; the full share is tested anyway."""
        return tuple(share for share in self.learning_curve if share < 1)


class PackageSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pages with their main content: a data set, a test package or a corpus of raw pages.

    Parameters
    ----------
    reader
        Name of a data set, ``gottron`` for a test package, ``corpus`` for a corpus of raw pages; by
        default the name.
    by
        Facts by which the pages become packages of their own: ``site``, ``family``, or one that
        the data set records, such as ``page_type``.
    only
        Values of the first of these facts; pages with other values are left out. Empty for all.
    min_pages
        Fewest pages of a package; smaller ones count only as parts of the whole.
    pages
        Most pages of each package, drawn with the seed; 0 for all, None for the experiment's limit.
    learn_from
        Fact ``split`` of the pages that trained methods learn from; the others are measured. Empty
        for folds.
    """

    name: str
    reader: str = ""
    path: str = ""
    by: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    title: bool = True
    comments: bool = False
    min_pages: int = 1
    pages: int | None = None
    learn_from: str = ""

    def check(self) -> None:
        """Raise an ExperimentError for an unknown name or an impossible value."""
        key, known = ("package", self.name), (*READERS, "corpus")
        if self.reader not in known:
            at = () if self.reader == self.name else ("reader",)
            raise unknown_name(self.reader, known, *key, *at)
        require(self.min_pages >= 1, f"{self.min_pages}; expected 1 or more", *key, "min_pages")
        message = f"{self.pages}; expected 0 for all, or more"
        require(self.pages is None or self.pages >= 0, message, *key, "pages")
        message = 'expected a fact in "by", such as page_type'
        require(bool(self.by) or not self.only, message, *key, "only")


class Learning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of pages of a class that methods of page classes learn from, each a setting.

    The default of 10 is within the 5 to 10 that are enough by Debnath et al. (2005).
    """

    class_pages: tuple[int, ...] = (10,)


class Folds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Folds of each package, for methods that learn from main contents; each way is a setting.

    Yao and Zuo (2013) have five.
    """

    n: int = 5
    by: tuple[str, ...] = ("site",)


FOLDS_BY = {"random": "random folds", "site": "folds by site"}
"""Words for each way of drawing folds."""


class Setting(msgspec.Struct, frozen=True):
    """One method, and what it learns from, which its name says if there are several settings.

    The number of pages of a class is 0 for a method that compares none, ``folds`` is a key of
    ``FOLDS_BY``, empty for a method that is not trained.
    """

    name: str
    method: Method
    n_pages: int = 0
    folds: str = ""


class ExtractionExperiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One question about content extractors: packages, methods, and how they are compared.

    Parameters
    ----------
    data
        Folder that the paths of packages are relative to.
    measures
        Some of ``structce.extraction.MEASURES``; methods are ranked and tested by the first.
    reference
        Method that the others are tested against, or one of its settings; a method with several
        stands for the last of them.

    Raises
    ------
    ExperimentError
        If a value is out of range, or does not fit the others.
    """

    question: str
    data: str = "."
    seed: int = 0
    pages: int = 0
    measures: tuple[str, ...] = FOUR
    reference: str = ""
    seconds: float = SECONDS
    learning: Learning = Learning()
    folds: Folds = Folds()
    package: dict[str, PackageSource] = {}
    method: dict[str, Method] = {}

    def __post_init__(self) -> None:
        require(bool(self.method), "missing; expected a table such as [method.bte]", "method")
        message = "missing; expected a table such as [package.cleaneval]"
        require(bool(self.package), message, "package")
        require(bool(self.measures), "expected a measure, or several", "measures")
        check_known(self.measures, EXTRACTION_MEASURES, ("measures",))
        require(self.seed >= 0, f"{self.seed}; expected 0 or more", "seed")
        require(self.pages >= 0, f"{self.pages}; expected 0 for all, or more", "pages")
        require(self.seconds > 0, f"{self.seconds}; expected more than 0", "seconds")
        numbers = self.learning.class_pages
        message = f"{list(numbers)}; expected numbers of 2 or more that grow"
        is_growing = bool(numbers) and list(numbers) == sorted(set(numbers)) and numbers[0] >= 2
        require(is_growing, message, "learning", "class_pages")
        require(self.folds.n >= 2, f"{self.folds.n}; expected 2 or more", "folds", "n")
        require(bool(self.folds.by), "expected random, site, or both", "folds", "by")
        check_known(self.folds.by, FOLDS_BY, ("folds", "by"))
        for package in self.packages if self.compares_classes else ():
            message = 'a method compares pages of a class; expected a fact, such as by = "site"'
            require(bool(package.by), message, "package", package.name, "by")
        if not self.reference:
            msgspec.structs.force_setattr(self, "reference", next(iter(self.method)))
        names = [setting.name for setting in self.settings]
        if self.reference not in (*names, *self.method):
            raise unknown_name(self.reference, names, "reference")

    @property
    def packages(self) -> tuple[PackageSource, ...]:
        """The sources of pages in the order of the file."""
        return tuple(self.package.values())

    @property
    def reference_setting(self) -> str:
        """Name of the setting that the others are tested against."""
        names = [s.name for s in self.settings if self.reference in (s.name, s.method.name)]
        return self.reference if self.reference in names else names[-1]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is measured: each method, with what it learns from."""
        settings: list[Setting] = []
        for name, method in self.method.items():
            own = [Setting(name, method)]
            if method.kind == "page class":
                numbers = self.learning.class_pages
                own = [Setting(f"{name}, {n} pages", method, n_pages=n) for n in numbers]
            elif method.kind == "trainable":
                ways = self.folds.by
                own = [Setting(f"{name}, {FOLDS_BY[by]}", method, folds=by) for by in ways]
            settings += own if len(own) > 1 else [msgspec.structs.replace(own[0], name=name)]
        return tuple(settings)

    @property
    def compares_classes(self) -> bool:
        """Whether a method compares pages of a class."""
        return any(method.kind == "page class" for method in self.method.values())

    @property
    def has_folds(self) -> bool:
        """Whether a method learns from main contents."""
        return any(method.kind == "trainable" for method in self.method.values())

    @property
    def measure(self) -> str:
        """The measure that methods are ranked and tested by."""
        return self.measures[0]


def order_by_seed(names: Iterable[str], seed: int) -> list[str]:
    """Return names in an order drawn by digests of seed and name, independent of other names."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}\0{name}".encode()).digest())
