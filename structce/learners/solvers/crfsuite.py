"""Training of a linear-chain CRF by CRFsuite, whose weights our own learner then uses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from structce.arrays import Labels
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.inputs import SparseRows
from structce.learners.solvers.lbfgs import chain_objective
from structce.learners.solvers.problem import Solution, squared_norm


def fit_crfsuite(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    n_labels: int,
    lambda_: float,
    *,
    max_iterations: int,
    tol: float,
    callback: Callback | None = None,
) -> Solution:
    """Minimise the objective by CRFsuite's L-BFGS (N. Okazaki 2007).

    ``tol`` is CRFsuite's ``epsilon`` and ``delta``. It prints weights and the values of the curve
    with six decimals. It has no hook, so that the callback is called once, at the end. LearnerError
    unless all labels are known.
    """
    from sklearn_crfsuite import CRF  # late: imports scikit-learn, which takes a second

    if any((y < 0).any() for y in labels):
        raise LearnerError(
            "CRFsuite cannot train on unknown labels or sets of labels; use a "
            "LinearChainCRF with engine='lbfgs'"
        )
    engine = CRF(
        algorithm="lbfgs",
        c2=lambda_ * len(pages) / 2,  # CRFsuite: c2 |w|^2 + sum of the pages' losses
        max_iterations=max_iterations,
        epsilon=tol,
        delta=tol,
        min_freq=-np.inf,  # by default a column whose values sum to less than 0 is silently dropped
        all_possible_states=True,
        all_possible_transitions=True,
    )
    n_columns = pages[0].shape[1]
    filled = [i for i, y in enumerate(labels) if len(y)]
    # First one page per label, with one region without columns, so that CRFsuite knows all labels.
    # Such a region has the same loss whatever the weights are, so the optimum does not change.
    every = [[str(label)] for label in range(n_labels)]
    items = chain([[{}] for _ in every], (_items(pages[i]) for i in filled))
    engine.fit(items, chain(every, ([str(label) for label in labels[i]] for i in filled)))
    emissions, transitions = np.zeros((n_columns, n_labels)), np.zeros((n_labels, n_labels))
    for (column, label), weight in engine.state_features_.items():
        emissions[int(column), int(label)] = weight
    for (before, after), weight in engine.transition_features_.items():
        transitions[int(before), int(after)] = weight
    objective, gradients = chain_objective(pages, labels, emissions, transitions, lambda_)
    norm = float(np.sqrt(squared_norm(*gradients)))
    added = n_labels * np.log(n_labels)  # the loss of the pages of one region
    curve = [
        (
            int(step["num"]),
            float((step["loss"] - added) / len(pages)),
            float(step["error_norm"] / len(pages) / max(1.0, step["feature_norm"])),
        )
        for step in engine.training_log_.iterations
    ]
    if callback is not None:
        gap = norm / max(1.0, squared_norm(emissions, transitions) ** 0.5)
        callback(Progress(len(curve), max_iterations, objective, gap))
    return Solution(emissions, transitions, objective, norm, len(curve), curve)


def _items(page: SparseRows) -> list[dict[str, float]]:
    """Return each region of a page in CRFsuite's format: values by column name."""
    columns, values = list(map(str, page.indices.tolist())), page.data.tolist()
    bounds = zip(page.indptr[:-1].tolist(), page.indptr[1:].tolist(), strict=True)
    return [dict(zip(columns[a:b], values[a:b], strict=True)) for a, b in bounds]
