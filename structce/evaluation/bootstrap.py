"""Bootstrap over sites: 95 per cent intervals of measures.

Pages of one site share a template and are right or wrong together. A test that takes them for
independent is too sure; these intervals are not. One seed and one number of sites give the same
draws to every function here, so what they tell of one experiment fits together.

References
----------
B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, sections 8 and 13
(percentile interval, sites as the units that are drawn).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Floats, Integers
from structce.errors import LabelError
from structce.labels import LabelSet

Interval = tuple[float, float]
"""Lower and upper end of a 95 per cent interval."""

N_RESAMPLES = 2000
"""Bootstrap samples of sites: enough that some fifty lie outside either end of an interval."""

_ENDS = (0.025, 0.975)
"""Quantiles of the samples between which an interval lies."""

NO_SHARE: Interval = (0.0, 1.0)
"""The interval of a share of which nothing is known."""

NO_DIFFERENCE: Interval = (-1.0, 1.0)
"""The interval of a difference of two shares of which nothing is known."""


def site_draws(n_sites: int, seed: int, n_resamples: int = N_RESAMPLES) -> Integers:
    """Draw sites with replacement.

    Returns
    -------
    shape (n_resamples, n_sites)
        Each row as many sites as there are, in [0, n_sites).

    Raises
    ------
    ValueError
        If there is no site to draw.
    """
    return np.random.default_rng(seed).integers(n_sites, size=(n_resamples, n_sites))


def site_interval(
    differences: Floats, sites: Sequence[str], *, seed: int, n_resamples: int = N_RESAMPLES
) -> Interval:
    """Return the interval of a mean difference over pages.

    Parameters
    ----------
    differences : shape (n_pages,)
        Difference of two systems on each page, in [-1, 1].
    sites
        Site of each page.

    Returns
    -------
    Lower and upper end, in [-1, 1]; (-1, 1), nothing known, for fewer than two sites.
    """
    names, group = np.unique(np.array(sites, dtype=np.str_), return_inverse=True)
    if len(names) < 2:
        return NO_DIFFERENCE
    drawn = site_draws(len(names), seed, n_resamples)
    sums, sizes = np.bincount(group, weights=differences), np.bincount(group)
    return _ends(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))


def share_interval(
    numerators: Integers, denominators: Integers, seed: int, n_resamples: int = N_RESAMPLES
) -> Interval:
    """Return the interval of a share, such as that of the pages without a wrong region.

    Parameters
    ----------
    numerators, denominators : shape (n_sites,)
        Of each site what counts, and of how many; 0 of 0 for a site that has nothing.

    Returns
    -------
    Lower and upper end, in [0, 1]; (0, 1), nothing known, for fewer than two sites. A draw of
    sites that have nothing has no share and is left out.
    """
    if len(denominators) < 2:
        return NO_SHARE
    drawn = site_draws(len(denominators), seed, n_resamples)
    return _share_ends(_share(numerators[drawn].sum(axis=1), denominators[drawn].sum(axis=1)))


def confusion_intervals(
    matrices: Integers, label_set: LabelSet, seed: int, n_resamples: int = N_RESAMPLES
) -> dict[str, Interval]:
    """Return the intervals of what :func:`structce.evaluation.metrics.score_confusion` tells.

    Parameters
    ----------
    matrices : shape (n_sites, n_labels, n_labels)
        Confusion matrix of each site, gold labels in rows.

    Returns
    -------
    ``accuracy``, ``macro_f1``, ``macro_f1_foreground``, and ``f1.Title`` and so on for every label
    that occurs, each in [0, 1]; (0, 1), nothing known, for fewer than two sites. An average is
    over the labels that occur in a draw, 0 if none does. A draw without a label has no F1 of it
    and is left out of that label's interval.

    Raises
    ------
    LabelError
        If the matrices do not fit the label set.
    """
    counts = _counts(matrices, label_set)
    _, gold, found = counts.sum(axis=0)
    places = np.flatnonzero(gold + found)
    names = [f"f1.{label_set.names[i]}" for i in places]
    if len(counts) < 2:
        return dict.fromkeys(["accuracy", "macro_f1", "macro_f1_foreground", *names], NO_SHARE)
    drawn = _drawn_sums(counts, site_draws(len(counts), seed, n_resamples))
    f1 = f1_of(drawn)
    inner = [label_set.index(name) for name in label_set.foreground]
    values = {
        "accuracy": np.nan_to_num(_share(drawn[:, 0].sum(axis=1), drawn[:, 1].sum(axis=1))),
        "macro_f1": macro_of(f1),
        "macro_f1_foreground": macro_of(f1[:, inner]),
        **dict(zip(names, f1.T[places], strict=True)),
    }
    return {name: _share_ends(value) for name, value in values.items()}


def macro_difference_interval(
    first: Integers,
    second: Integers,
    label_set: LabelSet,
    seed: int,
    n_resamples: int = N_RESAMPLES,
) -> Interval:
    """Return the interval of the macro F1 of one system minus that of another.

    Parameters
    ----------
    first, second : shape (n_sites, n_labels, n_labels)
        Confusion matrices of the two on the same pages of the same sites, in the same order; the
        same sites are drawn for both.

    Returns
    -------
    Lower and upper end, in [-1, 1]; (-1, 1), nothing known, for fewer than two sites. The average
    is over the labels that occur in a draw of the one and of the other system, 0 if none does.

    Raises
    ------
    LabelError
        If the matrices do not fit the label set, or the two differ in the regions of a site.
    """
    pair = _counts(first, label_set), _counts(second, label_set)
    # Gold of a region with several labels is what a system predicted, if that is among them.
    if not np.array_equal(first.sum(axis=(1, 2)), second.sum(axis=(1, 2))):
        message = "the two systems have other numbers of regions; expected the same pages, by site"
        raise LabelError(message)
    if len(first) < 2:
        return NO_DIFFERENCE
    draws = site_draws(len(first), seed, n_resamples)
    ours, theirs = (macro_of(f1_of(_drawn_sums(counts, draws))) for counts in pair)
    return _ends(ours - theirs)


def f1_of(counts: Floats | Integers) -> Floats:
    """Return F1 of each label from hits, gold and found regions.

    Parameters
    ----------
    counts : shape (..., 3, n_labels)

    Returns
    -------
    shape (..., n_labels), in [0, 1]; NaN for a label in neither gold nor prediction.
    """
    hits, gold, found = np.moveaxis(counts, -2, 0)
    return _share(2 * hits, gold + found)


def macro_of(f1: Floats) -> Floats:
    """Return the mean over the labels that occur, shape (...); 0 if none does."""
    return np.nan_to_num(_share(np.nansum(f1, axis=-1), np.isfinite(f1).sum(axis=-1)))


def _counts(matrices: Integers, label_set: LabelSet) -> Integers:
    """Return hits, gold and found regions of each site, shape (n_sites, 3, n_labels)."""
    expected = (len(matrices), len(label_set), len(label_set))
    if matrices.shape != expected:
        raise LabelError(f"confusion matrices have shape {matrices.shape}; expected {expected}")
    hits = np.diagonal(matrices, axis1=1, axis2=2)
    return np.stack([hits, matrices.sum(axis=2), matrices.sum(axis=1)], axis=1)


def _drawn_sums(counts: Integers, draws: Integers) -> Floats:
    """Return the sums over the sites of each draw, shape (n_resamples, ...).

    One product of matrices: how often each draw has each site, times the counts of the site. In
    floating point, since that is far faster and exact for counts below 2 ** 53.
    """
    n_resamples, n_sites = draws.shape
    rows = np.arange(n_resamples)[:, None] * n_sites
    times = np.bincount((draws + rows).ravel(), minlength=draws.size).reshape(draws.shape)
    return np.tensordot(times.astype(np.float64), counts.astype(np.float64), axes=1)


def _share(part: Floats | Integers, whole: Floats | Integers) -> Floats:
    """Return a part of a whole; NaN where the whole is 0."""
    share = np.full(part.shape, np.nan)
    np.divide(part, whole, out=share, where=whole != 0)
    return share


def _share_ends(shares: Floats) -> Interval:
    """Return the interval of the shares that are known; all of [0, 1] if none is."""
    known = shares[~np.isnan(shares)]
    return _ends(known) if len(known) else NO_SHARE


def _ends(values: Floats) -> Interval:
    low, high = np.quantile(values, _ENDS)
    return float(low), float(high)
