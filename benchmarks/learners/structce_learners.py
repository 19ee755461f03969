"""Time of the learners of structce, and of pystruct through the same interface."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.learners.jobs import Job
from benchmarks.learners.measures import Fitted, MemoryMeter, Point, speed
from benchmarks.learners.problems import Problem
from structce.arrays import Labels
from structce.learners.base import Callback, Learner, Progress
from structce.learners.crf import LinearChainCRF
from structce.learners.inputs import Features, SparseRows
from structce.learners.registry import LEARNERS
from structce.learners.structured_svm import StructuredSVM

KEEP_ALL = 20
"""Until this epoch all weights are kept; later one set in each tenth part of the epochs so far."""

Kept = NDArray[np.float32]


class PystructSVM(StructuredSVM):
    """The structured SVM with the weights that pystruct's Frank-Wolfe finds."""

    def _fit(
        self, pages: list[SparseRows], labels: list[Labels], callback: Callback | None
    ) -> None:
        from structce.learners.backends.pystruct import solve_pystruct

        solution = solve_pystruct(
            pages,
            labels,
            n_labels=self.n_labels_,
            lambda_=self.lambda_,
            solver="frank-wolfe",
            max_epochs=self.max_epochs,
            tol=self.tol,
            random_state=self.random_state,
            callback=callback,
        )
        self.emissions_, self.transitions_ = solution.emissions, solution.transitions
        self.gap_, self.objective_ = solution.gap, solution.primal
        self.n_epochs_, self.curve_ = solution.n_epochs, solution.curve


KINDS = {"pystruct": PystructSVM, "structured-svm-sgd": StructuredSVM}
"""Contenders that are variants of a learner."""


class Seen(NamedTuple):
    """State at the end of an epoch; weights of some epochs only."""

    epoch: int
    seconds: float
    objective: float
    weights: tuple[Kept, ...] | None


class Recorder:
    """Watches a fit. Its own time does not count."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.seen: list[Seen] = []
        self._next_kept = 1
        self._lost = 0.0
        self._now = now
        self._begin = now()

    def __call__(self, progress: Progress) -> None:
        """Note the time, and keep the weights for later."""
        begin = self._now()
        weights = None
        if progress.epoch >= self._next_kept:
            weights = tuple(array.astype(np.float32) for array in progress.weights())
            self._next_kept = progress.epoch + 1 + max(0, progress.epoch - KEEP_ALL) // 10
        seconds = begin - self._begin - self._lost
        self.seen.append(Seen(progress.epoch, seconds, progress.objective, weights))
        self._lost += self._now() - begin

    def seconds(self) -> float:
        """Return the time since the start."""
        return self._now() - self._begin - self._lost

    def curve(self, macro_f1: Callable[[tuple[Kept, ...]], float]) -> list[Point]:
        """Return one point per epoch, with macro F1 where weights were kept."""
        return [
            Point(
                epoch=snapshot.epoch,
                seconds=snapshot.seconds,
                objective=float(snapshot.objective),
                macro_f1=None if snapshot.weights is None else macro_f1(snapshot.weights),
            )
            for snapshot in self.seen
        ]


def make_learner(job: Job) -> Learner:
    """Return the contender, not fitted."""
    if job.contender == LinearChainCRF.name:
        return LinearChainCRF(engine="lbfgs", lambda_=job.lambda_, max_iterations=job.max_epochs)
    make = KINDS.get(job.contender) or LEARNERS[job.contender]
    learner = make(lambda_=job.lambda_, max_epochs=job.max_epochs, random_state=job.seed)
    if job.contender == "structured-svm-sgd":
        learner.set_params(engine="sgd")
    return learner


def measure(problem: Problem, job: Job, meter: MemoryMeter) -> Fitted:
    """Fit unwatched, for time, memory and speed; then watched, for the curve."""
    begin = job.now()
    learner = _fit(job, problem, None)
    seconds = job.now() - begin
    memory = meter.megabytes()
    # Ready to be labelled: float32, which is all that weights have.
    pages = [cast(Features, page.astype(np.float32)) for part in problem.parts for page in part.X]
    validation = learner.predict(problem.validation.X)
    objective = getattr(learner, "objective_", None)
    stop = Point(
        epoch=_n_epochs(learner),
        seconds=seconds,
        objective=objective,
        macro_f1=problem.macro_f1(validation, problem.validation),
    )
    return Fitted(
        seconds=seconds,
        conversion_seconds=0.0,
        objective=objective,
        gap=getattr(learner, "gap_", None),
        memory_mb=memory,
        curve=_watch(job, problem, stop) if job.with_curve else [stop],
        validation=validation,
        test=learner.predict(problem.test.X),
        pages_per_second=speed(lambda: learner.predict(pages), len(pages), job.now),
    )


def _fit(job: Job, problem: Problem, callback: Callback | None) -> Learner:
    train, n_labels = problem.train, len(problem.label_set)
    return make_learner(job).fit(train.X, train.y, n_labels=n_labels, callback=callback)


def _watch(job: Job, problem: Problem, stop: Point) -> list[Point]:
    """Fit again, and return the curve on this run's own clock; it ends with the stop."""
    recorder = Recorder(job.now)
    learner = _fit(job, problem, recorder)
    seconds = recorder.seconds()

    def macro_f1(weights: tuple[Kept, ...]) -> float:
        shadow = copy.copy(learner)
        for name, values in zip(learner.weight_names, weights, strict=True):
            setattr(shadow, name, values.astype(np.float64))
        return problem.macro_f1(shadow.predict(problem.validation.X), problem.validation)

    return [*recorder.curve(macro_f1), {**stop, "seconds": seconds}]


def _n_epochs(learner: Learner) -> int:
    names = ("n_epochs_", "n_iterations_")
    return int(next(getattr(learner, name) for name in names if hasattr(learner, name)))
