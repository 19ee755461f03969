"""Which arms are better over several studies: ranks in each study, and their mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from structce.errors import LearnerError
from structce.evaluation.extras import load_extra
from structce.evaluation.significance import LEVEL

Floats = NDArray[np.float64]


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
    return float(stats.friedmanchisquare(*ranks.T).pvalue)


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
    MissingExtraError
        If scikit-posthocs is not installed.

    References
    ----------
    P. Nemenyi (1963). Distribution-free multiple comparisons. Thesis, Princeton. Demsar (2006),
    section 3.2.2.
    """
    afterwards = load_extra("scikit_posthocs", "Nemenyi's test")
    return np.asarray(afterwards.posthoc_nemenyi_friedman(_ranks(values)), dtype=np.float64)


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
    q = float(stats.studentized_range.isf(level, n_arms, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(n_arms * (n_arms + 1) / (6 * n_studies)))


def _ranks(values: Floats) -> Floats:
    """Return the rank of each arm in each study, shape (n_studies, n_arms); 1 is best."""
    if values.ndim != 2 or not values.size or not np.isfinite(values).all():
        raise LearnerError(
            f"expected finite numbers, one row a study and one column an arm; shape {values.shape}"
        )
    return np.asarray(stats.rankdata(-np.round(values, 12), axis=1), dtype=np.float64)
