"""Greedy decoding from left to right, each region given the labels decided before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Floats, Labels


def greedy_decode(emissions: Floats, context_weights: Floats) -> tuple[Labels, Floats]:
    """Label a page from left to right, each region given the labels decided before it.

    Returned are the labels, of which the lower index wins a tie, and the scores as each step saw
    them: emissions, shape (n_regions, n_labels), plus context. ``context_weights[k, a, b]`` scores
    label ``b`` when the label ``k + 1`` regions earlier is ``a``. Time is linear in the number of
    labels, while that of Viterbi is quadratic. The farthest label is added first.

    References
    ----------
    A. Spengler, A. Bordes, P. Gallinari (2010). A comparison of discriminative classifiers for
    web news content extraction. RIAO, eq. (3).
    """
    scores = emissions.copy()
    labels = np.empty(len(emissions), dtype=np.int64)
    for r in range(len(emissions)):
        for k in reversed(range(min(len(context_weights), r))):
            scores[r] += context_weights[k, labels[r - k - 1]]
        labels[r] = scores[r].argmax()
    return labels, scores


def greedy_decode_batch(
    emissions: Sequence[Floats], context_weights: Floats
) -> tuple[list[Labels], list[Floats]]:
    """Return labels and scores of `greedy_decode` for every page, the same to the last bit.

    Each decision is added at once to all regions that see it: one addition per region, where
    `greedy_decode` has one for each label before it.
    """
    context, n_labels, _ = context_weights.shape
    by_label = np.ascontiguousarray(context_weights.transpose(1, 0, 2))
    labels_of_pages, scores_of_pages = [], []
    for page in emissions:
        scores = np.concatenate([page, np.zeros((context, n_labels))])
        labels = np.empty(len(page), dtype=np.int64)
        for r in range(len(page)):
            labels[r] = label = scores[r].argmax()
            scores[r + 1 : r + 1 + context] += by_label[label]
        labels_of_pages.append(labels)
        scores_of_pages.append(scores[: len(page)])
    return labels_of_pages, scores_of_pages
