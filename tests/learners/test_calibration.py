import numpy as np
import pytest
from scipy.special import softmax
from sklearn.isotonic import IsotonicRegression

from structce.arrays import UNKNOWN_INDEX
from structce.errors import LearnerError, ModelError
from structce.evaluation.calibration import expected_calibration_error
from structce.learners.calibration import (
    ConfidenceMap,
    find_temperature,
    fit_calibration,
    fit_confidence_map,
)
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.registry import load_learner
from structce.learners.storage import Model, read_model, write_model

EVERY = np.linspace(0, 1, 201)


def fit_map(confidence, right):
    """Return the map of regions whose predicted label 0 is right or not."""
    gold = np.where(right, 0, 1)
    return fit_confidence_map(np.asarray(confidence), np.zeros(len(gold), dtype=np.int64), gold)


def nearest_rising(y):
    """Return the sequence that never falls and is nearest to y, from its min-max formula."""
    n = len(y)
    return [
        max(min(np.mean(y[a : b + 1]) for b in range(i, n)) for a in range(i + 1)) for i in range(n)
    ]


def test_the_map_is_the_nearest_that_never_falls():
    random = np.random.default_rng(0)
    for n in (1, 2, 5, 30):
        confidence = np.sort(random.random(n))
        right = random.random(n) < confidence**2
        # Two made-up regions at either end have the mean 1/2; in steps of their own they are two
        # values of 1/2 each.
        rising = nearest_rising([0.5, 0.5, *right, 0.5, 0.5])
        fitted = fit_map(confidence, right)
        np.testing.assert_allclose(fitted(confidence), rising[2:-2])
        np.testing.assert_allclose(fitted(np.array([0.0, 1.0])), [rising[0], rising[-1]])


def test_between_thresholds_it_is_linear_as_scikit_learn_has_it():
    random = np.random.default_rng(1)
    confidence, right = random.random(50), random.random(50) < 0.7
    ends = [0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]
    x, y = np.append(confidence, ends[0]), np.append(right, ends[1])
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(EVERY)
    np.testing.assert_allclose(fit_map(confidence, right)(EVERY), theirs)


def test_few_regions_teach_little_as_worked_by_hand():
    # One right region and the two made-up ones above it: two of three are right.
    assert fit_map([0.7], [True])(np.array([0.0, 0.7, 1.0])).tolist() == [0.5, 2 / 3, 2 / 3]
    assert fit_map([0.7], [False])(np.array([0.0, 0.7, 1.0])).tolist() == [1 / 3, 1 / 3, 0.5]


@pytest.mark.parametrize("n", [0, 1, 3, 1000])
@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("confidence", [0.0, 0.4, 1.0, None])
def test_it_stays_inside_never_falls_and_makes_nothing_certain(n, share, confidence):
    random = np.random.default_rng(2)
    said = random.random(n) if confidence is None else np.full(n, confidence)
    fitted = fit_map(said, random.random(n) < share)
    if n == 0:
        assert fitted is None
        return
    mapped = fitted(EVERY)
    assert ((mapped > 0) & (mapped < 1)).all()
    assert (np.diff(mapped) >= 0).all()
    np.testing.assert_array_equal(fitted(np.array([-1.0, 2.0])), mapped[[0, -1]])


def test_regions_whose_label_is_unknown_teach_the_map_nothing():
    random = np.random.default_rng(3)
    confidence, labels = random.random(40), random.integers(3, size=40)
    gold = np.where(random.random(40) < 0.5, labels, UNKNOWN_INDEX)
    gold[:10] = (labels[:10] + 1) % 3
    known = gold != UNKNOWN_INDEX
    fitted = fit_confidence_map(confidence, labels, gold)
    other = fit_confidence_map(confidence[known], labels[known], gold[known])
    np.testing.assert_array_equal(fitted(EVERY), other(EVERY))
    assert fit_confidence_map(confidence, labels, np.full(40, UNKNOWN_INDEX)) is None


def test_it_makes_the_confidence_of_regions_not_seen_honest():
    random = np.random.default_rng(4)
    truth = random.uniform(0.3, 1, size=8000)
    said, right = truth**4, random.random(8000) < truth
    fitted = fit_map(said[:4000], right[:4000])
    assert expected_calibration_error(said[4000:], right[4000:]) > 0.2
    assert expected_calibration_error(fitted(said[4000:]), right[4000:]) < 0.02


def test_the_temperature_of_scores_is_found_again():
    random = np.random.default_rng(5)
    scores = random.normal(size=(20000, 4)) * 6
    marginals = softmax(scores / 3, axis=1)
    gold = (random.random((20000, 1)) > marginals.cumsum(axis=1)).sum(axis=1)
    assert find_temperature(lambda t: softmax(scores / t, axis=1), gold) == pytest.approx(
        3, rel=0.03
    )


