"""Execution of a job: fit a learner, score or test it, explain its mistakes, meter its cost."""

from __future__ import annotations

import copy
import math
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import psutil
from threadpoolctl import threadpool_limits

from structce.arrays import Labels, resolve_sets
from structce.errors import LearnerError
from structce.evaluation import check_confidence, confusion, is_wrong, score_confusion
from structce.experiments.config import Variant, own_places
from structce.experiments.job import (
    EncodedPages,
    EncodedSplit,
    Failure,
    Job,
    JobOutcome,
    ResourceUse,
    TestResult,
    Trial,
    WrongRegion,
)
from structce.experiments.results import ColumnLead, Diagnostics, Epoch, GridPoint
from structce.labelling import LearnerFactory, fit_learner, make_learner
from structce.labels import UNKNOWN_INDEX, LabelSet
from structce.learners import Features, Learner, Progress, attribute_label, quiet

N_PAGES, N_REGIONS, N_REASONS = 20, 12, 5
"""Numbers of worst pages per split, wrong regions per page and columns per region to report."""

NEIGHBOURS = "(neighbours)"
"""Name, in place of a column, for the contribution of other regions' labels to a score."""

_STOP = ("gap_", "gradient_norm_", "n_epochs_", "n_iterations_", "objective_")
"""Fitted attributes that state how a solver stopped; a learner has some of them."""

_INTERVAL = 0.01
"""Seconds between two samples of the memory: short compared with a fit, and almost free."""

_MEGABYTE = 1e6


@dataclass(frozen=True, eq=False)
class FittedModel:
    """Model that a job fitted, not calibrated, with the time, memory and warnings of its fit."""

    model: Learner
    steps: tuple[Epoch, ...]
    training: ResourceUse
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class BestModel:
    """Best model of a candidate so far, and the point of its grid."""

    point: GridPoint
    fitted: FittedModel


BestModels = dict[str, BestModel]
"""Best model so far by candidate, which is tested as it is if nothing is refitted."""

PageConfidences = tuple[tuple[float, ...], ...]  # confidence of each predicted label, page by page


def can_calibrate(factory: LearnerFactory) -> bool:
    """Return whether the learner gives confidences and can be calibrated.

    Every subclass of :class:`structce.learners.Learner` can. Anything else that fits and predicts
    may take part in an experiment, too, without these figures.
    """
    return isinstance(factory, type) and issubclass(factory, Learner)


def run_job(
    job: Job, factory: LearnerFactory, data: EncodedSplit, best: BestModels | None = None
) -> JobOutcome:
    """Return the outcome of a job; an error that it raises is an outcome, too.

    Linear algebra runs in one thread, so that the numbers are the same wherever the job runs.

    Parameters
    ----------
    best
        Best models of earlier jobs on the split, by candidate; jobs that tune without refitting
        add theirs. The test of such a model does not fit it again. None to fit every model.
    """
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1), quiet():
        warnings.simplefilter("always")
        try:
            if not job.neighbours:
                data = data.take(own_places(data.columns))
            if job.step == "tune":
                return _tune(job, factory, data, best)
            result = _test(job, factory, data, best)
        except Exception as error:  # any error of a learner is one failed row of the report
            return Failure(f"{type(error).__name__}: {error}")
    messages = dict.fromkeys([*result.warnings, *(str(warning.message) for warning in caught)])
    return replace(result, warnings=tuple(messages))


def _tune(job: Job, factory: LearnerFactory, data: EncodedSplit, best: BestModels | None) -> Trial:
    """Fit on the training part; score, then calibrate, on the validation part."""
    part = data.validation
    with Meter() as meter:
        fitted = _fit(job, factory, data.train, data.label_set)
        model = copy.copy(fitted.model)  # calibration sets attributes
        predictions = np.concatenate(_predict(job, model, part))
        matrix = confusion(part.labels, predictions, len(data.label_set))
        temperature = None
        if can_calibrate(factory):
            model.calibrate(part.matrices, part.targets)
            temperature = float(model.temperature_)
    value = float(getattr(score_confusion(matrix, data.label_set), job.measure))
    point = GridPoint(job.parameters, value, _diagnostics(model), temperature)
    if best is not None and not job.refit:
        earlier = best.get(job.candidate)
        if earlier is None or point.value > earlier.point.value:
            best[job.candidate] = BestModel(point, fitted)
    return Trial(point, meter.use)


