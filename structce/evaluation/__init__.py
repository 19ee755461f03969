"""Numbers only: how well labels agree, and whether a difference is more than chance."""

from structce.evaluation.calibration import (
    Bin,
    brier_score,
    check_confidence,
    expected_calibration_error,
    reliability,
)
from structce.evaluation.labels import (
    LabelScore,
    Measures,
    Scores,
    confusion,
    page_accuracies,
    score,
    score_confusion,
)
from structce.evaluation.significance import site_interval, wilcoxon

__all__ = [
    "Bin",
    "LabelScore",
    "Measures",
    "Scores",
    "brier_score",
    "check_confidence",
    "confusion",
    "expected_calibration_error",
    "page_accuracies",
    "reliability",
    "score",
    "score_confusion",
    "site_interval",
    "wilcoxon",
]
