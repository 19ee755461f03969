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
            is_stopped = bool(callback(replace(progress, epoch=epoch, max_epochs=max_epochs)))
        return is_stopped

    solver = partial(
        solve_frank_wolfe, lambda_=lambda_, tol=tol, random_state=random_state, callback=note
    )
    with suppress_solver_warnings():  # an unfinished solution is reported at the end
        of_known = Problem.of_pages if is_chain else Problem.of_regions
        first = of_known(pages, labels, weights)
        has_sets = any((y < UNKNOWN_INDEX).any() for y in labels)
        n_first = -(-max_epochs // 2) if has_sets else max_epochs  # leaves epochs for the sets
        solution = solver(first, max_epochs=n_first)
        has_left = first.has_left
        del first  # frees the memory of its rows
        chains = partial_problem(pages, labels, weights, is_chain=is_chain)
        completed = np.where(chains.gold < 0, UNKNOWN_INDEX, chains.gold)
        start = solution.marginals and spread(solution.marginals, chains, has_left)
        for n_rounds in range(1, MAX_ROUNDS + 1):
            n_left = max_epochs - len(curve)
            if is_stopped or n_left < 1:
                break
            filled = complete(chains, solution)
            start = start and followed(start, completed, filled, chains.has_left)
            completed, before = filled, solution.primal
            most = 1 if n_rounds < MAX_ROUNDS else n_left
            problem = completed_problem(chains, completed, weights)
            solution = solver(problem, max_epochs=most, start=start)
            start = solution.marginals
            change = abs(before - solution.primal)
            if solution.gap <= tol and change <= tol * solution.primal:
                break
    if solution.gap > tol and not is_stopped:
        _logger.warning(UNFINISHED, len(curve), solution.gap, tol)
    problem = completed_problem(chains, complete(chains, solution), weights)
    value, _, _ = primal(problem, lambda_ * len(pages), solution.emissions, solution.transitions)
    return solution._replace(
        primal=value / len(pages), n_epochs=len(curve), curve=curve, marginals=None
    )


def partial_problem(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    weights: Floats,
    *,
    reach: int = REACH,
    is_chain: bool = True,
) -> Problem:
    """Return the problem with all gold near a known label, unknown labels and sets among it.

    Regions that are more than ``reach`` from any known one are left out. If labels do not depend on
    each other, only known regions are kept, each of which is a chain of its own.
    """
    kept = [near_known(y, reach if is_chain else 0) for y in labels]
    rows, gold, lengths = stack_chains(pages, labels, kept)
    lengths = lengths if is_chain else np.ones(len(gold), dtype=np.int64)
    return Problem(rows, gold, np.zeros((len(gold), len(weights))), lengths, len(pages))


def complete(chains: Problem, solution: Solution) -> Labels:
    """Return the highest-scoring sequences that agree with the gold."""
    scores = matmul(chains.rows, solution.emissions)
    scores[~allowed_labels(chains.gold, chains.n_labels)] = -np.inf
    return viterbi_concatenated(scores, chains.lengths, solution.transitions)


def completed_problem(chains: Problem, completed: Labels, weights: Floats) -> Problem:
    """Return the problem with completed labels; labels that gold allows cost nothing."""
    loss = label_costs(completed, weights)
    loss[allowed_labels(chains.gold, len(weights))] = 0.0
    return replace(chains, gold=completed, loss=loss)


def spread(marginals: Marginals, chains: Problem, has_left: Flags) -> Marginals:
    """Extend dual variables of the known regions to others, which have the last label.

    ``has_left`` says which known regions are linked in the problem that was solved.
    """
    n_labels, places = chains.n_labels, np.flatnonzero(chains.gold >= 0)
    regions = np.eye(n_labels)[np.maximum(chains.gold, UNKNOWN_INDEX)]
    regions[places] = marginals.regions
    edges = np.zeros((len(regions) + 1 if chains.has_left.any() else 0, n_labels, n_labels))
    linked = np.flatnonzero(has_left)
    edges[places[linked]] = marginals.edges[linked]
    return Marginals(regions, edges)


def near_known(labels: Labels, reach: int) -> Flags:
    """Return whether a region, or one at most ``reach`` regions away, has gold labels."""
    known: Flags = labels != UNKNOWN_INDEX
    if not known.any():
        return known
    nearby = np.convolve(known, np.ones(2 * reach + 1))
    return np.asarray(nearby[reach : reach + len(labels)] > 0)


def followed(marginals: Marginals, before: Labels, after: Labels, has_left: Flags) -> Marginals:
    """Return dual variables whose certain regions follow a change of the completed labels.

    Completed labels below 0, in ``before`` or ``after``, count from the last label.
    """
    n_labels = marginals.regions.shape[1]
    old = before % n_labels
    every = np.arange(len(old))
    moved = np.flatnonzero((before != after) & (marginals.regions[every, old] == 1))
    regions, edges = marginals.regions.copy(), marginals.edges.copy()
    regions[moved] = np.eye(n_labels)[after[moved]]
    right = np.union1d(moved, moved + 1)
    right = right[right < len(old)]
    right = right[has_left[right]]
    edges[right] = regions[right - 1][:, :, None] * regions[right][:, None, :]
    return Marginals(regions, edges)
