"""Small quadratic problems that steps of the SVMs' solver come down to."""

from __future__ import annotations

import numpy as np

from structce.learners.arrays import Floats

SWEEPS = 3
"""Passes over the steps of one box; our choice: on Fundus pages more gained nothing."""

TINY = 1e-12


def project(points: Floats) -> Floats:
    """Return the nearest point of the probability simplex to each row.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra (2008). Efficient projections onto the
    l1-ball for learning in high dimensions. ICML, figure 1.
    """
    shifted = points - points.max(axis=1, keepdims=True)
    descending = -np.sort(-shifted, axis=1)
    excess = descending.cumsum(axis=1) - 1
    counts = np.arange(1, points.shape[1] + 1)
    n_kept = (descending * counts > excess).sum(axis=1)
    threshold = excess[np.arange(len(points)), n_kept - 1] / n_kept
    nearest: Floats = np.maximum(shifted - threshold[:, None], 0)
    return nearest


def box_steps(gains: Floats, curvature: Floats, limits: Floats) -> Floats:
    """Return steps from 0 to their limits that raise ``gains @ t - t @ curvature @ t / 2``.

    Coordinate ascent from 0, at most `SWEEPS` passes; every step is exact given the others, so
    the value never falls below 0.

    Parameters
    ----------
    gains : shape (n_steps,)
    curvature : shape (n_steps, n_steps)
        Symmetric and positive semi-definite.
    limits : shape (n_steps,)
        At least 0.
    """
    steps = [0.0] * len(gains)
    slopes = gains.copy()
    bends = np.maximum(curvature.diagonal(), TINY).tolist()
    ends = limits.tolist()
    for _ in range(SWEEPS):
        largest = 0.0
        for i, (bend, end) in enumerate(zip(bends, ends, strict=True)):
            old = steps[i]
            new = min(end, max(0.0, old + slopes.item(i) / bend))
            change = new - old
            if abs(change) > 1e-6 * end:
                slopes -= curvature[i] * change
                steps[i] = new
                largest = max(largest, abs(change) / end)
        if largest < 1e-2:
            break
    return np.array(steps)
