"""Whether two systems differ on the same pages by more than chance, and how clearly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from structce.evaluation.extras import load_extra

Floats = NDArray[np.float64]

LEVEL = 0.05
"""Differences with a p-value up to this are called significant (Spengler et al. 2010, Table 2)."""


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
    return float(stats.wilcoxon(differences).pvalue) if len(differences) else 1.0


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
    ranks = stats.rankdata(np.abs(differences))
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

    Raises
    ------
    MissingExtraError
        If statsmodels is not installed.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6(2).
    """
    if not len(p_values):
        return np.zeros(0)
    several = load_extra("statsmodels.stats.multitest", "Holm's correction")
    _, corrected, _, _ = several.multipletests(p_values, method="holm")
    return np.asarray(corrected, dtype=np.float64)


def _differences(first: Floats, second: Floats) -> Floats:
    """Return the differences that are not 0; rounded, so that equal ones tie."""
    differences = np.round(first - second, 12)
    unequal: Floats = differences[differences != 0]
    return unequal
