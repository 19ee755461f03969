"""Configuration of experiments on learners or on extractors, read from TOML and written to it.

The structures have the keys of the files. Only ``[learner.NAME]`` and ``[method.NAME]``, whose keys
are also parameters of their subject, are rearranged.
"""

from __future__ import annotations

import inspect
import itertools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from structce.corpus import SplitBy, are_shares
from structce.datasets import READERS
from structce.errors import ExperimentError, LearnerError, MissingExtraError, StructceError
from structce.evaluation import FOUR
from structce.experiments.toml_tables import (
    TomlTable,
    check_known,
    convert_table,
    override_table,
    require,
    unknown_name,
    written_name,
)
from structce.extraction import (
    EXTRACTORS,
    MEASURES,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Method,
    load_extractors,
)
from structce.features import (
    FAMILIES,
    PRESETS,
    Descriptions,
    Encoding,
    FeatureSet,
    preset_features,
)
from structce.labelling import LearnerFactory
from structce.learners import LEARNERS, Learner
from structce.rendering import RENDERERS

ParameterValue = bool | int | float | str

Measure = Literal[
    "macro_f1",
    "micro_f1",
    "weighted_f1",
    "accuracy",
    "macro_f1_foreground",
    "micro_f1_foreground",
]
"""Measures to choose hyper-parameters by: see `structce.evaluation.Scores.value`."""

FRACTIONS = (0.5, 0.17, 0.33)
"""Training, validation and test: the 300, 100 and 204 pages of Spengler et al. (2010)."""

ALL_FEATURES = "all"  # preset that stands for the families and the included features

_OTHER_METHOD = re.compile(r"(?s).*[^a-z0-9-].*|")
"""Pattern of what is not a registered name: proxies and files of extractors."""

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


Count = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Names = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
Parameters = Mapping[str, ParameterValue]
Learners = Mapping[str, LearnerFactory]  # learners by name, such as ``structce.learners.LEARNERS``


