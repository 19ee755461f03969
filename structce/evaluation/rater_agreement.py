"""Agreement of raters beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha.

Raters are columns, units are rows; ratings are indices of categories, -1 for a missing rating. All
coefficients are 1 for full agreement, 0 for agreement by chance, and negative for less. If only one
category occurs, chance would agree fully: there is nothing to measure, and the value is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats, Integers

MISSING = -1
"""Index of a missing rating."""


class Agreement(NamedTuple):
    """Agreement of raters, over all categories (without a name) or on one of them.

    ``share`` is that of equal pairs of ratings. Units have at least two ratings, and for a category
    one that chose it.
    """

    name: str
    share: float
    cohen: float
    fleiss: float
    alpha: float
    n_units: int


def rater_agreement(ratings: Integers, names: Sequence[str]) -> list[Agreement]:
    """Return the agreement over all categories, then on each category that occurs.

    Parameters
    ----------
    ratings : shape (n_units, n_raters)
        Indices into the names; ``MISSING`` for a missing rating.
    """
    rated = ratings[(ratings != MISSING).sum(axis=1) > 1]
    rows = [_agreement("", ratings, len(rated))]
    for k, name in enumerate(names):
        if chosen := int((rated == k).any(axis=1).sum()):
            own = np.where(ratings == MISSING, MISSING, (ratings == k).astype(np.int64))
            rows.append(_agreement(name, own, chosen))
    return rows


def _agreement(name: str, ratings: Integers, n_units: int) -> Agreement:
    counts = _counts(ratings)
    sizes = counts.sum(axis=1)
    n_pairs = (sizes * (sizes - 1)).sum()
    share = float((counts * (counts - 1)).sum() / n_pairs) if n_pairs else float("nan")
    cohen, fleiss = cohen_kappa(ratings), fleiss_kappa(ratings)
    return Agreement(name, share, cohen, fleiss, krippendorff_alpha(ratings), n_units)


def cohen_kappa(ratings: Integers) -> float:
    """Return the mean of Cohen's kappa over all pairs of raters; NaN if no pair has a kappa.

    References
    ----------
    J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20(1).
    """
    from sklearn.metrics import cohen_kappa_score  # late, since the import takes a second

    kappas = []
    for first, second in combinations(ratings.T, 2):
        both = (first != MISSING) & (second != MISSING)
        if len(np.unique([first[both], second[both]])) > 1:
            kappas.append(float(cohen_kappa_score(first[both], second[both])))
    return float(np.mean(kappas)) if kappas else float("nan")


def fleiss_kappa(ratings: Integers) -> float:
    """Return Fleiss' kappa over the units that all raters rated.

    References
    ----------
    J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin
    76(5), equations (1) to (7).
    """
    counts, n_raters = _counts(ratings[(ratings != MISSING).all(axis=1)]), ratings.shape[1]
    if not len(counts) or n_raters < 2:
        return float("nan")
    observed = ((counts**2).sum(axis=1) - n_raters) / (n_raters * (n_raters - 1))
    expected = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return float((observed.mean() - expected) / (1 - expected)) if expected < 1 else float("nan")


def krippendorff_alpha(ratings: Integers) -> float:
    """Return Krippendorff's alpha for nominal data, missing ratings left out.

    References
    ----------
    K. Krippendorff (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania,
    section C: nominal data, any number of observers, missing data.
    """
    counts = _counts(ratings)
    counts = counts[counts.sum(axis=1) > 1]
    sizes, total, margins = counts.sum(axis=1), counts.sum(), counts.sum(axis=0)
    expected = ((total - margins) * margins).sum() / (total * (total - 1)) if total else 0.0
    if not expected:
        return float("nan")
    observed = ((sizes[:, None] - counts) * counts / (sizes[:, None] - 1)).sum() / total
    return float(1 - observed / expected)


def _counts(ratings: Integers) -> Floats:
    """Return the number of raters who chose each category, shape (n_units, n_categories)."""
    n = int(ratings.max(initial=0)) + 1
    return np.stack([(ratings == k).sum(axis=1) for k in range(n)], axis=1).astype(np.float64)
