"""The several best label sequences of a linear chain."""

from __future__ import annotations

import numpy as np

from structce.learners.arrays import Floats, Labels
from structce.learners.checks import check_count

MANY = 40
"""Regions from which two labels give more sequences than anybody can ask for."""


def k_best(emissions: Floats, transitions: Floats, k: int) -> list[tuple[Labels, float]]:
    """Return the highest-scoring label sequences of a linear chain, with their scores.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        -inf forbids a region a label.
    transitions : shape (n_labels, n_labels)
        ``transitions[a, b]`` scores label ``b`` right after label ``a``.
    k
        At least 1. Time and memory grow with it.

    Returns
    -------
    Pairs of labels, shape (n_regions,), and score, the best first; fewer than ``k`` where fewer
    sequences exist, those with a forbidden label not counted. On a tie the sequence with the lower
    index goes first, decided from the last region to the first, so that the first of all is
    that of `viterbi`. A page without regions has one sequence, the empty one, of score 0.

    Raises
    ------
    LearnerError
        If ``k`` is no integer of at least 1.

    References
    ----------
    N. Seshadri, C.-E. W. Sundberg (1994). List Viterbi decoding algorithms with applications.
    IEEE Trans. Comm. 42, the parallel algorithm.
    """
    check_count("k", k, least=1)
    n_regions, n_labels = emissions.shape
    if not n_regions:
        return [(np.empty(0, dtype=np.int64), 0.0)]
    width = min(int(k), n_labels ** min(n_regions, MANY))
    best, origins = _extend(emissions, transitions, width)
    state = np.argsort(-best, axis=None, kind="stable")[:width]
    totals = best.ravel()[state]
    labels = np.empty((width, n_regions), dtype=np.int64)
    for r in range(n_regions - 1, -1, -1):
        labels[:, r] = state // width
        state = origins[r].ravel()[state]
    return [
        (sequence, float(total))
        for sequence, total in zip(labels, totals, strict=True)
        if total > -np.inf
    ]


def _extend(emissions: Floats, transitions: Floats, width: int) -> tuple[Floats, Labels]:
    """Return the best sequences that end with each label, grown region by region.

    Stable sorting leaves ties in the order of the previous label, then of its own list.

    Returns
    -------
    best : shape (n_labels, width)
        Descending scores at the last region; -inf where there are no more sequences.
    origins : shape (n_regions, n_labels, width)
        Where each came from: ``previous label * width + place in its list``; 0 at the first.
    """
    n_regions, n_labels = emissions.shape
    arrivals = np.repeat(transitions.T, width, axis=1)
    origins = np.zeros((n_regions, n_labels, width), dtype=np.int64)
    best = np.full((n_labels, width), -np.inf)
    best[:, 0] = emissions[0]
    for r in range(1, n_regions):
        paths = best.ravel() + arrivals
        origins[r] = np.argsort(-paths, axis=1, kind="stable")[:, :width]
        best = np.take_along_axis(paths, origins[r], axis=1) + emissions[r][:, None]
    return best, origins
