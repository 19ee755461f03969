"""Decoding from left to right, each region given the labels decided before it."""

from __future__ import annotations

import numpy as np

from structce.learners.arrays import Floats, Labels


def greedy_decode(emissions: Floats, context_weights: Floats) -> tuple[Labels, Floats]:
    """Label a page from left to right, each region given the labels decided before it.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
    context_weights : shape (context, n_labels, n_labels)
        ``context_weights[k, a, b]`` scores label ``b`` when the label ``k + 1`` regions earlier
        is ``a``. Nothing stands before the start of the page.

    Returns
    -------
    labels : shape (n_regions,)
        On a tie the lower index wins.
    scores : shape (n_regions, n_labels)
        Emissions plus context, as each step saw them.

    References
    ----------
    A. Spengler, A. Bordes, P. Gallinari (2010). A comparison of discriminative classifiers for
    web news content extraction. RIAO, eq. (3).
    """
    context = len(context_weights)
    n_regions, n_labels = emissions.shape
    scores = np.concatenate([emissions, np.zeros((context, n_labels))])
    by_label = np.ascontiguousarray(context_weights.transpose(1, 0, 2))
    labels = np.empty(n_regions, dtype=np.int64)
    for r in range(n_regions):
        labels[r] = label = scores[r].argmax()
        scores[r + 1 : r + 1 + context] += by_label[label]
    return labels, scores[:n_regions]
