"""Probabilities of labels under the Gibbs distribution of a linear chain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from scipy.special import logsumexp, softmax

from structce.arrays import Floats
from structce.learners.inference.batching import BatchLayout

WIDEST = 200.0
"""Largest difference of two transitions for which probabilities are computed without logarithms.

`ForwardBackward` says why that is exact; ``exp(2 * 200)`` is well inside what a float holds.
"""


def forward_backward(emissions: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
    """Return partition and marginals of the Gibbs distribution of one page.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        -inf forbids a label at a region, as long as another label stays.
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
    L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), sections III-A
    and V-A (scaling).
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
    packing = BatchLayout.of([len(page) for page in emissions])
    rows = np.concatenate([np.empty((0, len(transitions))), *emissions])
    partitions, nodes, edges = forward_backward_concatenated(rows, packing, transitions)
    return partitions, np.split(nodes, np.cumsum(packing.lengths))[:-1], edges


def forward_backward_concatenated(
    emissions: Floats, packing: BatchLayout, transitions: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return `forward_backward` of every page, the pages below each other in one array.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        Of the first page, then of the second, and so on.
    packing
        Of the pages' lengths.
    transitions : shape (n_labels, n_labels)

    Returns
    -------
    log_partitions : shape (n_pages,)
    node_marginals : shape (n_regions, n_labels)
    edge_marginal_sum : shape (n_labels, n_labels)
        Summed over the pages.
    """
    return ForwardBackward(packing, len(transitions))(emissions, transitions)


class ForwardBackward:
    """`forward_backward_concatenated` for the same pages again and again, in memory taken once.

    Probabilities proper, divided by their sum every so often (Rabiner 1989, section V-A). Exact
    whatever the emissions are: with its row's highest emission at 0 and the highest transition at
    0, a step leaves at least ``exp(-r)`` of the mass, where r is the transitions' range, and what
    a label may win later over another is at most ``exp(r)``. So a probability too small for a
    float, 1e-308, has no part in the result until r is in the hundreds; from `WIDEST` on, all is
    done with logarithms.

    Parameters
    ----------
    packing
        Of the pages' lengths.
    n_labels
    """

    def __init__(self, packing: BatchLayout, n_labels: int) -> None:
        self._packing = packing
        n_regions, n_pages = len(packing.order), len(packing.lengths)
        self._place = np.empty_like(packing.order)
        self._place[packing.order] = np.arange(n_regions)
        self._page = np.repeat(np.arange(n_pages), packing.lengths)[packing.order]
        self._ends = packing.last()
        self._steps = [(packing.before(t), packing.rows(t)) for t in range(1, len(packing))]
        counts = packing.ends - packing.starts
        self._later = slice(int(counts[:1].sum()), n_regions)
        self._before = np.arange(n_regions)[self._later] - np.repeat(counts[:-1], counts[1:])
        self._masses = np.empty((n_regions, 1))
        shape = (n_regions, n_labels)
        self._potentials, self._forward, self._backward, self._out = (
            np.empty(shape) for _ in range(4)
        )

    def __call__(self, emissions: Floats, transitions: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what `forward_backward_concatenated` does; the next call overwrites the nodes."""
        n_pages = len(self._packing.lengths)
        if not len(emissions):
            return np.zeros(n_pages), self._out, np.zeros(transitions.shape)
        # with a mode other than "raise", nothing is copied on the way
        scores = emissions.take(self._packing.order, 0, out=self._potentials, mode="clip")
        if transitions.max() - transitions.min() <= WIDEST:
            shares, nodes, edges = self._scaled(scores, transitions)
        else:
            shares, nodes, edges = _in_logarithms(scores, transitions, self._packing)
        nodes.take(self._place, 0, out=self._out, mode="clip")
        return np.bincount(self._page, shares, n_pages).astype(np.float64), self._out, edges

    def _scaled(self, scores: Floats, transitions: Floats) -> tuple[Floats, Floats, Floats]:
        """Return log partitions by region, node and edge marginals of packed emissions."""
        highest, width = transitions.max(), transitions.max() - transitions.min()
        peaks = reduce(np.maximum, scores.T)  # several times faster than along the short axis
        potentials = np.exp(np.subtract(scores, peaks[:, None], out=scores), out=scores)
        kernel = np.exp(transitions - highest)
        self._run_forward(kernel, max(1, int(WIDEST / (width + np.log(len(kernel)) + 1))))
        weighed = np.divide(potentials, self._masses, out=potentials)
        self._run_backward(kernel.T.copy())
        before = self._forward.take(self._before, 0, out=self._out[self._later], mode="clip")
        edges: Floats = kernel * (before.T @ weighed[self._later])
        shares = peaks + np.log(self._masses[:, 0])
        shares[self._later] += highest
        return shares, np.multiply(self._forward, self._backward, out=self._forward), edges

    def _run_forward(self, kernel: Floats, every: int) -> None:
        """Set the forward probabilities, and the masses that their rows were divided by.

        Rows are divided by their sums after so many steps, and where a page ends.
        """
        forward, masses, potentials = self._forward, self._masses, self._potentials
        forward[: self._later.start] = potentials[: self._later.start]
        masses.fill(1)
        for step, (before, rows) in enumerate(self._steps, 1):
            reached = np.matmul(forward[before], kernel, out=forward[rows])
            reached *= potentials[rows]
            if step % every == 0:
                reached /= np.sum(reached, axis=1, keepdims=True, out=masses[rows])
        left = forward[self._ends].sum(axis=1, keepdims=True)
        forward[self._ends] /= left
        masses[self._ends] *= left

    def _run_backward(self, reverse: Floats) -> None:
        """Set the backward probabilities; multiplies a row's into its potentials."""
        backward, weighed = self._backward, self._potentials
        backward[self._ends] = 1
        for before, rows in reversed(self._steps):
            arrived = weighed[rows]
            arrived *= backward[rows]
            np.matmul(arrived, reverse, out=backward[before])


def _in_logarithms(
    scores: Floats, transitions: Floats, packing: BatchLayout
) -> tuple[Floats, Floats, Floats]:
    """Return log partitions by region, node and edge marginals of packed emissions.

    Slower than with probabilities proper; for transitions of any range, -inf included.
    """
    forward, backward = scores.copy(), np.zeros_like(scores)
    for step in range(1, len(packing)):
        paths = forward[packing.before(step)].T[:, :, None] + transitions[:, None, :]
        forward[packing.rows(step)] += logsumexp(paths, axis=0)
    edges = np.zeros(transitions.shape)
    for step in range(len(packing) - 1, 0, -1):
        rows, before = packing.rows(step), packing.before(step)
        arrival = transitions[:, None, :] + (scores[rows] + backward[rows])[None]
        backward[before] = logsumexp(arrival, axis=2).T
        joint = arrival + forward[before].T[:, :, None]
        flat = joint.transpose(1, 0, 2).reshape(joint.shape[1], -1)
        edges += softmax(flat, axis=1).sum(axis=0).reshape(edges.shape)
    shares, ends = np.zeros(len(scores)), packing.last()
    shares[ends] = logsumexp(forward[ends], axis=1)
    return shares, softmax(forward + backward, axis=1), edges
