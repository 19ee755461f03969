"""Primal and dual variables of the SVMs, and the steps that move both together.

The dual variables of a chain are a distribution over its label sequences. It is stored as the
marginals of regions and of edges, so the memory depends on the labels and not on the number of
columns; the weights follow from it. Objectives here are N times those of the learners: sums
over pages, with ``scale`` = lambda N as the weight of the regulariser.

References
----------
B. Taskar, C. Guestrin, D. Koller (2003). Max-margin Markov networks. NIPS, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Floats, Labels
from structce.learners.inference.viterbi import viterbi_concatenated
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.problem import Compactor, CoordinateBlock, Problem

NO_MASS = 1e-10
"""Probability that counts as 0; residues of rounding are smaller."""

SWEEPS = 3
"""Passes over the steps of one box; on Fundus pages, more had no benefit."""

_LEAST_CURVATURE = 1e-12


@dataclass(frozen=True, eq=False)
class Marginals:
    """A distribution over the label sequences of every chain.

    ``edges[r, a, b]`` is the probability of ``a`` at region ``r - 1`` and ``b`` at ``r``; zeros if
    ``r`` begins a chain. There are none if no region has a neighbour.
    """

    regions: Floats  # probability of each label at each region, shape (n_regions, n_labels)
    edges: Floats  # shape (n_regions + 1, n_labels, n_labels)

    @classmethod
    def of_labels(cls, labels: Labels, problem: Problem) -> Marginals:
        """Return the distribution in which one sequence has probability 1."""
        n_labels = problem.n_labels
        follows = np.flatnonzero(problem.has_left)
        edges = np.zeros((len(labels) + 1 if len(follows) else 0, n_labels, n_labels))
        edges[follows, labels[follows - 1], labels[follows]] = 1.0
        return cls(np.eye(n_labels)[labels], edges)


@dataclass(frozen=True, eq=False)
class Move:
    """A change of some regions' marginals and of the edges at them."""

    regions: Labels  # shape (n_moved,)
    change: Floats  # shape (n_moved, n_labels)
    edges: Labels  # each edge by its right region; may repeat
    edge_change: Floats  # shape (n_edges, n_labels, n_labels)


class Dual:
    """The state of a solver: marginals, and the weights that belong to them."""

    def __init__(self, problem: Problem, scale: float, start: Marginals | None = None) -> None:
        self.problem = problem
        self.scale = scale
        self.has_left = problem.has_left
        self.has_right = np.append(self.has_left[1:], False)[: len(self.has_left)]
        self.gold = np.eye(problem.n_labels)[problem.gold]
        if start is None:  # the correct labels, for which the weights are 0
            initial = Marginals.of_labels(problem.gold, problem)
        else:
            initial = Marginals(start.regions.copy(), start.edges.copy())
        self.regions, self.edges = initial.regions, initial.edges
        self.certain = np.append(_certain(self.regions), -1)
        self.emissions = matmul(problem.rows.T, self.gold - self.regions) / scale
        self.transitions = (problem.gold_edges - self.edges.sum(axis=0)) / scale
        self._compact = Compactor(problem.rows.shape[1])
        self.start_average()

    def start_average(self) -> None:
        """Forget the samples so far; `average` is over those from now on."""
        self.n_samples = 0
        self._emissions_sum = np.zeros_like(self.emissions)
        self._transitions_sum = np.zeros_like(self.transitions)

    def sample(self) -> None:
        """Include the current weights in the average."""
        self.n_samples += 1
        self._emissions_sum += self.emissions
        self._transitions_sum += self.transitions

    def average(self) -> tuple[Floats, Floats]:
        """Return the mean of the samples since `start_average`: emissions, transitions."""
        n = max(1, self.n_samples)
        return self._emissions_sum / n, self._transitions_sum / n

    def augmented(self, block: CoordinateBlock) -> Floats:
        """Return emission scores plus loss of a block: shape (n_regions, n_labels)."""
        scores = matmul(block.rows, self.emissions)
        scores += self.problem.loss[block.regions]
        return scores

    def apply(self, move: Move, rows: SparseRows) -> None:
        """Change marginals and weights; ``rows`` are those of the regions that move."""
        columns, compact = self._compact(rows)
        self.emissions[columns] -= matmul(compact.T, move.change) / self.scale
        self.transitions -= move.edge_change.sum(axis=0) / self.scale
        moved = _cleaned(self.regions[move.regions] + move.change)
        self.regions[move.regions] = moved
        self.certain[move.regions] = _certain(moved)
        np.add.at(self.edges, move.edges, move.edge_change)
        self.edges[move.edges] = _cleaned(self.edges[move.edges])

    def value(self) -> float:
        """Return the dual objective, a lower bound of the primal at any weights."""
        loss = float(np.vdot(self.problem.loss, self.regions))
        return loss - self.scale / 2 * squared_norm(self.emissions, self.transitions)


def primal(
    problem: Problem, scale: float, emissions: Floats, transitions: Floats
) -> tuple[float, Labels, Floats]:
    """Return the primal objective at given weights, the most violating sequences, and scores.

    The scores are emissions plus loss, shape (n_regions, n_labels).
    """
    scores = matmul(problem.rows, emissions) + problem.loss
    worst = viterbi_concatenated(scores, problem.lengths.tolist(), transitions)
    gold, every = problem.gold, np.arange(len(problem.gold))
    right = np.flatnonzero(problem.has_left)
    hinges = (scores[every, worst] - scores[every, gold]).sum()
    hinges += transitions[worst[right - 1], worst[right]].sum()
    hinges -= transitions[gold[right - 1], gold[right]].sum()
    return scale / 2 * squared_norm(emissions, transitions) + float(hinges), worst, scores


def squared_norm(emissions: Floats, transitions: Floats) -> float:
    """Return the squared Euclidean norm of all weights."""
    return float(np.vdot(emissions, emissions) + np.vdot(transitions, transitions))


def _certain(regions: Floats) -> Labels:
    """Return the label that has all mass of a region, or -1: shape (n_regions,)."""
    alone = np.count_nonzero(regions, axis=1) == 1
    return np.where(alone, regions.argmax(axis=1), -1)


def _cleaned(mass: Floats) -> Floats:
    """Return masses with residues of rounding set to 0."""
    return np.where(mass < NO_MASS, 0.0, mass)


def project_onto_simplex(points: Floats) -> Floats:
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
    return np.asarray(np.maximum(shifted - threshold[:, None], 0))


def box_steps(gains: Floats, curvature: Floats, limits: Floats) -> Floats:
    """Return steps from 0 to their limits that raise ``gains @ t - t @ curvature @ t / 2``.

    Coordinate ascent from 0, at most `SWEEPS` passes; every step is exact given the others, so
    the value never falls below 0.

    ``curvature`` is symmetric and positive semi-definite, and ``limits`` are at least 0.
    """
    steps = [0.0] * len(gains)
    slopes = gains.copy()
    bends = np.maximum(curvature.diagonal(), _LEAST_CURVATURE).tolist()
    ends = limits.tolist()
    for _ in range(SWEEPS):
        largest = 0.0
        for i, (bend, end) in enumerate(zip(bends, ends, strict=True)):
            old = steps[i]
            new = min(end, max(0.0, old + slopes.item(i) / bend))
            change = new - old
            if abs(change) > 1e-6 * end:
                slopes -= curvature[i] * change
                steps[i] = new
                largest = max(largest, abs(change) / end)
        if largest < 1e-2:
            break
    return np.array(steps)
