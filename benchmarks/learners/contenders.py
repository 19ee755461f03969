"""Time, memory and accuracy of one contender on one problem, measured in a process of its own.

    python3 -m benchmarks.learners.contenders problem.npz < job.json

Contenders are learners of structce, ``pystruct`` (its Frank-Wolfe through the same interface) and
``crfsuite`` (L-BFGS through python-crfsuite, with the model of our CRF: a weight for each pair of
column and label, and of labels). Each is fitted to its own stop unwatched, for time and memory, and
then again for the curve. CRFsuite shows its weights at the end only, so it is fitted again for 1,
2, 3, 5, 10, ... iterations, until it labels as well as at its stop.
"""

from __future__ import annotations

import copy
import json
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict, cast

import numpy as np
import pycrfsuite  # type: ignore[import-untyped]

from benchmarks.learners.problems import Facts, Problem
from structce.arrays import Labels
from structce.learners import LEARNERS, Callback, Features, Learner, Progress, StructuredSVM
from structce.learners.inputs import check_pages
from structce.learners.solvers.lbfgs import chain_objective

KEEP_ALL = 20
"""Until this epoch all weights are kept; later one set in each tenth part of the epochs so far."""

Now = Callable[[], float]


@dataclass(frozen=True)
class Job:
    """Task of a contender.

    ``max_epochs`` are passes over the training pages, or steps of L-BFGS. ``clock`` is ``wall`` or
    ``processor``, the better measure on a machine that others use.
    """

    contender: str
    lambda_: float
    max_epochs: int
    seed: int
    clock: str

    @property
    def now(self) -> Now:
        """Function that returns seconds since some moment."""
        return time.perf_counter if self.clock == "wall" else time.process_time


class Point(TypedDict):
    """State of a contender after so many epochs; None means unknown."""

    epoch: int
    seconds: float
    objective: float | None
    macro_f1: float | None


class Measurement(TypedDict):
    """All that is measured of one contender on one problem.

    ``seconds`` is the time to the contender's own stop, ``conversion_seconds`` what it took before
    to turn CSR matrices into the engine's input, ``memory_mb`` the peak (units of 10**6 bytes) less
    what the process held when the problem was loaded. F1 is macro-averaged over all labels; the
    curve's is of validation pages.
    """

    facts: Facts
    seconds: float
    conversion_seconds: float
    n_epochs: int
    objective: float | None
    gap: float | None
    memory_mb: float
    curve: list[Point]
    validation_f1: float
    test_f1: float
    pages_per_second: float


def measure(problem: Problem, job: Job) -> Measurement:
    """Fit a contender to its stop, and return its measures."""
    return (measure_crfsuite if job.contender == "crfsuite" else measure_learner)(problem, job)


def make_learner(job: Job) -> Learner:
    """Return a learner of structce, not fitted; ``pystruct`` is an engine of one."""
    if job.contender == "linear-chain-crf":
        return LEARNERS[job.contender](lambda_=job.lambda_, max_iterations=job.max_epochs)
    settings: dict[str, Any] = {"max_epochs": job.max_epochs, "random_state": job.seed}
    if job.contender == "pystruct":
        return StructuredSVM(engine="pystruct", lambda_=job.lambda_, **settings)
    return LEARNERS[job.contender](lambda_=job.lambda_, **settings)


def measure_learner(problem: Problem, job: Job) -> Measurement:
    """Measure a learner of structce, or pystruct through the same interface."""
    baseline, now = _resident(), job.now

    def fit(callback: Callback | None) -> Learner:
        train, n_labels = problem.train, len(problem.label_set)
        return make_learner(job).fit(train.X, train.y, n_labels=n_labels, callback=callback)

    begin = now()
    learner: Any = fit(None)
    seconds, memory = now() - begin, peak() - baseline
    # Ready to be labelled: float32, which is all that weights have.
    pages = [cast(Features, page.astype(np.float32)) for part in problem.parts for page in part.X]
    curve = _watched(problem, fit, now)
    validation = learner.predict(problem.validation.X)
    return Measurement(
        facts=problem.facts(),
        seconds=seconds,
        conversion_seconds=0.0,
        n_epochs=curve[-1]["epoch"],
        objective=learner.objective_,
        gap=getattr(learner, "gap_", None),
        memory_mb=memory / 1e6,
        curve=curve,
        validation_f1=problem.macro_f1(validation, problem.validation),
        test_f1=problem.macro_f1(learner.predict(problem.test.X), problem.test),
        pages_per_second=_speed(lambda: learner.predict(pages), len(pages), now),
    )


def _watched(problem: Problem, fit: Callable[[Callback], Learner], now: Now) -> list[Point]:
    """Fit again, and return one point per epoch; the time of watching does not count."""
    points: list[Point] = []
    kept: list[tuple[np.ndarray, ...] | None] = []
    begin, lost, next_kept = now(), 0.0, 1

    def watch(progress: Progress) -> None:
        nonlocal lost, next_kept
        start, weights = now(), None
        if progress.epoch >= next_kept:
            weights = tuple(array.astype(np.float32) for array in progress.weights())
            next_kept = progress.epoch + 1 + max(0, progress.epoch - KEEP_ALL) // 10
        kept.append(weights)
        seconds = start - begin - lost
        objective = float(progress.objective)
        points.append(
            Point(epoch=progress.epoch, seconds=seconds, objective=objective, macro_f1=None)
        )
        lost += now() - start

    learner = fit(watch)
    for point, weights in zip(points, kept, strict=True):
        if weights is not None:
            shadow = copy.copy(learner)
            for name, values in zip(learner.weight_names, weights, strict=True):
                setattr(shadow, name, values.astype(np.float64))
            labels = shadow.predict(problem.validation.X)
            point["macro_f1"] = problem.macro_f1(labels, problem.validation)
    labels = learner.predict(problem.validation.X)
    points[-1]["macro_f1"] = problem.macro_f1(labels, problem.validation)
    return points


