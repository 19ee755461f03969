"""Training of a structured SVM by pystruct: a referee for our own solver on small problems.

pystruct minimises ``|w|^2 / 2 + C sum_i H_i(w)``, with the hinge ``H_i`` of a page as in
`structce.learners.solvers.frank_wolfe` and the Hamming loss as a count of regions. This is our
objective divided by lambda if ``C = 1 / (lambda N)``. Its columns are dense.

References
----------
A. C. Mueller, S. Behnke (2014). PyStruct: learning structured prediction in Python. JMLR 15.
T. Joachims, T. Finley, C.-N. J. Yu (2009). Cutting-plane training of structural SVMs. Machine
Learning 77: its ``one-slack``.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.extras import check_extras
from structce.learners.backends.pystruct_package import import_pystruct
from structce.learners.base import Callback, Progress
from structce.learners.inputs import SparseRows
from structce.learners.solvers.problem import UNFINISHED, Problem, Solution, primal

_logger = logging.getLogger(__name__)

MOST_MEMORY = 4e9  # bytes of the dense problem
EPOCHS_PER_CHECK = 10  # of Frank-Wolfe's gap, each as costly as a pass; pystruct's default


def solve_pystruct(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    *,
    lambda_: float,
    solver: str,
    max_epochs: int,
    tol: float,
    random_state: int,
    weights: Floats,
    callback: Callback | None = None,
) -> Solution:
    """Train a structured SVM by pystruct and return its weights.

    Solver ``frank-wolfe`` checks its gap at every tenth pass, ``one-slack`` needs cvxopt. The
    callback receives objective and gap as of the last check. Raises LearnerError if a label is
    unknown, or the dense pages would take more than `MOST_MEMORY`; MissingExtraError if pystruct or
    cvxopt is missing.
    """
    for i, y in enumerate(labels):
        if len(unknown := np.flatnonzero(y < 0)):
            raise LearnerError(
                f"page {i}: region {unknown[0]} has no label; engine 'pystruct' cannot train on "
                "unknown labels; use engine 'frank-wolfe'"
            )
    problem = Problem.of_pages(pages, labels, weights)
    (n_regions, n_columns), n_labels = problem.rows.shape, problem.n_labels
    full = [i for i, page in enumerate(pages) if page.shape[0]]
    if not full or n_labels == 1:  # no loss, whatever the weights
        nothing = np.zeros((n_columns, n_labels)), np.zeros((n_labels, n_labels))
        return Solution(*nothing, 0.0, 0.0, 0, [])
    # Besides the pages, a vector of the weights' size per page; of one-slack two per epoch.
    n_vectors = len(full) if solver == "frank-wolfe" else 2 * max_epochs
    needed = 8.0 * (n_regions * n_columns + n_vectors * (n_columns * n_labels + n_labels**2))
    if needed > MOST_MEMORY:
        raise LearnerError(
            f"engine 'pystruct' needs dense columns: {n_regions:,} regions of {n_columns:,} "
            f"columns and {n_labels} labels would take {needed / 1e9:.1f} GB, expected at most "
            f"{MOST_MEMORY / 1e9:.0f} GB; use engine 'frank-wolfe', or fewer columns or pages"
        )
    scale = lambda_ * len(pages)
    watcher = _Watcher(problem, lambda_, solver, max_epochs, tol, callback)
    svm = _make_solver(watcher, 1 / scale, weights, random_state)
    with redirect_stdout(sys.stderr):  # it prints when it does not converge
        svm.fit([pages[i].toarray() for i in full], [labels[i] for i in full], initialize=False)
    emissions, transitions = watcher.weights(svm.w)
    objective = primal(problem, scale, emissions, transitions)[0] / len(pages)
    dual = lambda_ * _dual(svm, solver, len(full) / scale)
    gap = max(0.0, (objective - dual) / objective)
    if gap > tol and not watcher.is_stopped:
        _logger.warning(UNFINISHED, watcher.n_epochs, gap, tol)
    curve = [point for point in watcher.curve if point[0] < watcher.n_epochs]
    curve.append((watcher.n_epochs, objective, dual))
    return Solution(emissions, transitions, objective, gap, watcher.n_epochs, curve)


@dataclass
class _Watcher:
    """Logger that pystruct calls after each pass: it keeps the curve and adjusts the tolerance.

    pystruct reads an absolute tolerance in each pass: for ``frank-wolfe`` on the gap of its
    objective, for ``one-slack`` on that of the mean slack, which is the gap of ours.
    """

    problem: Problem
    lambda_: float
    solver: str
    max_epochs: int
    tol: float
    callback: Callback | None
    n_epochs: int = 0
    n_checks: int = 0
    is_stopped: bool = False
    curve: list[tuple[int, float, float]] = field(default_factory=list)

    def __call__(self, svm: Any, iteration: int | str) -> None:
        if not isinstance(iteration, int):  # "final"
            return
        self.n_epochs = iteration + 1
        primal, dual = float(svm.primal_objective_curve_[-1]), float(svm.objective_curve_[-1])
        if len(svm.objective_curve_) > self.n_checks:
            self.n_checks = len(svm.objective_curve_)
            self.curve.append((self.n_epochs, self.lambda_ * primal, self.lambda_ * dual))
        at_most = primal if self.solver == "frank-wolfe" else self.lambda_ * dual
        svm.tol = self.tol * max(0.0, at_most)
        if self.callback:
            _, primal, dual = self.curve[-1]
            gap = max(0.0, (primal - dual) / primal)
            weights = partial(self.weights, svm.w.copy())
            if self.callback(Progress(self.n_epochs, self.max_epochs, primal, gap, weights)):
                svm.tol, self.is_stopped = np.inf, True

    def weights(self, w: Floats) -> tuple[Floats, Floats]:
        """Return emissions and transitions from a vector: label by label, then row by row."""
        n_labels, n_columns = self.problem.n_labels, self.problem.rows.shape[1]
        emissions, transitions = np.split(w, [n_labels * n_columns])
        columns = np.ascontiguousarray(emissions.reshape(n_labels, n_columns).T)
        return columns, transitions.reshape(n_labels, n_labels).copy()


def _make_solver(watcher: _Watcher, C: float, costs: Floats, random_state: int) -> Any:
    """Return pystruct's solver for a directed chain, including labels that never occur."""
    is_one_slack = watcher.solver == "one-slack"
    if is_one_slack:
        check_extras(("cvxopt",), "pystruct's solver 'one-slack'", "pystruct")
    learners, n_columns = import_pystruct("pystruct.learners"), watcher.problem.rows.shape[1]
    chain = import_pystruct("pystruct.models").ChainCRF(
        n_states=len(costs), n_features=n_columns, class_weight=costs, directed=True
    )
    settings = {"C": C, "max_iter": watcher.max_epochs, "tol": 0.0, "logger": watcher}
    if is_one_slack:
        return learners.OneSlackSSVM(chain, **settings)
    seed = random_state % 2**32  # its generator accepts no larger seed
    settings |= {"check_dual_every": EPOCHS_PER_CHECK, "random_state": seed}
    return learners.FrankWolfeSSVM(chain, **settings)


def _dual(svm: Any, solver: str, total: float) -> float:
    """Return the dual objective, in pystruct's scale, at the solver's own dual variables.

    Those of one-slack are first clipped to be non-negative and scaled to sum to exactly ``C`` times
    the number of pages: cvxopt stops slightly short of that, and only then is the value a bound.
    """
    if solver == "frank-wolfe":
        return float(total * svm.l - svm.w @ svm.w / 2)
    alphas = np.maximum([history[-1] for history in svm.alphas], 0)
    alphas *= total / alphas.sum()
    w = alphas @ np.array([difference for difference, _ in svm.constraints_])
    return float(alphas @ [loss for _, loss in svm.constraints_] - w @ w / 2)
