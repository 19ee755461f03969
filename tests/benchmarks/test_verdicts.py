"""Risks of keeping pages: thresholds hold on new pages as often as promised."""

import numpy as np
import pytest

from benchmarks.verdicts import fit_risk_table, least_quality


def draw(n, seed, *, rate=1.0):
    """Draw qualities, and whether the texts are right; ``rate`` multiplies the share of errors."""
    rng = np.random.default_rng(seed)
    quality = rng.beta(5, 1, n)
    return quality, rng.random(n) >= rate * (1 - quality)


@pytest.mark.parametrize("risk", [0.05, 0.15])
def test_a_risk_holds_on_new_pages_as_often_as_promised(risk):
    n_broken = n_found = 0
    for seed in range(40):
        least = least_quality(*draw(1_500, seed), risk)
        quality, is_right = draw(20_000, 1_000 + seed)
        if least is not None:
            n_found += 1
            n_broken += (~is_right[quality >= least]).mean() > risk
    assert n_found >= 20
    assert n_broken <= 9  # 4 are promised; more than 9 of 40 are less likely than 1 in 100


@pytest.mark.parametrize(
    ("quality", "is_right"),
    [(np.ones(150), np.ones(150, dtype=bool)), (np.linspace(0, 1, 900), np.zeros(900, dtype=bool))],
)
def test_few_or_wrong_pages_vouch_for_no_risk(quality, is_right):
    assert least_quality(quality, is_right, 0.05) is None


def test_pages_of_equal_quality_stand_or_fall_together():
    quality = np.r_[np.full(400, 0.9), np.full(400, 0.5)]
    assert least_quality(quality, quality > 0.7, 0.1) == 0.9


def test_kinds_of_pages_have_thresholds_of_their_own():
    rows = zip(draw(1_500, 1), draw(1_500, 2, rate=3), strict=True)
    table = fit_risk_table(*map(np.concatenate, rows), np.arange(3_000) < 1_500)
    assert table["article"]["0.2"] < table["other"]["0.2"]
