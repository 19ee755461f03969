"""Stochastic subgradient descent: cheap epochs for the SVMs, and a gap that closes slowly.

The step after ``t`` batches has length ``1 / (lambda t)``. The weights are then always those of the
dual variables that are the mean of all violators met, so a duality gap is available at no cost at
the end of an epoch, when each page has been visited equally often.

References
----------
S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter (2011). Pegasos: primal estimated sub-gradient
solver for SVM. Mathematical Programming 127, figure 2, without the projection.
S. Lacoste-Julien, M. Schmidt, F. Bach (2012). A simpler approach to obtaining an O(1/t)
convergence rate for the projected stochastic subgradient method. arXiv 1212.2002: the average.
"""

from __future__ import annotations

import numpy as np

from structce.arrays import Floats, Labels
from structce.learners.base import Callback
from structce.learners.inference.batch import places_in_runs
from structce.learners.inference.viterbi import count_edges, viterbi_concatenated
from structce.learners.inputs import matmul
from structce.learners.solvers.dual import primal, squared_norm
from structce.learners.solvers.problem import Compactor, CoordinateBlock, Problem
from structce.learners.solvers.solution import ConvergenceMonitor, Solution


def solve_sgd(
    problem: Problem,
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    callback: Callback | None = None,
) -> Solution:
    """Return the averaged weights of at most `max_epochs` passes.

    A small `tol`, the relative duality gap at which to stop, takes very many epochs.
    """
    random = np.random.default_rng(random_state)
    descent = Descent(problem, lambda_ * problem.n_pages, random)
    monitor = ConvergenceMonitor(problem.n_pages, max_epochs, tol, callback)
    is_done = False
    while not is_done:
        for i in random.permutation(len(descent.blocks)):
            descent.step(int(i))
        weights = descent.average()
        value, _, _ = primal(problem, descent.scale, *weights)
        is_done = monitor.note(value, descent.dual(len(monitor.curve) + 1), weights)
    return monitor.solution(weights)


class Descent:
    """Sum of all subgradients so far, which determines the weights and their average.

    A batch is a chain or, if chains are single regions, as many of them as a page has on average.
    """

    def __init__(self, problem: Problem, scale: float, random: np.random.Generator) -> None:
        self.problem = problem
        self.scale = scale
        self.has_left = problem.has_left
        n_batches = min(problem.n_pages, len(problem.lengths))
        chains = random.permutation(len(problem.lengths))
        groups = np.array_split(chains, n_batches) if n_batches else []
        self.lengths = [problem.lengths[np.sort(group)] for group in groups]
        self.blocks = [
            CoordinateBlock.of(problem, _regions(problem, np.sort(group))) for group in groups
        ]
        shape = problem.rows.shape[1], problem.n_labels
        self._compact = Compactor(shape[0])
        self.emissions, self.emissions_lag = np.zeros(shape), np.zeros(shape)
        square = problem.n_labels, problem.n_labels
        self.transitions, self.transitions_lag = np.zeros(square), np.zeros(square)
        self.n_steps = 0
        self.loss = 0.0
        self.gold = np.eye(problem.n_labels)[problem.gold]

    def step(self, i: int) -> None:
        """Add the subgradient of one batch at the weights ``sum / steps``."""
        block, lengths = self.blocks[i], self.lengths[i]
        share = self.n_steps * self.scale / max(1, len(self.blocks))
        rate = 1.0 / share if share else 0.0
        loss = self.problem.loss[block.regions]
        scores = rate * matmul(block.rows, self.emissions) + loss
        worst = viterbi_concatenated(scores, lengths.tolist(), rate * self.transitions)
        change = self.gold[block.regions]
        change[np.arange(len(worst)), worst] -= 1.0
        columns, compact = self._compact(block.rows)
        emissions = matmul(compact.T, change)
        gold = self.problem.gold[block.regions]
        follows, n_labels = self.has_left[block.regions], self.problem.n_labels
        transitions = count_edges(gold, n_labels, follows) - count_edges(worst, n_labels, follows)
        self.n_steps += 1
        self.emissions[columns] += emissions
        self.emissions_lag[columns] += self.n_steps * emissions
        self.transitions += transitions
        self.transitions_lag += self.n_steps * transitions
        self.loss += float(loss[np.arange(len(worst)), worst].sum())

    def average(self) -> tuple[Floats, Floats]:
        """Return the average of all iterates, the one after ``t`` steps weighted by ``t``.

        Iterate ``t`` is ``sum(t) / t`` divided by a constant, so the weighted sum of iterates is
        the sum of all sums: ``(T + 1) sum(T)`` minus each change times its step.
        """
        n = self.n_steps
        share = self.scale * n * (n + 1) / 2 / max(1, len(self.blocks))
        if not n:
            return self.emissions, self.transitions
        emissions = ((n + 1) * self.emissions - self.emissions_lag) / share
        return emissions, ((n + 1) * self.transitions - self.transitions_lag) / share

    def dual(self, n_epochs: int) -> float:
        """Return the dual objective after complete epochs, a lower bound of the primal."""
        squares = squared_norm(self.emissions, self.transitions) / (self.scale * n_epochs) ** 2
        return self.loss / n_epochs - self.scale / 2 * squares


def _regions(problem: Problem, chains: Labels) -> Labels:
    """Return the regions of some chains, in ascending order."""
    sizes = problem.lengths[chains]
    return np.repeat(problem.starts[chains], sizes) + places_in_runs(sizes)
