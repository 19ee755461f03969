"""Agreement of raters beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha.

Raters are columns, units are rows; ratings are indices of categories, -1 for a missing rating. All
coefficients are 1 for full agreement, 0 for agreement by chance, and negative for less. If only one
category occurs, chance would agree fully: there is nothing to measure, and the value is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import Floats, Integers

MISSING = -1
"""Index of a missing rating."""


@dataclass(frozen=True)
class Agreement:
    """Agreement of raters, over all categories or on one of them.

    Parameters
    ----------
    name
        Name of the category; empty for all.
    share
        Share of pairs of ratings that are equal, in [0, 1]; NaN without pairs.
    cohen
        Mean of Cohen's kappa over pairs of raters with common units.
    fleiss
        Fleiss' kappa over the units that all raters rated.
    alpha
        Krippendorff's alpha for nominal data.
    n_units
        Number of units with at least two ratings; for a category, those in which a rater chose it.
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
    names
        Names of the categories.
    """
    rated = ratings[(ratings != MISSING).sum(axis=1) > 1]
    rows = [_agreement("", ratings, len(rated))]
    for k, name in enumerate(names):
        chosen = int((rated == k).any(axis=1).sum())
        if chosen:
            own = np.where(ratings == MISSING, MISSING, (ratings == k).astype(np.int64))
            rows.append(_agreement(name, own, chosen))
    return rows


def _agreement(name: str, ratings: Integers, n_units: int) -> Agreement:
    same, pairs = _pairs(ratings)
    share = same / pairs if pairs else float("nan")
    return Agreement(
        name,
        share,
        cohen_kappa(ratings),
        fleiss_kappa(ratings),
        krippendorff_alpha(ratings),
        n_units,
    )


def cohen_kappa(ratings: Integers) -> float:
    """Return the mean of Cohen's kappa over all pairs of raters; NaN if no pair has a kappa.

    References
    ----------
    J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20(1).
    """
    from sklearn.metrics import cohen_kappa_score  # late, since the import takes a second

    kappas = []
    n_raters = ratings.shape[1]
    for a in range(n_raters):
        for b in range(a + 1, n_raters):
            both = (ratings[:, a] != MISSING) & (ratings[:, b] != MISSING)
            first, second = ratings[both, a], ratings[both, b]
            if len(np.unique(np.concatenate([first, second]))) > 1:
                kappas.append(float(cohen_kappa_score(first, second)))
    return float(np.mean(kappas)) if kappas else float("nan")


def fleiss_kappa(ratings: Integers) -> float:
    """Return Fleiss' kappa over the units that all raters rated.

    References
    ----------
    J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin
    76(5), equations (1) to (7).
    """
    whole = ratings[(ratings != MISSING).all(axis=1)]
    n_raters = ratings.shape[1]
    if not len(whole) or n_raters < 2:
        return float("nan")
    counts = _counts(whole)
    agreed = ((counts**2).sum(axis=1) - n_raters) / (n_raters * (n_raters - 1))
    shares = counts.sum(axis=0) / counts.sum()
    return _beyond_chance(float(agreed.mean()), float((shares**2).sum()))


def krippendorff_alpha(ratings: Integers) -> float:
    """Return Krippendorff's alpha for nominal data, missing ratings left out.

    References
    ----------
    K. Krippendorff (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania,
    section C: nominal data, any number of observers, missing data.
    """
    counts = _counts(ratings)
    sizes = counts.sum(axis=1)
    counts, sizes = counts[sizes > 1], sizes[sizes > 1]
    total = sizes.sum()
    if not total:
        return float("nan")
    observed = ((sizes[:, None] - counts) * counts / (sizes[:, None] - 1)).sum() / total
    margins = counts.sum(axis=0)
    expected = ((total - margins) * margins).sum() / (total * (total - 1))
    return float(1 - observed / expected) if expected else float("nan")


def _counts(ratings: Integers) -> Floats:
    """Return the number of raters who chose each category, shape (n_units, n_categories)."""
    n = int(ratings.max(initial=0)) + 1
    return np.stack([(ratings == k).sum(axis=1) for k in range(n)], axis=1).astype(np.float64)


def _pairs(ratings: Integers) -> tuple[float, float]:
    """Return the number of equal pairs of ratings within units, and of all pairs."""
    counts = _counts(ratings)
    sizes = counts.sum(axis=1)
    return float((counts * (counts - 1)).sum() / 2), float((sizes * (sizes - 1)).sum() / 2)


def _beyond_chance(observed: float, expected: float) -> float:
    return (observed - expected) / (1 - expected) if expected < 1 else float("nan")
