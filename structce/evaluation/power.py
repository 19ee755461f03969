"""How small a difference an experiment could have shown."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.evaluation.extras import load_extra
from structce.evaluation.significance import LEVEL

Floats = NDArray[np.float64]

POWER = 0.8
"""Share of experiments that are to find the difference; the usual choice (Cohen 1988)."""

EFFICIENCY = 3 / np.pi
"""Of Wilcoxon's test relative to the t-test where differences are normal: it needs more pages by
the inverse of this, in the limit of many pages (Hodges and Lehmann 1956)."""

LEAST_PAGES = 6
"""With 5 pages the least p-value of Wilcoxon's test is 2 / 2 ** 5, above 0.05."""


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

    Raises
    ------
    MissingExtraError
        If statsmodels is not installed.

    References
    ----------
    J. Cohen (1988). Statistical power analysis for the behavioral sciences, chapter 2.
    J. L. Hodges and E. L. Lehmann (1956). The efficiency of some nonparametric competitors of the
    t-test. Annals of Mathematical Statistics 27(2).
    """
    rounded = np.round(differences, 12)
    if len(rounded) < LEAST_PAGES or not np.ptp(rounded):
        return None
    test = load_extra("statsmodels.stats.power", "the power of a test").TTestPower()
    n_effective = len(rounded) * EFFICIENCY
    effect = test.solve_power(nobs=n_effective, alpha=LEVEL, power=POWER)
    return float(effect * np.std(rounded, ddof=1))
