"""Training of a structured SVM by pystruct: a referee for our own solver on small problems.

pystruct minimises ``|w|^2 / 2 + C sum_i H_i(w)``, with the hinge ``H_i`` of a page as in
`structce.learners.solvers.frank_wolfe` and the Hamming loss as a count of regions. This is our
objective divided by lambda if ``C = 1 / (lambda N)``. It supports dense columns only, so the
memory is estimated first.

Only chains are supported: on other graphs pystruct compares arrays of unequal length, which NumPy 2
rejects. Its installation is described in :mod:`structce.learners.backends.pystruct_package`.

References
----------
A. C. Mueller, S. Behnke (2014). PyStruct: learning structured prediction in Python. JMLR 15.
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML: its ``frank-wolfe``.
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
from structce.learners.inference.viterbi import viterbi as best_sequence
from structce.learners.inputs import SparseRows
from structce.learners.solvers.problem import (
    UNFINISHED,
    Problem,
    Solution,
    label_costs,
    primal,
)

_logger = logging.getLogger(__name__)

SOLVERS = ("frank-wolfe", "one-slack")

MOST_MEMORY = 4e9
"""Maximum size of the dense problem in bytes, which the other learners do not exceed either."""

EPOCHS_PER_CHECK = 10
"""Passes between two checks of Frank-Wolfe's gap, each as costly as a pass; pystruct's default."""


def solve_pystruct(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    *,
    n_labels: int,
    lambda_: float,
    solver: str,
    max_epochs: int,
    tol: float,
    random_state: int,
    weights: Floats | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Train a structured SVM by pystruct and return its weights.

    Pages without regions count in N and are otherwise left out. ``frank-wolfe`` checks its gap at
    the first and every tenth pass after; ``one-slack`` needs cvxopt and ignores the seed. Both stop
    when the relative duality gap is at most `tol`, in (0, 1), after `max_epochs` passes, or when
    the callback, which receives objective and gap as of the last check, returns True. ``weights``,
    shape (n_labels,), are the costs of missing each label; by default ones, the Hamming loss.

    Raises LearnerError if the solver or a label is unknown, or the dense pages would take more than
    `MOST_MEMORY`; MissingExtraError if pystruct or, for ``one-slack``, cvxopt is missing.
    """
    if solver not in SOLVERS:
        raise LearnerError(f"unknown solver {solver!r} of pystruct; expected one of {SOLVERS}")
    for i, y in enumerate(labels):
        if len(unknown := np.flatnonzero(y < 0)):
            raise LearnerError(
                f"page {i}: region {unknown[0]} has no label; engine 'pystruct' cannot train on "
                "unknown labels; use engine 'frank-wolfe'"
            )
    n_columns = pages[0].shape[1]
    full = [i for i, page in enumerate(pages) if page.shape[0]]
    if not full or n_labels == 1:  # no loss, whatever the weights
        nothing = np.zeros((n_columns, n_labels)), np.zeros((n_labels, n_labels))
        return Solution(*nothing, 0.0, 0.0, 0, [])
    _check_memory([pages[i] for i in full], n_labels, solver, max_epochs)
    costs = np.ones(n_labels) if weights is None else weights
    watcher = _Watcher(lambda_, solver, max_epochs, tol, n_labels, n_columns, callback)
    C = 1 / (lambda_ * len(pages))
    svm = _make_solver(watcher, C, costs, random_state)
    with redirect_stdout(sys.stderr):  # it prints when it does not converge
        svm.fit([pages[i].toarray() for i in full], [labels[i] for i in full], initialize=False)
    emissions, transitions = _weights_of(svm.w, n_labels, n_columns)
    problem = Problem.of_pages(pages, labels, costs)
    value, _, _ = primal(problem, lambda_ * len(pages), emissions, transitions)
    objective = value / len(pages)
    dual = lambda_ * _dual(svm, solver, C * len(full))
    gap = max(0.0, (objective - dual) / objective)
    if gap > tol and not watcher.stopped:
        _logger.warning(UNFINISHED, watcher.n_epochs, gap, tol)
    curve = [point for point in watcher.curve if point[0] < watcher.n_epochs]
    curve.append((watcher.n_epochs, objective, dual))
    return Solution(emissions, transitions, objective, gap, watcher.n_epochs, curve)


