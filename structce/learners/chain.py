"""Exact inference in linear chains, as pure functions of scores.

A sequence's score is the sum of the emission of every region's label and the transition of every
pair of neighbouring labels. Scores are dimensionless and must be finite.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.learners.arrays import Floats, Labels
from structce.learners.packing import Packing


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


def count_edges(y: Labels, n_labels: int) -> Floats:
    """Return how often each label follows each: shape (n_labels, n_labels), sum n_regions - 1."""
    codes = y[:-1] * n_labels + y[1:]
    counts = np.bincount(codes, minlength=n_labels * n_labels)
    return counts.reshape(n_labels, n_labels).astype(np.float64)


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


def log_sum_exp(values: Floats, axis: int) -> Floats:
    """Return ``log(sum(exp(values)))`` along an axis, without overflow."""
    highest = values.max(axis=axis, keepdims=True)
    total: Floats = np.log(np.exp(values - highest).sum(axis=axis)) + highest.squeeze(axis)
    return total


def softmax(scores: Floats) -> Floats:
    """Return each row's Gibbs probabilities: shape and order of ``scores``, rows sum to 1."""
    if not len(scores):
        return scores.copy()
    probabilities: Floats = np.exp(scores - log_sum_exp(scores, axis=1)[:, None])
    return probabilities


def forward_backward(emissions: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
    """Return partition and marginals of the Gibbs distribution of one page.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
    transitions : shape (n_labels, n_labels)

    Returns
    -------
    log_partition
        Log of the sum of ``exp(score)`` over all label sequences; 0 for an empty page.
    node_marginals : shape (n_regions, n_labels)
        Probability of each label at each region; rows sum to 1.
    edge_marginal_sum : shape (n_labels, n_labels)
        Expected number of times each label follows each.

    References
    ----------
    L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), section III-A;
    computed with logarithms, so that no score is too large.
    """
    partitions, nodes, edges = forward_backward_batch([emissions], transitions)
    return float(partitions[0]), nodes[0], edges


def forward_backward_batch(
    emissions: Sequence[Floats], transitions: Floats
) -> tuple[Floats, list[Floats], Floats]:
    """Return `forward_backward` of every page, computed for all pages at once.

    Returns
    -------
    log_partitions : shape (n_pages,)
    node_marginals
        One array a page.
    edge_marginal_sum : shape (n_labels, n_labels)
        Summed over the pages as well.
    """
    partitions = np.zeros(len(emissions))
    edges = np.zeros(transitions.shape)
    filled = [i for i, page in enumerate(emissions) if len(page)]
    if not filled:
        return partitions, [page.copy() for page in emissions], edges
    packing = Packing.of([len(page) for page in emissions])
    scores = packing.pack(emissions)
    forward = _forward(scores, transitions, packing)
    backward = np.zeros_like(scores)
    ends = packing.last()
    partitions[filled] = log_sum_exp(forward[ends], axis=1)
    for step in range(len(packing) - 1, 0, -1):
        rows, before = packing.rows(step), packing.before(step)
        arrival = transitions[:, None, :] + (scores[rows] + backward[rows])[None]
        backward[before] = log_sum_exp(arrival, axis=2).T
        joint = arrival + forward[before].T[:, :, None]
        flat = joint.transpose(1, 0, 2).reshape(joint.shape[1], -1)
        edges += softmax(flat).sum(axis=0).reshape(edges.shape)
    return partitions, packing.unpack(softmax(forward + backward)), edges


def _forward(scores: Floats, transitions: Floats, packing: Packing) -> Floats:
    """Return log forward scores of packed emissions, shape (n_regions, n_labels)."""
    forward = scores.copy()
    for step in range(1, len(packing)):
        paths = forward[packing.before(step)].T[:, :, None] + transitions[:, None, :]
        forward[packing.rows(step)] += log_sum_exp(paths, axis=0)
    return forward
