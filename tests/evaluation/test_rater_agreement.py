"""Agreement of raters: worked examples of the literature, and independent implementations."""

import math

import numpy as np
import pytest

from structce.evaluation.rater_agreement import (
    MISSING,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    rater_agreement,
)

_ = MISSING
KRIPPENDORFF = np.array(  # the example of section C: 4 observers, 12 units, values 1 to 5
    [
        [0, 1, 2, 2, 1, 0, 3, 0, 1, _, _, _],
        [0, 1, 2, 2, 1, 1, 3, 0, 1, 4, _, 2],
        [_, 2, 2, 2, 1, 2, 3, 1, 1, 4, 0, _],
        [0, 1, 2, 2, 1, 3, 3, 0, 1, 4, 0, _],
    ]
).T


def test_alpha_is_that_of_krippendorffs_example():
    assert krippendorff_alpha(KRIPPENDORFF) == pytest.approx(0.743, abs=5e-4)


def test_fleiss_kappa_is_that_of_an_independent_implementation():
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    ratings = np.random.default_rng(1).integers(0, 4, (60, 3))
    table, _ = inter_rater.aggregate_raters(ratings)
    assert fleiss_kappa(ratings) == pytest.approx(inter_rater.fleiss_kappa(table))


def test_cohen_kappa_of_a_case_by_hand():
    # 50 units, agreement .7, chance .5: Cohen's kappa is .4.
    pairs = [(0, 0)] * 20 + [(0, 1)] * 5 + [(1, 0)] * 10 + [(1, 1)] * 15
    assert cohen_kappa(np.array(pairs)) == pytest.approx(0.4)


def test_full_agreement_is_one_and_one_category_says_nothing():
    same, alone = np.array([[0, 0], [1, 1], [2, 2]]), np.zeros((5, 2), dtype=int)
    for measure in (cohen_kappa, fleiss_kappa, krippendorff_alpha):
        assert measure(same) == 1
        assert math.isnan(measure(alone))


def test_each_category_is_measured_against_the_rest():
    ratings = np.array([[0, 0], [0, 1], [1, 1], [2, 2], [_, 2]])
    rows = {row.name: row for row in rater_agreement(ratings, ["A", "B", "C", "D"])}
    assert list(rows) == ["", "A", "B", "C"]
    assert rows["C"].cohen == 1
    assert rows["A"].cohen == pytest.approx(0.5)  # .75 observed, .5 by chance
    assert (rows[""].n_units, rows["A"].n_units, rows["C"].n_units) == (4, 2, 1)
    assert rows[""].share == 0.75