def _check_memory(pages: Sequence[SparseRows], n_labels: int, solver: str, max_epochs: int) -> None:
    """Raise LearnerError if the dense problem would take more than `MOST_MEMORY`.

    Besides the pages, Frank-Wolfe keeps a vector of the weights' size per page, and one-slack at
    most two per epoch: its constraints, and a copy of them while it solves for the weights.
    """
    n_regions, n_columns = sum(page.shape[0] for page in pages), pages[0].shape[1]
    size = n_columns * n_labels + n_labels**2
    n_vectors = len(pages) if solver == "frank-wolfe" else 2 * max_epochs
    needed = 8.0 * (n_regions * n_columns + n_vectors * size)
    if needed > MOST_MEMORY:
        raise LearnerError(
            f"engine 'pystruct' needs dense columns: {n_regions:,} regions of {n_columns:,} "
            f"columns and {n_labels} labels would take {needed / 1e9:.1f} GB, expected at most "
            f"{MOST_MEMORY / 1e9:.0f} GB; use engine 'frank-wolfe', or fewer columns or pages"
        )


@dataclass
class _Watcher:
    """Logger that pystruct calls after each pass: it keeps the curve and adjusts the tolerance.

    pystruct stops below an absolute tolerance, which it reads again in each pass: for
    ``frank-wolfe`` on the gap of its objective, for ``one-slack`` on that of the mean slack, which
    is the gap of ours. Neither tolerance is known before the objective is.
    """

    lambda_: float
    solver: str
    max_epochs: int
    tol: float
    n_labels: int
    n_columns: int
    callback: Callback | None
    n_epochs: int = 0
    n_checks: int = 0
    stopped: bool = False
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
            weights = partial(_weights_of, svm.w.copy(), self.n_labels, self.n_columns)
            if self.callback(Progress(self.n_epochs, self.max_epochs, primal, gap, weights)):
                svm.tol, self.stopped = np.inf, True


def _make_solver(watcher: _Watcher, C: float, costs: Floats, random_state: int) -> Any:
    """Return pystruct's solver for a directed chain, including labels that never occur."""
    if watcher.solver == "one-slack":
        check_extras(("cvxopt",), "pystruct's solver 'one-slack'", "pystruct")
    learners = import_pystruct("pystruct.learners")
    chain = import_pystruct("pystruct.models").ChainCRF(
        n_states=watcher.n_labels, n_features=watcher.n_columns, class_weight=costs, directed=True
    )
    settings = {"C": C, "max_iter": watcher.max_epochs, "tol": 0.0, "logger": watcher}
    if watcher.solver == "one-slack":
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


def _weights_of(w: Floats, n_labels: int, n_columns: int) -> tuple[Floats, Floats]:
    """Return emissions, shape (n_columns, n_labels), and transitions from pystruct's vector.

    The vector contains the emissions label by label, then the transitions row by row.
    """
    emissions, transitions = np.split(w, [n_labels * n_columns])
    columns = np.ascontiguousarray(emissions.reshape(n_labels, n_columns).T)
    return columns, transitions.reshape(n_labels, n_labels).copy()


def viterbi(scores: Floats, transitions: Floats) -> Labels:
    """Return the highest-scoring sequence of a chain, as `pystruct.inference._viterbi` did.

    ``transitions``, shape (n_regions - 1, n_labels, n_labels), are the same for all regions.
    """
    n_labels = scores.shape[1]
    return best_sequence(scores, transitions[0] if len(transitions) else np.zeros((n_labels,) * 2))


def loss_augment_unaries(scores: Floats, y: Labels, class_weight: Floats) -> None:
    """Add the cost of each label to its score, in place, as `pystruct.models.utils` did.

    Shapes: (n_regions, n_labels), (n_regions,) and (n_labels,).
    """
    scores += label_costs(y, class_weight)


def crammer_singer_joint_feature(X: Floats, y: Labels, out: Floats) -> None:
    """Add each row of ``X`` to its label's row of ``out``, as `pystruct.models.utils` did.

    Shapes: (n_rows, n_columns), (n_rows,) and (n_labels, n_columns).
    """
    np.add.at(out, y, X)
