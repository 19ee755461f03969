"""Experiments as TOML: files of both kinds, and the default experiment of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from structce.errors import ExperimentError, LearnerError, MissingExtraError
from structce.experiments.config import (
    ALL_FEATURES,
    FRACTIONS,
    Candidate,
    Experiment,
    Learners,
    Parameters,
    Splits,
    chosen_families,
)
from structce.experiments.extraction.config import (
    ExtractionExperiment,
    extraction_experiment,
    extraction_table,
)
from structce.experiments.toml_tables import (
    KeyPath,
    ParameterValue,
    TomlTable,
    as_toml,
    check_parameter,
    convert_table,
    listed,
    parameter_names,
    read_subject,
    read_table,
    read_toml,
    require,
    unknown_key,
    unknown_name,
    write_toml,
    written_name,
)
from structce.features import ENCODINGS, FAMILIES, Encoding
from structce.labelling import LearnerFactory
from structce.learners import LEARNERS, Learner

_SVM: Mapping[str, tuple[ParameterValue, ...]] = {
    # On training sites of the Fundus pages 3 was best. On the sample corpus (by site, seed 7) the
    # validation pages choose 0.3 or 0.1, so that neither end is chosen there; below 0.1 nothing is
    # gained, and no fit closes the gap in time. Spengler et al. (2010) chose 0.1, with cells of
    # other sizes. On a tie the first, which is the smoothest, wins.
    "lambda_": (10.0, 3.0, 1.0, 0.3, 0.1, 0.03),
    # On the Fundus pages the structured SVM reaches a gap of 1 % in some 40 with lambda 1, more
    # slowly with less. The report states the gap that was left.
    "max_epochs": (60,),
}

GRIDS: Mapping[str, Mapping[str, tuple[ParameterValue, ...]]] = {
    "multiclass-svm": _SVM,
    # Previous labels: on News600 the best of the eight lengths that Spengler et al. (2010) tried.
    # ``greedy_context.toml`` searches all eight, with eight times as many fits.
    "greedy-svm": {**_SVM, "context": (10,)},
    # From the 1 of Spengler et al. (2010) down, a power of ten a step; on the sample corpus 0.01.
    "linear-chain-crf": {"lambda_": (1.0, 0.1, 0.01, 0.001)},
    "structured-svm": _SVM,
    # On the sample corpus 0.001; leaves of 0.0001 swing so far that most labels are lost.
    "boosted-trees": {
        "lambda_": (0.1, 0.01, 0.001, 0.0001),
        "n_rounds": (40,),
        "learning_rate": (0.2,),
    },
}
"""Grids of :func:`quick`; a learner without a grid runs with its own defaults."""

_PARTS = ("train", "validation", "test")

_UNSEEN = {"site": "unseen sites", "family": "unseen sites", "page": "unseen pages",
           "time": "newer pages"}  # fmt: skip

_REGISTERED, _NONE = "default", "none"
"""Values of windows and strengths: the registered ones, and none."""

_FLAGS = ("optional", "neighbours")
"""Keys of a learner's table that are true or false, and not hyper-parameters."""

_T = TypeVar("_T")

AnyExperiment = Experiment | ExtractionExperiment

_Texts = str | list[str]


class _SplitsTable(msgspec.Struct, forbid_unknown_fields=True):
    train: int | float | None = None
    validation: int | float | None = None
    test: int | float | None = None
    by: _Texts = "site"
    folds: int | None = None
    repeats: int = 1
    file: str = ""


class _FeaturesTable(msgspec.Struct, forbid_unknown_fields=True):
    families: _Texts = msgspec.field(default_factory=lambda: list(FAMILIES))
    include: _Texts = msgspec.field(default_factory=list)
    exclude: _Texts = msgspec.field(default_factory=list)
    min_count: int = 3
    min_pages: int = 1
    preset: _Texts = ALL_FEATURES
    windows: str | dict[str, list[int]] = _REGISTERED
    strengths: str | dict[str, float] = _REGISTERED
    unit_norm: bool = True
    encoding: str = ENCODINGS[0]
    ablation: bool | _Texts = False


