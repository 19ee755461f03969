"""Training with labels that are unknown or one of several, by the latent hinge loss.

The hinge of a page is the highest score plus loss over all sequences, minus the highest score of
those that its gold allows. That loss is a difference of convex functions. `textbook_latent` is the
concave-convex procedure as published: complete the unknown labels by the best sequence that agrees
with the known ones, solve the resulting convex problem, and repeat until nothing changes.
`solve_latent` reaches equally good weights in a fraction of the time, for three reasons: it only
uses regions near known ones (`PartialChains`), as the others have no loss; it completes labels
after every epoch rather than after every solved problem; and its dual variables carry over from
one problem to the next.

References
----------
A. L. Yuille, A. Rangarajan (2003). The concave-convex procedure. Neural Computation 15(4).
C.-N. J. Yu, T. Joachims (2009). Learning structural SVMs with latent variables. ICML, algorithm 1.
T. Cour, B. Sapp, B. Taskar (2011). Learning from partial labels. JMLR 12: sets of labels, any of
which may be right, and a margin between the best of the set and the best outside.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Flags, Floats, Labels, allowed_labels
from structce.learners.base import Callback, Progress, quiet
from structce.learners.inference.viterbi import viterbi_batch, viterbi_concatenated
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.dual import Marginals, primal
from structce.learners.solvers.frank_wolfe import solve_frank_wolfe
from structce.learners.solvers.problem import Problem, costs_of_sets, stack_rows
from structce.learners.solvers.solution import UNFINISHED, Solution

_logger = logging.getLogger(__name__)

MAX_ROUNDS = 10
"""Maximum number of times that unknown labels are completed; Fundus pages took fewer."""

REACH = 4
"""Number of regions with unknown labels that are kept on either side of a known one."""


def textbook_latent(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    weights: Floats,
    lambda_: float,
    solver: Callable[[Problem, Marginals | None], Solution],
    is_chain: bool = True,
) -> Solution:
    """Return weights for pages with unknown labels by the concave-convex procedure.

    The first round breaks chains at unknown labels, so it is convex and needs no initial guess.

    ``solver`` solves a convex problem, with or without initial dual variables; ``weights``, shape
    (n_labels,), are the costs of missing each label; ``is_chain`` says whether labels of neighbours
    depend on each other. The solution's ``primal`` is the objective with the latent hinge, its
    ``gap`` that of the last convex problem.
    """
    of_known = Problem.of_pages if is_chain else Problem.of_regions
    solution = solver(of_known(pages, labels, weights), None)
    completed: list[Labels] = []
    start = None
    for _ in range(MAX_ROUNDS):
        filled = complete(pages, labels, solution.emissions, solution.transitions)
        if completed and all(map(np.array_equal, filled, completed)):
            break
        completed = filled
        problem = Problem.of_completed(pages, labels, completed, weights)
        solution = solver(problem if is_chain else problem.apart(), start)
        start = solution.marginals
    filled = complete(pages, labels, solution.emissions, solution.transitions)
    problem = Problem.of_completed(pages, labels, filled, weights)
    problem = problem if is_chain else problem.apart()
    return _with_latent_primal(solution, problem, lambda_)


def complete(
    pages: Sequence[SparseRows], labels: Sequence[Labels], emissions: Floats, transitions: Floats
) -> list[Labels]:
    """Return the highest-scoring label sequence of each page that agrees with the known labels."""
    pairs = zip(pages, labels, strict=True)
    scores = [_restricted(matmul(page, emissions), y) for page, y in pairs]
    return viterbi_batch(scores, transitions)


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

    It begins like `textbook_latent`, then completes labels once per epoch, until the gap is at most
    ``tol`` and an epoch changes the objective by no more than that fraction of it.

    Parameters and result are as in `textbook_latent`, except that `max_epochs` counts the epochs of
    all problems, and that the objective covers only the regions near known ones. If labels do not
    depend on each other, every region is a chain of its own, and only sets of labels are completed.
    """
    log = EpochLog(max_epochs, callback)
    solver = partial(
        solve_frank_wolfe, lambda_=lambda_, tol=tol, random_state=random_state, callback=log
    )
    with quiet():  # an unfinished solution is reported at the end
        of_known = Problem.of_pages if is_chain else Problem.of_regions
        first = of_known(pages, labels, weights)
        has_sets = any((y < UNKNOWN_INDEX).any() for y in labels)
        n_first = -(-max_epochs // 2) if has_sets else max_epochs  # leaves epochs for the sets
        solution = solver(first, max_epochs=n_first, start=None)
        has_left = first.has_left
        del first  # frees the memory of its rows
        chains = PartialChains.of(pages, labels, REACH if is_chain else 0)
        chains = chains if is_chain else chains.apart()
        completed = np.where(chains.labels < 0, UNKNOWN_INDEX, chains.labels)
        start = chains.spread(solution.marginals, has_left)
        for n_rounds in range(1, MAX_ROUNDS + 1):
            n_left = max_epochs - len(log.curve)
            if log.is_stopped or n_left < 1:
                break
            filled = chains.complete(solution.emissions, solution.transitions)
            start = start and followed(start, completed, filled, chains.has_left)
            completed, before = filled, solution.primal
            solution = solver(
                chains.problem(completed, weights),
                max_epochs=1 if n_rounds < MAX_ROUNDS else n_left,
                start=start,
            )
            start = solution.marginals
            change = abs(before - solution.primal)
            if solution.gap <= tol and change <= tol * solution.primal:
                break
    if solution.gap > tol and not log.is_stopped:
        _logger.warning(UNFINISHED, len(log.curve), solution.gap, tol)
    filled = chains.complete(solution.emissions, solution.transitions)
    result = _with_latent_primal(solution, chains.problem(filled, weights), lambda_)
    return replace(result, n_epochs=len(log.curve), curve=log.curve, marginals=None)


class EpochLog:
    """Callback that counts the epochs of several solvers, `max_epochs` at most, as those of one."""

    def __init__(self, max_epochs: int, callback: Callback | None) -> None:
        self.max_epochs = max_epochs
        self.callback = callback
        self.curve: list[tuple[int, float, float]] = []
        self.is_stopped = False

    def __call__(self, progress: Progress) -> bool:
        """Record the objectives of another epoch; return whether to stop."""
        epoch, objective = len(self.curve) + 1, progress.objective
        self.curve.append((epoch, objective, objective * (1 - progress.gap)))
        if self.callback is not None:
            overall = replace(progress, epoch=epoch, max_epochs=self.max_epochs)
            self.is_stopped = bool(self.callback(overall))
        return self.is_stopped


@dataclass(frozen=True, eq=False)
class PartialChains:
    """Concatenated chains of regions, some of whose labels are unknown."""

    rows: SparseRows  # shape (n_regions, n_columns)
    labels: Labels  # of each region, see `structce.arrays.Labels`
    lengths: Labels  # number of regions of each chain
    n_pages: int  # divisor of the sum of the hinges

    @classmethod
    def of(
        cls, pages: Sequence[SparseRows], labels: Sequence[Labels], reach: int | None = None
    ) -> Self:
        """Return pages without the regions that are far from any known one.

        A page is split where more than twice ``reach`` unknown regions are consecutive, and loses
        its ends. The regions dropped have no loss; they only link known regions that are far apart,
        through all the transitions between them. By default all regions are kept.
        """
        kept = [near_known(y, reach) for y in labels]
        starts = [np.diff(np.flatnonzero(mask), prepend=-2) > 1 for mask in kept]
        firsts = np.flatnonzero(np.concatenate(starts))
        chosen = np.concatenate(labels)[np.concatenate(kept)]
        lengths = np.diff(np.append(firsts, len(chosen)))
        return cls(stack_rows(pages, kept), chosen, lengths, len(pages))

    def apart(self) -> Self:
        """Return the same regions, each a chain of its own."""
        return replace(self, lengths=np.ones(len(self.labels), dtype=np.int64))

    @property
    def has_left(self) -> Flags:
        """Whether a region has a left neighbour in its chain, shape (n_regions,)."""
        flags = np.ones(len(self.labels), dtype=bool)
        flags[np.cumsum(self.lengths) - self.lengths] = False
        return flags

    def complete(self, emissions: Floats, transitions: Floats) -> Labels:
        """Return the highest-scoring sequences that agree with the known labels."""
        scores = _restricted(matmul(self.rows, emissions), self.labels)
        return viterbi_concatenated(scores, self.lengths, transitions)

    def problem(self, completed: Labels, weights: Floats) -> Problem:
        """Return the problem with completed labels; labels that gold allows cost nothing."""
        loss = costs_of_sets(completed, self.labels, weights)
        return Problem(self.rows, completed, loss, self.lengths, self.n_pages)

    def spread(self, marginals: Marginals | None, has_left: Flags) -> Marginals | None:
        """Extend the dual variables of a problem on the known regions to the unknown ones.

        If no single label is known, all mass is at `UNKNOWN_INDEX`, the last label, until
        `followed` moves it. ``has_left`` says which known regions have a left neighbour in the
        problem.
        """
        if marginals is None:
            return None
        n_labels = marginals.regions.shape[1]
        places = np.flatnonzero(self.labels >= 0)
        regions = np.eye(n_labels)[np.maximum(self.labels, UNKNOWN_INDEX)]
        regions[places] = marginals.regions
        edges = np.zeros((len(regions) + 1 if self.has_left.any() else 0, n_labels, n_labels))
        linked = np.flatnonzero(has_left)
        edges[places[linked]] = marginals.edges[linked]
        return Marginals(regions, edges)


def near_known(labels: Labels, reach: int | None = None) -> Flags:
    """Return whether a region, or one at most ``reach`` regions away, has gold labels."""
    places = np.flatnonzero(labels != UNKNOWN_INDEX)
    if reach is None or not len(places):
        return np.full(len(labels), len(places) > 0)
    every = np.arange(len(labels))
    after = np.searchsorted(places, every)
    right = places[np.minimum(after, len(places) - 1)]
    left = places[np.maximum(after - 1, 0)]
    return np.asarray(np.minimum(np.abs(right - every), np.abs(every - left)) <= reach)


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


def _restricted(scores: Floats, labels: Labels) -> Floats:
    """Set the scores of labels that gold does not allow to -inf, in place, and return them."""
    scores[~allowed_labels(labels, scores.shape[1])] = -np.inf
    return scores


def _with_latent_primal(solution: Solution, problem: Problem, lambda_: float) -> Solution:
    """Return a solution with its objective on the problem that it has completed."""
    scale = lambda_ * problem.n_pages
    value, _, _ = primal(problem, scale, solution.emissions, solution.transitions)
    return replace(solution, primal=value / problem.n_pages)
