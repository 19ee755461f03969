"""Decoding from left to right, each region given the labels decided before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Floats, Labels
from structce.learners.inference.batching import BatchLayout

FEW = 5
"""Pages of the longest one's length that are decoded one by one as fast as packed; measured."""


def greedy_decode(emissions: Floats, context_weights: Floats) -> tuple[Labels, Floats]:
    """Label a page from left to right, each region given the labels decided before it.

    A region costs ``context`` additions for each label: time is linear in the number of labels,
    where that of Viterbi is quadratic.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        All finite.
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


def greedy_decode_batch(
    emissions: Sequence[Floats], context_weights: Floats
) -> tuple[list[Labels], list[Floats]]:
    """Return labels and scores of `greedy_decode` for every page, computed for all at once.

    The same to the last bit as page by page; several times faster for many pages.
    """
    lengths = [len(page) for page in emissions]
    if sum(lengths) <= FEW * max(lengths, default=0):
        pairs = [greedy_decode(page, context_weights) for page in emissions]
        return [labels for labels, _ in pairs], [scores for _, scores in pairs]
    packing = BatchLayout.of(lengths)
    scores = packing.pack(emissions)
    labels = _decode_packed(scores, packing, context_weights)
    return packing.unpack(labels), packing.unpack(scores)


def _decode_packed(scores: Floats, packing: BatchLayout, context_weights: Floats) -> Labels:
    """Return the labels of packed pages, and turn their emissions to what each step saw.

    The running scores of the next ``context`` steps stand in a ring: step ``t`` has place
    ``t % context``, which step ``t + context`` takes over. So a step adds to one array, and in
    the order in which `greedy_decode` adds.
    """
    context, n_labels, _ = context_weights.shape
    labels: Labels = np.empty(len(scores), dtype=np.int64)
    if context == 0:
        return scores.argmax(axis=1, out=labels)
    by_label = context_weights.transpose(1, 0, 2)
    by_place = [np.roll(by_label, place + 1, axis=1) for place in range(context)]
    ring = np.zeros((int(packing.ends[0]), context, n_labels))
    added = np.empty_like(ring)
    for step in range(min(context, len(packing))):
        _enter(ring, scores, packing, step)
    for step in range(len(packing)):
        rows, place = packing.rows(step), step % context
        n_pages = rows.stop - rows.start
        scores[rows] = ring[:n_pages, place]
        decided = labels[rows] = scores[rows].argmax(axis=1)
        if step + context < len(packing):
            _enter(ring, scores, packing, step + context)
        by_place[place].take(decided, axis=0, out=added[:n_pages], mode="clip")
        ring[:n_pages] += added[:n_pages]
    return labels


def _enter(ring: Floats, emissions: Floats, packing: BatchLayout, step: int) -> None:
    """Put the emissions of a step, before any context, at its place of the ring."""
    rows = packing.rows(step)
    ring[: rows.stop - rows.start, step % ring.shape[1]] = emissions[rows]
