"""Whether two systems differ by more than chance: a paired test, and an interval over sites."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

LEVEL = 0.05
"""Differences with a p-value up to this are called significant (Spengler et al. 2010, Table 2)."""

N_RESAMPLES = 2000
"""Bootstrap samples of sites; our choice."""


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
    differences = np.round(first - second, 12)
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    return float(stats.wilcoxon(differences).pvalue)


def site_interval(
    differences: Floats, sites: Sequence[str], *, seed: int, n_resamples: int = N_RESAMPLES
) -> tuple[float, float]:
    """Return a 95 per cent interval of a mean difference, by drawing whole sites again.

    Pages of one site share a template and are right or wrong together. A test that takes them
    for independent is too sure; this interval is not.

    Parameters
    ----------
    differences : shape (n_pages,)
        Difference of two systems on each page, in [-1, 1].
    sites
        Site of each page.

    Returns
    -------
    Lower and upper end, in [-1, 1]; (-1, 1), nothing known, for fewer than two sites.

    References
    ----------
    B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, sections 8 and 13
    (percentile interval, sites as the units that are drawn).
    """
    names, group = np.unique(np.array(sites, dtype=np.str_), return_inverse=True)
    if len(names) < 2:
        return -1.0, 1.0
    sums = np.bincount(group, weights=differences)
    sizes = np.bincount(group)
    drawn = np.random.default_rng(seed).integers(len(names), size=(n_resamples, len(names)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
