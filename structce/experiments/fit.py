"""Fit of a learner on a split: encoded pages, a score or a test, and what it cost."""

from __future__ import annotations

import math
import re
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from threadpoolctl import threadpool_limits

from structce.arrays import Integers, Labels
from structce.corpus import Corpus
from structce.errors import LearnerError
from structce.evaluation import check_confidence, confusion, score_confusion
from structce.experiments.config import Parameters, family_of
from structce.experiments.toml_tables import written_name
from structce.features import FeatureSet
from structce.labelling import LearnerFactory, encode_pages, fit_learner, make_learner
from structce.labels import LabelSet
from structce.learners import Learner, suppress_solver_warnings

_STOP = ("gap_", "gradient_norm_", "n_epochs_", "n_iterations_", "objective_")
"""Fitted attributes that state how a solver stopped; a learner has some of them."""

PageLabels = tuple[tuple[int, ...], ...]
PageConfidences = tuple[tuple[float, ...], ...]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One fit of one learner on one split.

    Parameters
    ----------
    step
        ``tuning``: fit on the training part, score and calibrate on the validation part. ``test``:
        fit on both, or with ``refit`` false on the training part, predict the test part.
    temperature
        Temperature of the calibration that a tested model takes over; None without calibration.
    part
        Part of the features, ``without text``, or of the training sites, ``share 0.5``; empty for
        all of them.
    pages
        Indices of the pages, of training and validation part together, that a tested model is
        fitted on; empty for all.
    """

    study: str
    split: int
    candidate: str
    learner: str
    parameters: Parameters
    step: Literal["tuning", "test"]
    seed: int
    measure: str
    temperature: float | None = None
    part: str = ""
    pages: tuple[int, ...] = ()
    neighbours: bool = True
    refit: bool = True

    def __str__(self) -> str:
        settings = [f"{written_name(name)} = {value}" for name, value in self.parameters.items()]
        parts = filter(None, (self.candidate, *settings, self.part))
        return f"{', '.join(parts)}, {self.study}, split {self.split + 1}, {self.step}"


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of a job: a value on the validation pages, or labels of the test pages, or an error.

    Parameters
    ----------
    seconds
        Wall-clock seconds by step.
    predictions, before, after
        Label indices page by page, with the confidence of each label before calibration and after
        it; without confidences for a learner that has none, and for parts.
    """

    value: float | None = None
    temperature: float | None = None
    stop: dict[str, float | None] = {}
    seconds: dict[str, float] = {}
    n_columns: int = 0
    predictions: PageLabels = ()
    before: PageConfidences = ()
    after: PageConfidences = ()
    warnings: tuple[str, ...] = ()
    error: str = ""


Encoded = tuple[list[csr_matrix], list[Labels]]
"""Matrix, shape (n_regions, n_columns), and label indices of each page, -1 where unknown."""


@dataclass(frozen=True, eq=False)
class EncodedSplit:
    """The three parts of a split, encoded with the columns of the training pages."""

    train: Encoded
    validation: Encoded
    test: Encoded
    columns: tuple[str, ...]
    label_set: LabelSet

    @classmethod
    def of(cls, features: FeatureSet, *parts: Corpus) -> EncodedSplit:
        """Fit the features on the first part, and encode training, validation and test pages."""
        features.fit([page.page for page in parts[0]])
        label_set = parts[0].label_set
        train, validation, test = (encode_pages(features, part, label_set) for part in parts)
        return cls(train, validation, test, tuple(features.columns_), label_set)

    def take(self, places: Integers) -> EncodedSplit:
        """Return the three parts with some columns, by index; cheaper than encoding again."""
        train, validation, test = (
            ([x[:, places] for x in X], y) for X, y in (self.train, self.validation, self.test)
        )
        columns = tuple(self.columns[i] for i in places.tolist())
        return EncodedSplit(train, validation, test, columns, self.label_set)


def part_places(part: str, columns: Sequence[str]) -> Integers:
    """Return the indices of the columns of a part, ``without text`` or ``only text``.

    The part ``own`` has the columns that are not a neighbour's. The bias belongs to no family, and
    to every part.
    """
    if part == "own":
        names = [not re.match(r"(previous|next)(-\d+)?\.", column) for column in columns]
        return np.flatnonzero(names)
    kind, chosen = part.split()
    families = map(family_of, columns)
    return np.flatnonzero(
        [not family or (family == chosen) == (kind == "only") for family in families]
    )


