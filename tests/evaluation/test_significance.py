import itertools

import numpy as np
import pytest

from structce.evaluation import site_interval, wilcoxon


def exact_p(differences):
    """Two-sided p-value by going through every choice of signs; no ties."""
    ranks = np.argsort(np.argsort(np.abs(differences))) + 1
    signs = itertools.product([0, 1], repeat=len(ranks))
    sums = np.array([np.dot(one, ranks) for one in signs])
    found = ranks[differences > 0].sum()
    return min(1.0, 2 * min(np.mean(sums <= found), np.mean(sums >= found)))


def test_the_p_value_is_that_of_all_choices_of_signs():
    differences = np.array([0.05, -0.01, 0.11, 0.2, -0.03, 0.07, 0.16])
    first = np.full(7, 0.7)
    assert wilcoxon(first + differences, first) == pytest.approx(exact_p(differences))


def test_equal_systems_do_not_differ():
    same = np.array([0.9, 0.8, 1.0])
    assert wilcoxon(same, same) == 1
    assert wilcoxon(np.zeros(0), np.zeros(0)) == 1


def test_pages_with_equal_accuracy_change_nothing():
    first, second = np.array([0.9, 0.8, 0.95, 0.7]), np.array([0.8, 0.85, 0.9, 0.5])
    with_equal = wilcoxon(np.append(first, [0.3, 1]), np.append(second, [0.3, 1]))
    assert with_equal == wilcoxon(first, second)


def test_the_order_of_systems_does_not_matter():
    first, second = np.array([0.9, 0.8, 0.95, 0.7]), np.array([0.8, 0.85, 0.9, 0.5])
    assert wilcoxon(first, second) == wilcoxon(second, first)


def test_rounding_does_not_break_ties():
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit; they are one and the same difference.
    first, second = np.array([0.3, 0.2, 0.4]), np.array([0.2, 0.1, 0.5])
    tied = np.array([0.1, 0.1, -0.1])
    assert wilcoxon(first, second) == wilcoxon(tied, np.zeros(3))


def test_a_clear_difference_is_significant():
    second = np.linspace(0.5, 0.8, 20)
    assert wilcoxon(second + np.linspace(0.01, 0.1, 20), second) < 0.001


def test_sites_that_all_agree_leave_no_doubt():
    low, high = site_interval(np.full(6, 0.25), list("aabbcc"), seed=0)
    assert low == high == 0.25


def test_pages_of_one_site_are_drawn_together():
    differences = np.tile([0.1, -0.1], 50)
    wide = site_interval(np.sort(differences), ["a"] * 50 + ["b"] * 50, seed=0)
    narrow = site_interval(differences, [str(i) for i in range(100)], seed=0)
    assert wide == pytest.approx((-0.1, 0.1))
    assert -0.05 < narrow[0] < 0 < narrow[1] < 0.05


def test_one_site_says_nothing():
    assert site_interval(np.array([0.1, 0.2]), ["a", "a"], seed=0) == (-1.0, 1.0)


def test_one_seed_gives_one_interval():
    differences, sites = np.linspace(-0.1, 0.3, 9), list("abcabcabc")
    assert site_interval(differences, sites, seed=3) == site_interval(differences, sites, seed=3)
