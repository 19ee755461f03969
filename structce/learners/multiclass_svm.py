"""Multi-class SVM, and the hyper-parameters and solvers that all three SVMs share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels
from structce.errors import LearnerError
from structce.learners import solvers
from structce.learners.base import Callback, Progress
from structce.learners.inputs import (
    LabelWeights,
    Pages,
    check_count,
    check_flag,
    check_label_weights,
    check_one_of,
    check_positive,
    resolve_weights,
)
from structce.learners.linear import LinearLearner, SeparateRegions
from structce.learners.registry import learner


class SVM(LinearLearner):
    """A large-margin learner.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0. The default was chosen on validation sites of the
        Fundus pages; Spengler, Bordes and Gallinari (2010) chose 0.1 on News600.
    engine
        ``frank-wolfe``, which converges and reports its distance from the optimum, or ``sgd``, the
        stochastic subgradient method, whose epochs are cheaper and whose gap closes slowly.
    max_epochs
        Maximum number of passes over the training pages.
    tol
        Relative duality gap at which to stop, above 0; it is checked after every epoch.
    label_weights
        Cost of missing a region of each label: None for the Hamming loss, ``balanced``,
        ``sqrt``, or one number per label; see `structce.learners.inputs.resolve_weights`.
    warm_start
        Whether `fit` continues from the dual variables of the previous fit, if pages with the same
        numbers of regions are given in the same order; for a path of lambdas, or for more
        epochs. Engine ``frank-wolfe`` only.
    random_state
        Seed for the order in which regions are visited, at least 0.

    Attributes
    ----------
    gap_ : float
        Relative duality gap at the stop, in [0, 1]; above ``tol`` the solver is unfinished.
    objective_ : float
        The primal objective at the stop.
    n_epochs_ : int
    curve_ : list
        (epoch, primal, dual) after each epoch.
    """

    diagnostic_names: ClassVar[tuple[str, ...]] = ("gap_", "objective_", "n_epochs_", "curve_")
    engines: ClassVar[tuple[str, ...]] = ("frank-wolfe", "sgd")

    gap_: float
    objective_: float
    n_epochs_: int
    curve_: list[tuple[int, float, float]]

    def __init__(
        self,
        *,
        lambda_: float = 1.0,
        engine: str = "frank-wolfe",
        max_epochs: int = 100,
        tol: float = 0.01,
        label_weights: LabelWeights = None,
        warm_start: bool = False,
        random_state: int = 0,
    ) -> None:
        self.lambda_ = lambda_
        self.engine = engine
        self.max_epochs = max_epochs
        self.tol = tol
        self.label_weights = label_weights
        self.warm_start = warm_start
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_positive("lambda_", self.lambda_)
        check_one_of("engine", self.engine, self.engines)
        check_count("max_epochs", self.max_epochs, least=1)
        check_positive("tol", self.tol)
        check_label_weights(self.label_weights)
        check_flag("warm_start", self.warm_start)
        check_count("random_state", self.random_state, least=0)
        if self.warm_start and self.engine != "frank-wolfe":
            raise LearnerError(
                f"warm_start=True with engine={self.engine!r}; only 'frank-wolfe' can continue "
                "from where it stopped"
            )

    def _weights(self, labels: Sequence[Labels]) -> Floats:
        """Return the cost of missing each label, shape (n_labels,)."""
        return resolve_weights(self.label_weights, labels, self.n_labels_)

    def _solve_regions(
        self, pages: Pages, labels: list[Labels], callback: Callback | None
    ) -> Floats:
        """Train with a hinge per region; set the diagnostics, and return the emissions.

        For a region with a set of labels, the highest-scoring label of the set is the correct one,
        see `structce.learners.solvers.latent`.
        """
        if any((y < UNKNOWN_INDEX).any() for y in labels):
            solution = self._solve_latent(pages, labels, callback, is_chain=False)
            self._keep(solution)
            return solution.emissions
        problem = solvers.Problem.of_regions(pages, labels, self._weights(labels))
        solution = self._warm_solve(problem, callback)
        self._keep(solution)
        return solution.emissions

    def _solve_latent(
        self,
        pages: Pages,
        labels: list[Labels],
        callback: Callback | None,
        *,
        is_chain: bool,
    ) -> solvers.Solution:
        """Train with unknown labels or sets of labels; fast if the solver has warm starts."""
        weights = self._weights(labels)
        if self.engine == "frank-wolfe":
            settings = self._settings(callback)
            return solvers.solve_latent(pages, labels, weights, is_chain=is_chain, **settings)
        return solvers.textbook_latent(
            pages,
            labels,
            weights,
            self.lambda_,
            lambda problem, start: self._solve(problem, start, callback),
            is_chain=is_chain,
        )

    def _warm_solve(self, problem: solvers.Problem, callback: Callback | None) -> solvers.Solution:
        """Solve, starting from the previous fit if requested, and store the final state."""
        solution = self._solve(problem, self._last_marginals(problem), callback)
        self.__dict__.pop("_last", None)
        if self.warm_start and solution.marginals is not None:
            self._last = problem.lengths, solution.marginals
        return solution

    def _last_marginals(self, problem: solvers.Problem) -> solvers.Marginals | None:
        if not self.warm_start or "_last" not in self.__dict__:
            return None
        lengths, marginals = self._last
        is_same = np.array_equal(lengths, problem.lengths)
        return marginals if is_same and marginals.regions.shape == problem.loss.shape else None

    def _solve(
        self, problem: solvers.Problem, start: solvers.Marginals | None, callback: Callback | None
    ) -> solvers.Solution:
        solver: Callable[..., solvers.Solution] = solvers.solve_sgd
        if self.engine == "frank-wolfe":
            solver = partial(solvers.solve_frank_wolfe, start=start)
        return solver(problem, **self._settings(callback))

    def _settings(self, callback: Callback | None) -> dict[str, Any]:
        """Return the arguments that all solvers have."""
        names = ("lambda_", "max_epochs", "tol", "random_state")
        settings = {name: getattr(self, name) for name in names}
        return settings | {"callback": callback and partial(self._relay, callback)}

    def _relay(self, callback: Callback, progress: Progress) -> bool | None:
        """Call a callback with the weights in the learner's form."""
        return callback(replace(progress, weights=lambda: self._as_kept(*progress.weights())))

    def _as_kept(self, emissions: Floats, transitions: Floats) -> tuple[Floats, ...]:
        """Return the solver's weights in the order of `weight_names`."""
        del transitions  # regions that do not depend on each other have none
        return (emissions,)

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
        self.emissions_ = self._solve_regions(pages, labels, callback)
