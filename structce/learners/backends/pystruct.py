"""Training of a structured SVM by pystruct: a referee for our own solver on small problems.

pystruct minimises ``|w|^2 / 2 + C sum_i H_i(w)``, with the hinge ``H_i`` of a page as in
`structce.learners.solvers.frank_wolfe` and the Hamming loss as a count of regions. This is our
objective divided by lambda if ``C = 1 / (lambda N)``. Its columns are dense.

References
----------
A. C. Mueller, S. Behnke (2014). PyStruct: learning structured prediction in Python. JMLR 15.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners.backends.pystruct_package import import_pystruct
from structce.learners.base import Callback, Progress
from structce.learners.inputs import SparseRows
from structce.learners.solvers.problem import UNFINISHED, Problem, Solution, primal

_logger = logging.getLogger(__name__)

MOST_MEMORY = 4e9  # bytes of the dense problem
EPOCHS_PER_CHECK = 10  # of the gap, each as costly as a pass; pystruct's default


def solve_pystruct(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    weights: Floats,
    callback: Callback | None = None,
) -> Solution:
    """Train a structured SVM by pystruct's block-coordinate Frank-Wolfe and return its weights.

    The callback receives objective and gap as of the last check, at every tenth pass. Raises
    LearnerError if a label is unknown, or the dense pages would take more than `MOST_MEMORY`;
    MissingExtraError if pystruct is missing.
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
    # Besides the pages, a vector of the weights' size per page.
    needed = 8.0 * (n_regions * n_columns + len(full) * (n_columns * n_labels + n_labels**2))
    if needed > MOST_MEMORY:
        raise LearnerError(
            f"engine 'pystruct' needs dense columns: {n_regions:,} regions of {n_columns:,} "
            f"columns and {n_labels} labels would take {needed / 1e9:.1f} GB, expected at most "
            f"{MOST_MEMORY / 1e9:.0f} GB; use engine 'frank-wolfe', or fewer columns or pages"
        )
    curve: list[tuple[int, float, float]] = []  # epoch, primal, dual
    n_epochs, is_stopped = 0, False

    def watch(svm: Any, iteration: int | str) -> None:
        """Keep the curve after a pass, and set the tolerance, which pystruct reads as absolute."""
        nonlocal n_epochs, is_stopped
        if not isinstance(iteration, int):  # "final"
            return
        n_epochs = iteration + 1
        value, bound = float(svm.primal_objective_curve_[-1]), float(svm.objective_curve_[-1])
        if len(svm.objective_curve_) > len(curve):
            curve.append((n_epochs, lambda_ * value, lambda_ * bound))
        svm.tol = tol * max(0.0, value)
        if callback:
            _, objective, dual = curve[-1]
            gap = max(0.0, (objective - dual) / objective)
            if callback(Progress(n_epochs, max_epochs, objective, gap)):
                svm.tol, is_stopped = np.inf, True

    chain = import_pystruct("pystruct.models").ChainCRF(
        n_states=n_labels, n_features=n_columns, class_weight=weights, directed=True
    )
    scale = lambda_ * len(pages)
    svm = import_pystruct("pystruct.learners").FrankWolfeSSVM(
        chain,
        C=1 / scale,
        max_iter=max_epochs,
        tol=0.0,
        logger=watch,
        check_dual_every=EPOCHS_PER_CHECK,
        random_state=random_state % 2**32,  # its generator accepts no larger seed
    )
    with redirect_stdout(sys.stderr):  # it prints when it does not converge
        svm.fit([pages[i].toarray() for i in full], [labels[i] for i in full], initialize=False)
    by_label, transitions = np.split(svm.w, [n_labels * n_columns])
    emissions = np.ascontiguousarray(by_label.reshape(n_labels, n_columns).T)
    transitions = transitions.reshape(n_labels, n_labels)
    objective = primal(problem, scale, emissions, transitions)[0] / len(pages)
    dual = lambda_ * float(len(full) / scale * svm.l - svm.w @ svm.w / 2)
    gap = max(0.0, (objective - dual) / objective)
    if gap > tol and not is_stopped:
        _logger.warning(UNFINISHED, n_epochs, gap, tol)
    curve = [point for point in curve if point[0] < n_epochs]
    curve.append((n_epochs, objective, dual))
    return Solution(emissions, transitions, objective, gap, n_epochs, curve)
