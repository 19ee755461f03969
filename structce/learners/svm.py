"""Multi-class and structured SVM, and the hyper-parameters and solvers of all SVMs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels
from structce.learners import solvers
from structce.learners.base import Callback
from structce.learners.classes import LabelWeights, check_label_weights, resolve_weights
from structce.learners.inputs import Pages, check_count, check_flag, check_one_of, check_positive
from structce.learners.linear import LinearChain, LinearLearner, SeparateRegions
from structce.learners.registry import learner


@dataclass(kw_only=True, eq=False, repr=False)
class SVM(LinearLearner):
    """A large-margin learner.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0; Spengler, Bordes and Gallinari (2010) chose 0.1.
    engine
        ``frank-wolfe``, the only solver, which reports its distance from the optimum.
    max_epochs
        Maximum number of passes over the training pages.
    tol
        Relative duality gap at which to stop, above 0; it is checked after every epoch.
    label_weights
        Cost of missing a region of each label; see `resolve_weights`.
    warm_start
        Whether `fit` continues from the dual variables of the previous fit, if pages with the same
        numbers of regions are given in the same order; for a path of lambdas, or for more epochs.
    random_state
        Seed for the order in which regions are visited, at least 0.
    """

    diagnostic_names: ClassVar[tuple[str, ...]] = ("gap_", "objective_", "n_epochs_", "curve_")

    lambda_: float = 1.0
    engine: str = "frank-wolfe"
    max_epochs: int = 100
    tol: float = 0.01
    label_weights: LabelWeights = None
    warm_start: bool = False
    random_state: int = 0

    gap_: float = field(init=False)  # relative, at the stop; above ``tol`` it is unfinished
    objective_: float = field(init=False)  # the primal one, at the stop
    n_epochs_: int = field(init=False)
    curve_: list[tuple[int, float, float]] = field(init=False)  # epoch, primal, dual

    def _check_parameters(self) -> None:
        check_positive("lambda_", self.lambda_)
        check_one_of("engine", self.engine, ["frank-wolfe"])
        check_count("max_epochs", self.max_epochs, least=1)
        check_positive("tol", self.tol)
        check_label_weights(self.label_weights)
        check_flag("warm_start", self.warm_start)
        check_count("random_state", self.random_state, least=0)

    def _weights(self, labels: Sequence[Labels]) -> Floats:
        """Return the cost of missing each label, shape (n_labels,)."""
        return resolve_weights(self.label_weights, labels, self.n_labels_)

    def _solve(
        self, pages: Pages, labels: list[Labels], callback: Callback | None, *, is_chain: bool
    ) -> solvers.Solution:
        """Train with a hinge per page or, if it is not a chain, per region; set the diagnostics.

        In a chain, unknown labels are latent; otherwise their regions are left out. Of a set of
        labels, the highest-scoring one is the correct one.
        """
        weights, settings = self._weights(labels), self._settings(callback)
        if any((y < (0 if is_chain else UNKNOWN_INDEX)).any() for y in labels):
            solution = solvers.solve_latent(pages, labels, weights, is_chain=is_chain, **settings)
        else:
            problem_of = solvers.Problem.of_pages if is_chain else solvers.Problem.of_regions
            problem = problem_of(pages, labels, weights)
            lengths, start = self.__dict__.pop("_last", (None, None))  # of the previous fit
            if start is not None and not (
                self.warm_start
                and np.array_equal(lengths, problem.lengths)
                and start.regions.shape == problem.loss.shape
            ):
                start = None
            solution = solvers.solve_frank_wolfe(problem, start=start, **settings)
            if self.warm_start:
                self.__dict__["_last"] = problem.lengths, solution.marginals
        self._keep(solution)
        return solution

    def _settings(self, callback: Callback | None) -> dict[str, Any]:
        """Return the arguments that all solvers have."""
        names = ("lambda_", "max_epochs", "tol", "random_state")
        return {**{name: getattr(self, name) for name in names}, "callback": callback}

    def _keep(self, solution: solvers.Solution) -> None:
        """Set the diagnostics."""
        self.gap_, self.objective_ = solution.gap, solution.primal
        self.n_epochs_, self.curve_ = solution.n_epochs, solution.curve


@learner("multiclass-svm")
class MulticlassSVM(SeparateRegions, SVM):
    """Labels each region by its highest-scoring label; trained with a hinge per region.

    `SVM` describes hyper-parameters and attributes.

    References
    ----------
    K. Crammer, Y. Singer (2001). On the algorithmic implementation of multiclass kernel-based
    vector machines. JMLR 2, eq. (6).
    """

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        self.emissions_ = self._solve(pages, labels, callback, is_chain=False).emissions


@learner("structured-svm")
class StructuredSVM(LinearChain, SVM):
    """Labels a page by its highest-scoring label sequence; trained with a hinge over the page.

    Margins are rescaled by the Hamming loss, or by a label-weighted one. Transitions are
    regularised like emissions. With unknown labels the loss is not convex, and the solution is a
    local optimum; see `solve_latent`. `SVM` describes hyper-parameters and attributes.

    References
    ----------
    I. Tsochantaridis, T. Joachims, T. Hofmann, Y. Altun (2005). Large margin methods for
    structured and interdependent output variables. JMLR 6.
    """

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        solution = self._solve(pages, labels, callback, is_chain=True)
        self.emissions_, self.transitions_ = solution.emissions, solution.transitions