class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]  # not typed
    """Trainer that notes when each iteration ended, and when training was over."""

    def __init__(self, c2: float, now: Now) -> None:
        settings = {
            "c1": 0.0,
            "c2": c2,
            "epsilon": 1e-5,  # CRFsuite's default, and our CRF's
            "delta": 1e-5,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
        }
        super().__init__("lbfgs", settings, verbose=False)
        self.ends: dict[int, float] = {}
        self.end, self.now = math.inf, now

    def message(self, message: str) -> None:
        """Note the time of a line of the log."""
        super().message(message)
        now = self.now()
        if self.logparser.state == "ITERATION":
            self.ends[self.logparser.last_iteration["num"]] = now
        if message.startswith("Storing the model"):
            self.end = now

    def run(self, model: Path, max_iterations: int) -> tuple[float, list[Point]]:
        """Train; return the seconds without writing the model, and one point per iteration."""
        self.ends.clear()
        self.set("max_iterations", max_iterations)
        begin = self.now()
        self.train(str(model))
        return self.end - begin, [
            Point(
                epoch=step["num"],
                seconds=self.ends[step["num"]] - begin,
                objective=step["loss"],
                macro_f1=None,
            )
            for step in self.logparser.iterations
        ]


def measure_crfsuite(problem: Problem, job: Job) -> Measurement:
    """Measure CRFsuite, which minimises ``c2 |w|^2`` plus the sum of the pages' losses."""
    baseline, train, n_labels = _resident(), problem.train, len(problem.label_set)
    trainer = Trainer(job.lambda_ * len(train.y) / 2, job.now)
    begin = job.now()
    for label in range(n_labels):  # so it knows labels that never occur; their loss is constant
        trainer.append([{}], [str(label)])
    for page, y in zip(train.X, train.y, strict=True):
        if len(y):
            trainer.append(_items(page), [str(label) for label in y.tolist()])
    conversion = job.now() - begin
    validation, test = ([_items(page) for page in part.X] for part in problem.parts[1:])
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model")
        seconds, curve = trainer.run(model, job.max_epochs)
        memory = peak() - baseline
        tagger = _tagger(model)
        for point in curve:  # as ours: a mean over pages, without the regions put before them
            extra = n_labels * math.log(n_labels)
            point["objective"] = ((point["objective"] or 0.0) - extra) / len(train.y)
        final = problem.macro_f1(_tags(tagger, validation), problem.validation)
        curve[-1]["macro_f1"] = final
        for n in rungs(len(curve)):
            trainer.run(Path(folder, "early"), n)
            early = _tags(_tagger(Path(folder, "early")), validation)
            curve[n - 1]["macro_f1"] = problem.macro_f1(early, problem.validation)
            if (curve[n - 1]["macro_f1"] or 0.0) >= final:
                break
        return Measurement(
            facts=problem.facts(),
            seconds=seconds,
            conversion_seconds=conversion,
            n_epochs=curve[-1]["epoch"],
            objective=_objective(tagger, problem, job.lambda_),
            gap=None,
            memory_mb=memory / 1e6,
            curve=curve,
            validation_f1=final,
            test_f1=problem.macro_f1(_tags(tagger, test), problem.test),
            pages_per_second=_speed(lambda: _tags(tagger, test), len(test), job.now),
        )


def _items(page: Features) -> Any:
    """Return a page as CRFsuite takes it: each region's values by the columns' names."""
    columns = [str(column) for column in page.indices.tolist()]
    pairs, values = pairwise(page.indptr.tolist()), page.data.tolist()
    rows = [dict(zip(columns[a:b], values[a:b], strict=True)) for a, b in pairs]
    return pycrfsuite.ItemSequence(rows)


def _tagger(model: Path) -> Any:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))
    return tagger


def _tags(tagger: Any, pages: Sequence[Any]) -> list[Labels]:
    return [np.array([int(name) for name in tagger.tag(page)], dtype=np.int64) for page in pages]


def _objective(tagger: Any, problem: Problem, lambda_: float) -> float:
    """Return our objective at CRFsuite's weights, which it prints with six decimals."""
    n_labels, info = len(problem.label_set), tagger.info()
    emissions = np.zeros((problem.n_columns, n_labels))
    transitions = np.zeros((n_labels, n_labels))
    for (column, label), weight in info.state_features.items():
        emissions[int(column), int(label)] = weight
    for (before, after), weight in info.transitions.items():
        transitions[int(before), int(after)] = weight
    train = problem.train
    return chain_objective(check_pages(train.X), train.y, emissions, transitions, lambda_)[0]


def rungs(max_epochs: int) -> list[int]:
    """Return 1, 2, 3, 5, 10, 15, 20, 30, 40, ... as long as these are below ``max_epochs``."""
    epochs = [1, 2, 3, 5, *(10 * 2**k * h // 2 for k in range(20) for h in (2, 3))]
    return [n for n in epochs if n < max_epochs]


def _speed(label: Callable[[], object], n_pages: int, now: Now) -> float:
    """Return the pages per second of a call that labels ``n_pages``: the best of five calls."""
    times = []
    for _ in range(5):
        begin = now()
        label()
        times.append(now() - begin)
    return n_pages / max(min(times), 1e-9)


def peak() -> int:
    """Return the most memory that this process ever held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _resident() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak()
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps(measure(Problem.load(Path(sys.argv[1])), Job(**json.load(sys.stdin)))))
