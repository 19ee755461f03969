import numpy as np
import pytest
from scipy import sparse

from structce.arrays import UNKNOWN_INDEX
from structce.learners.inference.viterbi import sequence_score
from structce.learners.solvers.latent import complete
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


def test_labels_are_filled_in_by_the_best_sequence_that_agrees(partial, all_sequences):
    X, y = partial
    random = np.random.default_rng(1)
    emissions, transitions = random.normal(size=(5, 3)), random.normal(size=(3, 3))
    for page, known, completed in zip(X, y, complete(X, y, emissions, transitions), strict=True):
        options = (z for z in all_sequences(len(known), 3) if agrees(z, known))
        best = max(options, key=lambda z: sequence_score(page @ emissions, transitions, z))
        assert completed.tolist() == best.tolist()


def test_the_objective_is_the_latent_hinge_over_all_sequences(partial, all_sequences):
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


def test_without_unknown_labels_it_is_the_ordinary_problem(make_pages):
    X, y = make_pages(10, stay=0.5, noise=0.2)
    X, y = [page[1:] for page in X], [labels[1:] for labels in y]
    plain = StructuredSVM().fit(X, y, n_labels=3)
    copy = [labels.copy() for labels in y]
    copy[0][:] = UNKNOWN_INDEX
    assert StructuredSVM().fit(X, copy, n_labels=3).objective_ < plain.objective_


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


def test_pages_of_which_nothing_is_known_teach_nothing(make_pages):
    X, y = make_pages(3)
    fitted = StructuredSVM().fit(
        X, [np.full_like(labels, UNKNOWN_INDEX) for labels in y], n_labels=3
    )
    assert not fitted.emissions_.any()
    assert fitted.objective_ == 0
