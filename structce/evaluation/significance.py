"""Significance of differences between systems: tests of pairs, ranks over studies, and power.

Two systems are compared on the same pages (`wilcoxon`, `rank_biserial`, `holm`), more systems over
several studies by their ranks (`rank_systems`, `critical_difference`);
`detectable_difference` returns the smallest difference that the given pages could show. Equal
values tie despite floating point: all are rounded to 12 digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts are loaded at first use: stats takes 0.6 s, and labelling needs none

from structce.arrays import Floats
from structce.errors import LearnerError

LEVEL = 0.05
"""Greatest p-value of a significant difference (Spengler et al. 2010, Table 2)."""

_POWER = 0.8
"""Share of experiments that should find the difference; the usual choice (Cohen 1988)."""

_EFFICIENCY = 3 / np.pi
"""Efficiency of Wilcoxon's test relative to the t-test for normal differences: the inverse is the
factor of pages that it needs, in the limit of many pages (Hodges and Lehmann 1956)."""

_LEAST_PAGES = 6
"""Least number of pages: with 5, the least p-value of Wilcoxon's test is 2 / 2 ** 5 > 0.05."""


def wilcoxon(first: Floats, second: Floats) -> float:
    """Return the two-sided p-value of Wilcoxon's matched-pairs signed-ranks test.

    Pages on which both are equal are dropped, as by Wilcoxon; 1 if none is left.

    Parameters
    ----------
    first, second : shape (n_pages,)
        Accuracies of two systems on the same pages, in [0, 1].

    References
    ----------
    F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6).
    """
    differences = _differences(first, second)
    return float(scipy.stats.wilcoxon(differences).pvalue) if len(differences) else 1.0


def rank_biserial(first: Floats, second: Floats) -> float:
    """Return the matched-pairs rank-biserial correlation, in [-1, 1]: an effect size.

    It is the share of the ranks of differences in favour of the first system minus the share in
    favour of the second. Unlike a p-value, it does not depend on the number of pages. Pages on
    which both are equal are dropped, 0 if none is left. See :func:`wilcoxon` for parameters.

    References
    ----------
    D. S. Kerby (2014). The simple difference formula: an approach to teaching nonparametric
    correlation. Comprehensive Psychology 3.
    """
    differences = _differences(first, second)
    if not len(differences):
        return 0.0
    ranks = scipy.stats.rankdata(np.abs(differences))
    return float(np.sum(np.sign(differences) * ranks) / np.sum(ranks))


def holm(p_values: Floats) -> Floats:
    """Return p-values, shape (n_tests,), corrected for multiple tests by Holm's method.

    If corrected values up to a level count as significant, the probability of any false one among
    them is at most that level, however the tests depend on each other.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6(2).
    """
    order = np.argsort(p_values)
    stepped = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return corrected


def _differences(first: Floats, second: Floats) -> Floats:
    """Return the differences that are not 0."""
    differences = np.round(first - second, 12)
    unequal: Floats = differences[differences != 0]
    return unequal


class Ranks(NamedTuple):
    """Mean ranks of systems over studies, shape (n_systems,), and whether they differ by chance.

    The p-value of Friedman's test is None for two systems. Those of Nemenyi's test have the shape
    (n_systems, n_systems), with 1 on the diagonal.
    """

    mean: Floats
    p_friedman: float | None
    p_pairs: Floats


def rank_systems(values: Floats) -> Ranks:
    """Return mean ranks of two systems or more, 1 is best, with Friedman's and Nemenyi's tests.

    Friedman's test is corrected for ties, and 1 if all systems are equal in every study; the
    chi-squared distribution holds in the limit, so that with few studies it is approximate. A
    p-value of Nemenyi's test is at most a level if the mean ranks differ by at least the
    :func:`critical_difference` for it; it is not corrected for ties.

    Parameters
    ----------
    values : shape (n_studies, n_systems)
        A measure of each system in each study; higher is better, equal systems share their ranks.

    Raises
    ------
    LearnerError
        If the values are not a table of finite numbers, or have no study.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2. M. Friedman (1937). The use of ranks to avoid the assumption of normality
    implicit in the analysis of variance. JASA 32(200). P. Nemenyi (1963). Distribution-free
    multiple comparisons. Thesis, Princeton.
    """
    if values.ndim != 2 or not values.size or not np.isfinite(values).all():
        raise LearnerError(
            f"expected finite numbers, studies in rows, systems in columns; shape {values.shape}"
        )
    ranks = scipy.stats.rankdata(-np.round(values, 12), axis=1)
    n_studies, n_systems = ranks.shape
    p_friedman = None
    if n_systems > 2:
        is_level = not np.ptp(ranks, axis=1).any()
        p_friedman = 1.0 if is_level else float(scipy.stats.friedmanchisquare(*ranks.T).pvalue)
    mean = np.asarray(ranks.mean(axis=0), dtype=np.float64)
    apart = np.abs(mean[:, None] - mean) / np.sqrt(n_systems * (n_systems + 1) / (6 * n_studies))
    # With infinite degrees of freedom, as for the critical difference.
    p_pairs = scipy.stats.studentized_range.sf(apart * np.sqrt(2), n_systems, np.inf)
    return Ranks(mean, p_friedman, np.where(apart > 0, p_pairs, 1.0).clip(0.0, 1.0))


def critical_difference(n_systems: int, n_studies: int, level: float = LEVEL) -> float:
    """Return the difference of two mean ranks from which Nemenyi's test is significant.

    With few studies it can exceed ``n_systems - 1``, so that no difference is significant.

    References
    ----------
    Demsar (2006), section 3.2.2, the equation of the critical difference. Its q is the
    studentised range with infinite degrees of freedom over the square root of 2, Table 5(a).
    """
    q = float(scipy.stats.studentized_range.isf(level, n_systems, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(n_systems * (n_systems + 1) / (6 * n_studies)))


def detectable_difference(differences: Floats) -> float | None:
    """Return the least mean difference that four of five experiments would find.

    An experiment finds it if Wilcoxon's two-sided test, over as many pages and with the same
    standard deviation, has a p-value of at most 0.05. This is an approximation by the power of a
    paired t-test over ``3 / pi`` times as many pages. For normal differences its error is about a
    twentieth; on six pages it is a fifth too low. If few pages differ at all, it is too low by a
    third or more, since the other pages contribute nothing to the test.

    Parameters
    ----------
    differences : shape (n_pages,)
        Accuracy of one system minus that of another on each page, in [-1, 1].

    Returns
    -------
    Difference above 0; None for fewer than six pages, on which the test is never significant, or if
    all differences are equal.

    References
    ----------
    J. Cohen (1988). Statistical power analysis for the behavioral sciences, chapter 2.
    J. L. Hodges and E. L. Lehmann (1956). The efficiency of some nonparametric competitors of the
    t-test. Annals of Mathematical Statistics 27(2).
    """
    rounded = np.round(differences, 12)
    if len(rounded) < _LEAST_PAGES or not np.ptp(rounded):
        return None
    n = len(rounded) * _EFFICIENCY
    border = scipy.stats.f.isf(LEVEL, 1, n - 1)

    def missing_power(effect: float) -> float:
        # The square of a noncentral t is a noncentral F, which covers both sides of the test.
        return float(scipy.stats.ncf.sf(border, 1, n - 1, n * effect**2)) - _POWER

    highest = 1.0
    while missing_power(highest) < 0:
        highest *= 2
    effect = float(scipy.optimize.brentq(missing_power, 0.0, highest))
    return effect * float(np.std(rounded, ddof=1))
