"""Evaluation of predicted labels: scores, calibration, intervals and significance."""

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
    field_counts,
    is_wrong,
    label_scores,
    macro,
    page_accuracies,
    pooled,
    score,
    score_confusion,
    segment_counts,
)
from structce.evaluation.overlap import (
    FOUR,
    LINES,
    QUARTILES,
    Overlap,
    bag_overlap,
    block_overlap,
    character_overlap,
    complexity,
    fold_space,
    four_overlaps,
    levenshtein_ratio,
    line_overlaps,
    lines_present,
    quantile_groups,
    rouge_lsum,
    rouge_n,
    sequence_overlap,
    set_overlap,
    shingle_counts,
    shingle_overlap,
    word_runs,
    words,
)
from structce.evaluation.perturbations import PERTURBATIONS, Perturbed, perturb, unperturbed
from structce.evaluation.rater_agreement import MISSING, Agreement, rater_agreement
from structce.evaluation.significance import (
    LEVEL,
    critical_difference,
    detectable_difference,
    friedman,
    holm,
    mean_ranks,
    nemenyi,
    rank_biserial,
    wilcoxon,
)

__all__ = [
    "FOUR", "LEVEL", "LINES", "MISSING", "N_RESAMPLES",
    "PERTURBATIONS", "QUARTILES", "Agreement", "Interval", "LabelScore", "Measures", "Overlap",
    "Perturbed", "ReliabilityBin", "Scores", "bag_overlap", "block_overlap",
    "brier_score", "character_overlap", "check_confidence", "complexity", "confusion",
    "confusion_intervals", "critical_difference", "detectable_difference", "drawn_f1",
    "expected_calibration_error", "f1_of", "field_counts", "fold_space", "four_overlaps",
    "friedman", "holm", "is_title", "is_wrong", "label_counts", "label_scores", "levenshtein_ratio",
    "line_overlaps", "lines_present", "macro", "macro_difference_interval", "macro_of",
    "mean_ranks", "name_key", "nemenyi", "page_accuracies", "perturb", "pooled",
    "quantile_groups", "rank_biserial", "rater_agreement", "reliability", "rouge_lsum",
    "rouge_n", "score", "score_confusion", "segment_counts", "sequence_overlap", "set_overlap",
    "share_interval", "shingle_counts", "shingle_overlap", "site_draws", "site_interval",
    "unperturbed", "wilcoxon", "word_runs", "words",
]  # fmt: skip
