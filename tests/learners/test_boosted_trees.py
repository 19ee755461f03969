"""Boosted trees: what NumPy makes of them is what scikit-learn does, and files keep it."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from structce.errors import LearnerError
from structce.learners import BoostedTrees
from structce.learners.boosted_trees import platt_line

NAMES = tuple("abcdef")


def referee(n_trees):
    """Trees of scikit-learn with the settings of ours."""
    return HistGradientBoostingClassifier(
        max_iter=n_trees, max_depth=4, max_leaf_nodes=16, learning_rate=0.1, min_samples_leaf=20,
        l2_regularization=1.0, early_stopping=False, random_state=0,
    )  # fmt: skip


def problem(n=800, seed=0):
    """Rows with unknown values, and answers that hang on two of their columns."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, len(NAMES))).astype(np.float32)
    is_right = rows[:, 0] + rows[:, 1] ** 2 + 0.3 * rng.normal(size=n) > 1
    rows[rng.random(rows.shape) < 0.1] = np.nan
    return rows, is_right


@pytest.fixture(scope="module")
def trees():
    return BoostedTrees.fit(*problem(), NAMES, n_trees=30, depth=4)


def test_the_arrays_say_what_the_trees_of_scikit_learn_do(trees):
    rows, is_right = problem()
    grown = referee(30).fit(rows, is_right.astype(int))
    unseen, _ = problem(seed=1)
    assert np.allclose(trees.log_odds(unseen), grown.decision_function(unseen), atol=1e-4)


def classes_of(rows):
    known = np.nan_to_num(rows)
    return (known[:, 0] > 0).astype(np.int64) + 3 * (known[:, 1] > 0.5)  # 0, 1, 3, 4


def test_ensembles_of_classes_share_one_softmax():
    rows, _ = problem()
    classes = classes_of(rows)
    grown = referee(20).fit(rows, classes)
    trees = BoostedTrees.fit_classes(rows, classes, NAMES, n_trees=20, depth=4, learning_rate=0.1)
    unseen, _ = problem(seed=1)
    p = BoostedTrees.class_probabilities(list(trees.values()), unseen)
    assert list(trees) == [0, 1, 3, 4]
    assert np.allclose(p, grown.predict_proba(unseen), atol=1e-5)


def test_seeds_count_by_the_mean_of_their_log_odds():
    rows, _ = problem()
    settings = {"n_trees": 5, "column_share": 0.5}
    both = BoostedTrees.fit_classes(rows, classes_of(rows), NAMES, n_seeds=2, **settings)
    classes = classes_of(rows)
    each = [BoostedTrees.fit_classes(rows, classes, NAMES, seed=n, **settings) for n in (0, 1)]
    for label, trees in both.items():
        mean = (each[0][label].log_odds(rows) + each[1][label].log_odds(rows)) / 2
        assert np.allclose(trees.log_odds(rows), mean, atol=1e-5)
    assert not np.allclose(each[0][0].log_odds(rows), each[1][0].log_odds(rows))


def test_arrays_of_a_file_give_the_same_trees(trees):
    rows, is_right = problem(seed=2)
    calibrated = trees.calibrated(trees.log_odds(rows), is_right)
    stored = {name: array.astype(np.float32) for name, array in calibrated.arrays().items()}
    loaded = BoostedTrees.of_arrays(NAMES, stored)
    assert np.array_equal(loaded.probability(rows), calibrated.probability(rows))


def test_no_row_and_rows_of_unknown_values_are_answered(trees):
    assert trees.probability(np.zeros((0, 6))).shape == (0,)
    p = trees.probability(np.full((2, 6), np.nan))
    assert ((p > 0) & (p < 1)).all()
    assert p[0] == p[1]


@pytest.mark.parametrize(
    ("rows", "answers"), [(np.zeros((4, 5)), [1, 0, 1, 0]), (np.zeros((4, 6)), [1, 1, 1, 1]),
                          (np.zeros((3, 6)), [1, 0, 1, 0])]
)  # fmt: skip
def test_rows_that_do_not_fit_are_an_error(rows, answers):
    with pytest.raises(LearnerError, match="expected"):
        BoostedTrees.fit(rows, np.array(answers, dtype=bool), NAMES)


def test_the_line_of_platt_mends_log_odds_that_are_too_sure():
    rng = np.random.default_rng(0)
    true = rng.normal(scale=1.5, size=4000)
    is_right = rng.random(4000) < 1 / (1 + np.exp(-true))
    slope, offset = platt_line(3 * true - 1, is_right)
    assert slope == pytest.approx(1 / 3, abs=0.03)
    assert offset == pytest.approx(1 / 3, abs=0.1)


def test_what_is_known_may_tell_more_than_its_value():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(600, 2)).astype(np.float32)
    is_right = rng.random(600) < 0.5
    rows[is_right, 0] = np.nan
    trees = BoostedTrees.fit(rows, is_right, ("a", "b"), n_trees=5)
    assert np.isfinite(trees.thresholds).all(), "a file holds no infinity"
    assert ((trees.probability(rows) > 0.5) == is_right).all()
