"""The report of an experiment: ``report.json`` for programs, ``report.html`` for people."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from structce.evaluation import LabelScore, Measures, Scores
from structce.experiments.html import render_html
from structce.experiments.inputs import Part
from structce.experiments.names import written_name
from structce.experiments.results import (
    Ablation,
    Comparison,
    Failure,
    LearnerResult,
    Result,
    Trial,
)
from structce.experiments.spec import Experiment, Parameters
from structce.files import to_json as json_bytes
from structce.files import write_together

FORMAT = "structce-report"
VERSION = 1
PACKAGES = ("structce", "numpy", "scipy", "python-crfsuite")

Json = dict[str, object]


def to_json(result: Result) -> Json:
    """Return a result as plain JSON values; the same but for ``times`` from the same inputs.

    ==================== =====================================================================
    key                  value
    ==================== =====================================================================
    format, version      ``structce-report``, 1
    experiment           question, corpus as written, fractions or folds, by, families, include,
                         exclude, min_count, min_pages, ablation: [families], learners: {name:
                         {hyper-parameter: [values]}}
    seed                 of splits, learners and the interval over sites
    corpus               name, digest, n_pages, sites, renderer, counts: {label: regions},
                         background, n_unknown: regions that no score counts
    versions             of structce, numpy, scipy, python-crfsuite
    splits               one a fold: train, validation, test: {pages, sites}; n_columns
    n_train, n_test      {label: regions}; n_train is the mean over folds
    learners             {name: {error}} or {name: {scores, confusion, page_accuracy,
                         comparison, calibration, trials}}
    ... scores           accuracy; micro, macro, micro_foreground, macro_foreground:
                         {precision, recall, f1}; left_out; labels: {name: {precision, recall,
                         f1, support, n_predicted, undefined}}; shares in [0, 1]
    ... confusion        rows are gold labels, in the order of ``corpus.counts``
    ... page_accuracy    {page: share}
    ... comparison       reference, difference, interval, p, is_significant; null for the
                         reference
    ... calibration      before, after: {error, brier, bins: [{low, high, n_regions, confidence,
                         accuracy}]}; null for a learner that does not tell how sure it is
    ... trials           one a split: parameters, points: [{parameters, macro_f1, stop}], stop,
                         temperature, warnings; stop: {gap, gradient_norm, n_epochs,
                         n_iterations, objective}, those that the learner tells, null where not
                         finite; temperature: null where there is no calibration
    ablation             {learner: [one a part of the features]}; empty without an ablation
    ... features         ``without`` or ``only``
    ... family           the family that is left out, or that is alone
    ... n_columns        one a split, the bias counted
    ...                  besides, error or all keys of a learner: compared with the learner's
                         ``full set``, at the parameters of its trial; points are empty,
                         calibration and temperature null
    times                seconds: encoding: [one a split], learners: {name: [{tuning, training,
                         prediction}]}, ablation: {learner: {part: [{training, prediction}]}}
    ==================== =====================================================================
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "experiment": _experiment(result.experiment),
        "seed": result.experiment.seed,
        "corpus": asdict(result.source),
        "versions": versions(),
        "splits": [
            {
                "train": _part(split.train),
                "validation": _part(split.validation),
                "test": _part(split.test),
                "n_columns": split.n_columns,
            }
            for split in result.splits
        ],
        "n_train": dict(result.n_train),
        "n_test": dict(result.n_test),
        "learners": {row.learner: _learner(row) for row in result.learners},
        "ablation": {
            learner: [_ablation(one) for one in ablations]
            for learner, ablations in result.ablations.items()
        },
        "times": _times(result),
    }


def write_report(result: Result, folder: Path, command: str = "") -> None:
    """Write ``report.json`` and ``report.html``; neither if one of them cannot be made.

    Parameters
    ----------
    command
        The command line that repeats the experiment; the page shows it.
    """
    files = {
        "report.json": json_bytes(to_json(result)),
        "report.html": render_html(result, versions(), command).encode("utf-8"),
    }
    write_together({folder / name: data for name, data in files.items()})


def versions() -> dict[str, str]:
    """Return the installed versions of what the numbers depend on; empty if not installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = ""
    return found


def _experiment(experiment: Experiment) -> Json:
    split: Json = (
        {"fractions": list(experiment.fractions)}
        if experiment.folds is None
        else {"folds": experiment.folds}
    )
    return {
        "question": experiment.question,
        "corpus": experiment.corpus,
        **split,
        "by": experiment.by,
        "families": list(experiment.families),
        "include": list(experiment.include),
        "exclude": list(experiment.exclude),
        "min_count": experiment.min_count,
        "min_pages": experiment.min_pages,
        "ablation": list(experiment.ablation),
        "learners": {
            grid.learner: {written_name(key): list(grid.values[key]) for key in grid.values}
            for grid in experiment.learners
        },
    }


def _part(part: Part) -> Json:
    return {"pages": list(part.pages), "sites": list(part.sites)}


def _learner(row: LearnerResult | Failure) -> Json:
    if isinstance(row, Failure):
        return {"error": row.error}
    return {
        "scores": _scores(row.scores),
        "confusion": row.confusion.tolist(),
        "page_accuracy": dict(row.page_accuracy),
        "comparison": _comparison(row.comparison) if row.comparison else None,
        "calibration": asdict(row.calibration) if row.calibration else None,
        "trials": [_trial(trial) for trial in row.trials],
    }


def _ablation(one: Ablation) -> Json:
    return {
        "features": one.variant.kind,
        "family": one.variant.family,
        "n_columns": list(one.n_columns),
        **_learner(one.row),
    }


def _times(result: Result) -> Json:
    return {
        "encoding": [split.seconds for split in result.splits],
        "learners": {row.learner: _seconds(row) for row in result.succeeded},
        "ablation": {
            learner: {
                str(one.variant): _seconds(one.row)
                for one in ablations
                if isinstance(one.row, LearnerResult)
            }
            for learner, ablations in result.ablations.items()
        },
    }


def _seconds(row: LearnerResult) -> list[dict[str, float]]:
    return [dict(trial.seconds) for trial in row.trials]


def _scores(scores: Scores) -> Json:
    return {
        "accuracy": scores.accuracy,
        "micro": asdict(scores.micro),
        "macro": asdict(scores.macro),
        "micro_foreground": asdict(scores.micro_foreground),
        "macro_foreground": asdict(scores.macro_foreground),
        "left_out": list(scores.left_out),
        "labels": {label.name: _label(label) for label in scores.labels},
    }


def _label(label: LabelScore) -> Json:
    measures: Measures = label.measures
    return {
        **asdict(measures),
        "support": label.support,
        "n_predicted": label.n_predicted,
        "undefined": list(label.undefined),
    }


def _comparison(comparison: Comparison) -> Json:
    return {**asdict(comparison), "is_significant": comparison.is_significant}


def _trial(trial: Trial) -> Json:
    return {
        "parameters": _parameters(trial.parameters),
        "points": [
            {
                "parameters": _parameters(point.parameters),
                "macro_f1": point.macro_f1,
                "stop": dict(point.stop),
            }
            for point in trial.points
        ],
        "stop": dict(trial.stop),
        "temperature": trial.confidence.temperature if trial.confidence else None,
        "warnings": list(trial.warnings),
    }


def _parameters(parameters: Parameters) -> Mapping[str, object]:
    return {written_name(name): value for name, value in parameters.items()}
