"""Calibration of confidences: reliability diagram, expected calibration error, Brier score.

Everywhere ``confidence`` has the shape (n_regions,): the probability of the predicted label, in
[0, 1]. ``right``, of the same shape, says whether that label is right; regions whose right label is
unknown must be removed beforehand. Other arrays raise a LearnerError.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats
from structce.errors import LearnerError

_N_BINS = 10  # fewer than the 15 of Guo et al. (2017): test pages have few doubtful regions

_TOLERANCE = 1e-9  # by which the rounded sum of probabilities may leave [0, 1]


class ReliabilityBin(NamedTuple):
    """Regions of a confidence in [low, high): a point of the reliability diagram."""

    low: float
    high: float
    n_regions: int
    confidence: float
    accuracy: float


def reliability(confidence: Floats, right: Flags, n_bins: int = _N_BINS) -> list[ReliabilityBin]:
    """Return mean confidence and accuracy by bins of equal width, from low to high.

    A value on the border of two bins belongs to the upper one, and 1 to the last. Bins without
    regions are left out.

    References
    ----------
    A. Niculescu-Mizil, R. Caruana (2005). Predicting good probabilities with supervised
    learning. ICML (reliability diagrams).
    """
    check_confidence(confidence, right)
    place = np.clip((confidence * n_bins).astype(np.int64), 0, n_bins - 1)
    n, sure, hits = (np.bincount(place, weights=w) for w in (None, confidence, right))
    return [
        ReliabilityBin(
            i / n_bins, (i + 1) / n_bins, int(n[i]), float(sure[i] / n[i]), float(hits[i] / n[i])
        )
        for i in np.flatnonzero(n).tolist()
    ]


def expected_calibration_error(confidence: Floats, right: Flags, n_bins: int = _N_BINS) -> float:
    """Return the mean distance of confidence and accuracy over bins of equal width, in [0, 1].

    Each bin counts by its number of regions; 0 without regions.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun, K. Weinberger (2017). On calibration of modern neural networks.
    ICML, eq. (3).
    """
    bins = reliability(confidence, right, n_bins)
    distances = [b.n_regions * abs(b.confidence - b.accuracy) for b in bins]
    return float(sum(distances) / len(confidence)) if bins else 0.0


def brier_score(confidence: Floats, right: Flags) -> float:
    """Return the mean squared distance of confidence from 1 if right and 0 if wrong, in [0, 1].

    It is 0 without regions.

    References
    ----------
    G. W. Brier (1950). Verification of forecasts expressed in terms of probability. Monthly
    Weather Review 78(1), eq. (2), of the event that the predicted label is right.
    """
    check_confidence(confidence, right)
    return float(np.mean((confidence - right) ** 2)) if len(confidence) else 0.0


def check_confidence(confidence: Floats, right: Flags) -> None:
    """Raise LearnerError unless the values are probabilities, one for each of ``right``."""
    if confidence.shape != right.shape or confidence.ndim != 1:
        raise LearnerError(f"confidence has shape {confidence.shape}, right has {right.shape}")
    if not ((confidence >= -_TOLERANCE) & (confidence <= 1 + _TOLERANCE)).all():
        raise LearnerError("a confidence is not in [0, 1]")
