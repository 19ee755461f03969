"""What every registered learner promises of training, scoring and calibrating."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from structce.arrays import UNKNOWN_INDEX
from structce.errors import LearnerError
from structce.learners.registry import LEARNERS

pytestmark = pytest.mark.parametrize("name", sorted(LEARNERS))


STRONG = {"bilstm": 0.05, "bilstm-crf": 0.05}
"""Strong regularisers of learners that learn nothing at all under 1: of networks, whose weights are
multiplied with each other."""


def test_calibration_changes_how_sure_it_is_and_no_label(name, make_quick, make_pages):
    X, y = make_pages(40, noise=0.4, seed=3)
    fitted = make_quick(name, lambda_=STRONG.get(name, 1.0)).fit(X[:20], y[:20], n_labels=3)
    assert fitted.temperature_ == 1.0
    labels = fitted.predict(X[20:])

    def surprise():
        marginals = np.concatenate(fitted.marginals(X[20:]))
        return -np.log(marginals[np.arange(len(marginals)), np.concatenate(y[20:])]).mean()

    before = surprise()
    fitted.calibrate(X[20:], y[20:])
    assert fitted.temperature_ > 0
    assert surprise() <= before + 1e-6
    for sequence, other in zip(labels, fitted.predict(X[20:]), strict=True):
        np.testing.assert_array_equal(sequence, other)
    temperature = fitted.temperature_
    for factor in (0.9, 1.1):
        fitted.temperature_ = temperature * factor
        worse = surprise()
        fitted.temperature_ = temperature
        assert surprise() <= worse + 1e-6


def test_the_score_is_the_macro_f1_of_known_regions(name, make_quick, noisy_pages):
    X, y = noisy_pages
    fitted = make_quick(name).fit(X, y, n_labels=5)
    hidden = [np.where(np.arange(len(labels)) % 3, labels, UNKNOWN_INDEX) for labels in y]
    predicted = fitted.predict(X)
    kept = np.concatenate(hidden) != UNKNOWN_INDEX
    gold, guessed = np.concatenate(y)[kept], np.concatenate(predicted)[kept]
    f1 = []
    for label in range(3):
        hits = ((gold == label) & (guessed == label)).sum()
        f1.append(2 * hits / ((gold == label).sum() + (guessed == label).sum()))
    assert fitted.score(X, hidden) == pytest.approx(np.mean(f1))
    assert fitted.score(X, [np.full_like(labels, UNKNOWN_INDEX) for labels in y]) == 0


def test_a_grid_search_over_lists_of_pages_works(name, make_pages, make_quick):
    X, y = make_pages(24, noise=0.2)
    search = GridSearchCV(make_quick(name), {"lambda_": [0.1, 1.0]}, cv=3)
    search.fit(X, y, n_labels=3)
    scores = search.cv_results_["mean_test_score"]
    assert search.best_score_ == scores.max() > 0.6
    by_hand = clone(search.best_estimator_).fit(X[8:], y[8:], n_labels=3).score(X[:8], y[:8])
    assert search.cv_results_["split0_test_score"][search.best_index_] == pytest.approx(by_hand)


def test_unknown_labels_carry_no_loss(name, make_pages, accuracy):
    X, y = make_pages(40)
    hidden = [np.where(np.arange(len(labels)) % 2, labels, UNKNOWN_INDEX) for labels in y]
    learner = LEARNERS[name](lambda_=0.01).fit(X[:20], hidden[:20], n_labels=3)
    assert accuracy(learner.predict(X[20:]), y[20:]) > 0.98
    none = [np.full_like(labels, UNKNOWN_INDEX) for labels in y]
    untaught = LEARNERS[name]().fit(X, none, n_labels=3)
    assert not any(getattr(untaught, key).any() for key in untaught.weight_names)


def test_a_label_that_weighs_more_gets_a_wider_margin(name):
    X = [sparse.csr_matrix(np.eye(2)[[i % 2]]) for i in range(10)]
    y = [np.array([i % 2], dtype=np.int64) for i in range(10)]
    for weights, wider in (((1.0, 3.0), 1), ((3.0, 1.0), 0)):
        fitted = LEARNERS[name](lambda_=0.01, label_weights=weights).fit(X, y, n_labels=2)
        margins = [fitted.scores(X)[label] @ [1 - 2 * label, 2 * label - 1] for label in (0, 1)]
        assert margins[wider] > margins[1 - wider] + 0.5
    with pytest.raises(LearnerError, match="label_weights"):
        LEARNERS[name](label_weights=[1.0]).fit(X, y, n_labels=2)


def test_the_callback_sees_every_epoch_and_can_stop(name, noisy_pages):
    X, y = noisy_pages
    heard = []

    def tell(progress):
        heard.append(progress)
        return progress.epoch == 2

    settings = {"tol": 1e-9} if "tol" in LEARNERS[name]().get_params() else {}
    fitted = LEARNERS[name](**settings).fit(X, y, n_labels=3, callback=tell)
    assert [progress.epoch for progress in heard] == [1, 2]
    assert all(progress.gap >= 0 for progress in heard)
    assert fitted.objective_ == pytest.approx(heard[-1].objective, rel=1e-5)
    for key, weights in zip(fitted.weight_names, heard[-1].weights(), strict=True):
        assert np.allclose(getattr(fitted, key), weights, atol=1e-6)


def test_a_warm_start_continues_the_last_fit(name, make_pages):
    if "warm_start" not in LEARNERS[name]().get_params():
        pytest.skip("starts anew each time")
    X, y = make_pages(10, noise=0.2, stay=0.3)
    cold = LEARNERS[name](warm_start=True, tol=1e-3).fit(X, y, n_labels=3)
    count = "n_epochs_" if hasattr(cold, "n_epochs_") else "n_iterations_"
    first, objective = getattr(cold, count), cold.objective_
    again = cold.fit(X, y, n_labels=3)
    assert getattr(again, count) < first
    assert again.objective_ == pytest.approx(objective, rel=5e-3)
    again.fit(X[:7], y[:7], n_labels=3)  # other pages are no hindrance


def test_pages_of_float32_get_nearly_the_same_scores(name, noisy_pages, fitted):
    X, _ = noisy_pages
    learner = fitted(name)
    small = [page.astype(np.float32) for page in X]
    for exact, rough in zip(learner.scores(X), learner.scores(small), strict=True):
        assert rough.dtype == np.float64
        assert np.allclose(exact, rough, atol=1e-5)
    nan = small[0].copy()
    nan.data[0] = np.nan
    with pytest.raises(LearnerError, match="page 1 contains NaN"):
        learner.predict([small[1], nan])
