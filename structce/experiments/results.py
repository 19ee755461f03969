"""What an experiment found, as values: trials, scores, comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from structce.evaluation import Bin, Scores, brier_score, expected_calibration_error, reliability
from structce.evaluation.significance import LEVEL
from structce.experiments.families import Variant
from structce.experiments.inputs import Source, Split
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
class Comparison:
    """A learner, or a part of its features, against the reference, on the same test pages.

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
    """How well confidence agrees with being right, over the known regions of all test pages.

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
        By page; pages without regions of known label have none.
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


@dataclass(frozen=True, eq=False)
class Ablation:
    """A learner that was given a part of the features, at the full set's hyper-parameters.

    Parameters
    ----------
    n_columns
        One number a split, the bias counted.
    row
        Compared with the same learner and all features; nothing was tuned or calibrated.
    """

    variant: Variant
    n_columns: tuple[int, ...]
    row: LearnerResult | Failure


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
        By label the regions of all test pages; those of unknown label are in none.
    ablations
        By learner one entry a part of the features, in the order of the experiment; none for a
        learner that failed.
    """

    experiment: Experiment
    source: Source
    splits: tuple[Split, ...]
    learners: tuple[LearnerResult | Failure, ...]
    n_train: Mapping[str, float]
    n_test: Mapping[str, int]
    ablations: Mapping[str, tuple[Ablation, ...]] = field(default_factory=dict)

    @property
    def succeeded(self) -> tuple[LearnerResult, ...]:
        """The learners that have scores."""
        return tuple(row for row in self.learners if isinstance(row, LearnerResult))

    @property
    def failed(self) -> tuple[Failure, ...]:
        """The learners that raised."""
        return tuple(row for row in self.learners if isinstance(row, Failure))

    @property
    def ablated(self) -> tuple[LearnerResult, ...]:
        """The learners that were given parts of the features, too."""
        return tuple(row for row in self.succeeded if row.learner in self.ablations)

    @property
    def is_complete(self) -> bool:
        """Whether nothing raised, neither with all features nor with a part of them."""
        parts = (one.row for ablations in self.ablations.values() for one in ablations)
        return not any(isinstance(row, Failure) for row in (*self.learners, *parts))
