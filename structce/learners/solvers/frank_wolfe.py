"""Block-coordinate Frank-Wolfe for the SVMs: first as published, then the solver that is used.

Both minimise ``lambda/2 |w|^2 + (1/N) sum_i H_i(w)`` over N pages, where the hinge ``H_i`` of a
page is the highest value of loss plus score over all label sequences, minus the score of the
correct one (margin rescaling).

References
----------
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML.
"""

from __future__ import annotations

import logging

import numpy as np

from structce.arrays import Flags, Floats, Labels
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.inference.batch import places_in_runs
from structce.learners.inference.viterbi import count_edges, viterbi
from structce.learners.inputs import matmul
from structce.learners.solvers.dual import Dual, local_steps, run_steps, worst_supported
from structce.learners.solvers.problem import (
    UNFINISHED,
    Marginals,
    Problem,
    Solution,
    primal,
    squared_norm,
)

_logger = logging.getLogger(__name__)

NONZEROS_PER_BLOCK = 30_000  # large enough that most time is spent in NumPy
MOST_REGIONS = 400  # in a block: those that move are compared pairwise
FEWEST_BLOCKS = 50  # all regions of a block move at once, so few blocks achieve little
SAMPLES = 20  # times per epoch that the weights are averaged; each is a pass over all weights
MARGIN = 0.1
"""Lead of a label with which its region is left out of an epoch, in units of the highest loss."""

SLACK = 0.3
"""Fraction of the requested gap that ignored violations may add up to. Ignoring small violations
saves work, and the gap can still close as long as this is below 1."""


def textbook_frank_wolfe(
    problem: Problem, *, lambda_: float, n_epochs: int, random_state: int
) -> tuple[Floats, Floats, float]:
    """Return the weights after some epochs of block-coordinate Frank-Wolfe, as published.

    Every chain of the problem is a block. Returned are emissions, transitions and the dual
    objective, a lower bound of the primal. Numbers are those of the lines of algorithm 4 in
    Lacoste-Julien et al. (2013), whose n is ``n_pages``, however many chains there are.
    """
    random = np.random.default_rng(random_state)
    n, n_labels = problem.n_pages, problem.n_labels
    n_columns, chains = problem.rows.shape[1], len(problem.lengths)
    # 1. Let w and all w_i be 0, l and all l_i be 0.
    w = np.zeros((n_columns + n_labels, n_labels))  # emissions above transitions
    w_of, loss_of = np.zeros((chains, *w.shape)), np.zeros(chains)
    for _ in range(n_epochs):
        for i in random.permutation(chains):  # 2., 3. For k = 0..K, pick a block i at random.
            chain = slice(problem.starts[i], problem.starts[i] + problem.lengths[i])
            rows, gold, loss = problem.rows[chain], problem.gold[chain], problem.loss[chain]
            # 4. Solve y* = argmax H_i(y; w).
            worst = viterbi(rows @ w[:n_columns] + loss, w[n_columns:])
            # 5. Let w_s = psi_i(y*) / (lambda n) and l_s = L_i(y*) / n.
            psi = np.vstack([
                matmul(rows.T, np.eye(n_labels)[gold] - np.eye(n_labels)[worst]),
                count_edges(gold, n_labels) - count_edges(worst, n_labels),
            ])  # fmt: skip
            w_s = psi / (lambda_ * n)
            loss_s = loss[np.arange(len(worst)), worst].sum() / n
            # 6. Let gamma be the step that minimises the dual on the way, clipped to [0, 1].
            way = w_of[i] - w_s
            ascent = lambda_ * np.vdot(way, w) - loss_of[i] + loss_s
            gamma = np.clip(ascent / max(lambda_ * np.vdot(way, way), 1e-300), 0, 1)
            # 7., 8. Update w_i and l_i, and with them w and l.
            w -= gamma * way
            w_of[i] -= gamma * way
            loss_of[i] += gamma * (loss_s - loss_of[i])
    emissions, transitions = w[:n_columns], w[n_columns:]
    dual = loss_of.sum() - lambda_ / 2 * squared_norm(emissions, transitions)
    return emissions, transitions, float(dual)


