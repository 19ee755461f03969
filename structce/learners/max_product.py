"""The best label sequences of linear chains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.learners.arrays import Floats, Labels
from structce.learners.packing import Packing


def viterbi(emissions: Floats, transitions: Floats) -> Labels:
    """Return the highest-scoring label sequence of a linear chain.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
    transitions : shape (n_labels, n_labels)
        ``transitions[a, b]`` scores label ``b`` right after label ``a``.

    Returns
    -------
    shape (n_regions,)
        Empty for a page without regions. On a tie the lower index wins, decided from the last
        region to the first.

    References
    ----------
    L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), section III-B.
    """
    n_regions = len(emissions)
    labels = np.empty(n_regions, dtype=np.int64)
    if n_regions == 0:
        return labels
    best = emissions.copy()
    steps = np.empty_like(transitions)
    reached = np.empty(emissions.shape[1])
    for previous, row in zip(best[:-1, :, None], best[1:], strict=True):
        np.add(previous, transitions, out=steps)
        np.maximum.reduce(steps, axis=0, out=reached)
        row += reached
    label = labels[-1] = best[-1].argmax()
    arrivals = transitions.T.copy()
    for r in range(n_regions - 2, -1, -1):
        label = labels[r] = (best[r] + arrivals[label]).argmax()
    return labels


def viterbi_batch(emissions: Sequence[Floats], transitions: Floats) -> list[Labels]:
    """Return `viterbi` of every page, computed for all pages at once.

    The same labels as page by page, ties included; several times faster for many pages.
    """
    if not any(len(page) for page in emissions):
        return [np.empty(0, dtype=np.int64) for _ in emissions]
    packing = Packing.of([len(page) for page in emissions])
    best = packing.pack(emissions)
    for step in range(1, len(packing)):
        previous = best[packing.before(step)].T[:, :, None]
        best[packing.rows(step)] += (previous + transitions[:, None, :]).max(axis=0)
    labels = np.empty(len(best), dtype=np.int64)
    for step in range(len(packing) - 1, -1, -1):
        rows = packing.rows(step)
        if step + 1 < len(packing):
            best[packing.before(step + 1)] += transitions.T[labels[packing.rows(step + 1)]]
        labels[rows] = best[rows].argmax(axis=1)
    return packing.unpack(labels)
