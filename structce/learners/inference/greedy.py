"""Greedy decoding from left to right, each region given the labels decided before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Floats, Labels
from structce.learners.inference.batch import BatchLayout

FEW_PAGES = 5
"""Total length, in lengths of the longest page, up to which packing gains nothing; measured."""


def greedy_decode(emissions: Floats, context_weights: Floats) -> tuple[Labels, Floats]:
    """Label a page from left to right, each region given the labels decided before it.

    A region costs ``context`` additions for each label: time is linear in the number of labels,
    while that of Viterbi is quadratic. The farthest label is added first.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        Emission scores, all finite.
    context_weights : shape (context, n_labels, n_labels)
        ``context_weights[k, a, b]`` scores label ``b`` when the label ``k + 1`` regions earlier
        is ``a``. There is no context before the start of the page.

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
    """Return labels and scores of `greedy_decode` for every page, computed for all at once.

    The same to the last bit. Fast because each decision is added at once to all scores that it
    affects, and because, for many pages, one step serves the next region of every page.
    """
    lengths = [len(page) for page in emissions]
    if sum(lengths) <= FEW_PAGES * max(lengths, default=0):
        pairs = [_decode_alone(page, context_weights) for page in emissions]
        return [labels for labels, _ in pairs], [scores for _, scores in pairs]
    layout = BatchLayout.of(lengths)
    scores = layout.pack(emissions)
    labels = _decode_packed(scores, layout, context_weights)
    return layout.unpack(labels), layout.unpack(scores)


def _decode_alone(emissions: Floats, context_weights: Floats) -> tuple[Labels, Floats]:
    """Return `greedy_decode` of one page.

    Each decision is added at once to all regions that see it: one addition per region, where
    `greedy_decode` has one for each label before it.
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


def _decode_packed(scores: Floats, layout: BatchLayout, context_weights: Floats) -> Labels:
    """Return the labels of packed pages, and replace their emissions by the scores at each step.

    The running scores of the next ``context`` steps are kept in a ring: step ``t`` has place
    ``t % context``, which step ``t + context`` reuses. So a step adds to one array, and in the
    same order as `greedy_decode`.
    """
    context, n_labels, _ = context_weights.shape
    labels: Labels = np.empty(len(scores), dtype=np.int64)
    if context == 0:
        return scores.argmax(axis=1, out=labels)
    by_label = context_weights.transpose(1, 0, 2)
    by_place = [np.roll(by_label, place + 1, axis=1) for place in range(context)]
    ring = np.zeros((int(layout.ends[0]), context, n_labels))
    added = np.empty_like(ring)
    for step in range(min(context, len(layout))):
        _enter(ring, scores, layout, step)
    for step in range(len(layout)):
        rows, place = layout.rows(step), step % context
        n_pages = rows.stop - rows.start
        scores[rows] = ring[:n_pages, place]
        decided = labels[rows] = scores[rows].argmax(axis=1)
        if step + context < len(layout):
            _enter(ring, scores, layout, step + context)
        by_place[place].take(decided, axis=0, out=added[:n_pages], mode="clip")
        ring[:n_pages] += added[:n_pages]
    return labels


def _enter(ring: Floats, emissions: Floats, layout: BatchLayout, step: int) -> None:
    """Put the emissions of a step, before any context, at its place in the ring."""
    rows = layout.rows(step)
    ring[: rows.stop - rows.start, step % ring.shape[1]] = emissions[rows]
