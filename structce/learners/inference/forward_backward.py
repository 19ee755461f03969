"""Forward-backward: probabilities of labels under the Gibbs distribution of a linear chain.

`forward_backward` is the textbook algorithm, in logarithms. `ForwardBackward` multiplies actual
probabilities, and a step serves all pages.

References
----------
L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), sections III-A, III-C
and V-A (scaling).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from structce import kernels
from structce.arrays import Floats, Labels
from structce.learners.inference.viterbi import BatchLayout, split_pages

WIDEST = 200.0
"""Largest difference of two transitions for which probabilities are computed without logarithms."""


def forward_backward(emissions: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
    """Return partition and marginals of the Gibbs distribution of one page.

    The log of the sum of ``exp(score)`` over all label sequences, 0 for an empty page; the
    probability of each label at each region, shape (n_regions, n_labels); the expected number of
    times that each label follows each, shape (n_labels, n_labels). An emission of -inf forbids a
    label at a region, as long as another is allowed. Rabiner (1989), equations (18) to (27) and
    (37), in logarithms.
    """
    from scipy.special import logsumexp, softmax  # late: 0.3 s, and `ForwardBackward` needs neither

    if not len(emissions):
        return 0.0, emissions.copy(), np.zeros(transitions.shape)
    forward, backward = emissions.copy(), np.zeros(emissions.shape)
    for r in range(1, len(emissions)):
        forward[r] += logsumexp(forward[r - 1][:, None] + transitions, axis=0)
    edges = np.zeros(transitions.shape)
    for r in range(len(emissions) - 2, -1, -1):
        onward = transitions + emissions[r + 1] + backward[r + 1]
        backward[r] = logsumexp(onward, axis=1)
        edges += softmax(forward[r][:, None] + onward)
    return float(logsumexp(forward[-1])), softmax(forward + backward, axis=1), edges


def forward_backward_batch(
    emissions: Sequence[Floats], transitions: Floats
) -> tuple[Floats, list[Floats], Floats]:
    """Return `forward_backward` of every page, computed for all pages at once.

    The edges, shape (n_labels, n_labels), are also summed over the pages.
    """
    lengths = np.array([len(page) for page in emissions], dtype=np.int64)
    rows = np.concatenate([np.empty((0, len(transitions))), *emissions])
    partitions, nodes, edges = ForwardBackward(lengths)(rows, transitions)
    return partitions, split_pages(nodes, lengths), edges


def node_marginals(emissions: Floats, lengths: Labels, transitions: Floats) -> Floats:
    """Return the node marginals of `forward_backward` of pages of these lengths, concatenated."""
    is_narrow = transitions.max() - transitions.min() <= WIDEST
    if kernels.chain_marginals is None or not is_narrow:
        return ForwardBackward(lengths)(emissions, transitions)[1]
    return kernels.chain_marginals(emissions, lengths, transitions)


class ForwardBackward:
    """`forward_backward` for repeated calls on pages of the same lengths.

    Uses actual probabilities, divided by their sum at intervals. Exact for any emissions: a step
    leaves at least ``exp(-r)`` of the mass, where r is the range of the transitions, so that a
    probability too small for a float does not matter until r is in the hundreds; above `WIDEST`,
    pages are computed by `forward_backward`.
    """

    def __init__(self, lengths: Labels) -> None:
        self._lengths, layout = lengths, BatchLayout.of(lengths)
        n_regions, self._order, self._ends = len(layout.order), layout.order, layout.last()
        self._page = np.repeat(np.arange(len(lengths)), lengths)[layout.order]
        self._steps = [(layout.before(t), layout.rows(t)) for t in range(1, len(layout))]
        counts = layout.ends - layout.starts
        self._later = slice(int(counts[:1].sum()), n_regions)
        self._before = np.arange(n_regions)[self._later] - np.repeat(counts[:-1], counts[1:])

    def __call__(self, emissions: Floats, transitions: Floats) -> tuple[Floats, Floats, Floats]:
        """Return `forward_backward` of all pages: scores and node marginals are concatenated."""
        if not len(emissions):
            return np.zeros(len(self._lengths)), emissions.copy(), np.zeros(transitions.shape)
        width = transitions.max() - transitions.min()
        if not width <= WIDEST:  # nan where all are -inf
            pages = split_pages(emissions, self._lengths)
            results = [forward_backward(page, transitions) for page in pages]
            of_pages = list(zip(*results, strict=True))
            partitions = np.array(of_pages[0])
            return partitions, np.concatenate(of_pages[1]), np.sum(of_pages[2], axis=0)
        scores, highest, later = emissions[self._order], transitions.max(), self._later
        peaks = reduce(np.maximum, scores.T)  # several times faster than along the short axis
        potentials = np.exp(scores - peaks[:, None])
        kernel = np.exp(transitions - highest)
        every = max(1, int(WIDEST / (width + np.log(len(kernel)) + 1)))
        forward, masses = self._forward(potentials, kernel, every)
        weighed = potentials / masses
        backward = self._backward(weighed, kernel.T.copy())
        edges = kernel * (forward[self._before].T @ weighed[later])
        shares = peaks + np.log(masses[:, 0])
        shares[later] += highest
        nodes = np.empty_like(forward)
        nodes[self._order] = forward * backward
        sums = np.bincount(self._page, shares, len(self._lengths)).astype(np.float64)
        return sums, nodes, edges

    def _forward(self, potentials: Floats, kernel: Floats, every: int) -> tuple[Floats, Floats]:
        """Return forward probabilities, and what rows are divided by at every `every`-th step."""
        forward, masses = potentials.copy(), np.ones((len(potentials), 1))
        for step, (before, rows) in enumerate(self._steps, 1):
            forward[rows] *= forward[before] @ kernel
            if step % every == 0:
                masses[rows] = forward[rows].sum(axis=1, keepdims=True)
                forward[rows] /= masses[rows]
        left = forward[self._ends].sum(axis=1, keepdims=True)
        forward[self._ends] /= left
        masses[self._ends] *= left
        return forward, masses

    def _backward(self, weighed: Floats, reverse: Floats) -> Floats:
        """Return the backward probabilities; multiplies them into the weighed potentials."""
        backward = np.ones_like(weighed)
        for before, rows in reversed(self._steps):
            weighed[rows] *= backward[rows]
            backward[before] = weighed[rows] @ reverse
        return backward
