"""Forward-backward: probabilities of labels under the Gibbs distribution of a linear chain.

`forward_backward` is the textbook algorithm, with logarithms, one page at a time.
`ForwardBackward` is fast for three reasons: it multiplies actual probabilities, with one matrix
product per step instead of a sum of exponentials; a step serves all pages; and memory is allocated
once for all calls.

References
----------
L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), sections III-A, III-C
and V-A (scaling).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from structce.arrays import Floats
from structce.learners.inference.batch import BatchLayout

WIDEST = 200.0
"""Largest difference of two transitions for which probabilities are computed without logarithms.

`ForwardBackward` explains why that is exact; ``exp(2 * 200)`` is well within the range of a float.
"""


def forward_backward(emissions: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
    """Return partition and marginals of the Gibbs distribution of one page.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        Emission scores; -inf forbids a label at a region, as long as another is allowed.
    transitions : shape (n_labels, n_labels)

    Returns
    -------
    log_partition
        Log of the sum of ``exp(score)`` over all label sequences; 0 for an empty page.
    node_marginals : shape (n_regions, n_labels)
        Probability of each label at each region; rows sum to 1.
    edge_marginal_sum : shape (n_labels, n_labels)
        Expected number of times that each label follows each.

    References
    ----------
    L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), equations (18) to
    (27) and (37), in logarithms.
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

    Returns
    -------
    log_partitions : shape (n_pages,)
    node_marginals
        One array per page.
    edge_marginal_sum : shape (n_labels, n_labels)
        Also summed over the pages.
    """
    layout = BatchLayout.of([len(page) for page in emissions])
    rows = np.concatenate([np.empty((0, len(transitions))), *emissions])
    partitions, nodes, edges = ForwardBackward(layout, len(transitions))(rows, transitions)
    return partitions, np.split(nodes, np.cumsum(layout.lengths))[:-1], edges


class ForwardBackward:
    """`forward_backward` for repeated calls on pages of the same lengths, in memory allocated once.

    Uses actual probabilities, divided by their sum at intervals (Rabiner 1989, section V-A). Exact
    for any emissions: with the highest emission of each row at 0 and the highest transition at 0, a
    step leaves at least ``exp(-r)`` of the mass, where r is the range of the transitions, and a
    label can later gain at most ``exp(r)`` over another. So a probability too small for a float,
    1e-308, does not affect the result until r is in the hundreds; above `WIDEST`, pages are
    computed by `forward_backward` one by one.
    """

    def __init__(self, layout: BatchLayout, n_labels: int) -> None:
        self._layout = layout
        n_regions, n_pages = len(layout.order), len(layout.lengths)
        self._place = np.empty_like(layout.order)
        self._place[layout.order] = np.arange(n_regions)
        self._page = np.repeat(np.arange(n_pages), layout.lengths)[layout.order]
        self._ends = layout.last()
        self._steps = [(layout.before(t), layout.rows(t)) for t in range(1, len(layout))]
        counts = layout.ends - layout.starts
        self._later = slice(int(counts[:1].sum()), n_regions)
        self._before = np.arange(n_regions)[self._later] - np.repeat(counts[:-1], counts[1:])
        self._masses = np.empty((n_regions, 1))
        shape = (n_regions, n_labels)
        self._potentials, self._forward, self._backward, self._out = (
            np.empty(shape) for _ in range(4)
        )

    def __call__(self, emissions: Floats, transitions: Floats) -> tuple[Floats, Floats, Floats]:
        """Return partitions and marginals of all pages; the next call overwrites the nodes.

        ``emissions`` are the scores of all pages, concatenated, and so are the node marginals;
        edges are summed over the pages. `forward_backward` describes the results.
        """
        lengths = self._layout.lengths
        if not len(emissions):
            return np.zeros(len(lengths)), self._out, np.zeros(transitions.shape)
        if not transitions.max() - transitions.min() <= WIDEST:  # nan where all are -inf
            pages = np.split(emissions, np.cumsum(lengths)[:-1])
            results = [forward_backward(page, transitions) for page in pages]
            np.concatenate([nodes for _, nodes, _ in results], out=self._out)
            edges = np.sum([edges for _, _, edges in results], axis=0)
            return np.array([partition for partition, _, _ in results]), self._out, edges
        # modes other than "raise" avoid a copy
        scores = emissions.take(self._layout.order, 0, out=self._potentials, mode="clip")
        shares, marginals, edge_sum = self._scaled(scores, transitions)
        marginals.take(self._place, 0, out=self._out, mode="clip")
        partitions = np.bincount(self._page, shares, len(lengths)).astype(np.float64)
        return partitions, self._out, edge_sum

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

        Rows are divided by their sums every ``every`` steps, and at the end of each page.
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
        """Set the backward probabilities; multiplies them into the potentials."""
        backward, weighed = self._backward, self._potentials
        backward[self._ends] = 1
        for before, rows in reversed(self._steps):
            arrived = weighed[rows]
            arrived *= backward[rows]
            np.matmul(arrived, reverse, out=backward[before])