class Splits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Splits of the pages of a corpus; each way in ``by`` is a study of its own.

    Shares of the pages, by default ``FRACTIONS``, exclude folds.
    """

    train: Share | None = None
    validation: Share | None = None
    test: Share | None = None
    by: Annotated[tuple[SplitBy, ...], msgspec.Meta(min_length=1)] = ("site",)
    folds: Annotated[int, msgspec.Meta(ge=3)] | None = None
    repeats: Count = 1

    @property
    def fractions(self) -> tuple[float, float, float]:
        """The shares of training, validation and test pages."""
        if self.train is None or self.validation is None or self.test is None:
            return FRACTIONS
        return self.train, self.validation, self.test

    def __post_init__(self) -> None:
        n_given = sum(size is not None for size in (self.train, self.validation, self.test))
        message = "expected train, validation and test together, or folds"
        require(n_given in (0, 3) and not (n_given and self.folds), message, "splits")
        message = f"train, validation and test are {self.fractions}; expected shares of sum 1"
        require(are_shares(self.fractions), message, "splits")
        is_once = self.folds is None and self.repeats == 1
        message = "by 'time' is one split: no folds or repeats"
        require(is_once or "time" not in self.by, message, "splits")


class Features(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Features of an experiment, as for :class:`structce.features.FeatureSet`.

    Each preset is a study of its own; ``all`` stands for families and include. With the ablation
    each candidate is also tested without each family, and with only each.
    """

    families: tuple[str, ...] = FAMILIES
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    min_count: Count = 3
    min_pages: Count = 1
    preset: Names = (ALL_FEATURES,)
    windows: Literal["default", "none"] | dict[str, tuple[int, ...]] = "default"
    strengths: Literal["default", "none"] | dict[str, float] = "default"
    unit_norm: bool = True
    encoding: Encoding = "bins"
    ablation: bool = False

    def feature_set(self, preset: str = "", descriptions: Descriptions | None = None) -> FeatureSet:
        """Return the features of a preset, by default the first, checked but not fitted.

        Feature sets may share descriptions of pages.
        """
        preset = preset or self.preset[0]
        given = msgspec.structs.asdict(self)
        if preset != ALL_FEATURES:
            given["families"] = ()
            given["include"] = tuple(dict.fromkeys((*preset_features(preset), *self.include)))
        del given["preset"], given["ablation"]
        for name in ("windows", "strengths"):
            given[name] = {"default": None, "none": {}}.get(str(given[name]), given[name])
        try:
            return FeatureSet(**given, descriptions=descriptions)
        except StructceError as error:
            raise ExperimentError(str(error), key=("features",)) from None

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts of an ablation: without each family, then each family alone."""
        if not self.ablation:
            return ()
        chosen = {family_of(name) for name in self.feature_set().names}
        families = [family for family in FAMILIES if family in chosen]
        return tuple(f"{kind} {name}" for kind in ("without", "only") for name in families)

    def __post_init__(self) -> None:
        check_known(self.preset, (ALL_FEATURES, *PRESETS), ("features", "preset"))
        for preset in self.preset:
            self.feature_set(preset)
        message = "the features are all of one family; expected two"
        require(len(self.parts) != 2, message, "features", "ablation")


def family_of(column: str) -> str:
    """Return the family of a column, whichever region it describes; empty if it has none."""
    match = re.match(r"(?:(?:previous|next)(?:-\d+)?\.)?([^.]+)\.", column)
    return match[1] if match else ""


class Candidate(msgspec.Struct, frozen=True):
    """A learner with the values to try for each hyper-parameter, by its name in Python.

    ``neighbours`` is whether it sees the columns of neighbouring regions.
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

    Corpora are paths as the user wrote them; the runner gets a function to open them. Without a
    renderer pages of raw corpora stay as they are, or get the best that is available.
    """

    question: str
    corpus: Names
    renderer: tuple[str, ...] = ()
    splits: Splits = Splits()
    seed: Natural = 0
    measure: Measure = "macro_f1"
    refit: bool = True
    learning_curve: tuple[Share, ...] = ()
    features: Features = Features()
    learner: Annotated[dict[str, Candidate], msgspec.Meta(min_length=1)]

    def __post_init__(self) -> None:
        check_known(self.corpus, self.corpus, ("corpus",))
        check_known(self.renderer, RENDERERS, ("renderer",))

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates in the order of the file."""
        return tuple(self.learner.values())

    @property
    def shares(self) -> dict[str, float]:
        """Shares of the learning curve below 1, by the names of their parts: ``share 0.5``."""
        return {f"share {share:g}": share for share in self.learning_curve if share < 1}


class PackageSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pages with their main content: a data set or a test package.

    They become packages by the facts in ``by``; ``only`` are values of the first of these.
    ``learn_from`` is the fact ``split`` of pages that trained methods learn from, empty for folds.
    """

    name: str
    reader: str = ""
    path: str = ""
    by: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    title: bool = True
    comments: bool = False
    min_pages: Count = 1
    pages: Natural | None = None
    learn_from: str = ""

    def __post_init__(self) -> None:
        key = ("package", self.name)
        if self.reader not in READERS:
            raise unknown_name(self.reader, READERS, *key, *["reader"][self.reader == self.name :])
        message = 'expected a fact in "by", such as page_type'
        require(bool(self.by) or not self.only, message, *key, "only")


class Folds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Folds of each package, for methods that learn from main contents; by site, or at random."""

    n: Annotated[int, msgspec.Meta(ge=2)] = 5
    by: Literal["site", "random"] = "site"


class ExtractionExperiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One question about content extractors: packages, methods, and how they are compared.

    Methods are ranked and tested by the first measure, against the reference, by default the
    first method. ``class_pages`` are learnt from by methods that compare pages of a class: 5 to 10
    are enough by Debnath et al. (2005).
    """

    question: str
    data: str = "."
    seed: Natural = 0
    pages: Natural = 0
    measures: Names = FOUR
    reference: str = ""
    seconds: Annotated[float, msgspec.Meta(gt=0)] = 60.0
    class_pages: Annotated[int, msgspec.Meta(ge=2)] = 10
    folds: Folds = Folds()
    package: Annotated[dict[str, PackageSource], msgspec.Meta(min_length=1)]
    method: Annotated[dict[str, Method], msgspec.Meta(min_length=1)]

    def __post_init__(self) -> None:
        check_known(self.measures, MEASURES, ("measures",))
        for package in self.package.values() if self.compares_classes else ():
            message = 'a method compares pages of a class; expected a fact, such as by = "site"'
            require(bool(package.by), message, "package", package.name, "by")
        if not self.reference:
            msgspec.structs.force_setattr(self, "reference", next(iter(self.method)))
        if self.reference not in self.method:
            raise unknown_name(self.reference, self.method, "reference")

    @property
    def compares_classes(self) -> bool:
        """Whether a method compares pages of a class."""
        return any(method.kind == "page class" for method in self.method.values())


AnyExperiment = Experiment | ExtractionExperiment


def shipped_experiments() -> list[Path]:
    """Return the experiment files that come with the package, of both kinds, by their names."""
    return sorted(Path(__file__).parent.glob("*.toml"))


def read_experiment(
    path: Path, *, overrides: Sequence[str] = (), known: Learners = LEARNERS
) -> AnyExperiment:
    """Read the experiment of a TOML file, on extractors if it has packages or methods.

    A list of values of a learner's hyper-parameter is a grid, a single value is fixed.

    Parameters
    ----------
    overrides
        Values that replace those of the file: ``learner.greedy-svm.context=5``.

    Raises
    ------
    ExperimentError
        If the file cannot be read, or a key or value is not as expected; names the file and the
        key, or the faulty override.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{path}: {error}") from error
    return _read(table, overrides, known, f"{path}: ")


def _read(
    table: TomlTable, overrides: Sequence[str], known: Learners, place: str = ""
) -> AnyExperiment:
    """Return the experiment of a table; an error names the override with its key, or the place."""
    table, changes = override_table(table, overrides)
    try:
        inner = {
            name: convert_table(table.get(name, {}), dict[str, dict[str, Any]], (name,))
            for name in ("learner", "package", "method")
        }
        if not {"package", "method"} & table.keys():
            learners = {
                name: _candidate(name, own, known) for name, own in inner["learner"].items()
            }
            return convert_table({**table, "learner": learners}, Experiment)
        packages = {}
        for name, own in inner["package"].items():
            source = {"reader": name, **own, "name": name}
            packages[name] = convert_table(source, PackageSource, ("package", name))
        methods = {name: _method(name, own) for name, own in inner["method"].items()}
        own_tables = {"package": packages, "method": methods}
        return convert_table({**table, **own_tables}, ExtractionExperiment)
    except ExperimentError as error:
        faulty = [
            f"{text}: "
            for key, _, text in changes
            if error.key and all(one == other for one, other in zip(error.key, key, strict=False))
        ]
        raise ExperimentError(f"{faulty[-1] if faulty else place}{error}") from None


def read_subject(
    kind: str, name: str, table: TomlTable, known: Mapping[str, Callable[..., object]], value: Any,
    **flags: type,
) -> tuple[str, dict[str, Any], dict[str, Any]]:  # fmt: skip
    """Return the subject of ``[learner.NAME]`` or ``[method.NAME]``, its parameters, and flags.

    The key ``learner`` or ``method`` names the subject, by default the table's name. The schema of
    the table is made from the subject's signature; parameters get their names in Python.
    """
    subject, key = table.get(kind, name), (kind, name)
    is_other = kind == "method" and bool(_OTHER_METHOD.fullmatch(str(subject)))
    if not isinstance(subject, str) or not (subject in known or is_other):
        with suppress(KeyError, LearnerError):
            known[str(subject)]  # a learner of an extra that is missing names the extra
        raise unknown_name(subject, known, *key, *([kind] if kind in table else []))
    signature = inspect.signature(known[subject]).parameters if subject in known else {}
    names = {written_name(one): one for one, about in signature.items() if about.kind in _NAMED}
    fields: list[Any] = [(one, kind_of, None) for one, kind_of in {kind: str, **flags}.items()]
    fields += [(one, value, None) for one in names]
    schema = msgspec.defstruct("Table", fields, forbid_unknown_fields=True)
    read = msgspec.structs.asdict(convert_table(table, schema, key))
    return subject, {own: read[one] for one, own in names.items() if one in table}, read


