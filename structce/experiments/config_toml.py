"""Files of experiments: read, checked, and written; and the default experiment of a corpus."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from structce.errors import (
    ExperimentError,
    ExtractionError,
    LearnerError,
    MissingExtraError,
    SourceError,
)
from structce.experiments.config import (
    Candidate,
    Experiment,
    ExtractionExperiment,
    Learners,
    PackageSource,
    Parameters,
)
from structce.experiments.toml_tables import (
    KeyPath,
    ParameterValue,
    TomlTable,
    as_toml,
    check_parameter,
    convert_table,
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
from structce.extraction import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Method,
    load_extractors,
)
from structce.features import FAMILIES
from structce.labelling import LearnerFactory
from structce.learners import LEARNERS, Learner

_SVM: Mapping[str, tuple[ParameterValue, ...]] = {
    # On training sites of the Fundus pages 3 was best. On the sample corpus (by site, seed 7) the
    # validation pages choose 0.3 or 0.1, so that neither end is chosen there; below 0.1 nothing is
    # gained, and no fit closes the gap in time. On a tie the first, the smoothest, wins.
    "lambda_": (10.0, 3.0, 1.0, 0.3, 0.1, 0.03),
    "max_epochs": (60,),  # with lambda 1 a gap of 1 % takes some 40; a report states what was left
}

GRIDS: Mapping[str, Mapping[str, tuple[ParameterValue, ...]]] = {
    "multiclass-svm": _SVM,
    # Previous labels: on News600 the best of the eight lengths that Spengler et al. (2010) tried.
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

_UNSEEN = {"site": "unseen sites", "family": "unseen sites", "page": "unseen pages",
           "time": "newer pages"}  # fmt: skip

_EXPRESSION = r"(?s).*[^a-z0-9-].*|"
"""Pattern of what is not a name: combinations, proxies, commands and files of extractors."""

_log = logging.getLogger(__name__)

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
    table = read_toml(path)
    if {"package", "method"} & table.keys():
        return read_table(table, overrides, _extraction_experiment, f"{path}: ")
    return read_table(table, overrides, partial(_experiment, known=known), f"{path}: ")


def _experiment(table: TomlTable, known: Learners) -> Experiment:
    tables = _inner_tables(table, "learner")
    left_out = _left_out(tables, known)
    for message in left_out.values():
        _log.warning("left out: %s", message)
    learners = {
        name: _candidate(name, learner, known)
        for name, learner in tables.items()
        if name not in left_out
    }
    return convert_table({**table, "learner": learners}, Experiment)


def _inner_tables(table: TomlTable, name: str) -> Mapping[str, object]:
    tables = table.get(name, {})
    if not isinstance(tables, Mapping):
        raise ExperimentError(f"expected a table, got {as_toml(tables)}", key=(name,))
    return tables


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


def _candidate(name: str, table: object, known: Learners) -> TomlTable:
    """Return the fields of the candidate of a table ``[learner.NAME]``, its grid checked."""
    key = ("learner", name)
    learner, given = read_subject(*key, table, known)
    flags = {flag: given.pop(flag) for flag in ("optional", "neighbours") if flag in given}
    for flag, value in flags.items():
        require(isinstance(value, bool), "expected true or false", *key, flag)
    names = parameter_names(known[learner])
    values = {}
    for written, value in given.items():
        if written not in names:
            raise unknown_key(key, written, ("learner", "optional", "neighbours", *names))
        values[names[written]] = _values(value, (*key, written))
    neighbours = bool(flags.get("neighbours", True))
    for point in Candidate(name, learner, values).points:
        _check_point(known[learner], point, values, key)
    return {"name": name, "learner": learner, "values": values, "neighbours": neighbours}


def _values(value: object, key: KeyPath) -> tuple[ParameterValue, ...]:
    values: list[ParameterValue] = []
    for i, item in enumerate(value if isinstance(value, list) else [value]):
        place = (*key, i) if isinstance(value, list) else key
        checked = check_parameter(item, *place)
        require(checked not in values, f"{as_toml(checked)} occurs twice", *place)
        values.append(checked)
    require(bool(values), "expected a value, or a list of values", *key)
    return tuple(values)


def _check_point(
    factory: LearnerFactory,
    point: Parameters,
    values: Mapping[str, Sequence[ParameterValue]],
    key: KeyPath,
) -> None:
    """Raise an ExperimentError if a learner refuses a point; it names the value, if one is."""
    if problem := _problem(factory, point):
        for name, value in point.items():
            if _problem(factory, {name: value}):
                key = (*key, written_name(name), values[name].index(value))
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


def _extraction_experiment(table: TomlTable) -> ExtractionExperiment:
    methods = {name: _method(name, own) for name, own in _inner_tables(table, "method").items()}
    packages = {}
    for name, own in _inner_tables(table, "package").items():
        if not isinstance(own, Mapping):
            raise ExperimentError(f"expected a table, got {as_toml(own)}", key=("package", name))
        fields = {"reader": name, **own, "name": name}
        packages[name] = msgspec.to_builtins(
            convert_table(fields, PackageSource, ("package", name))
        )
    experiment = convert_table(
        {**table, "method": methods, "package": packages}, ExtractionExperiment
    )
    for package in experiment.packages:
        package.check()
    message = "no method of the file compares pages of a class"
    require("learning" not in table or experiment.compares_classes, message, "learning")
    message = "no method of the file learns from main contents"
    require("folds" not in table or experiment.has_folds, message, "folds")
    return experiment


def known_extractors() -> dict[str, Callable[..., object]]:
    """Return everything that makes an extractor, or learns one, by its registered name."""
    load_extractors()
    return {**EXTRACTORS, **PAGE_CLASS_METHODS, **TRAINABLE_METHODS}


def _method(name: str, table: object) -> TomlTable:
    """Return the fields of the method of a table ``[method.NAME]``, which is made once."""
    known, key = known_extractors(), ("method", name)
    extractor, given = read_subject("method", name, table, known, may_be=_EXPRESSION)
    if given and extractor not in known:
        message = "only a registered extractor takes parameters"
        raise ExperimentError(message, key=(*key, next(iter(given))))
    names = parameter_names(known[extractor]) if given else {}
    parameters = {}
    for written, value in given.items():
        if written not in names:
            raise unknown_key(key, written, ("method", *names))
        parameters[names[written]] = check_parameter(value, *key, written)
    try:
        Method(name, extractor, parameters).check()
    except MissingExtraError:
        pass  # a failure of the run, shown in the report
    except (ExtractionError, SourceError) as error:
        raise ExperimentError(str(error), key=key) from None
    return {"name": name, "extractor": extractor, "parameters": parameters}


def to_table(experiment: AnyExperiment) -> dict[str, object]:
    """Return the table of a file from which an equal experiment is read.

    Defaults are written out, so that the file keeps its meaning if they change.
    """
    table: dict[str, Any] = _without_none(msgspec.to_builtins(experiment))
    if isinstance(experiment, Experiment):
        table["learner"] = {
            name: {
                "learner": candidate.learner,
                "neighbours": candidate.neighbours,
                **{
                    written_name(key): list(values) if len(values) > 1 else values[0]
                    for key, values in candidate.values.items()
                },
            }
            for name, candidate in experiment.learner.items()
        }
        return table
    table["method"] = {
        name: {
            "method": method.extractor,
            **{written_name(key): value for key, value in method.parameters.items()},
        }
        for name, method in experiment.method.items()
    }
    for package in table["package"].values():
        del package["name"]
    for name, is_used in (
        ("learning", experiment.compares_classes),
        ("folds", experiment.has_folds),
    ):
        if not is_used:
            del table[name]
    return table


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_none(inner) for name, inner in value.items() if inner is not None}
    return list(value) if isinstance(value, tuple) else value


def to_toml(experiment: AnyExperiment) -> str:
    """Serialise an experiment as TOML, from which :func:`read_experiment` reads an equal one."""
    return write_toml(to_table(experiment))


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
