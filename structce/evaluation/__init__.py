"""Evaluation of predicted labels: scores, calibration, intervals and significance."""

from typing import TYPE_CHECKING

from structce.evaluation.article_measures import is_title, name_key
from structce.evaluation.bootstrap import (
    N_RESAMPLES,
    Interval,
    confusion_intervals,
    drawn_f1,
    f1_of,
    label_counts,
    macro_difference_interval,
    macro_of,
    share_interval,
    site_draws,
    site_interval,
)
from structce.evaluation.calibration import (
    ReliabilityBin,
    brier_score,
    check_confidence,
    expected_calibration_error,
    reliability,
)
from structce.evaluation.metrics import (
    LabelScore,
    Measures,
    Scores,
    confusion,
    is_wrong,
    label_scores,
    macro,
    pooled,
    score,
    score_confusion,
    segment_counts,
)
from structce.evaluation.overlap import (
    FOUR,
    LINES,
    Overlap,
    bag_overlap,
    block_overlap,
    character_overlap,
    fold_space,
    four_overlaps,
    line_overlaps,
    lines_present,
    rouge_lsum,
    sequence_overlap,
    set_overlap,
    shingle_counts,
    shingle_overlap,
    word_runs,
    words,
)
from structce.evaluation.perturbations import PERTURBATIONS, Perturbed, perturb, unperturbed
from structce.evaluation.rater_agreement import MISSING, Agreement, rater_agreement
from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.evaluation.significance import LEVEL, holm, rank_biserial, wilcoxon

__all__ = [
    "FOUR", "LEVEL", "LINES", "MISSING", "N_RESAMPLES", "PERTURBATIONS", "Agreement",
    "Interval", "LabelScore", "Measures", "Overlap", "Perturbed", "ReliabilityBin", "Scores",
    "bag_overlap", "block_overlap", "brier_score", "character_overlap", "check_confidence",
    "confusion", "confusion_intervals", "drawn_f1", "expected_calibration_error", "f1_of",
    "fold_space", "four_overlaps", "holm", "is_title", "is_wrong", "label_counts",
    "label_scores", "line_overlaps", "lines_present", "macro",
    "macro_difference_interval", "macro_of", "name_key", "perturb", "pooled", "rank_biserial",
    "rater_agreement", "reliability", "rouge_lsum", "score",
    "score_confusion", "segment_counts", "sequence_overlap", "set_overlap", "share_interval",
    "shingle_counts", "shingle_overlap", "site_draws", "site_interval", "unperturbed",
    "wilcoxon", "word_runs", "words",
]  # fmt: skip

# SciPy's tests are imported at first use, because extraction measures overlaps without them.
_LATE = "LEVEL holm rank_biserial wilcoxon"

__getattr__ = lazy_names(__name__, dict.fromkeys(_LATE.split(), "structce.evaluation.significance"))
