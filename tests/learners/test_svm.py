import numpy as np
import pytest
from scipy import sparse

from structce.learners.registry import LEARNERS
from structce.learners.svm import MulticlassSVM, StructuredSVM


@pytest.mark.parametrize(("n_labels", "lambda_"), [(3, 0.1), (3, 10.0), (6, 1.0)])
def test_the_multiclass_svm_is_that_of_liblinear(make_pages, crammer_singer, n_labels, lambda_):
    X, y = make_pages(20, n_regions=10, n_labels=n_labels, noise=0.3)
    ours = MulticlassSVM(lambda_=lambda_, tol=2e-4, max_epochs=5000).fit(
        X, y, classes=range(n_labels)
    )
    weights, objective = crammer_singer(X, y, lambda_)
    assert ours.objective_ == pytest.approx(objective, rel=1e-3)
    # The objective is strongly convex: how near the weights are follows from the gap.
    distance = np.linalg.norm(ours.emissions_ - weights)
    assert distance <= np.sqrt(2 * ours.gap_ * ours.objective_ / lambda_) + 1e-4
    scores = sparse.vstack(X) @ weights
    second, first = np.sort(scores, axis=1)[:, -2:].T
    is_clear = first - second > 0.03
    assert is_clear.mean() > 0.8
    labels = np.concatenate(ours.predict(X))
    assert np.array_equal(labels[is_clear], scores.argmax(axis=1)[is_clear])


def test_structured_svm_of_single_regions_is_multiclass(make_pages, accuracy):
    X, y = make_pages(10, noise=0.3)
    regions = [page[r : r + 1] for page in X for r in range(page.shape[0])]
    labels = [sequence[r : r + 1] for sequence in y for r in range(len(sequence))]
    settings = {"tol": 1e-3, "max_epochs": 3000}
    chains = StructuredSVM(lambda_=0.1, **settings).fit(regions, labels, classes=range(3))
    alone = MulticlassSVM(lambda_=0.1, **settings).fit(regions, labels, classes=range(3))
    assert chains.objective_ == pytest.approx(alone.objective_, rel=1e-3)
    assert np.array_equal(chains.transitions_, np.zeros((3, 3)))
    within = 2 * np.sqrt(2 * 1e-3 * alone.objective_ / 0.1)
    assert np.linalg.norm(chains.emissions_ - alone.emissions_) <= within
    assert accuracy(chains.predict(regions), alone.predict(regions)) > 0.98


@pytest.mark.parametrize("name", sorted(set(LEARNERS) - {"multiclass-svm"}))
def test_the_label_before_tells_similar_labels_apart(make_quick, accuracy, name):
    # A Markov chain: 1 always follows 0, and then 2 until the next 0; columns tell 0 alone.
    random = np.random.default_rng(0)
    X, y = [], []
    for _ in range(40):
        labels = np.concatenate([[0, 1] + [2] * n for n in random.integers(0, 5, size=8)])
        X.append(sparse.csr_matrix(np.stack([labels == 0, labels != 0], axis=1).astype(float)))
        y.append(labels)
    alone = MulticlassSVM().fit(X[:20], y[:20], classes=range(3))
    chained = make_quick(name, lambda_=0.01).fit(X[:20], y[:20], classes=range(3))
    assert accuracy(chained.predict(X[20:]), y[20:]) > 0.99
    assert accuracy(alone.predict(X[20:]), y[20:]) < 0.9
