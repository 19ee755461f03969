"""Calibration: the temperature, the isotonic map, every learner, and files."""

import numpy as np
import pytest

from structce.errors import LearnerError
from structce.evaluation.calibration import expected_calibration_error
from structce.learners.calibration import ConfidenceMap, fit_confidence_map
from structce.learners.registry import LEARNERS, load_learner


def fit_map(confidence, right):
    """Return the map of regions whose predicted label 0 is right or not."""
    gold = np.where(right, 0, 1)
    return fit_confidence_map(np.asarray(confidence), np.zeros(len(gold), dtype=np.int64), gold)


def test_the_map_is_the_nearest_rising_one():
    random = np.random.default_rng(0)
    for n in (1, 2, 5, 30):
        confidence = np.sort(random.random(n))
        right = random.random(n) < confidence**2
        y = [0.5, 0.5, *right, 0.5, 0.5]  # two artificial regions at either end have the mean 1/2
        rising = [  # by its min-max formula
            max(min(np.mean(y[a : b + 1]) for b in range(i, len(y))) for a in range(i + 1))
            for i in range(len(y))
        ]
        fitted = fit_map(confidence, right)
        np.testing.assert_allclose(fitted(confidence), rising[2:-2])
        np.testing.assert_allclose(fitted(np.array([0.0, 1.0])), [rising[0], rising[-1]])
    # One right region and the two artificial ones above it: two of three are right.
    assert fit_map([0.7], [True])(np.array([0.0, 0.7, 1.0])).tolist() == [0.5, 2 / 3, 2 / 3]


def test_marginals_are_rescaled_as_worked_by_hand():
    half = ConfidenceMap(np.array([0.0, 1.0]), np.array([0.2, 0.6]))
    marginals = np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75]])
    rescaled = half.rescale(marginals, np.array([0, 1, 1]))
    # 0.5 becomes 0.4 and leaves 0.6 in the proportion 3 to 2; certainty leaves 0.4 to two labels.
    np.testing.assert_allclose(rescaled, [[0.4, 0.36, 0.24], [0.2, 0.6, 0.2], [0, 0.3, 0.7]])
    np.testing.assert_array_equal(marginals[1], [0, 1, 0])


NAN = float("nan")


@pytest.mark.parametrize(
    ("thresholds", "values"),
    [([0.1, 0.2], [0.1]), ([[0.1]], [[0.1]]), ([0.2, 0.1], [0.1, 0.2]), ([0.1, 0.2], [0.2, 0.1]),
     ([NAN], [0.1])],
)  # fmt: skip
def test_malformed_maps_are_refused(thresholds, values):
    with pytest.raises(LearnerError):
        ConfidenceMap.read({"thresholds": thresholds, "values": values})
    with pytest.raises(LearnerError):
        ConfidenceMap.read({"thresholds": [0.1], "values": [0.1], "more": 1})


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_isotonic_calibration_of_every_learner(name, fitted, make_pages, tmp_path):
    learner = fitted(name, {"n_pages": 20, "noise": 0.4, "stay": 0.5, "seed": 3})
    X, y = make_pages(40, noise=0.4, stay=0.5, seed=4)
    labels, before = learner.predict(X), learner.confidence(X)
    assert learner.calibrate(X, y, method="isotonic") is learner
    outputs = learner.predict(X), learner.confidence(X), learner.predict_marginals(X)
    for old, new, confidence, marginals in zip(labels, *outputs, strict=True):
        np.testing.assert_array_equal(old, new)
        np.testing.assert_allclose(marginals.sum(axis=1), 1)
        np.testing.assert_array_equal(confidence, marginals[np.arange(len(new)), new])
        assert ((confidence > 0) & (confidence < 1)).all()
    right = np.concatenate(labels) == np.concatenate(y)
    after = expected_calibration_error(np.concatenate(learner.confidence(X)), right)
    assert after < min(0.03, expected_calibration_error(np.concatenate(before), right))
    kept = learner.temperature_, learner.calibration_
    for wrong in ((y, "platt"), (y[1:], "isotonic"), ([own + 7 for own in y], "isotonic")):
        with pytest.raises(LearnerError):
            learner.calibrate(X, wrong[0], method=wrong[1])
        assert (learner.temperature_, learner.calibration_) == kept
    learner.save(tmp_path)
    loaded = load_learner(tmp_path)
    assert all(map(np.array_equal, learner.predict_marginals(X), loaded.predict_marginals(X)))
