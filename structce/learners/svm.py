"""What the three SVMs have in common: hyper-parameters and solver."""

from __future__ import annotations

from typing import ClassVar

from structce.learners.arrays import Floats, Labels, Rows
from structce.learners.base import Learner
from structce.learners.checks import check_count, check_positive
from structce.learners.frank_wolfe import Solution, solve


class SVM(Learner):
    """A large-margin learner, trained by block-coordinate Frank-Wolfe.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0. The default was chosen on validation sites of the
        Fundus pages; Spengler, Bordes and Gallinari (2010) chose 0.1 on News600.
    max_epochs
        At most this many passes over the training pages.
    tol
        Stop at this relative duality gap, above 0. Checked after every epoch at first, later
        after every fifth part of the epochs so far.
    random_state
        Seed of the order in which pages are visited, at least 0.

    Attributes
    ----------
    gap_ : float
        Relative duality gap at the stop, in [0, 1]; above ``tol`` the solver is unfinished.
    objective_ : float
        The primal objective at the stop.
    n_epochs_ : int
    curve_ : list
        (epoch, primal, dual) at each check.
    """

    diagnostic_names: ClassVar[tuple[str, ...]] = ("gap_", "objective_", "n_epochs_", "curve_")

    gap_: float
    objective_: float
    n_epochs_: int
    curve_: list[tuple[int, float, float]]

    def __init__(
        self,
        *,
        lambda_: float = 1.0,
        max_epochs: int = 50,
        tol: float = 0.01,
        random_state: int = 0,
    ) -> None:
        self.lambda_ = lambda_
        self.max_epochs = max_epochs
        self.tol = tol
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_positive("lambda_", self.lambda_)
        check_positive("tol", self.tol)
        check_count("max_epochs", self.max_epochs, least=1)
        check_count("random_state", self.random_state, least=0)

    def _solve(
        self, pages: list[Rows], labels: list[Labels], *, with_transitions: bool
    ) -> tuple[Floats, Floats]:
        """Set the diagnostics, and return emissions and transitions."""
        solution: Solution = solve(
            pages,
            labels,
            n_labels=self.n_labels_,
            lambda_=self.lambda_,
            with_transitions=with_transitions,
            max_epochs=self.max_epochs,
            tol=self.tol,
            random_state=self.random_state,
        )
        self.gap_ = solution.gap
        self.objective_ = solution.primal
        self.n_epochs_ = solution.n_epochs
        self.curve_ = solution.curve
        return solution.emissions, solution.transitions
