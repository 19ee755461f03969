"""The structured SVM solved by pystruct: a referee for our own solver on small problems.

pystruct minimises ``|w|^2 / 2 + C sum_i H_i(w)``, with the hinge ``H_i`` of a page as in
`structce.learners.solvers.frank_wolfe` and the Hamming loss as a count of regions. This is our
objective divided by lambda where ``C = 1 / (lambda N)``. It takes dense columns only, so the
memory is estimated first.

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
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Protocol

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError, MissingExtraError
from structce.labels import UNKNOWN_INDEX
from structce.learners.backends.pystruct_compat import import_pystruct
from structce.learners.base import Callback, Progress
from structce.learners.inference.viterbi import sequence_score, viterbi_batch
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.solution import UNFINISHED, Solution

logger = logging.getLogger(__name__)

SOLVERS = ("frank-wolfe", "one-slack")
MOST_MEMORY = 4e9
"""Bytes that the dense problem may take; our choice, what the learners keep to at most."""

EPOCHS_PER_CHECK = 10
"""Passes between two looks of Frank-Wolfe at its gap, each as dear as a pass; pystruct's own."""


class _Solver(Protocol):
    """What is used of pystruct's ``FrankWolfeSSVM`` and ``OneSlackSSVM``."""

    w: Floats
    tol: float
    l: float  # noqa: E741 - Frank-Wolfe: mean loss of its dual variables
    alphas: list[list[float]]  # one-slack: dual variable of each constraint, epoch by epoch
    constraints_: list[tuple[Floats, float]]  # one-slack: feature difference and loss of each
    primal_objective_curve_: list[float]
    objective_curve_: list[float]

    def fit(self, X: list[Floats], Y: list[Labels], *, initialize: bool) -> object: ...


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
    """Return the weights of a structured SVM that pystruct found.

    Parameters
    ----------
    pages, labels
        Pages without regions count in N and are otherwise left out.
    solver
        ``frank-wolfe`` or ``one-slack``; the second needs cvxopt and has no use for a seed.
    max_epochs, tol
        It stops where the relative duality gap is at most `tol`, in (0, 1), or after so many
        passes. ``frank-wolfe`` looks at its gap at the first pass and every tenth after it.
    weights : shape (n_labels,)
        What it costs to miss a label, above 0; by default ones, the Hamming loss.
    callback
        Told objective and gap as of the last look; where it returns True, the pass is the last.

    Raises
    ------
    LearnerError
        If the solver is unknown, a label is unknown, or the dense pages would take more than
        `MOST_MEMORY`.
    MissingExtraError
        If pystruct or, for ``one-slack``, cvxopt is missing.
    """
    if solver not in SOLVERS:
        raise LearnerError(f"unknown solver {solver!r} of pystruct; expected one of {SOLVERS}")
    _check_labels(labels)
    n_columns = pages[0].shape[1]
    full = [i for i, page in enumerate(pages) if page.shape[0]]
    if not full or n_labels == 1:  # no loss, whatever the weights
        nothing = np.zeros((n_columns, n_labels)), np.zeros((n_labels, n_labels))
        return Solution(*nothing, 0.0, 0.0, 0, [])
    check_memory([pages[i] for i in full], n_labels, solver, max_epochs)
    costs = np.ones(n_labels) if weights is None else weights
    watcher = _Watcher(lambda_, solver, max_epochs, tol, n_labels, n_columns, callback)
    C = 1 / (lambda_ * len(pages))
    svm = _make_solver(watcher, C, costs, random_state)
    svm.fit([pages[i].toarray() for i in full], [labels[i] for i in full], initialize=False)
    emissions, transitions = weights_of(svm.w, n_labels, n_columns)
    primal = objective(pages, labels, emissions, transitions, lambda_, costs)
    dual = lambda_ * _dual(svm, solver, C * len(full))
    gap = max(0.0, (primal - dual) / primal)
    if gap > tol and not watcher.stopped:
        logger.warning(UNFINISHED, watcher.n_epochs, gap, tol)
    curve = [point for point in watcher.curve if point[0] < watcher.n_epochs]
    curve.append((watcher.n_epochs, primal, dual))
    return Solution(emissions, transitions, primal, gap, watcher.n_epochs, curve)


def _check_labels(labels: Sequence[Labels]) -> None:
    for i, y in enumerate(labels):
        if (y == UNKNOWN_INDEX).any():
            region = int((y == UNKNOWN_INDEX).argmax())
            raise LearnerError(
                f"page {i}: region {region} has no label; engine 'pystruct' cannot train on "
                "unknown labels, the engine 'frank-wolfe' can"
            )


def check_memory(pages: Sequence[SparseRows], n_labels: int, solver: str, max_epochs: int) -> None:
    """Raise LearnerError if the dense problem would take more than `MOST_MEMORY`.

    Beside the pages, Frank-Wolfe keeps a vector of the weights' size for every page, and one-slack
    at most two an epoch: its constraints, and a copy of them while it solves for the weights.
    """
    n_regions, n_columns = sum(page.shape[0] for page in pages), pages[0].shape[1]
    size = n_columns * n_labels + n_labels**2
    n_vectors = len(pages) if solver == "frank-wolfe" else 2 * max_epochs
    needed = 8.0 * (n_regions * n_columns + n_vectors * size)
    if needed > MOST_MEMORY:
        raise LearnerError(
            f"engine 'pystruct' takes dense columns only: {n_regions:,} regions of {n_columns:,} "
            f"columns and {n_labels} labels would take {needed / 1e9:.1f} GB, expected at most "
            f"{MOST_MEMORY / 1e9:.0f} GB; use the engine 'frank-wolfe', or fewer columns or pages"
        )


