"""From what was predicted for test pages to one row."""

import numpy as np
import pytest

from structce.evaluation.bootstrap import confusion_intervals, share_interval
from structce.experiments import statistics
from structce.experiments.statistics import measure_calibration

PAGES = [("b1", "ABN"), ("a1", "NN"), ("b2", "A?"), ("a2", "??"), ("c1", "")]
WORDS = ["ABA", "NA", "AB", "AB", ""]


@pytest.fixture(scope="module")
def pooled(pool_words):
    return pool_words(PAGES, WORDS)


def test_a_row_counts_all_known_regions_together(pooled):
    # Gold in rows; B is right once, N goes to A twice.
    assert pooled.row.confusion == ((2, 0, 0), (0, 1, 0), (2, 0, 1))
    assert pooled.row.scores.accuracy == 4 / 6
    # F1 of A is 2 * 2 / (2 + 4), of B 1, of N 2 / (3 + 1).
    assert pooled.row.scores.macro_f1 == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)


def test_regions_of_unknown_label_are_in_no_measure(pooled, pool_words):
    known = [("b1", "ABN"), ("a1", "NN"), ("b2", "A"), ("c1", "")]
    alone = pool_words(known, ["ABA", "NA", "A", ""]).row
    assert pooled.row.scores == alone.scores
    assert pooled.row.segments == alone.segments
    assert pooled.row.fields == alone.fields
    assert pooled.row.page_exactness == alone.page_exactness
    assert pooled.row.page_accuracy == alone.page_accuracy


def test_matrices_by_site_are_in_the_order_of_sites_and_add_up(pooled):
    assert pooled.sites == {"b1": "b", "a1": "a", "b2": "b", "a2": "a", "c1": "c"}
    a, b, c = pooled.by_site.tolist()
    assert a == [[0, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert b == [[2, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert not np.any(c)
    assert pooled.row.confusion == tuple(map(tuple, pooled.by_site.sum(axis=0).tolist()))


def test_accuracy_is_told_of_each_page_that_has_one(pooled):
    assert pooled.row.page_accuracy == {"a1": 1 / 2, "b1": 2 / 3, "b2": 1}
    assert list(pooled.row.page_accuracy) == ["a1", "b1", "b2"]


def test_a_page_that_comes_again_counts_again_and_has_its_mean_accuracy(pool_words):
    row = pool_words([("a1", "AB"), ("b1", "N"), ("a1", "AB")], ["AB", "N", "NN"]).row
    assert row.page_accuracy == {"a1": 1 / 2, "b1": 1}
    assert np.sum(row.confusion) == 5
    assert row.page_exactness == 2 / 3


def test_exactness_is_that_of_pages_with_known_regions(pooled):
    assert pooled.row.page_exactness == 1 / 3  # of the three, b2 alone


def test_segments_end_with_their_blocks(pool_words):
    # Blocks are of two regions each: of gold AA, A and of the prediction AA, A.
    row = pool_words([("a1", "AAAN")], ["AAAN"]).row
    (a, _) = row.segments.labels
    assert (a.name, a.support, a.n_predicted) == ("A", 2, 2)
    row = pool_words([("a1", "AAAN")], ["ANAN"]).row
    assert row.segments.labels[0].measures.recall == 1 / 2


def test_fields_are_found_page_by_page(pooled):
    # A is on b1 (one region too many), on b2 (exact), and wrongly on a1.
    assert [(score.name, score.n_pages, score.n_exact) for score in pooled.row.fields] == [
        ("A", 3, 1),
        ("B", 1, 1),
    ]


def test_intervals_are_those_of_drawing_sites_again(pooled):
    expected = confusion_intervals(pooled.by_site, pooled.label_set, seed=0)
    exact = share_interval(np.array([0, 1, 0]), np.array([1, 2, 0]), seed=0)
    assert pooled.row.intervals == {**expected, "page_exactness": exact}
    assert set(pooled.row.intervals) == {
        "accuracy", "macro_f1", "macro_f1_foreground", "page_exactness", "f1.A", "f1.B", "f1.N",
    }  # fmt: skip


def test_intervals_depend_on_the_seed_and_on_nothing_else(pool_words, pooled):
    assert pool_words(PAGES, WORDS).row == pooled.row
    other = pool_words(PAGES, WORDS, seed=5).row
    assert other.scores == pooled.row.scores
    sites = [(f"{letter}1", "AB") for letter in "abcdefgh"]
    words = ["AB", "AN", "NN", "AB", "BA", "AB", "NB", "AA"]
    first, second = (pool_words(sites, words, seed=seed).row.intervals for seed in (0, 5))
    assert first != second


def test_a_test_without_any_region_has_a_row_of_nothing(pool_words):
    row = pool_words([("a1", ""), ("b1", "??")], ["", "AB"]).row
    assert (row.scores.accuracy, row.page_exactness, row.page_accuracy) == (0, 0, {})


def test_test_pages_of_several_splits_stand_one_after_the_other(corpus):
    first, second = corpus.subset(["north-1", "north-0"]), corpus.subset(["east-2", "north-1"])
    tests = statistics.TestPages.of([first, second])
    assert tests.ids == ("north-0", "north-1", "north-1", "east-2")
    assert tests.sites == ("north", "north", "north", "east")
    page = corpus.pages[1]
    assert corpus.label_set.decode(tests.gold[2]) == page.labels
    assert np.array_equal(tests.blocks[2], page.page.blocks)


def test_calibration_counts_known_regions_alone(make_tests, indices_of):
    tests = make_tests(PAGES)
    before = [(1.0, 0.75, 0.5), (0.75, 0.25), (0.5, 0.123), (0.4, 0.4), ()]
    after = [(0.75, 0.75, 0.25), (1.0, 0.0), (1.0, 0.0), (0.4, 0.4), ()]
    calibration = measure_calibration(tests, indices_of(WORDS), before, after)
    right = np.array([1, 1, 0, 1, 0, 1])
    told = np.array([1, 0.75, 0.5, 0.75, 0.25, 0.5])
    assert calibration.before.brier == pytest.approx(np.mean((told - right) ** 2))
    assert sum(bin_.n_regions for bin_ in calibration.before.bins) == 6
    # Bins 0.2: 0.25 and wrong; 0.5: half right; 0.7: both right; 1: right.
    distances = [1 * 0.25, 2 * 0.0, 2 * 0.25, 1 * 0.0]
    assert calibration.before.error == pytest.approx(sum(distances) / 6)
    assert calibration.after.brier == pytest.approx((2 * 0.25**2 + 0.25**2) / 6)


def test_without_confidences_there_is_no_calibration(make_tests, indices_of):
    tests = make_tests(PAGES)
    assert measure_calibration(tests, indices_of(WORDS), (), ()) is None
    some = [(1.0, 1.0, 1.0)]
    assert measure_calibration(tests, indices_of(WORDS), some, some) is None
