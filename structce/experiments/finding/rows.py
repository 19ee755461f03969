"""Scores of learners over all test pages, and how two of them differ, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from structce.evaluation import Bin, FieldScore, Scores, SegmentScores
from structce.experiments.finding.trials import Trial

Interval = tuple[float, float]
"""Lower and upper end of a 95 per cent interval from drawing whole sites again."""


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


@dataclass(frozen=True)
class Calibration:
    """How well a learner's confidence agrees with being right, without calibration and with it."""

    before: Reliability
    after: Reliability


@dataclass(frozen=True)
class Row:
    """A learner's scores pooled over all test pages, whatever features or pages it was given.

    Parameters
    ----------
    scores
        Region by region.
    segments
        Segment by segment: a title split over three regions is one title.
    fields
        Label by label, background left out: pages whose regions of the label are found exactly.
    page_exactness
        Share of test pages without any wrong region, in [0, 1].
    confusion : shape (n_labels, n_labels)
        Gold labels are rows, in the order of the label set.
    page_accuracy
        By page; pages without regions of known label have none. A page that is tested in several
        splits has the mean.
    intervals
        By measure: ``accuracy``, ``macro_f1``, ``macro_f1_foreground``, ``page_exactness``, and
        ``f1.Title`` and so on for every label that occurs.
    trials
        One a split.
    """

    scores: Scores
    segments: SegmentScores
    fields: tuple[FieldScore, ...]
    page_exactness: float
    confusion: tuple[tuple[int, ...], ...]
    page_accuracy: Mapping[str, float]
    intervals: Mapping[str, Interval]
    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class ArmResult:
    """One arm of the experiment: a learner with its grid, tuned and tested on every split.

    Parameters
    ----------
    calibration
        None for a learner that does not tell how sure it is.
    """

    name: str
    row: Row
    calibration: Calibration | None = None


@dataclass(frozen=True)
class Pair:
    """Two rows on the same test pages: by how much they differ, and whether it is chance.

    Parameters
    ----------
    first, second
        Names of arms, or of parts of the features.
    difference
        Mean over pages of the accuracy of the first minus that of the second, in [-1, 1].
    interval
        Of the difference; (-1, 1) if nothing is known.
    p
        Of Wilcoxon's matched-pairs signed-ranks test over pages, two-sided.
    p_holm
        The same after Holm's correction over the pairs that stand in one table.
    effect
        Matched-pairs rank-biserial correlation, in [-1, 1]: share of the ranks of differences in
        favour of the first minus that in favour of the second; 0 if no page differs.
    n_pages, n_differ
        Pages that were compared, and those on which the two differ.
    macro_difference, macro_interval
        Macro F1 of the first minus that of the second, and its interval.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    p: float
    p_holm: float
    effect: float
    n_pages: int
    n_differ: int
    macro_difference: float
    macro_interval: Interval


@dataclass(frozen=True)
class Power:
    """How small a difference the test pages could have shown.

    Parameters
    ----------
    n_pages
        Test pages with an accuracy.
    spread
        Standard deviation over pages of the difference of the two arms, the median of all pairs.
    detectable
        Least mean difference of page accuracy that a Wilcoxon test at the 0.05 level would find in
        four experiments of five; None if nothing can be said.
    is_small
        Whether that is more than one point, so that finding no difference says little.
    """

    n_pages: int
    spread: float
    detectable: float | None
    is_small: bool


@dataclass(frozen=True)
class Ablation:
    """An arm that was given a part of the features, at the full set's hyper-parameters.

    Parameters
    ----------
    kind, family
        ``without`` or ``only``, and which family.
    n_columns
        One number a split, the bias counted.
    pair
        Against the same arm with all features.
    """

    arm: str
    kind: str
    family: str
    n_columns: tuple[int, ...]
    row: Row
    pair: Pair

    @property
    def name(self) -> str:
        """The part in words: ``without text``."""
        return f"{self.kind} {self.family}"


@dataclass(frozen=True)
class LearningPoint:
    """An arm fitted on a share of the training pages, at the hyper-parameters of all of them.

    Parameters
    ----------
    share
        Of the sites (or pages, in a split by page) of training and validation part, in (0, 1].
    n_pages
        Mean over splits.
    """

    arm: str
    share: float
    n_pages: float
    row: Row


@dataclass(frozen=True)
class Failure:
    """A unit that raised; what hangs on it has no scores.

    Parameters
    ----------
    unit
        What was being done: ``structured-svm, lambda = 0.1, split 1``.
    error
        Class and message.
    """

    arm: str
    unit: str
    error: str