@dataclass
class _Watcher:
    """What pystruct calls after each pass: keeps the curve, and says when the gap is small enough.

    pystruct stops below an absolute tolerance, which it reads anew in each pass: of
    ``frank-wolfe`` the gap of its objective, of ``one-slack`` that of the mean slack, which is
    the gap of ours. Neither is known before the objective is.
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

    def __call__(self, svm: _Solver, iteration: int | str) -> None:
        if not isinstance(iteration, int):  # "final"
            return
        self.n_epochs = iteration + 1
        primal, dual = float(svm.primal_objective_curve_[-1]), float(svm.objective_curve_[-1])
        if len(svm.objective_curve_) > self.n_checks:
            self.n_checks = len(svm.objective_curve_)
            self.curve.append((self.n_epochs, self.lambda_ * primal, self.lambda_ * dual))
        at_most = primal if self.solver == "frank-wolfe" else self.lambda_ * dual
        svm.tol = self.tol * max(0.0, at_most)
        if self.callback and self.callback(self._progress(svm)):
            svm.tol, self.stopped = np.inf, True

    def _progress(self, svm: _Solver) -> Progress:
        _, primal, dual = self.curve[-1]
        w = svm.w.copy()
        return Progress(
            epoch=self.n_epochs,
            max_epochs=self.max_epochs,
            objective=primal,
            gap=max(0.0, (primal - dual) / primal),
            weights=lambda: weights_of(w, self.n_labels, self.n_columns),
        )


def _make_solver(watcher: _Watcher, C: float, costs: Floats, random_state: int) -> _Solver:
    """Return pystruct's solver over a directed chain, labels that never occur included."""
    if watcher.solver == "one-slack" and find_spec("cvxopt") is None:
        raise MissingExtraError(
            "pystruct's solver 'one-slack' needs cvxopt: pip install 'structce[pystruct]'"
        )
    learners = import_pystruct("pystruct.learners")
    chain = import_pystruct("pystruct.models").ChainCRF(
        n_states=watcher.n_labels,
        n_features=watcher.n_columns,
        class_weight=costs,
        directed=True,
    )
    settings = {"C": C, "max_iter": watcher.max_epochs, "tol": 0.0, "logger": watcher}
    made: _Solver
    if watcher.solver == "one-slack":
        made = learners.OneSlackSSVM(chain, **settings)
    else:
        seed = random_state % 2**32  # its generator takes no larger one
        settings |= {"check_dual_every": EPOCHS_PER_CHECK, "random_state": seed}
        made = learners.FrankWolfeSSVM(chain, **settings)
    return made


def _dual(svm: _Solver, solver: str, total: float) -> float:
    """Return the dual objective, in pystruct's scale, at the solver's own dual variables.

    Of one-slack these are first made to sum exactly to what they should, ``C`` times the pages,
    and to be nowhere negative: cvxopt stops a little before that, and only then is it a bound.
    """
    if solver == "frank-wolfe":
        return float(total * svm.l - svm.w @ svm.w / 2)
    alphas = np.maximum([history[-1] for history in svm.alphas], 0)
    alphas *= total / alphas.sum()
    w = alphas @ np.array([difference for difference, _ in svm.constraints_])
    return float(alphas @ [loss for _, loss in svm.constraints_] - w @ w / 2)


def weights_of(w: Floats, n_labels: int, n_columns: int) -> tuple[Floats, Floats]:
    """Return emissions, shape (n_columns, n_labels), and transitions from pystruct's vector.

    It holds the emissions label by label, then the transitions, first label by first label.
    """
    emissions, transitions = np.split(w, [n_labels * n_columns])
    columns = np.ascontiguousarray(emissions.reshape(n_labels, n_columns).T)
    return columns, transitions.reshape(n_labels, n_labels).copy()


def objective(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    emissions: Floats,
    transitions: Floats,
    lambda_: float,
    weights: Floats,
) -> float:
    """Return ``lambda/2 |w|^2`` plus the mean hinge of a page, with weighted Hamming loss."""
    scores = [matmul(page, emissions) for page in pages]
    losses = [weights[y][:, None] * (1 - np.eye(len(weights))[y]) for y in labels]
    augmented = [values + loss for values, loss in zip(scores, losses, strict=True)]
    worst = viterbi_batch(augmented, transitions)
    hinges = sum(
        sequence_score(most, transitions, z) - sequence_score(values, transitions, y)
        for most, values, y, z in zip(augmented, scores, labels, worst, strict=True)
    )
    squares = float(np.vdot(emissions, emissions) + np.vdot(transitions, transitions))
    return lambda_ / 2 * squares + float(hinges) / len(pages)
