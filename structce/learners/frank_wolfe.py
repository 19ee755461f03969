"""Block-coordinate Frank-Wolfe, the solver that the SVMs share.

It minimises ``lambda/2 |w|^2 + (1/N) sum_i H_i(w)`` over N pages, where the hinge ``H_i`` of a
page is the highest value of Hamming loss plus score over all label sequences, less the score of
the right one (margin rescaling). The dual variables of a page are kept as marginals: one
probability a region and label, and summed edge counts, so the memory is that of the labels.

References
----------
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML, algorithm 4 with line search and weighted averaging.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from structce.learners.arrays import Floats, Labels, Rows, product
from structce.learners.blocks import Block, page_blocks, region_blocks
from structce.learners.chain import count_edges, score
from structce.learners.max_product import viterbi, viterbi_batch

logger = logging.getLogger(__name__)

UNFINISHED = (
    "the solver stopped after %d epochs at a relative duality gap of %.3g, above %.3g; "
    "more epochs (max_epochs) close it, though labels mostly settle earlier"
)


@dataclass(frozen=True)
class Solution:
    """Weights and how far they are from the best.

    Parameters
    ----------
    emissions : shape (n_columns, n_labels)
    transitions : shape (n_labels, n_labels)
    primal : float
        The objective at these weights.
    gap : float
        ``(primal - dual) / primal`` in [0, 1]: no weights are better than ``1 - gap`` of primal.
    n_epochs : int
    curve
        (epoch, primal, dual) at each check of the gap.
    """

    emissions: Floats
    transitions: Floats
    primal: float
    gap: float
    n_epochs: int
    curve: list[tuple[int, float, float]]


def solve(
    pages: Sequence[Rows],
    labels: Sequence[Labels],
    *,
    n_labels: int,
    lambda_: float,
    with_transitions: bool,
    max_epochs: int,
    tol: float,
    random_state: int,
) -> Solution:
    """Return weights whose relative duality gap is at most ``tol``, if `max_epochs` suffice.

    Without transitions the regions do not depend on each other; then the problem is the
    multi-class SVM of Crammer and Singer (2001).
    """
    random = np.random.default_rng(random_state)
    if with_transitions:
        blocks = page_blocks(pages, labels, n_labels)
    else:
        blocks = region_blocks(pages, labels, n_labels, random)
    state = FrankWolfe(
        blocks,
        n_columns=pages[0].shape[1],
        n_labels=n_labels,
        scale=lambda_ * len(pages),
        with_transitions=with_transitions,
    )
    curve: list[tuple[int, float, float]] = []
    check = 1
    for epoch in range(1, max_epochs + 1):
        for i in random.permutation(len(blocks)):
            state.step(int(i))
        if epoch < check and epoch < max_epochs:
            continue
        check = epoch + max(1, epoch // 5)
        primal, emissions, transitions = state.best()
        dual = state.dual()
        curve.append((epoch, primal / len(pages), dual / len(pages)))
        gap = max(0.0, (primal - dual) / primal) if primal > 0 else 0.0
        if gap <= tol:
            break
    else:
        logger.warning(UNFINISHED, epoch, gap, tol)
    return Solution(emissions, transitions, primal / len(pages), gap, epoch, curve)


class FrankWolfe:
    """Primal and dual variables, moved block by block.

    Objectives here are N times those of the module's docstring: a sum over pages, with ``scale``
    = lambda N as the weight of the regulariser. The dual starts at the right labels, where the
    weights are 0.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        *,
        n_columns: int,
        n_labels: int,
        scale: float,
        with_transitions: bool,
    ) -> None:
        self.blocks = blocks
        self.scale = scale
        self.with_transitions = with_transitions
        self.marginals = [block.gold.copy() for block in blocks]
        self.edges = [block.gold_edges.copy() for block in blocks]
        self.loss = 0.0
        self.n_steps = 0
        self.emissions = np.zeros((n_columns, n_labels))
        self.transitions = np.zeros((n_labels, n_labels))
        self._emissions_lag = np.zeros_like(self.emissions)
        self._transitions_lag = np.zeros_like(self.transitions)

    def step(self, i: int) -> None:
        """Move the dual variables of one block along a line as far as the dual rises.

        Costs about ``n_labels`` times the block's non-zeros.
        """
        block = self.blocks[i]
        scores = self._augmented(block, self.emissions)
        direction, edge_direction = self._direction(i, scores)
        change = product(block.transposed, direction)
        gain = float(np.vdot(direction, scores) + np.vdot(edge_direction, self.transitions))
        bend = _squared_norm(change, edge_direction) / self.scale
        size = 0.0 if gain <= 0 else 1.0 if gain >= bend else gain / bend
        self.marginals[i] += size * direction
        self.edges[i] += size * edge_direction
        self.loss += size * float(np.vdot(direction, 1 - block.gold))
        self._move(block.columns, -size / self.scale * change, -size / self.scale * edge_direction)

    def _direction(self, i: int, scores: Floats) -> tuple[Floats, Floats]:
        """Return a direction of ascent that stays feasible up to length 1, for a block's dual.

        With transitions: towards the most violating sequence, the Frank-Wolfe vertex. Without,
        a block is a product of simplices, and each region can head for the point that would be
        best for it alone; this takes far fewer epochs than vertices do.
        """
        marginals = self.marginals[i]
        if self.with_transitions:
            y = viterbi(scores, self.transitions)
            direction = -marginals
            direction[np.arange(len(y)), y] += 1
            return direction, count_edges(y, len(self.transitions)) - self.edges[i]
        pull = self.scale / self.blocks[i].squared_norms
        target = project(marginals + pull[:, None] * scores)
        return target - marginals, np.zeros_like(self.transitions)

    def _move(self, columns: Labels, change: Floats, edge_change: Floats) -> None:
        """Add to the weights, and keep the average of all iterates up to date.

        With iterate ``t`` weighted by ``t``, the sum after ``k`` steps is ``T(k) w_k`` less the
        sum of ``T(s - 1)`` times the change of step ``s``, where ``T(m) = m (m + 1) / 2``; so
        only the block's own columns are touched.
        """
        lag = self.n_steps * (self.n_steps + 1) / 2
        self.n_steps += 1
        self.emissions[columns] += change
        self.transitions += edge_change
        self._emissions_lag[columns] += lag * change
        self._transitions_lag += lag * edge_change

    def average(self) -> tuple[Floats, Floats]:
        """Return the weighted average of all iterates: emissions and transitions."""
        total = max(1, self.n_steps * (self.n_steps + 1) // 2)
        emissions = self.emissions - self._emissions_lag / total
        return emissions, self.transitions - self._transitions_lag / total

    def best(self) -> tuple[float, Floats, Floats]:
        """Return primal objective, emissions and transitions: last or average, the lower one."""
        candidates = [(self.emissions, self.transitions), self.average()]
        values = [self.primal(*candidate) for candidate in candidates]
        chosen = int(np.argmin(values))
        return values[chosen], *candidates[chosen]

    def primal(self, emissions: Floats, transitions: Floats) -> float:
        """Return the objective at some weights; looks at all pages."""
        scores = [self._augmented(block, emissions) for block in self.blocks]
        if self.with_transitions:
            worst = viterbi_batch(scores, transitions)
        else:
            worst = [values.argmax(axis=1) for values in scores]
        hinges = 0.0
        for block, values, y in zip(self.blocks, scores, worst, strict=True):
            right = float(np.vdot(values, block.gold) + np.vdot(transitions, block.gold_edges))
            hinges += score(values, transitions, y) - right
        return self.scale / 2 * _squared_norm(emissions, transitions) + hinges

    def dual(self) -> float:
        """Return the dual objective, a lower bound of the primal at any weights."""
        return self.loss - self.scale / 2 * _squared_norm(self.emissions, self.transitions)

    @staticmethod
    def _augmented(block: Block, emissions: Floats) -> Floats:
        """Return emission scores plus Hamming loss: shape (n_regions, n_labels)."""
        return product(block.rows, emissions[block.columns]) + (1 - block.gold)


def project(points: Floats) -> Floats:
    """Return the nearest point of the probability simplex to each row.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra (2008). Efficient projections onto the
    l1-ball for learning in high dimensions. ICML, figure 1.
    """
    shifted = points - points.max(axis=1, keepdims=True)
    descending = -np.sort(-shifted, axis=1)
    excess = descending.cumsum(axis=1) - 1
    counts = np.arange(1, points.shape[1] + 1)
    n_kept = (descending * counts > excess).sum(axis=1)
    threshold = excess[np.arange(len(points)), n_kept - 1] / n_kept
    nearest: Floats = np.maximum(shifted - threshold[:, None], 0)
    return nearest


def _squared_norm(emissions: Floats, transitions: Floats) -> float:
    return float(np.vdot(emissions, emissions) + np.vdot(transitions, transitions))
