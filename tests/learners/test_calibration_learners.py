"""Every learner, told on pages it has not seen how sure it may be."""

import numpy as np
import pytest

from structce.errors import LearnerError
from structce.evaluation.calibration import expected_calibration_error
from structce.learners.registry import LEARNERS, load_learner


@pytest.fixture(params=sorted(LEARNERS))
def learner(request, fitted):
    return fitted(request.param, {"n_pages": 20, "noise": 0.4, "stay": 0.5, "seed": 3})


@pytest.fixture
def unseen(make_pages):
    return make_pages(40, noise=0.4, stay=0.5, seed=4)


def test_isotonic_calibration_changes_no_label(learner, unseen):
    X, y = unseen
    labels, before = learner.predict(X), learner.confidence(X)
    assert learner.calibrate(X, y, method="isotonic") is learner
    outputs = zip(
        labels, learner.predict(X), learner.confidence(X), learner.marginals(X), strict=True
    )
    for old, new, confidence, marginals in outputs:
        np.testing.assert_array_equal(old, new)
        np.testing.assert_allclose(marginals.sum(axis=1), 1)
        np.testing.assert_array_equal(confidence, marginals[np.arange(len(new)), new])
        assert ((confidence > 0) & (confidence < 1)).all()
    right = np.concatenate(labels) == np.concatenate(y)
    after = expected_calibration_error(np.concatenate(learner.confidence(X)), right)
    assert after < min(0.03, expected_calibration_error(np.concatenate(before), right))


def test_a_calibration_that_fails_changes_nothing(learner, unseen):
    X, y = unseen
    learner.calibrate(X, y, method="isotonic")
    kept = learner.temperature_, learner.calibration_
    for call in (
        lambda: learner.calibrate(X, y, method="platt"),
        lambda: learner.calibrate(X, y[1:]),
        lambda: learner.calibrate(X, [labels + 7 for labels in y]),
    ):
        with pytest.raises(LearnerError):
            call()
        assert (learner.temperature_, learner.calibration_) == kept


def test_the_map_is_saved_exactly(learner, unseen, tmp_path):
    X, y = unseen
    learner.calibrate(X, y, method="isotonic").save(tmp_path)
    loaded = load_learner(tmp_path)
    assert all(map(np.array_equal, learner.confidence(X), loaded.confidence(X)))
    assert all(map(np.array_equal, learner.marginals(X), loaded.marginals(X)))
