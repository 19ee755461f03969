"""What an experiment found, as values: splits, trials, scores, comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.corpus import Corpus
from structce.evaluation import Bin, Scores, brier_score, expected_calibration_error, reliability
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
class Confidence:
    """How sure the tested model said it was, before it was calibrated and after.

    Parameters
    ----------
    temperature
        That of the calibration, above 0; before it is 1.
    before, after
        One array a test page: the probability of each predicted label, in [0, 1].
    """

    temperature: float
    before: tuple[NDArray[np.float64], ...]
    after: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """One learner on one split.

    Parameters
    ----------
    parameters
        The best of the grid; on a tie the first.
    points
        The grid, in its order; empty if there was nothing to choose and nothing to calibrate.
    stop
        What the model that was tested tells of its stop.
    seconds
        Wall clock: ``tuning`` and calibration, ``training`` of the model that was tested, its
        ``prediction``.
    predictions
        One array of label indices a test page.
    confusion : shape (n_labels, n_labels)
        Of the predictions; gold labels are rows.
    warnings
        What the learner warned of, each once, and whether the tested model is unfinished.
    confidence
        None for a learner that tells none.
    """

    parameters: Parameters
    points: tuple[Point, ...]
    stop: Mapping[str, float | None]
    seconds: Mapping[str, float]
    predictions: tuple[NDArray[np.int64], ...]
    confusion: NDArray[np.int64]
    warnings: tuple[str, ...] = ()
    confidence: Confidence | None = None


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


@dataclass(frozen=True)
class Reliability:
    """How well confidence agrees with being right, over the regions of all test pages.

    Parameters
    ----------
    error
        Expected calibration error, in [0, 1].
    brier
        Brier score of the predicted labels, in [0, 1].
    bins
        The points of the reliability diagram.
    """

    error: float
    brier: float
    bins: tuple[Bin, ...]

    @classmethod
    def of(cls, confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> Reliability:
        """Return what is measured of confidences; see :func:`structce.evaluation.reliability`."""
        return cls(
            expected_calibration_error(confidence, right),
            brier_score(confidence, right),
            reliability(confidence, right),
        )


@dataclass(frozen=True)
class Calibration:
    """How well a learner's confidence agrees with being right, without calibration and with it."""

    before: Reliability
    after: Reliability


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
    calibration
        None for a learner that does not tell how sure it is.
    """

    learner: str
    trials: tuple[Trial, ...]
    scores: Scores
    confusion: NDArray[np.int64]
    page_accuracy: Mapping[str, float]
    comparison: Comparison | None = None
    calibration: Calibration | None = None


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
