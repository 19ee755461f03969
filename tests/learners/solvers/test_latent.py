"""Labels that are unknown or one of several: the latent hinge, and how its dual carries over."""

import numpy as np
import pytest
from scipy import sparse

from structce.arrays import UNKNOWN_INDEX, allowed_labels, any_of
from structce.learners.inference.viterbi import sequence_score
from structce.learners.solvers import latent
from structce.learners.svm import StructuredSVM

ONES = np.ones(3)
SETTINGS = {"lambda_": 0.1, "max_epochs": 500, "tol": 5e-3, "random_state": 0}
UNKNOWN, LOW, ENDS = UNKNOWN_INDEX, any_of({0, 1}, 3), any_of({0, 2}, 3)


@pytest.mark.parametrize("is_chain", [True, False])
def test_the_objective_is_the_latent_hinge_by_brute_force(make_pages, all_sequences, is_chain):
    """Cour, Sapp and Taskar (2011): the best of all with its loss, less the best of the set."""
    X, y = make_pages(6, n_regions=4, stay=0.6, noise=0.3, seed=3)
    X = [sparse.csr_array(page[:4]) for page in X]
    y = [np.array([labels[0], LOW, ENDS if is_chain else labels[2], labels[3]]) for labels in y]
    if is_chain:
        y[0][1] = UNKNOWN
    solution = latent.solve_latent(X, y, ONES, **SETTINGS, is_chain=is_chain)
    emissions, transitions = solution.emissions, solution.transitions
    hinges = 0.0
    for page, gold in zip(X, y, strict=True):
        scores, is_right = page @ emissions, allowed_labels(gold, 3)
        values = [
            (sequence_score(scores, transitions, z), float((~is_right[np.arange(4), z]).sum()))
            for z in map(np.array, all_sequences(4, 3))
        ]
        best = max(value for value, loss in values if loss == 0)
        hinges += max(value + loss for value, loss in values) - best
    norm = (emissions**2).sum() + (transitions**2).sum()
    assert is_chain or not transitions.any()
    assert solution.primal == pytest.approx(SETTINGS["lambda_"] / 2 * norm + hinges / len(X))
    assert solution.gap <= SETTINGS["tol"]
    assert solution.n_epochs == len(solution.curve)


def test_a_chain_runs_through_unknown_labels(accuracy):
    # 0 1 2 0 1 2 ...: columns only show where 0 is, and every second label is unknown.
    random = np.random.default_rng(0)
    X, y, hidden = [], [], []
    for _ in range(12):
        labels = (np.arange(12) + random.integers(3)) % 3
        X.append(sparse.csr_matrix(np.stack([labels == 0, labels != 0], axis=1).astype(float)))
        y.append(labels)
        hidden.append(np.where(np.arange(12) % 2, UNKNOWN, labels))
    fitted = StructuredSVM(lambda_=0.05, tol=0.05).fit(X, hidden, classes=range(3))
    assert accuracy(fitted.predict(X), y) > 0.95


def test_long_unknown_runs_and_ends_are_dropped(monkeypatch):
    monkeypatch.setattr(latent, "REACH", 1)
    rows = [-1, -1, 0, 1, -1, -1, -1, 2, -1], [-1], [], [0, -1, -1, 1]
    y = [np.array(row, int) for row in rows]
    X = [sparse.csr_array(np.arange(1.0, len(labels) + 1).reshape(-1, 1)) for labels in y]
    chains = latent.partial_problem(X, y, ONES)
    assert chains.rows.toarray().ravel().tolist() == [2, 3, 4, 5, 7, 8, 9, 1, 2, 3, 4]
    assert chains.gold.tolist() == [-1, 0, 1, -1, -1, 2, -1, 0, -1, -1, 1]
    assert chains.lengths.tolist() == [4, 3, 4]
    assert chains.n_pages == 4
