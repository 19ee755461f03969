"""Whether a learner that says 0.9 has it right nine times in ten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def expected_calibration_error(
    confidence: NDArray[np.float64], right: NDArray[np.bool_], n_bins: int = 10
) -> float:
    """Return the mean distance of confidence from accuracy over bins of equal width, in [0, 1].

    Parameters
    ----------
    confidence : shape (n_regions,)
        Probability of the predicted label, in [0, 1]; 1 belongs to the last bin.
    right : shape (n_regions,)
        Whether the predicted label is the right one.

    Returns
    -------
    Each bin counts by its number of regions; 0 without regions.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun, K. Weinberger (2017). On calibration of modern neural networks.
    ICML, eq. (3).
    """
    if not len(confidence):
        return 0.0
    bins = np.minimum((confidence * n_bins).astype(int), n_bins - 1)
    gaps = np.bincount(bins, weights=confidence - right, minlength=n_bins)
    return float(np.abs(gaps).sum() / len(confidence))
