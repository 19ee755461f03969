"""Significance of differences between systems on the same pages.

Equal values tie despite floating point: all are rounded to 12 digits.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded at first use: stats takes 0.6 s, and labelling needs none

from structce.arrays import Floats

LEVEL = 0.05
"""Greatest p-value of a significant difference (Spengler et al. 2010, Table 2)."""


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