def solve_frank_wolfe(
    problem: Problem,
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    start: Marginals | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Return weights with a relative duality gap of at most ``tol``, if `max_epochs` suffice.

    It begins with the given dual variables, or else with the correct labels, for which the weights
    are 0. The callback is called after every epoch.

    Faster than `textbook_frank_wolfe` for four reasons. An epoch moves runs of regions, each by its
    own step length, towards the most violating sequences and away from the least violating ones,
    then every region among its own labels. Steps are taken block by block, with one matrix product
    per block and exact line search. Regions whose labels are settled are left out of an epoch. And
    the weights are averaged over an epoch: each block overshoots in favour of its own regions.
    """
    random = np.random.default_rng(random_state)
    dual = Dual(problem, lambda_ * problem.n_pages, start)
    weights = dual.emissions.copy(), dual.transitions.copy()
    best, violators, scores = primal(problem, dual.scale, *weights)
    curve: list[tuple[int, float, float]] = []
    gap, is_done, is_stopped = 0.0, False, False
    while not is_done:
        if curve or start is not None:
            run_steps(dual, violators)
            if len(dual.edges):
                run_steps(dual, violators, worst_supported(dual, scores))
        slack = SLACK * max(tol, gap) * best / max(1, len(problem.gold))
        blocks = _blocks(problem, random, unsettled(dual, scores))
        average = np.zeros_like(dual.emissions), np.zeros_like(dual.transitions)
        n_samples = 0
        for n_done, i in enumerate(random.permutation(len(blocks)), start=1):
            local_steps(dual, blocks[i], slack)
            if n_done * SAMPLES // len(blocks) > n_samples:
                n_samples += 1
                average[0][:] += dual.emissions
                average[1][:] += dual.transitions
        average = average[0] / max(1, n_samples), average[1] / max(1, n_samples)
        value, violators, scores = primal(problem, dual.scale, *average)
        if value <= best:
            best, weights = value, average
        objective, bound = best / problem.n_pages, dual.value() / problem.n_pages
        if objective < 0:
            raise LearnerError(f"objective of {objective:.3g}; a regularised hinge is 0 or more")
        curve.append((len(curve) + 1, objective, bound))
        gap = max(0.0, (objective - bound) / objective) if objective > 0 else 0.0
        if callback is not None:
            is_stopped = bool(callback(Progress(len(curve), max_epochs, objective, gap)))
        is_done = is_stopped or gap <= tol or len(curve) >= max_epochs
    if gap > tol and not is_stopped:
        _logger.warning(UNFINISHED, len(curve), gap, tol)
    marginals = Marginals(dual.regions, dual.edges)
    return Solution(*weights, objective, gap, len(curve), curve, marginals)


def unsettled(dual: Dual, scores: Floats) -> Flags:
    """Return the regions that local steps may move, shape (n_regions,).

    The others, and their neighbours, are certain of a label that leads by `MARGIN` times the
    highest loss. If one falls behind, the gap, which covers all regions, shows it, and the next
    epoch moves that region. ``scores`` are emissions plus loss.
    """
    n_labels, labels = scores.shape[1], dual.certain[:-1]
    before = np.where(dual.has_left, np.roll(labels, 1), n_labels)
    after = np.where(dual.has_right, np.roll(labels, -1), n_labels)
    from_left, to_right = dual.neighbour_scores(before, after)
    total = scores + from_left + to_right
    every = np.arange(len(labels))
    ahead = total[every, labels]
    total[every, labels] = -np.inf
    margin = MARGIN * dual.problem.loss.max(initial=0.0)
    is_behind = ahead - total.max(axis=1, initial=-np.inf) < margin
    return np.asarray(is_behind | (labels < 0) | (before < 0) | (after < 0))


def _blocks(problem: Problem, random: np.random.Generator, chosen: Flags) -> list[Labels]:
    """Return the chosen regions in random groups, each ascending and without neighbours."""
    density = problem.rows.nnz / max(1, len(problem.gold))
    usual = int(min(MOST_REGIONS, NONZEROS_PER_BLOCK / max(density, 1.0)))
    size = min(usual, -(-int(chosen.sum()) // FEWEST_BLOCKS))
    place = places_in_runs(problem.lengths)
    blocks = []
    for parity in (0, 1):
        regions = random.permutation(np.flatnonzero(chosen & (place % 2 == parity)))
        if len(regions):
            groups = np.array_split(regions, -(-len(regions) // size))
            blocks += [np.sort(group) for group in groups]
    return blocks
