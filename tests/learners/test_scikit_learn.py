"""Learners as estimators of scikit-learn: labels and features of any kind, its tools and checks."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction import DictVectorizer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

from structce.arrays import UNKNOWN_INDEX, any_of
from structce.errors import LearnerError
from structce.learners import CRF, LEARNERS, LinearChainCRF, MulticlassSVM, load_learner

NAMES = ("O", "PER", "LOC")
SENTENCES = [
    ("Ann Lee lives in Oslo", "PER PER O O LOC"),
    ("Oslo is cold", "LOC O O"),
    ("Tom Rost left Bergen", "PER PER O LOC"),
    ("Bergen and Oslo", "LOC O LOC"),
    ("Ann met Tom", "PER O PER"),
]


def features_of(words):
    """The features of words by name, as in examples of CRFsuite."""
    near = [words[max(0, i - 1) : i] + words[i + 1 : i + 2] for i in range(len(words))]
    return [
        {"bias": 1.0, "word": word.lower(), "is_title": word.istitle(), "near": beside}
        for word, beside in zip(words, near, strict=True)
    ]


@pytest.fixture
def sentences():
    X = [features_of(text.split()) for text, _ in SENTENCES]
    return X, [labels.split() for _, labels in SENTENCES]


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_strings_are_labels_as_positions_are(name, make_brief, noisy_pages, tmp_path):
    X, y = noisy_pages
    by_position = make_brief(name).fit(X, y, classes=range(3))
    named = make_brief(name).fit(X, [np.array(NAMES)[page] for page in y], classes=NAMES)
    encoded = make_brief(name).fit(X, y, classes=NAMES)
    named.save(tmp_path)
    for learner in (named, load_learner(tmp_path)):
        assert learner.classes_.tolist() == list(NAMES)
        for labels, expected in zip(learner.predict(X), by_position.predict(X), strict=True):
            assert labels.tolist() == [NAMES[i] for i in expected]
        assert learner.score(X, [[NAMES[i] for i in page] for page in y]) == by_position.score(X, y)
        fixed = learner.predict(X[:1], fixed=[{0: "LOC"}])[0]
        assert fixed[0] == "LOC"
        with pytest.raises(LearnerError, match="label 'ORG'; expected 'O', 'PER', 'LOC'"):
            learner.score(X, [["ORG"] * len(page) for page in y])
    assert encoded.classes_.tolist() == list(NAMES)
    assert all(map(np.array_equal, encoded.predict(X), by_position.predict(X)))
    marginals = by_position.predict_marginals(X)
    for learner in (named, encoded):
        assert all(map(np.array_equal, learner.predict_marginals(X), marginals))


@pytest.mark.parametrize(
    ("y", "classes", "expected"),
    [
        ([["b", "a"], ["a", "c"]], None, ["a", "b", "c"]),
        ([["b", "a"], [None, "a"]], ["c", "b", "a"], ["c", "b", "a"]),
        ([["b", {"a", "c"}], ["a", "a"]], None, ["a", "b", "c"]),
        ([np.array([7, 3]), np.array([3, UNKNOWN_INDEX])], None, [3, 7]),
        ([[7, 3], [3, 9]], [9, 7, 3], [9, 7, 3]),
        ([np.array([-1, 1]), np.array([1, -1])], [-1, 1], [-1, 1]),
    ],
)
def test_classes_are_those_given_or_those_that_occur(y, classes, expected):
    X = [np.eye(2), np.ones((2, 2))]
    learner = LinearChainCRF().fit(X, y, classes=classes)
    assert learner.classes_.tolist() == expected
    assert set(np.concatenate(learner.predict(X)).tolist()) <= set(expected)
    assert learner.predict_marginals(X)[0].shape == (2, len(expected))
    assert learner.predict(X)[0].dtype.kind == ("U" if isinstance(expected[0], str) else "i")


@pytest.mark.parametrize(
    ("y", "classes", "message"),
    [
        ([["a", "b"]], ["a"], "page 0 has label 'b'; expected 'a'"),
        ([["a", 1]], None, "page 0: labels are int, str; expected integers, or strings"),
        ([[0.5, 1.0]], None, "labels are float"),
        (["ab"], None, "page 0: labels are one string"),
        ([[None, None]], None, "no known label"),
        ([np.array([0, any_of({0, 1}, 3)])], None, "give the classes"),
        ([["a", "a"]], ["a", "a"], "each once"),
        ([[{"a", "x"}, "a"]], ["a", "b"], "page 0 has label"),
        ([["a"]], None, r"page 0 has 2 regions but labels of \(1,\)"),
    ],
)
def test_labels_that_do_not_fit_are_named(y, classes, message):
    with pytest.raises(LearnerError, match=message):
        MulticlassSVM().fit([np.eye(2)], y, classes=classes)


def test_sets_and_unknown_labels_are_the_same_as_their_codes(noisy_pages):
    X, y = noisy_pages
    one = {0: {"PER", "LOC"}, 3: None}
    named = [[one[i % 7] if i % 7 in one else NAMES[k] for i, k in enumerate(page)] for page in y]
    codes = {0: any_of({1, 2}, 3), 3: UNKNOWN_INDEX}
    coded = [np.array([codes.get(i % 7, k) for i, k in enumerate(page)]) for page in y]
    first, second = (LinearChainCRF().fit(X, y, classes=NAMES) for y in (named, coded))
    assert np.array_equal(first.emissions_, second.emissions_)


def test_more_labels_than_a_set_can_hold_are_learnt():
    labels = [[f"tag{n:03}" for n in range(start, 90, 2)] for start in (0, 1)]
    X = [np.eye(90)[start::2] for start in (0, 1)]
    for kind in (LinearChainCRF, MulticlassSVM):
        assert [list(page) for page in kind(lambda_=0.001).fit(X, labels).predict(X)] == labels


@pytest.mark.parametrize("make", [np.asarray, sparse.csc_matrix, sparse.coo_array])
def test_matrices_of_every_kind_are_pages(noisy_pages, make):
    X, y = noisy_pages
    expected = MulticlassSVM().fit(X, y)
    pages = [make(page.toarray()) for page in X]
    learner = MulticlassSVM().fit(pages, y)
    assert np.array_equal(learner.emissions_, expected.emissions_)
    assert all(map(np.array_equal, learner.scores(pages), expected.scores(X)))


def test_named_features_are_columns(sentences, tmp_path):
    X, y = sentences
    vectorizer = DictVectorizer().fit([item for page in X for item in page])
    expected = LinearChainCRF().fit([vectorizer.transform(page) for page in X], y)
    learner = LinearChainCRF().fit(X, y)
    assert np.array_equal(learner.emissions_, expected.emissions_)
    learner.save(tmp_path)
    unseen = [features_of("Ann likes Bergen".split()), []]
    for same in (learner, load_learner(tmp_path), pickle.loads(pickle.dumps(learner))):
        assert [page.tolist() for page in same.predict(unseen)] == [["PER", "O", "LOC"], []]


def test_features_without_names_are_an_error_that_names_the_page(sentences):
    X, y = sentences
    with pytest.raises(LearnerError, match="page 1: not all its features are named"):
        LinearChainCRF().fit([X[0], [{"word": {"a": 1}}] * 3, *X[2:]], y)
    learner = LinearChainCRF().fit(X, y)
    with pytest.raises(LearnerError, match="page 0: "):
        learner.predict([["Oslo"]])
    with pytest.raises(LearnerError, match="page 0 contains NaN"):
        learner.predict([[{"bias": float("nan")}]])


CHECKS = """parameters_default_constructible get_params_invariance set_params
no_attributes_set_in_init estimator_repr estimator_cloneable estimator_tags_renamed
valid_tag_types""".split()


@pytest.mark.parametrize("kind", [*LEARNERS.values(), CRF])
@pytest.mark.parametrize("check", CHECKS)
def test_checks_of_scikit_learn(kind, check):
    getattr(estimator_checks, f"check_{check}")(kind.__name__, kind())


def test_groups_of_pages_are_never_torn_apart(sentences):
    X, y = (part * 3 for part in sentences)
    groups = [n % 5 for n in range(15)]
    search = GridSearchCV(LinearChainCRF(), {"lambda_": [0.001, 1.0]}, cv=GroupKFold(5))
    search.fit(X, y, groups=groups, classes=NAMES)
    train, test = next(iter(GroupKFold(5).split(X, groups=groups)))
    by_hand = clone(search.best_estimator_)
    by_hand.fit([X[i] for i in train], [y[i] for i in train], classes=NAMES)
    expected = by_hand.score([X[i] for i in test], [y[i] for i in test])
    assert search.cv_results_["split0_test_score"][search.best_index_] == expected
    assert search.best_estimator_.classes_.tolist() == list(NAMES)


def test_a_pipeline_may_come_before_a_learner(noisy_pages):
    X, y = noisy_pages
    doubled = FunctionTransformer(lambda pages: [page * 2 for page in pages])
    pipeline = make_pipeline(doubled, LinearChainCRF(lambda_=0.1))
    pipeline.set_params(linearchaincrf__lambda_=0.4)
    assert pipeline.fit(X, y).score(X, y) > 0.6
    plain = LinearChainCRF(lambda_=0.1).fit(X, y)  # the same weights, halved
    assert np.allclose(pipeline[-1].emissions_ * 2, plain.emissions_, atol=0.2)
    assert len(cross_val_score(pipeline, X, y, cv=3)) == 3


def test_the_crf_of_crfsuite_is_ours(sentences):
    crfsuite = pytest.importorskip("sklearn_crfsuite")
    X, y = (part * 2 for part in sentences)
    settings = {"algorithm": "lbfgs", "max_iterations": 100, "all_possible_transitions": True}
    for strengths in ({"c2": 0.1}, {"c1": 0.0, "c2": 0.5}):
        ours = CRF(**settings, **strengths).fit(X, y)
        theirs = crfsuite.CRF(**settings, **strengths, all_possible_states=True).fit(X, y)
        assert sorted(ours.classes_) == sorted(theirs.classes_)
        assert [page.tolist() for page in ours.predict(X)] == [list(p) for p in theirs.predict(X)]
        for name in ("PER", "O", "LOC"):
            for after in ("PER", "O", "LOC"):
                expected = theirs.transition_features_.get((name, after), 0.0)
                found = ours.transition_features_.get((name, after), 0.0)
                assert found == pytest.approx(expected, abs=0.02)
        own = ours.state_features_[("word=oslo", "LOC")]
        assert own == pytest.approx(theirs.state_features_[("word:oslo", "LOC")], abs=0.02)


def test_the_strengths_of_a_crf_are_searched_and_saved(sentences, tmp_path):
    metrics = pytest.importorskip("sklearn_crfsuite.metrics")
    X, y = (part * 2 for part in sentences)
    grid = {"c2": [0.01, 10.0]}
    search = GridSearchCV(CRF(max_iterations=50), grid, cv=2, refit=True).fit(X, y)
    best = search.best_estimator_
    assert metrics.flat_f1_score(y, best.predict(X), average="weighted") > 0.9
    best.save(tmp_path)
    loaded = load_learner(tmp_path)
    assert isinstance(loaded, LinearChainCRF)
    assert all(map(np.array_equal, loaded.predict_marginals(X), best.predict_marginals(X)))


@pytest.mark.parametrize(
    "settings",
    [{"algorithm": "arow"}, {"c1": 0.1}, {"c2": "x"}, {"max_iterations": 0}, {"epsilon": 0},
     {"all_possible_transitions": False}],
)  # fmt: skip
def test_what_a_crf_cannot_do_is_named(sentences, settings):
    with pytest.raises(LearnerError, match=next(iter(settings))):
        CRF(**settings).fit(*sentences)
