"""Numbers only: how well labels agree, and whether a difference is more than chance."""

from structce.evaluation.calibration import expected_calibration_error
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
    "LabelScore",
    "Measures",
    "Scores",
    "confusion",
    "expected_calibration_error",
    "page_accuracies",
    "score",
    "score_confusion",
    "site_interval",
    "wilcoxon",
]
