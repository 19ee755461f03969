"""Sequences of labels in a linear chain: their score and their transitions.

A sequence's score is the sum of the emission of every region's label and the transition of every
pair of neighbouring labels. Scores are dimensionless.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.learners.arrays import Floats, Labels


def score(emissions: Floats, transitions: Floats, y: Labels) -> float:
    """Return the score of one label sequence; 0 for an empty page.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
    transitions : shape (n_labels, n_labels)
        ``transitions[a, b]`` scores label ``b`` right after label ``a``.
    y : shape (n_regions,)
    """
    nodes = emissions[np.arange(len(y)), y].sum()
    return float(nodes + transitions[y[:-1], y[1:]].sum())


def count_edges(y: Labels, n_labels: int, has_left: NDArray[np.bool_] | None = None) -> Floats:
    """Return how often each label follows each, shape (n_labels, n_labels).

    Parameters
    ----------
    y : shape (n_regions,)
    n_labels
    has_left : shape (n_regions,)
        Whether a region follows the one before it; by default all but the first do, and the
        counts sum to ``n_regions - 1``.
    """
    right = np.arange(1, len(y)) if has_left is None else np.flatnonzero(has_left)
    codes = y[right - 1] * n_labels + y[right]
    counts = np.bincount(codes, minlength=n_labels * n_labels)
    return counts.reshape(n_labels, n_labels).astype(np.float64)
