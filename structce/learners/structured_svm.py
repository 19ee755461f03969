"""The structured SVM: a hinge over whole label sequences, with or without unknown labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels
from structce.learners.backends.pystruct import solve_pystruct
from structce.learners.base import Callback, LinearChain
from structce.learners.inference.viterbi import viterbi_batch
from structce.learners.inputs import SparseRows, matmul
from structce.learners.multiclass_svm import SVM
from structce.learners.registry import learner
from structce.learners.solvers.dual import Marginals, primal
from structce.learners.solvers.problem import Problem
from structce.learners.solvers.solution import Solution

MAX_ROUNDS = 10
"""Times that unknown labels are filled in at most; it took fewer on Fundus pages."""

_PYSTRUCT_SOLVERS = {"pystruct": "frank-wolfe", "pystruct-one-slack": "one-slack"}
"""Engine to pystruct's solver."""

_Solver = Callable[[Problem, Marginals | None], Solution]
"""Solves a convex problem, from given dual variables or from none."""


@learner("structured-svm")
class StructuredSVM(LinearChain, SVM):
    """Gives a page its highest-scoring label sequence; trained with a hinge over the page.

    Margins are rescaled by the Hamming loss, or by a label-weighted one. Transitions are
    regularised like emissions. Where labels are unknown the loss is not convex, and what is found
    is a local optimum; see `solve_latent`. `SVM` describes hyper-parameters and
    attributes; besides its engines there are ``pystruct`` and ``pystruct-one-slack``, the
    Frank-Wolfe and the one-slack cutting-plane solver of that package, for small dense problems.

    Attributes
    ----------
    transitions_ : shape (n_labels, n_labels)
        ``transitions_[a, b]`` scores label ``b`` right after label ``a``.

    References
    ----------
    I. Tsochantaridis, T. Joachims, T. Hofmann, Y. Altun (2005). Large margin methods for
    structured and interdependent output variables. JMLR 6.
    """

    engines: ClassVar[tuple[str, ...]] = (*SVM.engines, *_PYSTRUCT_SOLVERS)

    def _fit(
        self, pages: list[SparseRows], labels: list[Labels], callback: Callback | None
    ) -> None:
        unknown = sum(int((y == UNKNOWN_INDEX).sum()) for y in labels)
        if self.engine in _PYSTRUCT_SOLVERS:
            solution = self._solve_by_pystruct(pages, labels, callback)
        elif unknown:
            solution = solve_latent(
                pages,
                labels,
                self._weights(labels),
                self.lambda_,
                lambda problem, start: self._solve(problem, start, callback),
            )
        else:
            problem = Problem.of_pages(pages, labels, self._weights(labels))
            solution = self._warm_solve(problem, callback)
        self._keep(solution)
        self.emissions_, self.transitions_ = solution.emissions, solution.transitions

    def _solve_by_pystruct(
        self, pages: list[SparseRows], labels: list[Labels], callback: Callback | None
    ) -> Solution:
        return solve_pystruct(
            pages,
            labels,
            n_labels=self.n_labels_,
            lambda_=self.lambda_,
            solver=_PYSTRUCT_SOLVERS[self.engine],
            max_epochs=self.max_epochs,
            tol=self.tol,
            random_state=self.random_state,
            weights=self._weights(labels),
            callback=callback,
        )

    def _as_kept(self, emissions: Floats, transitions: Floats) -> tuple[Floats, ...]:
        return emissions, transitions


def solve_latent(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    weights: Floats,
    lambda_: float,
    solver: _Solver,
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
    ``primal`` is the objective with the latent hinge; ``gap`` is that of the last convex problem.
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
    pages: Sequence[SparseRows], labels: Sequence[Labels], emissions: Floats, transitions: Floats
) -> list[Labels]:
    """Return the highest-scoring label sequence of each page that agrees with the known labels."""
    scores = []
    for page, y in zip(pages, labels, strict=True):
        allowed = matmul(page, emissions)
        known = np.flatnonzero(y != UNKNOWN_INDEX)
        held = allowed[known, y[known]]
        allowed[known] = -np.inf
        allowed[known, y[known]] = held
        scores.append(allowed)
    return viterbi_batch(scores, transitions)
