import itertools

import numpy as np
import pytest

from structce.evaluation.significance import holm, rank_biserial, wilcoxon


def exact_p(differences):
    """Two-sided p-value by going through every choice of signs; no ties."""
    ranks = np.argsort(np.argsort(np.abs(differences))) + 1
    signs = itertools.product([0, 1], repeat=len(ranks))
    sums = np.array([np.dot(sign, ranks) for sign in signs])
    statistic = ranks[differences > 0].sum()
    return min(1.0, 2 * min(np.mean(sums <= statistic), np.mean(sums >= statistic)))


def test_the_p_value_is_that_of_all_choices_of_signs():
    differences = np.array([0.05, -0.01, 0.11, 0.2, -0.03, 0.07, 0.16])
    first = np.full(7, 0.7)
    assert wilcoxon(first + differences, first) == pytest.approx(exact_p(differences))


def test_equal_systems_do_not_differ_and_have_no_effect():
    same = np.array([0.9, 0.8, 1.0])
    assert wilcoxon(same, same) == 1
    assert wilcoxon(np.zeros(0), np.zeros(0)) == 1
    assert rank_biserial(np.array([0.3, 0.1 + 0.2]), np.array([0.3, 0.3])) == 0.0
    assert rank_biserial(np.zeros(0), np.zeros(0)) == 0.0


def test_rounding_does_not_break_ties():
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit; they are one and the same difference.
    first, second = np.array([0.3, 0.2, 0.4]), np.array([0.2, 0.1, 0.5])
    tied = np.array([0.1, 0.1, -0.1])
    assert wilcoxon(first, second) == wilcoxon(tied, np.zeros(3))


def test_the_effect_as_worked_by_hand():
    # Differences 10, -2, 5, -5, 0, 7: the 0 is dropped; ranks 5, 1, 2.5, 2.5, 4 of 15.
    first = np.array([0.60, 0.48, 0.55, 0.45, 0.50, 0.57])
    assert rank_biserial(first, np.full(6, 0.5)) == pytest.approx((11.5 - 3.5) / 15)


def test_holm_as_worked_by_hand():
    # Sorted 0.01, 0.02, 0.03, 0.2 times 4, 3, 2, 1; none falls below the one before.
    corrected = holm(np.array([0.03, 0.2, 0.01, 0.02]))
    np.testing.assert_allclose(corrected, [0.06, 0.2, 0.04, 0.06])
