"""Time of scikit-learn's linear classifiers, which label each region on its own.

They show their weights at the end only, so they are fitted again with earlier stops, until one
labels as well as the last.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from benchmarks.learners.jobs import Job
from benchmarks.learners.measures import Fitted, MemoryMeter, Point, rungs, speed
from benchmarks.learners.problems import Part, Problem
from structce.arrays import Labels
from structce.learners.inputs import SparseRows

CLASSIFIERS = ("linear-svc", "logistic-regression")


class Classifier(Protocol):
    """Interface of scikit-learn's classifiers, which are not typed."""

    n_iter_: object

    def fit(self, X: SparseRows, y: Labels) -> object:
        """Learn from rows and their labels."""

    def predict(self, X: SparseRows) -> Labels:
        """Return one label per row."""


LOOSER = (10.0, 1.0, 0.1, 0.01)
"""Tolerances of earlier stops of LinearSVC, whose Crammer-Singer solver has no limit on its
iterations; its own is 0.0001."""


def make_classifier(job: Job, n_pages: int, *, max_iter: int, tol: float = 1e-4) -> Classifier:
    """Return the contender, not fitted, with our objective over lambda."""
    C = 1 / (job.lambda_ * n_pages)
    if job.contender == "linear-svc":
        made: Classifier = LinearSVC(
            C=C, multi_class="crammer_singer", fit_intercept=False, tol=tol, random_state=job.seed
        )
    else:
        made = LogisticRegression(C=C, fit_intercept=False, max_iter=max_iter, tol=tol)
    return made


def measure(problem: Problem, job: Job, meter: MemoryMeter) -> Fitted:
    """Stack the pages, fit to the stop, and then again with earlier stops, for the curve."""
    begin = job.now()
    X, y = stacked(problem.train)
    conversion = job.now() - begin
    n_pages = len(problem.train.y)
    classifier = make_classifier(job, n_pages, max_iter=job.max_epochs)
    seconds = _fit(classifier, X, y, job.now)
    memory = meter.megabytes()
    held_out = stacked(problem.validation)[0]

    def point(model: Classifier, took: float) -> Point:
        labels = _split(model.predict(held_out), problem.validation)
        f1 = problem.macro_f1(labels, problem.validation)
        return Point(epoch=_n_epochs(model), seconds=took, objective=None, macro_f1=f1)

    stop = point(classifier, seconds)
    curve: list[Point] = []
    took = 0.0
    for early in _earlier(job, n_pages, _n_epochs(classifier)) if job.with_curve else ():
        # more iterations cannot take less time: where they do, it is the machine
        took = max(took, min(seconds, _fit(early, X, y, job.now)))
        curve.append(point(early, took))
        if (curve[-1]["macro_f1"] or 0.0) >= (stop["macro_f1"] or 0.0):
            break
    everything = sparse.csr_array(sparse.vstack([stacked(part)[0] for part in problem.parts]))
    n_all = sum(len(part.y) for part in problem.parts)
    return Fitted(
        seconds=seconds,
        conversion_seconds=conversion,
        objective=None,
        gap=None,
        memory_mb=memory,
        curve=[*curve, stop],
        validation=_split(classifier.predict(held_out), problem.validation),
        test=_split(classifier.predict(stacked(problem.test)[0]), problem.test),
        pages_per_second=speed(lambda: classifier.predict(everything), n_all, job.now),
    )


def _earlier(job: Job, n_pages: int, n_epochs: int) -> Iterator[Classifier]:
    """Yield the contender with later and later stops, not fitted."""
    if job.contender == "linear-svc":
        for tol in LOOSER:
            yield make_classifier(job, n_pages, max_iter=0, tol=tol)
    else:
        for n in rungs(n_epochs):
            yield make_classifier(job, n_pages, max_iter=n)


def _n_epochs(classifier: Classifier) -> int:
    return max(1, int(np.max(np.asarray(classifier.n_iter_))))


def stacked(part: Part) -> tuple[SparseRows, Labels]:
    """Return the regions of all pages, one row each, and their labels."""
    rows = sparse.csr_array(sparse.vstack(part.X, format="csr"))
    return rows, np.concatenate(part.y)


def _fit(classifier: Classifier, X: SparseRows, y: Labels, now: Callable[[], float]) -> float:
    begin = now()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the report shows the epochs
        classifier.fit(X, y)
    return now() - begin


def _split(predicted: Labels, part: Part) -> list[Labels]:
    lengths: Sequence[int] = [len(y) for y in part.y]
    return np.split(predicted.astype(np.int64), np.cumsum(lengths)[:-1])