class _ExperimentTable(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    corpus: _Texts
    renderer: _Texts = msgspec.field(default_factory=list)
    splits: _SplitsTable = msgspec.field(default_factory=_SplitsTable)
    seed: int = 0
    measure: str = "macro_f1"
    refit: bool = True
    learning_curve: float | list[float] = msgspec.field(default_factory=list)
    features: _FeaturesTable = msgspec.field(default_factory=_FeaturesTable)
    learner: dict[str, object] = msgspec.field(default_factory=dict)


_TABLES: Mapping[KeyPath, type[msgspec.Struct]] = {
    ("splits",): _SplitsTable,
    ("features",): _FeaturesTable,
}


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
    table = read_toml(path)
    if {"package", "method"} & table.keys():
        return read_table(table, overrides, extraction_experiment, f"{path}: ")
    return read_table(table, overrides, partial(_experiment, known=known), f"{path}: ")


def _experiment(table: TomlTable, known: Learners) -> Experiment:
    top = convert_table(table, _ExperimentTable, _TABLES)
    features, splits = top.features, top.splits
    families, include, exclude = map(
        listed, (features.families, features.include, features.exclude)
    )
    left_out = _left_out(top.learner, known)
    presets = listed(features.preset)
    windows = _by_name(features.windows, "windows")
    return Experiment(
        question=top.question,
        corpora=listed(top.corpus),
        renderers=listed(top.renderer),
        splits=Splits(
            _fractions(splits), listed(splits.by), splits.folds, splits.repeats, splits.file
        ),
        seed=top.seed,
        measure=top.measure,
        refit=top.refit,
        learning_curve=listed(top.learning_curve),
        families=families,
        include=include,
        exclude=exclude,
        min_count=features.min_count,
        min_pages=features.min_pages,
        presets=presets,
        windows=None if windows is None else {name: tuple(n) for name, n in windows.items()},
        strengths=_by_name(features.strengths, "strengths"),
        unit_norm=features.unit_norm,
        encoding=_encoding(features.encoding),
        ablation=_ablation(features, presets, families, include, exclude),
        candidates=tuple(
            read_candidate(name, learner, known)
            for name, learner in top.learner.items()
            if name not in left_out
        ),
        left_out=tuple(left_out.values()),
    )


def _left_out(tables: Mapping[str, object], known: Learners) -> dict[str, str]:
    """Return why optional learners cannot be trained here, by the names of their tables."""
    problems = {}
    for name, table in tables.items():
        if isinstance(table, dict) and table.get("optional") is True:
            try:
                known[str(table.get("learner", name))]
            except MissingExtraError as error:
                problems[name] = str(error)
            except (LearnerError, KeyError):
                pass  # unknown, which is reported for every learner
    return problems


def _fractions(table: _SplitsTable) -> tuple[float, float, float]:
    given = {name: share for name in _PARTS if (share := getattr(table, name)) is not None}
    if not given:
        return FRACTIONS
    message = f"excludes {', '.join(given)}; leave out one or the other"
    for name in ("folds", "file"):
        require(not getattr(table, name), message, "splits", name)
    for name in _PARTS:
        require(name in given, "missing; it must be given", "splits", name)
    return given["train"], given["validation"], given["test"]


def _by_name(given: str | Mapping[str, _T], key: str) -> dict[str, _T] | None:
    """Return the values of features or families in a table; None for the registered ones."""
    if not isinstance(given, str):
        return dict(given)
    if given not in (_REGISTERED, _NONE):
        raise unknown_name(given, (_REGISTERED, _NONE), "features", key)
    return None if given == _REGISTERED else {}


def _encoding(name: str) -> Encoding:
    for encoding in ENCODINGS:
        if encoding == name:
            return encoding
    raise unknown_name(name, ENCODINGS, "features", "encoding")


def _ablation(
    features: _FeaturesTable, presets: Sequence[str], *choice: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the families to try without and alone; ``true`` stands for all that are chosen."""
    if isinstance(features.ablation, bool):
        of_families = ALL_FEATURES in presets
        chosen = chosen_families(*choice) if of_families else FAMILIES
        return chosen if features.ablation else ()
    message = "expected true, false or a list of families, got none"
    require(bool(features.ablation), message, "features", "ablation")
    return listed(features.ablation)


def read_candidate(name: str, table: object, known: Learners) -> Candidate:
    """Return the candidate of a table ``[learner.NAME]``, every point of its grid checked."""
    key = ("learner", name)
    learner, given = read_subject(*key, table, known)
    for flag in _FLAGS:
        if not isinstance(given.get(flag, False), bool):
            raise ExperimentError("expected true or false", key=(*key, flag))
    names = parameter_names(known[learner])
    values = {}
    for written, value in given.items():
        if written not in (*_FLAGS, *names):
            raise unknown_key(key, written, ("learner", *_FLAGS, *names))
        if written not in _FLAGS:
            values[names[written]] = _values(value, (*key, written))
    candidate = Candidate(learner, values, name, bool(given.get("neighbours", True)))
    _check_points(candidate, known[learner], key)
    return candidate


def _values(value: object, key: KeyPath) -> tuple[ParameterValue, ...]:
    values: list[ParameterValue] = []
    for i, item in enumerate(listed(value)):
        place = (*key, i) if isinstance(value, list) else key
        checked = check_parameter(item, *place)
        require(checked not in values, f"{as_toml(checked)} occurs twice", *place)
        values.append(checked)
    require(bool(values), "expected a value, or a list of values", *key)
    return tuple(values)


def _check_points(candidate: Candidate, factory: LearnerFactory, key: KeyPath) -> None:
    for point in candidate.points:
        if problem := _problem(factory, point):
            # The first value that the learner refuses even on its own is at fault, if there is one.
            for name, value in point.items():
                if _problem(factory, {name: value}):
                    key = (*key, written_name(name), candidate.values[name].index(value))
                    break
            raise ExperimentError(problem, key=key)


def _problem(factory: LearnerFactory, parameters: Parameters) -> str:
    """Return why a learner refuses its hyper-parameters, before seeing a page; empty if not."""
    try:
        learner = factory(**parameters)
        if isinstance(learner, Learner):
            learner._check_parameters()
    except (LearnerError, TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    return ""


def to_toml(experiment: AnyExperiment) -> str:
    """Serialise an experiment as TOML, from which :func:`read_experiment` reads an equal one.

    Defaults are written out, so that the file keeps its meaning if they change.
    """
    if isinstance(experiment, ExtractionExperiment):
        return write_toml(extraction_table(experiment))
    return write_toml(_table(experiment))


def _table(experiment: Experiment) -> TomlTable:
    return {
        "question": experiment.question,
        "corpus": _single(experiment.corpora),
        **_unless_empty("renderer", experiment.renderers),
        "seed": experiment.seed,
        "measure": experiment.measure,
        "refit": experiment.refit,
        **_unless_empty("learning_curve", experiment.learning_curve),
        "splits": _write_splits(experiment.splits),
        "features": {
            "families": list(experiment.families),
            **_unless_empty("include", experiment.include),
            **_unless_empty("exclude", experiment.exclude),
            "min_count": experiment.min_count,
            "min_pages": experiment.min_pages,
            "preset": _single(experiment.presets),
            "windows": _write_by_name(experiment.windows),
            "strengths": _write_by_name(experiment.strengths),
            "unit_norm": experiment.unit_norm,
            "encoding": experiment.encoding,
            **_unless_empty("ablation", experiment.ablation),
        },
        "learner": {
            candidate.name: _write_candidate(candidate) for candidate in experiment.candidates
        },
    }


def _write_splits(splits: Splits) -> dict[str, object]:
    table: dict[str, object] = dict(zip(_PARTS, splits.fractions, strict=True))
    if splits.file or splits.folds:
        table = {"file": splits.file} if splits.file else {"folds": splits.folds}
    return {**table, "by": _single(splits.by), "repeats": splits.repeats}


def _write_by_name(given: Mapping[str, object] | None) -> object:
    """Return windows or strengths as :func:`_by_name` reads them."""
    return _REGISTERED if given is None else dict(given) or _NONE


def _write_candidate(candidate: Candidate) -> dict[str, object]:
    table: dict[str, object] = {}
    if candidate.name != candidate.learner:
        table["learner"] = candidate.learner
    if not candidate.neighbours:
        table["neighbours"] = False
    return table | {written_name(name): _single(v) for name, v in candidate.values.items()}


def _single(values: Iterable[object]) -> object:
    """Return the only value, or a list of them."""
    items = list(values)
    return items[0] if len(items) == 1 else items


def _unless_empty(name: str, values: Iterable[object]) -> dict[str, list[object]]:
    items = list(values)
    return {name: items} if items else {}


def quick(
    corpus: str,
    learners: Sequence[str] = ("all",),
    *,
    by: Sequence[str] = ("site",),
    seed: int = 0,
    folds: int | None = None,
    repeats: int = 1,
    split_file: str = "",
    ablation: bool = False,
    learning_curve: Sequence[float] = (),
    measure: str = "macro_f1",
    families: Sequence[str] = FAMILIES,
    min_count: int = 3,
    min_pages: int = 2,
    overrides: Sequence[str] = (),
    known: Learners = LEARNERS,
) -> Experiment:
    """Return the default experiment of a corpus; checked like one from a file.

    Parameters
    ----------
    learners
        Names; ``all`` stands for all of them, in the order of Spengler et al. (2010), Table 2.
    overrides
        Values that replace these, with the keys of a file: ``seed=3``.
    """
    for name in learners:
        if name not in known and name != "all":
            raise unknown_name(name, known, "learners")
    if "all" in learners:
        learners = sorted(known, key=lambda name: [*GRIDS, name].index(name))
    pages = " and ".join(dict.fromkeys(_UNSEEN.get(way, str(way)) for way in by))
    best = f"Which learner labels the regions of {pages} best?"
    family = f"What does each family of features contribute on {pages}?"
    table = {
        "question": family if ablation else best,
        "corpus": corpus,
        "splits": {"by": list(by), "folds": folds, "repeats": repeats, "file": split_file},
        "seed": seed,
        "measure": measure,
        "learning_curve": list(learning_curve),
        "features": {
            "families": list(families),
            "min_count": min_count,
            "min_pages": min_pages,
            "ablation": ablation,
        },
        "learner": {
            name: {
                written_name(parameter): list(values)
                for parameter, values in GRIDS.get(name, {}).items()
            }
            for name in learners
        },
    }
    return read_table(table, overrides, partial(_experiment, known=known))