def _test(
    job: Job, factory: LearnerFactory, data: EncodedSplit, best: BestModels | None
) -> TestResult:
    """Fit on the training part, by default with the validation part, and predict the test part."""
    seen = data.train + data.validation if job.refit else data.train
    seen = seen.pages(job.pages) if job.pages else seen
    if job.part:
        places = Variant.read(job.part).places(data.columns)
        data, seen = data.take(places), seen.take(places)
    earlier = best.get(job.candidate) if best and not job.refit and job.is_whole else None
    if earlier is not None and earlier.point.parameters == job.parameters:
        fitted = earlier.fitted
    else:
        fitted = _fit(job, factory, seen, data.label_set)
    model = copy.copy(fitted.model)
    with Meter() as prediction:
        predictions = _predict(job, model, data.test)
    # Raises if a label is out of range.
    confusion(data.test.labels, np.concatenate(predictions), len(data.label_set))
    before, after = _confidences(job, model, data.test, predictions)
    gap, tol = getattr(model, "gap_", 0.0), getattr(model, "tol", math.inf)
    unfinished = f"stopped at a gap of {gap:.3g}, above the tolerance {tol:g}"
    result = TestResult(
        predictions=tuple(tuple(page.tolist()) for page in predictions),
        stop=_diagnostics(model),
        training=fitted.training,
        prediction=prediction.use,
        warnings=(*([unfinished] if gap > tol else []), *fitted.warnings),
    )
    if not job.is_whole:
        return result
    wrong = tuple(find_mistakes(model, data, predictions, after))
    return replace(result, before=before, after=after, steps=fitted.steps, wrong=wrong)


def _fit(job: Job, factory: LearnerFactory, part: EncodedPages, label_set: LabelSet) -> FittedModel:
    """Fit on some pages, watching the solver."""
    model = make_learner(factory, job.parameters, seed=job.seed)
    steps: list[Epoch] = []

    def watch(progress: Progress) -> None:
        epoch = int(progress.epoch)
        steps.append(Epoch(epoch, _finite(progress.objective), _finite(progress.gap)))

    with warnings.catch_warnings(record=True) as caught, Meter() as meter:
        warnings.simplefilter("always")
        fit_learner(model, part.matrices, part.targets, label_set=label_set, callback=watch)
    messages = tuple(str(warning.message) for warning in caught)
    return FittedModel(model, tuple(steps), meter.use, messages)


def _predict(job: Job, model: Learner, part: EncodedPages) -> list[Labels]:
    predictions = model.predict(part.matrices)
    shapes, expected = [y.shape for y in predictions], [y.shape for y in part.targets]
    if shapes != expected:
        raise LearnerError(
            f"{job.learner}: predicted labels of shapes {shapes[:3]}... do not fit "
            f"{len(part)} pages of {[shape[0] for shape in expected[:3]]}... regions"
        )
    return predictions


def _confidences(
    job: Job, model: Learner, part: EncodedPages, predictions: Sequence[Labels]
) -> tuple[PageConfidences, PageConfidences]:
    """Return the confidences of the test pages before calibration and after it."""
    if job.temperature is None or not isinstance(model, Learner):
        return (), ()
    right = part.labels == np.concatenate(predictions)
    before = model.confidence(part.matrices)
    model.temperature_, model.calibration_ = job.temperature, None
    after = model.confidence(part.matrices)
    for confidences in (before, after):
        check_confidence(np.concatenate(confidences), right)
    first, second = (tuple(tuple(page.tolist()) for page in pages) for pages in (before, after))
    return first, second


