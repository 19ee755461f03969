"""What an experiment found, as values: splits, trials, scores, comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.corpus import Corpus
from structce.evaluation import Scores
from structce.evaluation.significance import LEVEL
from structce.experiments.spec import Experiment, Parameters


@dataclass(frozen=True)
class Point:
    """One point of a grid: fitted on the training part, measured on the validation part.

    Parameters
    ----------
    macro_f1
        Over all labels that occur, in [0, 1].
    stop
        What the learner tells of its stop: ``gap`` or ``gradient_norm``, ``objective``, ...
    """

    parameters: Parameters
    macro_f1: float
    stop: Mapping[str, float | None]


@dataclass(frozen=True, eq=False)
class Trial:
    """One learner on one split.

    Parameters
    ----------
    parameters
        The best of the grid; on a tie the first.
    points
        The grid, in its order; empty if there was nothing to choose.
    stop
        What the model that was tested tells of its stop.
    seconds
        Wall clock: ``tuning``, ``training`` of the model that was tested, its ``prediction``.
    predictions
        One array of label indices a test page.
    confusion : shape (n_labels, n_labels)
        Of the predictions; gold labels are rows.
    warnings
        What the learner warned of, each once, and whether the tested model is unfinished.
    """

    parameters: Parameters
    points: tuple[Point, ...]
    stop: Mapping[str, float | None]
    seconds: Mapping[str, float]
    predictions: tuple[NDArray[np.int64], ...]
    confusion: NDArray[np.int64]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """The pages and the sites of one part of a split; both sorted."""

    pages: tuple[str, ...]
    sites: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus) -> Part:
        """Return the part that a corpus is."""
        return cls(tuple(sorted(page.id for page in corpus)), corpus.sites)


@dataclass(frozen=True)
class Split:
    """Which pages served for what, and how many columns the training pages gave.

    Parameters
    ----------
    seconds
        Wall clock of computing the features of all three parts.
    """

    train: Part
    validation: Part
    test: Part
    n_columns: int
    seconds: float


@dataclass(frozen=True)
class Comparison:
    """A learner against the reference, on the same test pages.

    Parameters
    ----------
    difference
        Mean over pages of the accuracy minus that of the reference, in [-1, 1].
    interval
        Of the difference, 95 per cent, from drawing sites again; (-1, 1) if nothing is known.
    p
        Of Wilcoxon's matched-pairs signed-ranks test over pages.
    """

    reference: str
    difference: float
    interval: tuple[float, float]
    p: float

    @property
    def is_significant(self) -> bool:
        """Whether p is 0.05 or less: the star of Table 2."""
        return self.p <= LEVEL


@dataclass(frozen=True, eq=False)
class LearnerResult:
    """A learner's trials, and its scores pooled over all test pages.

    Parameters
    ----------
    confusion : shape (n_labels, n_labels)
        Gold labels are rows.
    page_accuracy
        By page; pages without regions have none.
    comparison
        None for the reference itself.
    """

    learner: str
    trials: tuple[Trial, ...]
    scores: Scores
    confusion: NDArray[np.int64]
    page_accuracy: Mapping[str, float]
    comparison: Comparison | None = None


@dataclass(frozen=True)
class Failure:
    """A learner that raised; it has no scores."""

    learner: str
    error: str


@dataclass(frozen=True)
class Source:
    """The corpus of an experiment, without its pages; ``counts`` are regions by label."""

    name: str
    digest: str
    n_pages: int
    sites: tuple[str, ...]
    renderer: str
    counts: Mapping[str, int]
    background: str

    @classmethod
    def of(cls, corpus: Corpus) -> Source:
        """Return what a report says of a corpus."""
        return cls(
            name=corpus.name,
            digest=corpus.digest,
            n_pages=len(corpus),
            sites=corpus.sites,
            renderer=corpus.renderer,
            counts=corpus.counts,
            background=corpus.label_set.background,
        )


@dataclass(frozen=True, eq=False)
class Result:
    """Everything that an experiment found.

    Parameters
    ----------
    learners
        One row a learner, in the order of the experiment, failures among them.
    n_train
        By label the regions that a tested model was fitted on, validation pages included;
        the mean over folds.
    n_test
        By label the regions of all test pages.
    """

    experiment: Experiment
    source: Source
    splits: tuple[Split, ...]
    learners: tuple[LearnerResult | Failure, ...]
    n_train: Mapping[str, float]
    n_test: Mapping[str, int]

    @property
    def succeeded(self) -> tuple[LearnerResult, ...]:
        """The learners that have scores."""
        return tuple(row for row in self.learners if isinstance(row, LearnerResult))

    @property
    def failed(self) -> tuple[Failure, ...]:
        """The learners that raised."""
        return tuple(row for row in self.learners if isinstance(row, Failure))
