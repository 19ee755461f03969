"""Rows two by two: who is better, by how much, and whether that is chance."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from structce.evaluation.bootstrap import site_interval
from structce.evaluation.significance import detectable_difference
from structce.experiments import statistics
from structce.experiments.significance import corrected
from structce.experiments.statistics import (
    choose_reference,
    compare_all,
    compare_results,
    estimate_power,
)

# Eight pages of four sites, two regions each.
PAGES = [(f"{site}{i}", "AB") for site in "abcd" for i in range(2)]
WORDS = {
    "right": ["AB"] * 8,
    "half": ["AN"] * 8,
    "mixed": ["AB", "AN", "NN", "AB", "AB", "AB", "AN", "AB"],
    "wrong": ["NN"] * 8,
}


@pytest.fixture(scope="module")
def pooled(pool_words):
    return {name: pool_words(PAGES, words) for name, words in WORDS.items()}


def test_a_difference_is_that_of_the_first_over_the_second(pooled):
    pair = compare_results(pooled["right"], pooled["half"], ("right", "half"), 0)
    assert (pair.first, pair.second) == ("right", "half")
    assert pair.difference == 0.5
    assert pair.interval == (0.5, 0.5)
    assert pair.effect == 1
    assert (pair.n_pages, pair.n_differ) == (8, 8)
    # F1 of A is 1 twice; that of B is 1 and 0. N is in one prediction, and not in gold.
    assert pair.macro_difference == pytest.approx(1 - 1 / 2)
    assert pair.macro_interval == pytest.approx((1 / 2, 1 / 2))
    # All eight differences are one way: two of 2 ** 8 signings are as extreme.
    assert pair.p == pair.p_holm == pytest.approx(2 / 2**8)


def test_the_other_way_round_all_signs_turn(pooled):
    there = compare_results(pooled["mixed"], pooled["half"], ("mixed", "half"), 3)
    back = compare_results(pooled["half"], pooled["mixed"], ("half", "mixed"), 3)
    assert there.difference > 0
    for name in ("difference", "effect", "macro_difference"):
        assert getattr(back, name) == pytest.approx(-getattr(there, name))
    for name in ("interval", "macro_interval"):
        low, high = getattr(there, name)
        assert getattr(back, name) == pytest.approx((-high, -low))
    assert (back.p, back.n_differ) == (there.p, there.n_differ)


def test_what_differs_is_counted_page_by_page(pooled):
    pair = compare_results(pooled["mixed"], pooled["half"], ("mixed", "half"), 0)
    differences = np.array([0.5, 0, -0.5, 0.5, 0.5, 0.5, 0, 0.5])
    assert pair.difference == pytest.approx(differences.mean())
    assert pair.n_differ == 6
    # Six differences of one size: five for the first, one for the second.
    assert pair.effect == pytest.approx((5 - 1) / 6)
    sites = [name[0] for name, _ in PAGES]
    assert pair.interval == pytest.approx(site_interval(differences, sites, seed=0))


def test_rows_that_are_the_same_do_not_differ(pooled):
    pair = compare_results(pooled["mixed"], pooled["mixed"], ("one", "other"), 0)
    assert (pair.difference, pair.effect, pair.p, pair.n_differ) == (0, 0, 1, 0)
    assert (pair.interval, pair.macro_interval) == ((0, 0), (0, 0))


def test_pages_without_known_regions_are_in_no_pair(pool_words):
    pages = [*PAGES, ("e1", "??"), ("e2", "")]
    first, second = (pool_words(pages, [*WORDS[name], "AB", ""]) for name in ("right", "half"))
    pair = compare_results(first, second, ("right", "half"), 0)
    assert (pair.n_pages, pair.difference) == (8, 0.5)


def test_rows_without_any_page_do_not_differ(pool_words):
    rows = [pool_words([("a1", "??")], [word]) for word in ("AB", "NN")]
    pair = compare_results(*rows, ("one", "other"), 0)
    assert (pair.n_pages, pair.difference, pair.p, pair.interval) == (0, 0, 1, (-1, 1))


def test_where_regions_differ_nothing_is_known_of_the_interval_of_macro_f1(pool_words, pooled):
    shorter = pool_words([(name, "A") for name, _ in PAGES], ["A"] * 8)
    pair = compare_results(pooled["half"], shorter, ("long", "short"), 0)
    assert pair.difference == -0.5
    assert pair.macro_difference == pytest.approx(1 / 2 - 1)
    assert pair.macro_interval == (-1, 1)


def test_every_two_rows_are_compared_once_in_their_order(pooled):
    pairs = compare_all(pooled, 0)
    names = [(pair.first, pair.second) for pair in pairs]
    assert names == list(itertools.combinations(WORDS, 2))


def test_p_values_are_corrected_for_the_pairs_of_one_table(pooled):
    pairs = compare_all(pooled, 0)
    ordered = sorted(pair.p for pair in pairs)
    stepped = np.maximum.accumulate([p * (6 - i) for i, p in enumerate(ordered)]).clip(max=1)
    assert sorted(pair.p_holm for pair in pairs) == pytest.approx(stepped)
    alone = compare_all({name: pooled[name] for name in ("right", "half")}, 0)
    assert alone[0].p_holm == alone[0].p < pairs[0].p_holm


def test_pairs_are_corrected_in_the_order_they_come_in(pooled):
    pair = compare_results(pooled["right"], pooled["half"], ("right", "half"), 0)
    several = [replace(pair, p=p) for p in (0.04, 0.01, 0.03)]
    assert [test.p_holm for test in corrected(several)] == pytest.approx([0.06, 0.03, 0.06])
    assert [test.p for test in corrected(several)] == [0.04, 0.01, 0.03]
    assert corrected([]) == ()


def test_the_reference_is_the_first_structured_svm_even_if_it_is_worse(pooled):
    learners = dict.fromkeys(pooled, "multiclass-svm")
    both = {**learners, "wrong": "structured-svm", "half": "structured-svm"}
    assert choose_reference(pooled, both) == "half"
    assert choose_reference({"wrong": pooled["wrong"], "right": pooled["right"]}, both) == "wrong"


def test_without_one_the_reference_is_the_most_accurate_of_equals_the_first(pooled):
    learners = dict.fromkeys([*pooled, "again"], "greedy-svm")
    assert choose_reference(pooled, learners) == "right"
    twice = {"wrong": pooled["wrong"], "again": pooled["right"], "right": pooled["right"]}
    assert choose_reference(twice, learners) == "again"
    # What was asked but has no scores is none.
    assert choose_reference({"half": pooled["half"]}, {**learners, "x": "structured-svm"}) == "half"
    assert choose_reference({}, {}) == ""


def test_power_is_that_of_the_pair_of_median_spread(pooled):
    rows = {name: pooled[name] for name in ("right", "mixed", "half")}
    spreads = {}
    for first, second in itertools.combinations(rows, 2):
        ours, theirs = (list(rows[name].row.page_accuracy.values()) for name in (first, second))
        differences = np.subtract(ours, theirs)
        spreads[float(differences.std(ddof=1))] = differences
    middle = sorted(spreads)[1]
    power = estimate_power(rows)
    assert power.n_pages == 8
    assert power.spread == pytest.approx(middle)
    assert power.detectable == pytest.approx(detectable_difference(spreads[middle]))
    assert power.is_small


def test_pages_are_many_where_they_could_show_a_point(pool_words, monkeypatch):
    rows = {name: pool_words(PAGES, WORDS[name]) for name in ("mixed", "half")}
    for detectable, is_small in ((0.011, True), (0.01, False), (0.004, False), (None, True)):
        monkeypatch.setattr(statistics, "detectable_difference", lambda _, value=detectable: value)
        power = estimate_power(rows)
        assert (power.detectable, power.is_small) == (detectable, is_small)


def test_there_is_no_power_of_fewer_than_two_rows(pooled):
    assert estimate_power({}) is None
    assert estimate_power({"right": pooled["right"]}) is None


def test_power_of_a_single_page_says_nothing(pool_words):
    rows = {word: pool_words([("a1", "AB")], [word]) for word in ("AB", "NN")}
    power = estimate_power(rows)
    assert (power.n_pages, power.spread, power.detectable, power.is_small) == (1, 0, None, True)
