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
    inner_tables,
    read_subject,
    read_table,
    read_toml,
    require,
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
"""Pattern of what is not a name: proxies and files of extractors."""

_FLAGS = ("optional", "neighbours")  # keys of a candidate that are no hyper-parameters

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
    learners = {}
    for name, own in inner_tables(table, "learner").items():
        if own.get("optional") is True:  # left out if it cannot be trained here
            try:
                known[str(own.get("learner", name))]
            except MissingExtraError as error:
                _log.warning("left out: %s", error)
                continue
            except (LearnerError, KeyError):
                pass  # unknown, which is reported for every learner
        learners[name] = _candidate(name, own, known)
    return convert_table({**table, "learner": learners}, Experiment)


def _candidate(name: str, table: TomlTable, known: Learners) -> TomlTable:
    """Return the fields of the candidate of a table ``[learner.NAME]``, its grid checked."""
    key = ("learner", name)
    learner, given = read_subject("learner", name, table, known, flags=_FLAGS)
    for flag in _FLAGS:
        is_flag = isinstance(table.get(flag, False), bool)
        require(is_flag, "expected true or false", *key, flag)
    values: dict[str, tuple[ParameterValue, ...]] = {}
    for parameter, value in given.items():
        place: KeyPath = (*key, written_name(parameter))
        items = value if isinstance(value, list) else [value]
        require(bool(items), "expected a value, or a list of values", *place)
        for i, item in enumerate(items):
            at = (*place, i) if isinstance(value, list) else place
            checked, earlier = check_parameter(item, *at), values.get(parameter, ())
            require(checked not in earlier, f"{as_toml(checked)} occurs twice", *at)
            values[parameter] = (*earlier, checked)
    for point in Candidate(name, learner, values).points:
        if problem := _problem(known[learner], point):
            alone = (n for n, value in point.items() if _problem(known[learner], {n: value}))
            parameter = next(alone, "")  # the value at fault, if it is one
            faulty: KeyPath = (*key, written_name(parameter)) if parameter else key
            raise ExperimentError(problem, key=faulty)
    neighbours = table.get("neighbours", True)
    return {"name": name, "learner": learner, "values": values, "neighbours": neighbours}


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
    methods = {name: _method(name, own) for name, own in inner_tables(table, "method").items()}
    packages = {
        name: convert_table({"reader": name, **own, "name": name}, PackageSource, ("package", name))
        for name, own in inner_tables(table, "package").items()
    }
    plain = {**table, "method": methods, "package": msgspec.to_builtins(packages)}
    experiment = convert_table(plain, ExtractionExperiment)
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


def _method(name: str, table: TomlTable) -> TomlTable:
    """Return the fields of the method of a table ``[method.NAME]``, which is made once."""
    key = ("method", name)
    extractor, given = read_subject("method", name, table, known_extractors(), may_be=_EXPRESSION)
    parameters = {
        parameter: check_parameter(value, *key, written_name(parameter))
        for parameter, value in given.items()
    }
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
        for name, candidate in experiment.learner.items():
            table["learner"][name] = {
                "learner": candidate.learner,
                "neighbours": candidate.neighbours,
                **{
                    written_name(key): list(values) if len(values) > 1 else values[0]
                    for key, values in candidate.values.items()
                },
            }
        return table
    for name, method in experiment.method.items():
        parameters = {written_name(key): value for key, value in method.parameters.items()}
        table["method"][name] = {"method": method.extractor, **parameters}
    for package in table["package"].values():
        del package["name"]
    if not experiment.compares_classes:
        del table["learning"]
    if not experiment.has_folds:
        del table["folds"]
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
    grids = {
        name: {written_name(key): list(values) for key, values in GRIDS.get(name, {}).items()}
        for name in learners
    }
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
        "learner": grids,
    }
    return read_table(table, overrides, partial(_experiment, known=known))
