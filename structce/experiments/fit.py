"""How long something takes, and how much memory."""

from __future__ import annotations

import inspect
import math
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

import numpy as np
import psutil
from threadpoolctl import threadpool_limits

from structce.arrays import Labels
from structce.errors import LearnerError
from structce.evaluation import check_confidence, confusion, score_confusion
from structce.experiments.config import Variant
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
from structce.labels import UNKNOWN_INDEX
from structce.learners import Features, Learner, Progress, find_reasons, quiet

BEAT = 0.01
"""Seconds between two looks at the memory; our choice."""

MEGABYTE = 1e6


class Meter:
    """Measures the block of a ``with`` statement.

    Attributes
    ----------
    seconds
        Wall clock.
    megabytes
        Most resident memory of the process meanwhile, minus that at the beginning, at least 0.
        Memory that the process had asked for before, and then uses again, does not show.
    """

    def __enter__(self) -> Self:
        self._process = psutil.Process()
        self._first = self._most = self._process.memory_info().rss
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._begin = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.seconds = time.perf_counter() - self._begin
        self._look()
        self._over.set()
        self._watcher.join()
        self.megabytes = (self._most - self._first) / MEGABYTE

    def _watch(self) -> None:
        while not self._over.wait(BEAT):
            self._look()

    def _look(self) -> None:
        self._most = max(self._most, self._process.memory_info().rss)


N_PAGES, N_REGIONS, N_REASONS = 20, 12, 5
"""Pages of a split, wrong regions of a page, and columns of a region that are told of."""

NEIGHBOURS = "(neighbours)"
"""Stands for what the labels of other regions add to a score."""


def find_mistakes(
    model: Learner,
    data: EncodedSplit,
    predictions: Sequence[Labels],
    confidence: Sequence[Sequence[float]],
) -> Iterator[WrongRegion]:
    """Yield wrong regions of the test pages of the lowest accuracy, page by page.

    Of pages of one accuracy those with more wrong regions come first. Of a page, those regions
    whose right label is not the background come first, in reading order.

    Parameters
    ----------
    confidence
        Of the predicted labels, one sequence a page; empty if there is none.
    """
    X, gold = data.test.matrices, data.test.targets
    background = data.label_set.index(data.label_set.background)
    for page in _worst(gold, predictions):
        wrong = np.flatnonzero(_is_wrong(gold[page], predictions[page]))
        first = sorted(wrong.tolist(), key=lambda i: (int(gold[page][i]) == background, i))
        for i in first[:N_REGIONS]:
            right, given = int(gold[page][i]), int(predictions[page][i])
            yield WrongRegion(
                page=page,
                region=i,
                gold=right,
                predicted=given,
                confidence=float(confidence[page][i]) if confidence else None,
                reasons=_reasons(model, X[page], i, right, data.columns),
            )


def _worst(gold: Sequence[Labels], predictions: Sequence[Labels]) -> list[int]:
    """Return the numbers of the worst pages that have a wrong region."""
    rows = []
    for i, pair in enumerate(zip(gold, predictions, strict=True)):
        n_known, n_wrong = int((pair[0] != UNKNOWN_INDEX).sum()), int(_is_wrong(*pair).sum())
        if n_wrong:
            rows.append((1 - n_wrong / n_known, -n_wrong, i))
    return [i for _, _, i in sorted(rows)[:N_PAGES]]


def _is_wrong(gold: Labels, predicted: Labels) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    wrong: np.ndarray[tuple[int], np.dtype[np.bool_]] = (gold != UNKNOWN_INDEX) & (
        gold != predicted
    )
    return wrong


def _reasons(
    model: Learner, page: Features, i: int, right: int, columns: Sequence[str]
) -> tuple[ColumnLead, ...]:
    """Return what adds most to the lead of the label given over the right one.

    Empty for whatever is no learner of ours, and for learners that cannot be explained.
    """
    if not isinstance(model, Learner):
        return ()
    try:
        found = find_reasons(model, page, i)
    except LearnerError:
        return ()
    leads = found.contributions[:, found.chosen] - found.contributions[:, right]
    others = float(found.reach[found.chosen] - found.reach[right] - leads.sum())
    named = [
        (columns[column], float(lead)) for column, lead in zip(found.columns, leads, strict=True)
    ]
    named += [(NEIGHBOURS, others)] if abs(others) > 1e-9 else []
    strongest = sorted(named, key=lambda one: (-one[1], one[0]))[:N_REASONS]
    return tuple(ColumnLead(name, lead) for name, lead in strongest if lead > 0)


STOPS = ("gap_", "gradient_norm_", "n_epochs_", "n_iterations_", "objective_")
"""Fitted attributes that tell how a solver stopped; a learner has some of them."""

LearnerFactory = Callable[..., Learner]
"""Makes a learner from its hyper-parameters."""


def can_calibrate(make: LearnerFactory) -> bool:
    """Return whether what is made tells how sure it is, and can be calibrated.

    Every subclass of :class:`structce.learners.Learner` can. Whatever else fits and predicts may
    stand in an experiment too, without these figures.
    """
    return isinstance(make, type) and issubclass(make, Learner)