def can_calibrate(factory: LearnerFactory) -> bool:
    """Return whether the learner gives confidences and can be calibrated.

    Every subclass of :class:`structce.learners.Learner` can. Anything else that fits and predicts
    may take part in an experiment, too, without these figures.
    """
    return isinstance(factory, type) and issubclass(factory, Learner)


def run_job(job: Job, factory: LearnerFactory, data: EncodedSplit) -> Outcome:
    """Return the outcome of a job; an error that it raises is an outcome, too.

    Linear algebra runs in one thread, so that the numbers are the same wherever the job runs.
    """
    with (
        warnings.catch_warnings(record=True) as caught,
        threadpool_limits(1),
        suppress_solver_warnings(),
    ):
        warnings.simplefilter("always")
        try:
            if not job.neighbours:
                data = data.take(part_places("own", data.columns))
            outcome = (_tune if job.step == "tuning" else _test)(job, factory, data)
        except Exception as error:  # any error of a learner is one failed row of the report
            return Outcome(error=f"{type(error).__name__}: {error}")
    if job.step == "tuning":
        return outcome
    messages = dict.fromkeys([*outcome.warnings, *(str(warning.message) for warning in caught)])
    return msgspec.structs.replace(outcome, warnings=tuple(messages))


def _tune(job: Job, factory: LearnerFactory, data: EncodedSplit) -> Outcome:
    """Fit on the training part; score, then calibrate, on the validation part."""
    X, y = data.validation
    temperature, begin = None, time.perf_counter()
    model = _fit(job, factory, data.train, data.label_set)
    matrix = _confusion(y, model.predict(X), data.label_set)
    if can_calibrate(factory):
        model.calibrate(X, y)
        temperature = float(model.temperature_)
    return Outcome(
        value=score_confusion(matrix, data.label_set).value(job.measure),
        temperature=temperature,
        stop=_diagnostics(model),
        seconds={"tuning": time.perf_counter() - begin},
    )


def _test(job: Job, factory: LearnerFactory, data: EncodedSplit) -> Outcome:
    """Fit on the training part, by default with the validation part, and predict the test part."""
    if job.part and not job.pages:
        data = data.take(part_places(job.part, data.columns))
    X, y = data.train
    if job.refit:
        X, y = X + data.validation[0], y + data.validation[1]
    if job.pages:
        X, y = [X[i] for i in job.pages], [y[i] for i in job.pages]
    begin = time.perf_counter()
    model = _fit(job, factory, (X, y), data.label_set)
    fitted = time.perf_counter()
    X, y = data.test
    predictions = model.predict(X)
    predicted = time.perf_counter()
    _confusion(y, predictions, data.label_set)  # raises if labels do not fit the pages
    confidences: list[list[NDArray[Any]]] = [[], []]  # before calibration and after it
    if not job.part and job.temperature is not None and isinstance(model, Learner):
        confidences[0] = model.confidence(X)
        model.temperature_, model.calibration_ = job.temperature, None
        confidences[1] = model.confidence(X)
        right = np.concatenate(y) == np.concatenate(predictions)
        for own in confidences:
            check_confidence(np.concatenate(own), right)
    gap, tol = getattr(model, "gap_", 0.0), getattr(model, "tol", math.inf)
    unfinished = f"stopped at a gap of {gap:.3g}, above the tolerance {tol:g}"
    predicted_labels, before, after = (
        tuple(tuple(page.tolist()) for page in own) for own in (predictions, *confidences)
    )
    return Outcome(
        n_columns=len(data.columns),
        predictions=predicted_labels,
        before=before,
        after=after,
        stop=_diagnostics(model),
        seconds={"training": fitted - begin, "prediction": predicted - fitted},
        warnings=(unfinished,) if gap > tol else (),
    )


def _fit(job: Job, factory: LearnerFactory, part: Encoded, label_set: LabelSet) -> Learner:
    model = make_learner(factory, job.parameters, seed=job.seed)
    fit_learner(model, *part, label_set=label_set)
    return model


def _confusion(
    gold: Sequence[Labels], predictions: Sequence[Labels], label_set: LabelSet
) -> Integers:
    if list(map(len, gold)) != list(map(len, predictions)):
        raise LearnerError("predicted labels do not fit the numbers of pages and regions")
    return confusion(np.concatenate(gold), np.concatenate(predictions), len(label_set))


def _diagnostics(model: Learner) -> dict[str, float | None]:
    """Return how the solver of a fitted learner stopped; None for values that are not finite."""
    values = {name: getattr(model, name) for name in _STOP if hasattr(model, name)}
    return {
        name.removesuffix("_"): float(value) if value is not None and math.isfinite(value) else None
        for name, value in values.items()
    }
