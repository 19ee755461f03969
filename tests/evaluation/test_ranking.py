import numpy as np
import pytest
from scipy import stats

from structce.errors import LearnerError
from structce.evaluation.significance import critical_difference, rank_systems

# Table 6 of Demsar (2006): area under the curve of four classifiers on 14 data sets. In the row
# before the last it prints 0.975 twice, but ranks the former as second.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def untied(n_studies, n_systems, seed=0):
    return np.random.default_rng(seed).random((n_studies, n_systems))


def test_ranks_are_those_of_the_paper():
    np.testing.assert_allclose(rank_systems(DEMSAR).mean, [3.143, 2.0, 2.893, 1.964], atol=5e-4)


def test_friedman_corrects_for_ties():
    # The paper's 9.28 does not; a tie takes t ** 3 - t from the spread of the ranks.
    n, k = DEMSAR.shape
    sums = np.sum(rank_systems(DEMSAR).mean ** 2)
    squares = 12 * n / (k * (k + 1)) * (sums - k * (k + 1) ** 2 / 4)
    assert squares == pytest.approx(9.28, abs=0.005)
    groups = [np.unique(row, return_counts=True)[1] for row in DEMSAR]
    lost = sum(int(size) ** 3 - int(size) for sizes in groups for size in sizes)
    corrected = squares / (1 - lost / (n * k * (k**2 - 1)))
    assert rank_systems(DEMSAR).p_friedman == pytest.approx(stats.chi2.sf(corrected, k - 1))


def test_arms_that_are_equal_everywhere_do_not_differ():
    ranks = rank_systems(np.full((5, 3), 0.7))
    assert ranks.p_friedman == 1.0
    np.testing.assert_allclose(ranks.p_pairs, np.ones((3, 3)))
    assert rank_systems(np.ones((5, 2))).p_friedman is None


@pytest.mark.parametrize(
    ("level", "quantiles"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_differences_are_those_of_the_tabulated_quantiles(level, quantiles):
    # Table 5(a) of Demsar (2006), for 2 to 10 classifiers; it cuts where it should round.
    for n_systems, quantile in enumerate(quantiles, start=2):
        difference = critical_difference(n_systems, 7, level) / np.sqrt(
            n_systems * (n_systems + 1) / (6 * 7)
        )
        assert difference == pytest.approx(quantile, abs=1e-3)


@pytest.mark.parametrize(
    "values", [np.zeros((0, 3)), np.zeros(3), np.array([[0.1, np.nan, 0.2]])], ids=str
)
def test_what_is_no_table_of_numbers_is_refused(values):
    with pytest.raises(LearnerError, match="finite numbers"):
        rank_systems(values)


def test_nemenyi_is_that_of_scikit_posthocs():
    posthocs = pytest.importorskip("scikit_posthocs")
    for values in (DEMSAR, untied(9, 6), np.round(untied(5, 3), 1)):
        ranks = stats.rankdata(-values, axis=1)
        expected = np.asarray(posthocs.posthoc_nemenyi_friedman(ranks))
        np.testing.assert_allclose(rank_systems(values).p_pairs, expected, rtol=1e-6, atol=1e-9)