def run_job(task: Job, make: LearnerFactory, data: EncodedSplit) -> JobOutcome:
    """Return what comes of a unit; whatever it raises is a value, too.

    Linear algebra keeps to one thread, so that the numbers are the same wherever the unit runs.
    """
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1), quiet():
        warnings.simplefilter("always")
        try:
            if task.step == "tune":
                return _tune(task, make, data)
            found = _test(task, make, data)
        except Exception as error:  # whatever a learner raises is one failed row of the report
            return Failure(f"{type(error).__name__}: {error}")
    said = dict.fromkeys([*found.warnings, *(str(one.message) for one in caught)])
    return replace(found, warnings=tuple(said))


def _tune(task: Job, make: LearnerFactory, data: EncodedSplit) -> Trial:
    with Meter() as meter:
        model, _ = _fit(task, make, data.train, len(data.label_set))
        predictions = _predict(task, model, data.validation)
        matrix = _confusion(predictions, data.validation.targets, len(data.label_set))
        temperature = None
        if can_calibrate(make):
            model.calibrate(data.validation.matrices, data.validation.targets)
            temperature = float(model.temperature_)
    value = float(getattr(score_confusion(matrix, data.label_set), task.measure))
    point = GridPoint(task.parameters, value, _stop(model), temperature)
    return Trial(point, ResourceUse(meter.seconds, meter.megabytes))


def _test(task: Job, make: LearnerFactory, data: EncodedSplit) -> TestResult:
    seen = data.train + data.validation
    seen = seen.pages(task.pages) if task.pages else seen
    if task.part:
        places = Variant.read(task.part).places(data.columns)
        data, seen = data.take(places), seen.take(places)
    with Meter() as training:
        model, steps = _fit(task, make, seen, len(data.label_set))
    with Meter() as prediction:
        predictions = _predict(task, model, data.test)
    _confusion(
        predictions, data.test.targets, len(data.label_set)
    )  # checks the range of the labels
    before, after = _confidence(task, model, data.test, predictions)
    is_asked = task.is_whole
    return TestResult(
        predictions=tuple(tuple(page.tolist()) for page in predictions),
        stop=_stop(model),
        training=ResourceUse(training.seconds, training.megabytes),
        prediction=ResourceUse(prediction.seconds, prediction.megabytes),
        before=before if is_asked else (),
        after=after if is_asked else (),
        steps=steps if is_asked else (),
        warnings=tuple(_unfinished(model)),
        wrong=tuple(find_mistakes(model, data, predictions, after)) if is_asked else (),
    )


def _fit(
    task: Job, make: LearnerFactory, part: EncodedPages, n_labels: int
) -> tuple[Learner, tuple[Epoch, ...]]:
    """Return the fitted model, and where its solver stood after each epoch."""
    seeded = "random_state" in inspect.signature(make).parameters
    model = make(**{**({"random_state": task.seed} if seeded else {}), **task.parameters})
    steps: list[Epoch] = []

    def watch(progress: Progress) -> None:
        epoch = int(progress.epoch)
        steps.append(Epoch(epoch, _finite(progress.objective), _finite(progress.gap)))

    if "callback" in inspect.signature(model.fit).parameters:
        model.fit(part.matrices, part.targets, n_labels=n_labels, callback=watch)
    else:
        model.fit(part.matrices, part.targets, n_labels=n_labels)
    return model, tuple(steps)


def _predict(task: Job, model: Learner, part: EncodedPages) -> list[Labels]:
    predictions = model.predict(part.matrices)
    shapes, expected = [y.shape for y in predictions], [y.shape for y in part.targets]
    if shapes != expected:
        raise LearnerError(
            f"{task.learner}: predicted labels of shapes {shapes[:3]}... do not fit "
            f"{len(part)} pages of {[shape[0] for shape in expected[:3]]}... regions"
        )
    return predictions


def _confidence(
    task: Job, model: Learner, part: EncodedPages, predictions: Sequence[Labels]
) -> tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]:
    """Return how sure a model is of the test pages, without a calibration and with it."""
    if task.temperature is None or not isinstance(model, Learner):
        return (), ()
    right = np.concatenate(part.targets) == np.concatenate(predictions)
    before = model.confidence(part.matrices)
    model.temperature_, model.calibration_ = task.temperature, None
    after = model.confidence(part.matrices)
    for said in (before, after):
        check_confidence(np.concatenate(said), right)
    first, second = ([tuple(page.tolist()) for page in said] for said in (before, after))
    return tuple(first), tuple(second)


def _confusion(predictions: Sequence[Labels], gold: Sequence[Labels], n_labels: int) -> Labels:
    return confusion(np.concatenate(gold), np.concatenate(predictions), n_labels)


def _stop(model: Learner) -> Diagnostics:
    """Return what a fitted learner tells of its stop; None where that is no finite number."""
    found = {name: getattr(model, name) for name in STOPS if hasattr(model, name)}
    return {name.removesuffix("_"): _finite(value) for name, value in found.items()}


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _unfinished(model: Learner) -> Iterator[str]:
    """Yield what to say of a model whose duality gap is above its own tolerance."""
    gap, tol = getattr(model, "gap_", 0.0), getattr(model, "tol", math.inf)
    if gap > tol:
        yield f"stopped at a gap of {gap:.3g}, above the tolerance {tol:g}"