def test_no_other_temperature_makes_the_known_labels_likelier():
    random = np.random.default_rng(6)
    scores, gold = random.normal(size=(60, 3)), random.integers(3, size=60)
    gold = np.where(scores.max(axis=1) > 1, scores.argmax(axis=1), gold)
    gold[::5] = UNKNOWN_INDEX
    known = np.flatnonzero(gold != UNKNOWN_INDEX)

    def likelihood(temperature):
        return np.log(softmax(scores / temperature, axis=1)[known, gold[known]]).mean()

    temperature = find_temperature(lambda t: softmax(scores / t, axis=1), gold)
    others = np.exp(np.linspace(-4, 4, 400))
    assert likelihood(temperature) >= max(likelihood(candidate) for candidate in others) - 1e-9


def test_without_a_known_label_nothing_is_learnt():
    gold = np.full(2, UNKNOWN_INDEX)
    for method in ("temperature", "isotonic"):
        for regions in (2, 0):
            labels = np.zeros(regions, dtype=np.int64)
            calibration = fit_calibration(
                lambda t, n=regions: np.full((n, 2), 0.5), labels, gold[:regions], method
            )
            assert calibration == (1.0, None)


def test_an_unknown_method_is_an_error():
    with pytest.raises(LearnerError, match=r"'platt'; expected one of .*isotonic"):
        fit_calibration(lambda t: np.ones((1, 1)), np.zeros(1, int), np.zeros(1, int), "platt")


def test_marginals_are_rescaled_around_the_predicted_label_as_worked_by_hand():
    half = ConfidenceMap(np.array([0.0, 1.0]), np.array([0.2, 0.6]))
    marginals = np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75]])
    rescaled = half.rescale(marginals, np.array([0, 1, 1]))
    # 0.5 becomes 0.4 and leaves 0.6 in the proportion 3 to 2; certainty leaves 0.4 to two labels.
    np.testing.assert_allclose(rescaled, [[0.4, 0.36, 0.24], [0.2, 0.6, 0.2], [0, 0.3, 0.7]])
    np.testing.assert_array_equal(marginals[1], [0, 1, 0])


def test_a_label_without_others_stays_certain_and_an_empty_page_empty():
    some = ConfidenceMap(np.array([0.5]), np.array([0.7]))
    assert some.rescale(np.ones((2, 1)), np.zeros(2, dtype=np.int64)).tolist() == [[1], [1]]
    assert some.rescale(np.zeros((0, 3)), np.zeros(0, dtype=np.int64)).shape == (0, 3)


def test_a_written_map_is_read_exactly():
    random = np.random.default_rng(7)
    fitted = fit_map(random.random(300), random.random(300) < 0.5)
    back = ConfidenceMap.read(fitted.written())
    np.testing.assert_array_equal(back.thresholds, fitted.thresholds)
    np.testing.assert_array_equal(back.values, fitted.values)


MALFORMED = [
    "isotonic",
    [0.1],
    {},
    {"thresholds": [0.1]},
    {"thresholds": [0.1], "values": [0.1], "more": 1},
    {"thresholds": [], "values": []},
    {"thresholds": 0.1, "values": 0.1},
    {"thresholds": [0.1, 0.2], "values": [0.1]},
    {"thresholds": [[0.1]], "values": [[0.1]]},
    {"thresholds": ["0.1"], "values": [0.1]},
    {"thresholds": [True], "values": [0.1]},
    {"thresholds": [None], "values": [0.1]},
    {"thresholds": [0.2, 0.1], "values": [0.1, 0.2]},
    {"thresholds": [0.2, 0.2], "values": [0.1, 0.2]},
    {"thresholds": [0.1, 0.2], "values": [0.2, 0.1]},
    {"thresholds": [-0.1], "values": [0.1]},
    {"thresholds": [1.1], "values": [0.1]},
    {"thresholds": [float("nan")], "values": [0.1]},
    {"thresholds": [0.1], "values": [float("nan")]},
    {"thresholds": [0.1], "values": [0.0]},
    {"thresholds": [0.1], "values": [1]},
    {"thresholds": [10**400], "values": [0.1]},
]


@pytest.mark.parametrize("entry", MALFORMED)
def test_what_is_no_map_is_refused(entry):
    with pytest.raises(LearnerError):
        ConfidenceMap.read(entry)


def saved_with(folder, **entries):
    manifest, arrays = read_model(folder)
    write_model(folder, Model({**manifest, **entries}, arrays))


@pytest.mark.parametrize(
    "entries",
    [
        {"calibration": {"thresholds": [0.1], "values": [2.0]}},
        {"calibration": "none"},
        {"temperature": 0.0},
        {"temperature": -1.0},
        {"temperature": "1.0"},
        {"temperature": None},
        {"temperature": 10**400},
    ],
)
def test_a_model_with_a_malformed_calibration_is_an_error(make_pages, tmp_path, entries):
    X, y = make_pages(10)
    MulticlassSVM().fit(X, y, n_labels=3).save(tmp_path)
    saved_with(tmp_path)
    assert load_learner(tmp_path).calibration_ is None
    saved_with(tmp_path, **entries)
    with pytest.raises(ModelError, match="malformed"):
        load_learner(tmp_path)
