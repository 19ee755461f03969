"""Solution of an SVM's training problem, and the monitor of a solver's convergence."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from structce.arrays import Floats
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.solvers.dual import Marginals

_logger = logging.getLogger(__name__)

UNFINISHED = (
    "the solver stopped after %d epochs at a relative duality gap of %.3g, above %.3g; "
    "more epochs (max_epochs) close it, though labels mostly settle earlier"
)

Weights = tuple[Floats, Floats]
"""Emissions, shape (n_columns, n_labels), and transitions, shape (n_labels, n_labels)."""


@dataclass(frozen=True)
class Solution:
    """Weights, and their distance from the optimum."""

    emissions: Floats  # shape (n_columns, n_labels)
    transitions: Floats  # shape (n_labels, n_labels)
    primal: float  # the objective at these weights
    gap: float  # ``(primal - dual) / primal``: no objective is below ``(1 - gap) * primal``
    n_epochs: int
    curve: list[tuple[int, float, float]]  # (epoch, primal, dual) after each epoch
    marginals: Marginals | None = field(default=None, compare=False)
    """Dual variables, from which the solver can continue; None if it has none."""


class ConvergenceMonitor:
    """Records the curve of a solver, calls the callback, and decides when to stop.

    Objectives are passed as sums over pages, and reported as means.
    """

    def __init__(
        self, n_pages: int, max_epochs: int, tol: float, callback: Callback | None
    ) -> None:
        self.n_pages = n_pages
        self.max_epochs = max_epochs
        self.tol = tol
        self.callback = callback
        self.curve: list[tuple[int, float, float]] = []
        self.gap = 0.0
        self.is_stopped = False

    def note(self, primal: float, dual: float, weights: Weights) -> bool:
        """Record the objectives after another epoch; return whether that was the last."""
        epoch = len(self.curve) + 1
        primal, dual = primal / self.n_pages, dual / self.n_pages
        if primal < 0:
            raise LearnerError(f"objective of {primal:.3g}; a regularised hinge is 0 or more")
        self.curve.append((epoch, primal, dual))
        self.gap = max(0.0, (primal - dual) / primal) if primal > 0 else 0.0
        if self.callback is not None:
            progress = Progress(epoch, self.max_epochs, primal, self.gap, lambda: weights)
            self.is_stopped = bool(self.callback(progress))
        return self.is_stopped or self.gap <= self.tol or epoch >= self.max_epochs

    def solution(self, weights: Weights, marginals: Marginals | None = None) -> Solution:
        """Return the solution; warn if the gap is too large and no callback stopped the solver."""
        epoch, primal, _ = self.curve[-1]
        if self.gap > self.tol and not self.is_stopped:
            _logger.warning(UNFINISHED, epoch, self.gap, self.tol)
        return Solution(*weights, primal, self.gap, epoch, self.curve, marginals)
