"""Training a chain some of whose labels nobody knows.

The hinge of a page is then the highest value of loss plus score over all label sequences, less
the highest score among those that agree with what is known; unknown regions cost nothing. This is
no convex function. The concave-convex procedure lowers it round by round: fill in the unknown
labels as the weights would have them, then solve the convex problem that is left.

References
----------
C.-N. J. Yu, T. Joachims (2009). Learning structural SVMs with latent variables. ICML,
algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from structce.learners.arrays import UNKNOWN, Floats, Labels, Rows, product
from structce.learners.dual import Marginals, primal
from structce.learners.max_product import viterbi_batch
from structce.learners.problem import Problem
from structce.learners.solution import Solution

MAX_ROUNDS = 10
"""Times that unknown labels are filled in; our choice, and more than it took on Fundus pages."""

Solver = Callable[[Problem, Marginals | None], Solution]


def solve_latent(
    pages: Sequence[Rows],
    labels: Sequence[Labels],
    weights: Floats,
    lambda_: float,
    solver: Solver,
) -> Solution:
    """Return weights for pages with unknown labels: a local optimum.

    The first round breaks chains where labels are unknown, so it is convex and needs no guess.

    Parameters
    ----------
    weights : shape (n_labels,)
        What it costs to miss each label.
    solver
        Solves a convex problem, from given dual variables or from none.

    Returns
    -------
    ``primal`` is the objective above; ``gap`` is that of the last convex problem.
    """
    solution = solver(Problem.of_pages(pages, labels, weights), None)
    completed: list[Labels] = []
    start = None
    for _ in range(MAX_ROUNDS):
        filled = complete(pages, labels, solution.emissions, solution.transitions)
        if completed and all(map(np.array_equal, filled, completed)):
            break
        completed = filled
        solution = solver(Problem.of_completed(pages, labels, completed, weights), start)
        start = solution.marginals
    filled = complete(pages, labels, solution.emissions, solution.transitions)
    problem = Problem.of_completed(pages, labels, filled, weights)
    scale = lambda_ * problem.n_pages
    value, _, _ = primal(problem, scale, solution.emissions, solution.transitions)
    return replace(solution, primal=value / problem.n_pages)


def complete(
    pages: Sequence[Rows], labels: Sequence[Labels], emissions: Floats, transitions: Floats
) -> list[Labels]:
    """Return the highest-scoring label sequence of each page that agrees with the known labels."""
    scores = []
    for page, y in zip(pages, labels, strict=True):
        allowed = product(page, emissions)
        known = np.flatnonzero(y != UNKNOWN)
        held = allowed[known, y[known]]
        allowed[known] = -np.inf
        allowed[known, y[known]] = held
        scores.append(allowed)
    return viterbi_batch(scores, transitions)
