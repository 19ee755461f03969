import numpy as np
import pytest
from scipy import stats

from structce.evaluation.significance import detectable_difference


def normal(n_pages, spread=1.0):
    """Normal quantiles with exactly this standard deviation."""
    values = stats.norm.ppf((np.arange(n_pages) + 0.5) / n_pages)
    return spread * values / values.std(ddof=1)


@pytest.mark.parametrize("n_pages", [8, 20, 100])
def test_four_of_five_simulated_experiments_find_the_difference(n_pages):
    spread = 0.03
    difference = detectable_difference(normal(n_pages, spread))
    assert difference is not None
    drawn = np.random.default_rng(0).normal(difference, spread, size=(2000, n_pages))
    p = stats.wilcoxon(drawn, axis=1).pvalue
    assert np.mean(p <= 0.05) == pytest.approx(0.8, abs=0.05)


def test_many_pages_need_the_difference_of_the_normal_limit():
    # (z of 0.975 + z of 0.8) * spread * sqrt(pi / (3 n))
    n_pages = 20_000
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    expected = z * 0.1 * np.sqrt(np.pi / (3 * n_pages))
    assert detectable_difference(normal(n_pages, 0.1)) == pytest.approx(expected, rel=1e-3)


def test_pages_too_few_for_any_significance_say_nothing():
    # With five pages even five equal signs have a p-value of 2 / 32.
    assert stats.wilcoxon(np.arange(1.0, 6.0)).pvalue > 0.05
    assert stats.wilcoxon(np.arange(1.0, 7.0)).pvalue < 0.05
    assert detectable_difference(normal(5)) is None
    assert detectable_difference(normal(6)) is not None
    assert detectable_difference(np.zeros(0)) is None


def test_the_power_is_that_of_statsmodels():
    power = pytest.importorskip("statsmodels.stats.power").TTestPower()
    for n_pages in (6, 9, 40, 3000):
        effect = power.solve_power(nobs=n_pages * 3 / np.pi, alpha=0.05, power=0.8)
        assert detectable_difference(normal(n_pages)) == pytest.approx(effect, rel=1e-4)
