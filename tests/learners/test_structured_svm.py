import numpy as np
import pytest
from scipy import sparse

from structce.arrays import UNKNOWN_INDEX
from structce.learners.inference.viterbi import sequence_score
from structce.learners.structured_svm import StructuredSVM


def agrees(z, y):
    return bool(((y == UNKNOWN_INDEX) | (z == y)).all())


@pytest.fixture
def partial(make_pages):
    X, y = make_pages(8, n_regions=3, n_columns=5, stay=0.5, noise=0.3, seed=4)
    random = np.random.default_rng(0)
    hidden = [np.where(random.random(len(labels)) < 0.4, UNKNOWN_INDEX, labels) for labels in y]
    hidden[0][:] = UNKNOWN_INDEX
    return [sparse.csr_array(page) for page in X], hidden


def test_the_objective_is_the_latent_hinge(partial, all_sequences):
    X, y = partial
    fitted = StructuredSVM(lambda_=0.1, tol=1e-3).fit(X, y, n_labels=3)
    emissions, transitions = fitted.emissions_, fitted.transitions_
    total = 0.0
    for page, known in zip(X, y, strict=True):
        scores = page @ emissions
        every = list(all_sequences(len(known), 3))
        worst = max(
            ((known != UNKNOWN_INDEX) & (z != known)).sum() + sequence_score(scores, transitions, z)
            for z in every
        )
        total += worst - max(
            sequence_score(scores, transitions, z) for z in every if agrees(z, known)
        )
    squares = (emissions**2).sum() + (transitions**2).sum()
    assert fitted.objective_ == pytest.approx(0.05 * squares + total / len(X), rel=1e-4)


def test_a_chain_runs_through_unknown_labels(accuracy):
    # 0 1 2 0 1 2 ...: columns tell nothing but where 0 is, and every second label is unknown.
    random = np.random.default_rng(0)
    X, y, hidden = [], [], []
    for _ in range(12):
        labels = (np.arange(12) + random.integers(3)) % 3
        X.append(sparse.csr_matrix(np.stack([labels == 0, labels != 0], axis=1).astype(float)))
        y.append(labels)
        hidden.append(np.where(np.arange(12) % 2, UNKNOWN_INDEX, labels))
    fitted = StructuredSVM(lambda_=0.05, tol=0.05).fit(X, hidden, n_labels=3)
    assert accuracy(fitted.predict(X), y) > 0.95