def _candidate(name: str, table: TomlTable, known: Learners) -> Candidate:
    """Return the candidate of a table ``[learner.NAME]``, its grid checked."""
    grid = Annotated[tuple[ParameterValue, ...], msgspec.Meta(min_length=1)]
    learner, values, flags = read_subject("learner", name, table, known, grid, neighbours=bool)
    candidate = Candidate(name, learner, values, flags["neighbours"] is not False)
    for point in candidate.points:
        try:
            made = known[learner](**point)
            if isinstance(made, Learner):
                made._check_parameters()
        except (LearnerError, TypeError, ValueError) as error:
            message = str(error) or type(error).__name__
            raise ExperimentError(message, key=("learner", name)) from None
    return candidate


def known_extractors() -> dict[str, Callable[..., object]]:
    """Return everything that makes an extractor, or learns one, by its registered name."""
    load_extractors()
    return {**EXTRACTORS, **PAGE_CLASS_METHODS, **TRAINABLE_METHODS}


def _method(name: str, table: TomlTable) -> Method:
    """Return the method of a table ``[method.NAME]``, which is made once."""
    method = Method(
        name, *read_subject("method", name, table, known_extractors(), ParameterValue)[:2]
    )
    try:
        method.check()
    except MissingExtraError:
        pass  # a failure of the run, shown in the report
    except StructceError as error:
        raise ExperimentError(str(error), key=("method", name)) from None
    return method


def to_table(experiment: AnyExperiment) -> dict[str, Any]:
    """Return the table of a file from which an equal experiment is read.

    Defaults are written out, so that the file keeps its meaning if they change.
    """
    table: dict[str, Any] = _without_none(msgspec.to_builtins(experiment))
    if isinstance(experiment, Experiment):
        for name, own in table["learner"].items():
            values = own.pop("values").items()
            flags = {"learner": own["learner"], "neighbours": own["neighbours"]}
            grid = {written_name(key): x if len(x) > 1 else x[0] for key, x in values}
            table["learner"][name] = flags | grid
        return table
    for name, own in table["method"].items():
        parameters = {written_name(key): value for key, value in own["parameters"].items()}
        table["method"][name] = {"method": own["extractor"], **parameters}
    for package in table["package"].values():
        del package["name"]
    return table


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_none(inner) for name, inner in value.items() if inner is not None}
    return list(value) if isinstance(value, tuple) else value


def quick(
    corpus: str,
    learners: Sequence[str] = ("all",),
    *,
    overrides: Sequence[str] = (),
    known: Learners = LEARNERS,
) -> AnyExperiment:
    """Return the default experiment of a corpus, ``templates/quick.toml``; checked like any other.

    Parameters
    ----------
    learners
        Names; ``all`` stands for all of them, in the order of Spengler et al. (2010), Table 2.
    overrides
        Values that replace the defaults, with the keys of a file: ``seed=3``.
    """
    text = Path(__file__).with_name("templates").joinpath("quick.toml").read_text("utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    grids = table["learner"]
    check_known([name for name in learners if name != "all"], known, ("learners",))
    if "all" in learners:
        learners = sorted(known, key=lambda name: [*grids, name].index(name))
    table |= {"corpus": corpus, "learner": {name: grids.get(name, {}) for name in learners}}
    return _read(table, overrides, known)


def quick_extraction(
    packages: Mapping[str, str],
    methods: Sequence[str],
    measures: Sequence[str] = FOUR,
    *,
    overrides: Sequence[str] = (),
) -> AnyExperiment:
    """Return the experiment of methods on test packages, whose paths are given by their names.

    Methods, measures and overrides are written as in a file.
    """
    table: TomlTable = {
        "question": "Which method extracts the main content of pages best?",
        "measures": list(measures),
        "package": {name: {"reader": "gottron", "path": path} for name, path in packages.items()},
        "method": {name: {} for name in methods},
    }
    return _read(table, overrides, LEARNERS)
