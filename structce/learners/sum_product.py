"""Probabilities of labels under the Gibbs distribution of a linear chain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.learners.arrays import Floats
from structce.learners.packing import Packing


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