def _diagnostics(model: Learner) -> Diagnostics:
    """Return how the solver of a fitted learner stopped; None for values that are not finite."""
    values = {name: getattr(model, name) for name in _STOP if hasattr(model, name)}
    return {name.removesuffix("_"): _finite(value) for name, value in values.items()}


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def find_mistakes(
    model: Learner,
    data: EncodedSplit,
    predictions: Sequence[Labels],
    confidence: Sequence[Sequence[float]],
) -> Iterator[WrongRegion]:
    """Yield wrong regions of the test pages with the lowest accuracy, page by page.

    Among pages of equal accuracy, those with more wrong regions come first. Within a page, regions
    whose right label is not the background come first, in reading order. The confidence of the
    predicted labels may be empty.
    """
    X, gold = data.test.matrices, data.test.targets
    background = data.label_set.index(data.label_set.background)
    for page in _worst(gold, predictions):
        wrong = np.flatnonzero(is_wrong(gold[page], predictions[page]))
        resolved = resolve_sets(gold[page], predictions[page], len(data.label_set))
        first = sorted(wrong.tolist(), key=lambda i: (int(resolved[i]) == background, i))
        for i in first[:N_REGIONS]:
            right = int(resolved[i])
            yield WrongRegion(
                page=page,
                region=i,
                gold=right,
                predicted=int(predictions[page][i]),
                confidence=float(confidence[page][i]) if confidence else None,
                reasons=_reasons(model, X[page], i, right, data.columns),
            )


def _worst(gold: Sequence[Labels], predictions: Sequence[Labels]) -> list[int]:
    """Return the indices of the worst pages with a wrong region."""
    rows = []
    for i, pair in enumerate(zip(gold, predictions, strict=True)):
        n_known, n_wrong = int((pair[0] != UNKNOWN_INDEX).sum()), int(is_wrong(*pair).sum())
        if n_wrong:
            rows.append((1 - n_wrong / n_known, -n_wrong, i))
    return [i for _, _, i in sorted(rows)[:N_PAGES]]


def _reasons(
    model: Learner, page: Features, i: int, right: int, columns: Sequence[str]
) -> tuple[ColumnLead, ...]:
    """Return the columns that add most to the lead of the predicted label over the right one.

    Empty for objects that are not learners of the package, and for unexplainable learners.
    """
    if not isinstance(model, Learner):
        return ()
    try:
        attribution = attribute_label(model, page, i)
    except LearnerError:
        return ()
    chosen, scores = attribution.chosen, attribution.label_scores
    leads = attribution.contributions[:, chosen] - attribution.contributions[:, right]
    others = float(scores[chosen] - scores[right] - leads.sum())
    names = (columns[column] for column in attribution.columns)
    reasons = [ColumnLead(*named) for named in zip(names, leads.tolist(), strict=True)]
    reasons += [ColumnLead(NEIGHBOURS, others)] if abs(others) > 1e-9 else []
    strongest = sorted(reasons, key=lambda reason: (-reason.lead, reason.column))[:N_REASONS]
    return tuple(reason for reason in strongest if reason.lead > 0)


class Meter:
    """Meter of wall-clock time and memory around the block of a ``with`` statement.

    ``megabytes`` is the peak resident memory of the process in the block minus that at its
    beginning, at least 0. Memory that the process held before and reuses does not count.
    """

    def __enter__(self) -> Self:
        self._process = psutil.Process()
        self._first = self._most = self._process.memory_info().rss
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._begin = time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = time.perf_counter() - self._begin
        self._sample()
        self._over.set()
        self._watcher.join()
        self.megabytes = (self._most - self._first) / _MEGABYTE

    @property
    def use(self) -> ResourceUse:
        """Both figures of a finished block."""
        return ResourceUse(self.seconds, self.megabytes)

    def _watch(self) -> None:
        while not self._over.wait(_INTERVAL):
            self._sample()

    def _sample(self) -> None:
        self._most = max(self._most, self._process.memory_info().rss)
