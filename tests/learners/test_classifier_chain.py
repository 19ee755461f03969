"""Learners around classifiers of scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from structce.arrays import UNKNOWN_INDEX
from structce.errors import LearnerError
from structce.learners import classifier_learner

pytestmark = pytest.mark.usefixtures("forgets_learners")

FOREST = {"n_estimators": 20}
KINDS = [(RandomForestClassifier, FOREST), (ExtraTreesClassifier, FOREST)]
KINDS += [(kind, {}) for kind in (LogisticRegression, BernoulliNB, KNeighborsClassifier)]


@pytest.mark.parametrize(("kind", "settings"), KINDS)
def test_any_classifier_with_probabilities_labels_pages(make_pages, accuracy, kind, settings):
    X, y = make_pages(40)
    hidden = [np.where(np.arange(len(labels)) % 4, labels, UNKNOWN_INDEX) for labels in y]
    learner = classifier_learner("mine", kind, **settings)()
    learner.fit(X[:20], hidden[:20], classes=range(5))
    assert accuracy(learner.predict(X[20:]), y[20:]) > 0.9
    probabilities = np.exp(np.concatenate(learner.scores(X)))
    np.testing.assert_allclose(probabilities[:, :3].sum(axis=1), 1, atol=1e-4)
    assert (probabilities[:, 3:] < 1e-5).all()
    assert learner.predict_marginals(X)[0].shape == (len(y[0]), 5)


def test_hyper_parameters_are_the_classifiers_and_the_chains(make_pages):
    kind = classifier_learner("mine", RandomForestClassifier, n_estimators=7, most_columns=50)
    learner = kind(max_depth=3)
    known = learner.get_params()
    assert known.items() >= {"n_estimators": 7, "max_depth": 3, "most_columns": 50}.items()
    assert {"transition_weight", "label_weights", "random_state"} <= set(known)
    assert clone(learner).get_params() == known
    assert repr(learner) == "mine(max_depth=3)"
    learner.fit(*make_pages(10), classes=range(3))
    assert len(learner.classifier_.estimators_) == 7
    with pytest.raises(TypeError, match="n_trees"):
        kind(n_trees=3)


def test_mistakes_are_named(make_pages):
    with pytest.raises(LearnerError, match="LinearSVC has no predict_proba"):
        classifier_learner("mine", LinearSVC)
    with pytest.raises(LearnerError, match=r"no 'n_trees'; expected one of .*'n_estimators'"):
        classifier_learner("mine", RandomForestClassifier, n_trees=3)
    with pytest.raises(LearnerError, match="is taken"):
        classifier_learner("structured-svm", RandomForestClassifier)
    X, y = make_pages(5)
    kind = classifier_learner("mine", RandomForestClassifier)
    with pytest.raises(LearnerError, match=r"mine: .*n_estimators"):
        kind(n_estimators=-1).fit(X, y, classes=range(3))
    with pytest.raises(LearnerError, match="transition_weight"):
        kind(transition_weight=-1).fit(X, y, classes=range(3))


def test_label_weights_need_sample_weights(make_pages):
    X, y = make_pages(20, noise=0.3)
    third = []
    for weights in (None, (1.0, 1.0, 50.0)):
        kind = classifier_learner(f"mine-{weights}", BernoulliNB, label_weights=weights)
        model = kind().fit(X, y, classes=range(3))
        third.append(np.mean(np.concatenate(model.predict(X)) == 2))
    assert third[1] > third[0] + 0.03
    kind = classifier_learner("neighbours", KNeighborsClassifier)
    with pytest.raises(LearnerError, match="sample_weight"):
        kind(label_weights="balanced").fit(X, y, classes=range(3))


def test_it_cannot_be_saved(make_pages, tmp_path):
    kind = classifier_learner("mine", BernoulliNB)
    assert not kind.can_save
    with pytest.raises(LearnerError, match="not fitted"):
        kind().save(tmp_path)
    with pytest.raises(LearnerError, match=r"pickle.*boosted-trees"):
        kind().fit(*make_pages(5), classes=range(3)).save(tmp_path)
    assert list(tmp_path.iterdir()) == []
