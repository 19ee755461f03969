"""Significance of differences between systems: tests of pairs, ranks over studies, and power.

Two systems are compared on the same pages (`wilcoxon`, `rank_biserial`, `holm`), several over
several studies by their ranks (`friedman`, `nemenyi`, `critical_difference`), and
`detectable_difference` says how small a difference the pages at hand could show.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded at first use: stats takes 0.6 s, and labelling needs none

from structce.arrays import Floats
from structce.errors import LearnerError

LEVEL = 0.05
"""Differences with a p-value up to this are called significant (Spengler et al. 2010, Table 2)."""

_POWER = 0.8
"""Share of experiments that are to find the difference; the usual choice (Cohen 1988)."""

_EFFICIENCY = 3 / np.pi
"""Of Wilcoxon's test relative to the t-test where differences are normal: it needs more pages by
the inverse of this, in the limit of many pages (Hodges and Lehmann 1956)."""

_LEAST_PAGES = 6
"""With 5 pages the least p-value of Wilcoxon's test is 2 / 2 ** 5, above 0.05."""


def wilcoxon(first: Floats, second: Floats) -> float:
    """Return the two-sided p-value of Wilcoxon's matched-pairs signed-ranks test.

    Parameters
    ----------
    first, second : shape (n_pages,)
        Accuracies of two systems on the same pages, in [0, 1].

    Returns
    -------
    In [0, 1]. Pages on which both are equal are dropped, as Wilcoxon did; 1 if none is left.
    Differences are rounded to 12 digits, so that equal ones tie in spite of floating point.

    References
    ----------
    F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6).
    """
    differences = _differences(first, second)
    return float(scipy.stats.wilcoxon(differences).pvalue) if len(differences) else 1.0


def rank_biserial(first: Floats, second: Floats) -> float:
    """Return the matched-pairs rank-biserial correlation, how clearly one system is better.

    The share of the ranks of differences that speaks for the first minus the share that speaks
    for the second. Unlike a p-value it does not grow with the number of pages.

    Parameters
    ----------
    first, second : shape (n_pages,)
        Accuracies of two systems on the same pages, in [0, 1].

    Returns
    -------
    In [-1, 1]: 1 if the first is nowhere worse and somewhere better. Pages on which both are
    equal are dropped, 0 if none is left; equal differences share their ranks, see
    :func:`wilcoxon`.

    References
    ----------
    D. S. Kerby (2014). The simple difference formula: an approach to teaching nonparametric
    correlation. Comprehensive Psychology 3. After B. M. King and E. W. Minium (2003),
    Statistical reasoning in psychology and education.
    """
    differences = _differences(first, second)
    if not len(differences):
        return 0.0
    ranks = scipy.stats.rankdata(np.abs(differences))
    return float(np.sum(np.sign(differences) * ranks) / np.sum(ranks))


def holm(p_values: Floats) -> Floats:
    """Return p-values corrected for being several, after Holm.

    Those up to a level are then significant with at most that chance of any false one among them,
    however the tests depend on each other.

    Parameters
    ----------
    p_values : shape (n_tests,)
        In [0, 1].

    Returns
    -------
    shape (n_tests,)
        In the same order, none smaller than it was, in [0, 1]; empty without tests.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6(2).
    """
    n_tests = len(p_values)
    order = np.argsort(p_values)
    stepped = np.asarray(p_values, dtype=np.float64)[order] * np.arange(n_tests, 0, -1)
    corrected = np.empty(n_tests)
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return corrected


def _differences(first: Floats, second: Floats) -> Floats:
    """Return the differences that are not 0; rounded, so that equal ones tie."""
    differences = np.round(first - second, 12)
    unequal: Floats = differences[differences != 0]
    return unequal


def mean_ranks(values: Floats) -> Floats:
    """Return the mean rank of each arm over all studies.

    Parameters
    ----------
    values : shape (n_studies, n_arms)
        A measure of each arm in each study; higher is better. At least one study.

    Returns
    -------
    shape (n_arms,)
        In [1, n_arms], 1 is best. Equal arms share their ranks; values are rounded to 12 digits,
        so that equal ones tie in spite of floating point.

    Raises
    ------
    LearnerError
        If this is no table of numbers, or it has no study.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2.
    """
    return np.asarray(_ranks(values).mean(axis=0), dtype=np.float64)


def friedman(values: Floats) -> float:
    """Return the p-value of Friedman's test: whether the mean ranks differ by more than chance.

    Its chi-squared distribution is a limit; with few studies the p-value is rough.

    Parameters
    ----------
    values : shape (n_studies, n_arms)
        See :func:`mean_ranks`; at least three arms.

    Returns
    -------
    In [0, 1], corrected for ties; 1 if all arms are equal in every study.

    Raises
    ------
    LearnerError
        As :func:`mean_ranks`, and for fewer than three arms.

    References
    ----------
    M. Friedman (1937). The use of ranks to avoid the assumption of normality implicit in the
    analysis of variance. JASA 32(200). Demsar (2006), section 3.2.2.
    """
    ranks = _ranks(values)
    if ranks.shape[1] < 3:
        raise LearnerError(f"Friedman's test needs at least 3 arms, got {ranks.shape[1]}")
    if not np.ptp(ranks, axis=1).any():
        return 1.0
    return float(scipy.stats.friedmanchisquare(*ranks.T).pvalue)


