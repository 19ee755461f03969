"""Registration of learners, and the names and weights that it insists on."""

import numpy as np
import pytest

from structce.errors import LearnerError
from structce.learners.linear import LinearLearner
from structce.learners.registry import LEARNERS, learner
from structce.learners.svm import MulticlassSVM


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(LearnerError, match="taken by another learner"):
        learner("multiclass-svm")(MulticlassSVM)
    with pytest.raises(LearnerError, match=r"greedy-svm.*did you mean 'structured-svm'"):
        LEARNERS["structred-svm"]


def own(base=MulticlassSVM, **methods):
    """Return a learner's class with methods of its own."""
    return type("Own", (base,), methods)


def takes_anything(self, **settings):
    pass


def needs_a_value(self, *, smoothing):
    pass


def forgets(self, *, smoothing=1.0):
    pass


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (own(object), "expected a class derived from Learner"),
        (own(LinearLearner), "no method .*_fit"),
        (own(__init__=takes_anything), r"\*\*settings: expected keyword arguments with defaults"),
        (own(__init__=needs_a_value), "smoothing: expected keyword arguments with defaults"),
        (own(__init__=forgets), "is not stored as self.smoothing"),
    ],
)
def test_a_class_that_is_not_a_learner_is_an_error(kind, reason):
    with pytest.raises(LearnerError, match=reason):
        learner("own")(kind)
    assert "own" not in LEARNERS


@pytest.mark.parametrize(
    ("emissions", "reason"),
    [(np.zeros((2, 2)), "has shape"), (None, "no array"), (np.full((12, 3), np.nan), "NaN")],
)
def test_training_without_valid_weights_is_an_error(make_pages, emissions, reason):
    def fit(self, pages, labels, callback):
        self.emissions_ = emissions

    with pytest.raises(LearnerError, match=rf"Own: .*{reason}"):
        own(_fit=fit)().fit(*make_pages(4), classes=range(3))
