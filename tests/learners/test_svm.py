import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from structce.learners import LEARNERS, GreedySVM, MulticlassSVM, StructuredSVM
from structce.learners.greedy_svm import _with_context


@pytest.mark.parametrize("lambda_", [0.1, 1.0])
def test_the_multiclass_svm_is_that_of_liblinear(make_pages, lambda_):
    X, y = make_pages(20, n_regions=10, noise=0.3)
    ours = MulticlassSVM(lambda_=lambda_, tol=1e-3, max_epochs=2000)
    ours.fit(X, y, n_labels=3)
    rows, gold = sparse.vstack(X).tocsr(), np.concatenate(y)
    liblinear = LinearSVC(
        C=1 / (lambda_ * len(X)),
        multi_class="crammer_singer",
        fit_intercept=False,
        tol=1e-8,
        max_iter=100_000,
        random_state=0,
    ).fit(rows, gold)
    weights = liblinear.coef_.T
    scores = rows @ weights
    right = scores[np.arange(len(gold)), gold]
    hinges = (scores + 1 - np.eye(3)[gold]).max(axis=1) - right
    expected = lambda_ / 2 * (weights**2).sum() + hinges.sum() / len(X)
    assert ours.objective_ == pytest.approx(expected, rel=2e-3)
    assert np.allclose(rows @ ours.emissions_, scores, atol=0.1)


def test_the_greedy_svm_without_context_is_the_multiclass_svm(make_pages):
    X, y = make_pages(20, noise=0.3)
    greedy = GreedySVM(context=0).fit(X, y, n_labels=3)
    multiclass = MulticlassSVM().fit(X, y, n_labels=3)
    assert np.array_equal(greedy.emissions_, multiclass.emissions_)
    assert all(map(np.array_equal, greedy.predict(X), multiclass.predict(X)))


def test_context_columns_tell_the_labels_before():
    page = sparse.csr_array(np.array([[7.0], [8.0], [9.0], [0.0]]))
    extended = _with_context(page, np.array([1, 0, 1, 1]), 2, 2).toarray()
    assert extended.tolist() == [
        [7, 0, 0, 0, 0],
        [8, 0, 1, 0, 0],
        [9, 1, 0, 0, 1],
        [0, 0, 1, 1, 0],
    ]


@pytest.mark.parametrize("name", ["linear-chain-crf", "structured-svm"])
def test_whole_chains_beat_single_regions_where_labels_stay_and_columns_err(
    make_pages, accuracy, name
):
    X, y = make_pages(60, n_regions=20, stay=0.9, noise=0.4, seed=1)
    alone = MulticlassSVM().fit(X[:40], y[:40], n_labels=3)
    chained = LEARNERS[name]().fit(X[:40], y[:40], n_labels=3)
    gain = accuracy(chained.predict(X[40:]), y[40:]) - accuracy(alone.predict(X[40:]), y[40:])
    assert gain > 0.05


@pytest.mark.parametrize("name", sorted(set(LEARNERS) - {"multiclass-svm"}))
def test_labels_that_look_alike_are_told_apart_by_the_label_before(accuracy, name):
    # A Markov chain: 1 always follows 0, and then 2 until the next 0; columns tell 0 alone.
    random = np.random.default_rng(0)
    X, y = [], []
    for _ in range(40):
        labels = np.concatenate([[0, 1] + [2] * n for n in random.integers(0, 5, size=8)])
        X.append(sparse.csr_matrix(np.stack([labels == 0, labels != 0], axis=1).astype(float)))
        y.append(labels)
    alone = MulticlassSVM().fit(X[:20], y[:20], n_labels=3)
    chained = LEARNERS[name](lambda_=0.01).fit(X[:20], y[:20], n_labels=3)
    assert accuracy(chained.predict(X[20:]), y[20:]) > 0.99
    assert accuracy(alone.predict(X[20:]), y[20:]) < 0.9


def test_a_learned_transition_is_the_one_that_occurs():
    # Columns tell the first label alone; labels alternate.
    y = [np.array([0, 1, 0, 1, 0, 1])] * 5 + [np.array([1, 0, 1, 0, 1, 0])] * 5
    X = [sparse.csr_matrix(np.eye(2)[labels] * np.eye(6)[:, :1]) for labels in y]
    fitted = StructuredSVM(lambda_=0.01).fit(X, y, n_labels=2)
    assert fitted.transitions_[0, 1] > fitted.transitions_[0, 0]
    assert fitted.transitions_[1, 0] > fitted.transitions_[1, 1]


def test_a_smaller_lambda_fits_the_training_pages_closer(make_pages):
    X, y = make_pages(20, noise=0.3)
    tight, loose = (MulticlassSVM(lambda_=value).fit(X, y, n_labels=3) for value in (0.01, 10))
    assert tight.objective_ < loose.objective_
    assert (tight.emissions_**2).sum() > (loose.emissions_**2).sum()
