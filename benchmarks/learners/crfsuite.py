"""Time of CRFsuite, called through python-crfsuite alone.

``crfsuite`` has the model of our CRF: a weight for each pair of column and label, and for each
pair of labels, trained with L-BFGS. ``crfsuite-observed`` is the same with CRFsuite's default:
weights only for what occurs in training. The others are its trainers of that name, with weights
for what occurs, and otherwise with its defaults.

CRFsuite shows its weights at the end only. So it is fitted to its own stop first, which gives time
and loss of every iteration, and then again for 1, 2, 3, 5, 10, ... iterations, which gives the
labels, until it labels as well as at its stop; L-BFGS does the same steps each time.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pycrfsuite  # type: ignore[import-untyped]

from benchmarks.learners.jobs import Job
from benchmarks.learners.measures import Fitted, MemoryMeter, Point, rungs, speed
from benchmarks.learners.problems import Part, Problem
from structce.arrays import Floats, Labels
from structce.learners.inputs import Features, check_pages
from structce.learners.solvers.lbfgs import chain_objective

Setting = float | int | bool
Now = Callable[[], float]

ALGORITHMS = {
    "crfsuite": "lbfgs",
    "crfsuite-observed": "lbfgs",
    "crfsuite-l2sgd": "l2sgd",
    "crfsuite-ap": "ap",
    "crfsuite-arow": "arow",
}
TOLERANCE = 1e-5  # CRFsuite's default, and our CRF's


class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]  # not typed
    """Notes when each iteration ended, and when training was over."""

    def __init__(self, algorithm: str, settings: Mapping[str, Setting], now: Now) -> None:
        super().__init__(algorithm, settings, verbose=False)
        self.ends: dict[int, float] = {}
        self.end = math.inf
        self.now = now

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
        points = [
            Point(
                epoch=iteration["num"],
                seconds=self.ends[iteration["num"]] - begin,
                objective=iteration["loss"],
                macro_f1=None,
            )
            for iteration in self.logparser.iterations
        ]
        return self.end - begin, points


def settings_of(job: Job, n_pages: int) -> dict[str, Setting]:
    """Return CRFsuite's settings; it minimises ``c2 |w|^2`` plus the sum of the pages' losses."""
    algorithm = ALGORITHMS[job.contender]
    settings: dict[str, Setting] = {}
    if algorithm in ("lbfgs", "l2sgd"):
        settings["c2"] = job.lambda_ * n_pages / 2
    if algorithm == "lbfgs":
        settings |= {"c1": 0.0, "epsilon": TOLERANCE, "delta": TOLERANCE}
    if job.contender == "crfsuite":
        settings |= {"feature.possible_states": True, "feature.possible_transitions": True}
    return settings


def measure(problem: Problem, job: Job, meter: MemoryMeter) -> Fitted:
    """Convert, fit to the stop, and then again for fewer iterations, for the curve."""
    n_labels = len(problem.label_set)
    trainer = Trainer(ALGORITHMS[job.contender], settings_of(job, len(problem.train.y)), job.now)
    begin = job.now()
    feed(trainer, problem.train, n_labels)
    conversion = job.now() - begin
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        seconds, curve = trainer.run(model, job.max_epochs)
        memory = meter.megabytes()
        validation = [items(page) for page in problem.validation.X]
        test = [items(page) for page in problem.test.X]
        tagger = open_tagger(model)
        validation_labels = [tag(tagger, page) for page in validation]
        objective = None
        if ALGORITHMS[job.contender] == "lbfgs":
            objective = _objective(tagger, problem, job.lambda_)
        final = curve[-1]["macro_f1"] = problem.macro_f1(validation_labels, problem.validation)
        for n in rungs(len(curve)) if job.with_curve else ():
            trainer.run(Path(folder) / "early", n)
            early = open_tagger(Path(folder) / "early")
            labels = [tag(early, page) for page in validation]
            curve[n - 1]["macro_f1"] = problem.macro_f1(labels, problem.validation)
            if (curve[n - 1]["macro_f1"] or 0.0) >= final:
                break
        return Fitted(
            seconds=seconds,
            conversion_seconds=conversion,
            objective=objective,
            gap=None,
            memory_mb=memory,
            curve=scaled(curve, len(problem.train.y), n_labels, known=objective is not None),
            validation=validation_labels,
            test=[tag(tagger, page) for page in test],
            pages_per_second=speed(lambda: [tagger.tag(page) for page in test], len(test), job.now),
        )


def feed(trainer: Trainer, part: Part, n_labels: int) -> None:
    """Give the trainer one region without columns for each label, and then the pages.

    So it knows labels that never occur. Such a region has the same loss whatever the weights are.
    """
    for label in range(n_labels):
        trainer.append([{}], [str(label)])
    for page, y in zip(part.X, part.y, strict=True):
        if len(y):
            trainer.append(items(page), [str(label) for label in y.tolist()])


def items(page: Features) -> pycrfsuite.ItemSequence:
    """Return a page as CRFsuite takes it: each region's values by the columns' names."""
    columns = [str(column) for column in page.indices.tolist()]
    values = page.data.tolist()
    bounds = page.indptr.tolist()
    pairs = pairwise(bounds)
    rows = [dict(zip(columns[a:b], values[a:b], strict=True)) for a, b in pairs]
    return pycrfsuite.ItemSequence(rows)


def open_tagger(model: Path) -> pycrfsuite.Tagger:
    """Return what labels pages with a stored model."""
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))
    return tagger


def tag(tagger: pycrfsuite.Tagger, page: pycrfsuite.ItemSequence) -> Labels:
    """Return the label indices of a page."""
    return np.array([int(name) for name in tagger.tag(page)], dtype=np.int64)


def scaled(curve: Sequence[Point], n_pages: int, n_labels: int, *, known: bool) -> list[Point]:
    """Return the curve with our objective in place of CRFsuite's, or None if it has another.

    CRFsuite's is the sum over the pages, and over the regions that `feed` put before them.
    """
    extra = n_labels * math.log(n_labels)
    return [
        Point(
            epoch=point["epoch"],
            seconds=point["seconds"],
            objective=((point["objective"] or 0.0) - extra) / n_pages if known else None,
            macro_f1=point["macro_f1"],
        )
        for point in curve
    ]


def _objective(tagger: pycrfsuite.Tagger, problem: Problem, lambda_: float) -> float:
    """Return our objective at CRFsuite's weights, which it prints with six decimals."""
    n_labels = len(problem.label_set)
    emissions: Floats = np.zeros((problem.n_columns, n_labels))
    transitions: Floats = np.zeros((n_labels, n_labels))
    info = tagger.info()
    for (column, label), weight in info.state_features.items():
        emissions[int(column), int(label)] = weight
    for (before, after), weight in info.transitions.items():
        transitions[int(before), int(after)] = weight
    train = problem.train
    return chain_objective(check_pages(train.X), train.y, emissions, transitions, lambda_)[0]
