"""Training with labels that are unknown or one of several, by the latent hinge loss.

The hinge of a page is the highest score plus loss over all sequences, minus the highest score of
those that its gold allows: a difference of convex functions. The concave-convex procedure as
published completes the unknown labels by the best sequence that agrees with the known ones, solves
the resulting convex problem, and repeats; here labels are completed after every epoch.

References
----------
A. L. Yuille, A. Rangarajan (2003). The concave-convex procedure. Neural Computation 15(4).
C.-N. J. Yu, T. Joachims (2009). Learning structural SVMs with latent variables. ICML, algorithm 1.
T. Cour, B. Sapp, B. Taskar (2011). Learning from partial labels. JMLR 12: sets of labels, any of
which may be right, and a margin between the best of the set and the best outside.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Flags, Floats, Labels, allowed_labels
from structce.learners.base import Callback, Progress, suppress_solver_warnings
from structce.learners.inference.viterbi import viterbi_concatenated
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.frank_wolfe import solve_frank_wolfe
from structce.learners.solvers.problem import (
    UNFINISHED,
    Marginals,
    Problem,
    Solution,
    label_costs,
    primal,
    stack_chains,
)

_logger = logging.getLogger(__name__)

MAX_ROUNDS = 10  # times that unknown labels are completed
REACH = 4  # regions with unknown labels that are kept on either side of a known one


def solve_latent(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    weights: Floats,
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    callback: Callback | None = None,
    is_chain: bool = True,
) -> Solution:
    """Return weights for pages with unknown labels: a local optimum.

    The first round breaks chains at unknown labels, so it is convex. Labels are then completed
    after every epoch, until the gap is at most ``tol`` and an epoch changes the objective by no
    more than that fraction of it. Dual variables carry over from one problem to the next.
    """
    curve: list[tuple[int, float, float]] = []
    is_stopped = False

    def note(progress: Progress) -> bool:
        """Record an epoch of one of several problems as one of the whole."""
        nonlocal is_stopped
        epoch, objective = len(curve) + 1, progress.objective
        curve.append((epoch, objective, objective * (1 - progress.gap)))
        if callback is not None:
            whole = Progress(epoch, max_epochs, progress.objective, progress.gap)
            is_stopped = bool(callback(whole))
        return is_stopped

    solver = partial(
        solve_frank_wolfe, lambda_=lambda_, tol=tol, random_state=random_state, callback=note
    )
    with suppress_solver_warnings():  # an unfinished solution is reported at the end
        of_known = Problem.of_pages if is_chain else Problem.of_regions
        known = of_known(pages, labels, weights)
        has_sets = any((y < UNKNOWN_INDEX).any() for y in labels)
        n_first = -(-max_epochs // 2) if has_sets else max_epochs  # leaves epochs for the sets
        solution = solver(known, max_epochs=n_first)
        chains = partial_problem(pages, labels, weights, is_chain=is_chain)
        start = solution.marginals and _spread(solution.marginals, known.has_left, chains)
        completed = chains.gold
        del known  # frees the memory of its rows
        for n_rounds in range(1, MAX_ROUNDS + 1):
            n_left = max_epochs - len(curve)
            if is_stopped or n_left < 1:
                break
            problem, before = completed_problem(chains, solution, weights), solution.primal
            start = start and _followed(start, completed, problem)
            completed = problem.gold
            most = 1 if n_rounds < MAX_ROUNDS else n_left
            solution = solver(problem, max_epochs=most, start=start)
            start = solution.marginals
            change = abs(before - solution.primal)
            if solution.gap <= tol and change <= tol * solution.primal:
                break
    if solution.gap > tol and not is_stopped:
        _logger.warning(UNFINISHED, len(curve), solution.gap, tol)
    final = completed_problem(chains, solution, weights)
    value, _, _ = primal(final, lambda_ * len(pages), solution.emissions, solution.transitions)
    return solution._replace(
        primal=value / len(pages), n_epochs=len(curve), curve=curve, marginals=None
    )


def partial_problem(
    pages: Sequence[SparseRows], labels: Sequence[Labels], weights: Floats, *, is_chain: bool = True
) -> Problem:
    """Return the problem with all gold near a known label, unknown labels and sets among it.

    Regions that are more than `REACH` from any known one are left out. If labels do not depend on
    each other, only known regions are kept, each of which is a chain of its own.
    """
    near = np.ones(2 * REACH + 1 if is_chain else 1)
    middle = len(near) // 2
    known = [np.append(y != UNKNOWN_INDEX, False) for y in labels]  # one more, as none may be empty
    kept = [np.convolve(flags, near)[middle:][: len(flags) - 1] > 0 for flags in known]
    rows, gold, lengths = stack_chains(pages, labels, kept)
    lengths = lengths if is_chain else np.ones(len(gold), dtype=np.int64)
    return Problem(rows, gold, np.zeros((len(gold), len(weights))), lengths, len(pages))


def completed_problem(chains: Problem, solution: Solution, weights: Floats) -> Problem:
    """Return the problem with the best labels that gold allows, all of which cost nothing."""
    allowed = allowed_labels(chains.gold, len(weights))
    scores = np.where(allowed, matmul(chains.rows, solution.emissions), -np.inf)
    completed = viterbi_concatenated(scores, chains.lengths, solution.transitions)
    loss = np.where(allowed, 0.0, label_costs(completed, weights))
    return replace(chains, gold=completed, loss=loss)


def _spread(marginals: Marginals, has_left: Flags, chains: Problem) -> Marginals:
    """Extend dual variables of the known regions to others, which are certain of the last label.

    ``has_left`` says which known regions are linked in the problem that was solved.
    """
    regions = np.eye(chains.n_labels)[np.maximum(chains.gold, -1)]
    places, linked = np.flatnonzero(chains.gold >= 0), np.flatnonzero(has_left)
    regions[places] = marginals.regions
    n_edges = len(regions) + 1 if chains.has_left.any() else 0
    edges = np.zeros((n_edges, *marginals.edges.shape[1:]))
    edges[places[linked]] = marginals.edges[linked]
    return Marginals(regions, edges)


def _followed(marginals: Marginals, before: Labels, problem: Problem) -> Marginals:
    """Return dual variables whose certain regions follow a change of the completed labels.

    Labels ``before`` that were not completed yet, below 0, count as the last label.
    """
    regions, edges = marginals.regions.copy(), marginals.edges.copy()
    is_certain = regions[np.arange(len(before)), np.maximum(before, -1)] == 1
    moved = np.flatnonzero((before != problem.gold) & is_certain)
    regions[moved] = np.eye(problem.n_labels)[problem.gold[moved]]
    right = np.intersect1d(np.union1d(moved, moved + 1), np.flatnonzero(problem.has_left))
    edges[right] = regions[right - 1][:, :, None] * regions[right][:, None, :]
    return Marginals(regions, edges)