def nemenyi(values: Floats) -> Floats:
    """Return the p-values of Nemenyi's test of every two arms, after Friedman's test.

    Parameters
    ----------
    values : shape (n_studies, n_arms)
        See :func:`mean_ranks`; at least two arms.

    Returns
    -------
    shape (n_arms, n_arms)
        Symmetric, in [0, 1]; 1 on the diagonal. Up to a level where the mean ranks differ by at
        least the :func:`critical_difference`; it does not correct for ties.

    Raises
    ------
    LearnerError
        As :func:`mean_ranks`.

    References
    ----------
    P. Nemenyi (1963). Distribution-free multiple comparisons. Thesis, Princeton. Demsar (2006),
    section 3.2.2.
    """
    ranks = _ranks(values)
    n_studies, n_arms = ranks.shape
    mean = ranks.mean(axis=0)
    apart = np.abs(mean[:, None] - mean) / np.sqrt(n_arms * (n_arms + 1) / (6 * n_studies))
    # Of a range over infinite degrees of freedom, as that of the critical difference.
    p_values = scipy.stats.studentized_range.sf(apart * np.sqrt(2), n_arms, np.inf)
    return np.asarray(np.where(apart > 0, p_values, 1.0).clip(0.0, 1.0), dtype=np.float64)


def critical_difference(n_arms: int, n_studies: int, level: float = LEVEL) -> float:
    """Return by how much two mean ranks must differ to be significant in Nemenyi's test.

    Parameters
    ----------
    n_arms
        At least 2.
    n_studies
        At least 1.
    level
        In (0, 1).

    Returns
    -------
    Ranks; can exceed ``n_arms - 1`` with few studies, so that no difference is significant.

    References
    ----------
    Demsar (2006), section 3.2.2, the equation of the critical difference. Its q is the
    studentised range with infinite degrees of freedom over the square root of 2, Table 5(a).
    """
    q = float(scipy.stats.studentized_range.isf(level, n_arms, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(n_arms * (n_arms + 1) / (6 * n_studies)))


def _ranks(values: Floats) -> Floats:
    """Return the rank of each arm in each study, shape (n_studies, n_arms); 1 is best."""
    if values.ndim != 2 or not values.size or not np.isfinite(values).all():
        raise LearnerError(
            f"expected finite numbers, one row a study and one column an arm; shape {values.shape}"
        )
    return np.asarray(scipy.stats.rankdata(-np.round(values, 12), axis=1), dtype=np.float64)


def detectable_difference(differences: Floats) -> float | None:
    """Return the least mean difference that four experiments of five would find.

    To find it means that Wilcoxon's two-sided test over as many pages, with differences as
    spread, has a p-value of at most 0.05. This is an approximation: the power of a paired t-test
    over ``3 / pi`` as many pages, times the standard deviation. For normal differences it is right
    to about a twentieth, on six pages a fifth too low. Where few pages differ at all it is too
    low by a third or more, since the others tell the test nothing.

    Parameters
    ----------
    differences : shape (n_pages,)
        Accuracy of one system minus that of another on each page, in [-1, 1].

    Returns
    -------
    Above 0, in the unit of the differences. None if nothing can be said: for fewer than six
    pages, on which that test never finds anything, or if all differences are equal.

    References
    ----------
    J. Cohen (1988). Statistical power analysis for the behavioral sciences, chapter 2.
    J. L. Hodges and E. L. Lehmann (1956). The efficiency of some nonparametric competitors of the
    t-test. Annals of Mathematical Statistics 27(2).
    """
    rounded = np.round(differences, 12)
    if len(rounded) < _LEAST_PAGES or not np.ptp(rounded):
        return None
    return _detectable_effect(len(rounded) * _EFFICIENCY) * float(np.std(rounded, ddof=1))


def _detectable_effect(n: float) -> float:
    """Return the mean, in standard deviations, that a paired t-test over ``n`` pages finds.

    In the share `_POWER` of experiments. The square of a noncentral t is a noncentral F (Cohen
    1988), which takes both sides of the test at once.
    """
    border = scipy.stats.f.isf(LEVEL, 1, n - 1)

    def missing_power(effect: float) -> float:
        return float(scipy.stats.ncf.sf(border, 1, n - 1, n * effect**2)) - _POWER

    highest = 1.0
    while missing_power(highest) < 0:
        highest *= 2
    return float(scipy.optimize.brentq(missing_power, 0.0, highest))
