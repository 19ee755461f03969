"""Numbers only: how well labels agree, and whether a difference is more than chance."""

from structce.evaluation.bootstrap import (
    N_RESAMPLES,
    confusion_intervals,
    macro_difference_interval,
    share_interval,
    site_draws,
    site_interval,
)
from structce.evaluation.calibration import (
    Bin,
    brier_score,
    check_confidence,
    expected_calibration_error,
    reliability,
)
from structce.evaluation.fields import FieldScore, field_counts, is_exact, score_fields
from structce.evaluation.labels import (
    Scores,
    confusion,
    page_accuracies,
    score,
    score_confusion,
)
from structce.evaluation.measures import LabelScore, Measures
from structce.evaluation.power import detectable_difference
from structce.evaluation.ranking import critical_difference, friedman, mean_ranks, nemenyi
from structce.evaluation.segments import SegmentScores, score_segments, segment_counts
from structce.evaluation.significance import LEVEL, holm, rank_biserial, wilcoxon

__all__ = [
    "LEVEL",
    "N_RESAMPLES",
    "Bin",
    "FieldScore",
    "LabelScore",
    "Measures",
    "Scores",
    "SegmentScores",
    "brier_score",
    "check_confidence",
    "confusion",
    "confusion_intervals",
    "critical_difference",
    "detectable_difference",
    "expected_calibration_error",
    "field_counts",
    "friedman",
    "holm",
    "is_exact",
    "macro_difference_interval",
    "mean_ranks",
    "nemenyi",
    "page_accuracies",
    "rank_biserial",
    "reliability",
    "score",
    "score_confusion",
    "score_fields",
    "score_segments",
    "segment_counts",
    "share_interval",
    "site_draws",
    "site_interval",
    "wilcoxon",
]
