"""Small problems that learners are tested on."""

import copy
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from structce.learners.registry import LEARNERS

Pages = tuple[list[sparse.csr_matrix], list[np.ndarray]]

NOISY = {"n_pages": 15, "noise": 0.2}
"""Pages of the fixture ``noisy_pages``."""


def make_pages(n_pages, *, n_regions=8, n_labels=3, n_columns=12, stay=0.0, noise=0.0, seed=0):
    """Return pages whose regions tell their label by a column, wrongly with some probability.

    Labels follow a Markov chain: a region has the label before it with probability `stay`.
    """
    random = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(n_pages):
        labels = random.integers(n_labels, size=random.integers(1, 2 * n_regions))
        for r in range(1, len(labels)):
            if random.random() < stay:
                labels[r] = labels[r - 1]
        told = labels.copy()
        wrong = random.random(len(labels)) < noise
        told[wrong] = random.integers(n_labels, size=wrong.sum())
        page = (random.random((len(labels), n_columns)) < 0.1).astype(float)
        page[:, :n_labels] = np.eye(n_labels)[told]
        X.append(sparse.csr_matrix(page))
        y.append(labels.astype(np.int64))
    return X, y


def all_sequences(n_regions, n_labels):
    """Yield every label sequence."""
    for labels in product(range(n_labels), repeat=n_regions):
        yield np.array(labels, dtype=np.int64)


def accuracy(predicted, gold):
    """Return the share of regions with the right label."""
    return float(np.mean(np.concatenate(predicted) == np.concatenate(gold)))


def crammer_singer(pages, labels, lambda_):
    """Return liblinear's weights, shape (n_columns, n_labels), and our objective at them."""
    rows, gold = sparse.csr_matrix(sparse.vstack(pages)), np.concatenate(labels)
    settings = {"multi_class": "crammer_singer", "fit_intercept": False, "random_state": 0}
    svm = LinearSVC(C=1 / (lambda_ * len(pages)), tol=1e-8, max_iter=100_000, **settings)
    fitted = svm.fit(rows, gold)
    weights = fitted.coef_.T
    scores = rows @ weights
    right = scores[np.arange(len(gold)), gold]
    hinges = (scores + 1 - np.eye(scores.shape[1])[gold]).max(axis=1) - right
    return weights, float(lambda_ / 2 * (weights**2).sum() + hinges.sum() / len(pages))


QUICK = {
    "multiclass-svm": {"tol": 0.05},
    "greedy-svm": {"tol": 0.05, "context": 4},
    "structured-svm": {"tol": 0.05},
    "boosted-trees": {"n_rounds": 30},
}
"""Settings with which a learner is fitted soon, where its precision is not what is tested."""


def make_quick(name, **settings):
    """Return a learner that is fitted soon."""
    return LEARNERS[name](**{**QUICK.get(name, {}), **settings})


# Functions that tests ask for by name.
give_pages = pytest.fixture(lambda: make_pages, scope="session", name="make_pages")
give_sequences = pytest.fixture(lambda: all_sequences, scope="session", name="all_sequences")
give_accuracy = pytest.fixture(lambda: accuracy, scope="session", name="accuracy")
give_referee = pytest.fixture(lambda: crammer_singer, scope="session", name="crammer_singer")
give_quick = pytest.fixture(lambda: make_quick, scope="session", name="make_quick")


BRIEF = {
    **{name: {"max_epochs": 3} for name in ("multiclass-svm", "greedy-svm", "structured-svm")},
    "linear-chain-crf": {"max_iterations": 5},
    "boosted-trees": {"n_rounds": 5},
}


def make_brief(name, **settings):
    """Return a learner that is fitted at once, and learns little."""
    return LEARNERS[name](**{**BRIEF.get(name, {}), **settings})


give_brief = pytest.fixture(lambda: make_brief, scope="session", name="make_brief")


@pytest.fixture
def noisy_pages():
    """Pages whose regions sometimes tell a wrong label, and depend on none before them."""
    return make_pages(**NOISY)


@pytest.fixture
def chain_pages():
    """Pages whose regions often have the label before them, and tell their own less surely."""
    return make_pages(15, stay=0.6, noise=0.3)


@pytest.fixture(scope="session")
def fitted():
    """Fit a learner by name to pages that `make_pages` makes, once in a session; gives copies.

    Without other settings, the pages are those of ``noisy_pages``.
    """
    known = {}

    def fit(name, pages=NOISY, *, n_labels=3, **settings):
        key = repr((name, pages, n_labels, settings))
        if key not in known:
            X, y = make_pages(**pages)
            known[key] = make_quick(name, **settings).fit(X, y, classes=range(n_labels))
        return copy.deepcopy(known[key])

    return fit
