"""The solver that the SVMs share: block-coordinate ascent of the dual, with its gap.

It minimises ``lambda/2 |w|^2 + (1/N) sum_i H_i(w)`` over N pages, where the hinge ``H_i`` of a
page is the highest value of loss plus score over all label sequences, less the score of the right
one (margin rescaling). An epoch moves runs of regions towards the most violating sequences
(`vertex_steps`), then every region among its own labels (`local_step`), block by block, each with
exact line search. The weights are averaged over an epoch: each block overdoes what suits its own
regions, and the average lies nearer to the optimum than the last iterate.

References
----------
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML.
B. Taskar, C. Guestrin, D. Koller (2003). Max-margin Markov networks. NIPS.
"""

from __future__ import annotations

import numpy as np

from structce.learners.blocks import Block, scattered_regions
from structce.learners.dual import Dual, Marginals, primal
from structce.learners.local_steps import local_step
from structce.learners.problem import Problem
from structce.learners.progress import Callback
from structce.learners.solution import Record, Solution
from structce.learners.vertex_steps import swap_steps, vertex_steps

SAMPLES = 20
"""Times in an epoch that the weights go into its average; our choice."""

SLACK = 0.3
"""Part of the gap asked for that violations too small to move may add up to; our choice."""


def solve(
    problem: Problem,
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    start: Marginals | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Return weights whose relative duality gap is at most ``tol``, if `max_epochs` suffice.

    Parameters
    ----------
    start
        Dual variables to begin with; by default those of the right labels, where the weights
        are 0.
    callback
        Told of every epoch, with the best weights so far; ends the work by returning True.
    """
    random = np.random.default_rng(random_state)
    dual = Dual(problem, lambda_ * problem.n_pages, start)
    groups = scattered_regions(problem, random)
    record = Record(problem.n_pages, max_epochs, tol, callback)
    weights = dual.emissions.copy(), dual.transitions.copy()
    best, violators, scores = primal(problem, dual.scale, *weights)
    is_done = False
    while not is_done:
        if record.curve or start is not None:
            vertex_steps(dual, violators)
            swap_steps(dual, violators, scores)
        dual.start_average()
        slack = SLACK * max(tol, record.gap) * best / max(1, len(problem.gold))
        for n_done, i in enumerate(random.permutation(len(groups)), start=1):
            local_step(dual, Block.of(problem, groups[i]), slack)
            if n_done * SAMPLES // len(groups) > dual.n_samples:
                dual.sample()
        average = dual.average()
        value, violators, scores = primal(problem, dual.scale, *average)
        if value <= best:
            best, weights = value, average
        is_done = record.note(best, dual.value(), weights)
    return record.solution(weights, Marginals(dual.regions, dual.edges))
