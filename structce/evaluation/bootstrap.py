"""Bootstrap over sites: 95 per cent intervals of measures.

Pages of one site share a template and are right or wrong together. A test that treats them as
independent is overconfident; these intervals are not. For one seed and number of sites, all
functions here use the same draws. With fewer than two sites no interval is known.

References
----------
B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, sections 8 and 13
(percentile interval; sites are the units drawn).
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
"""Number of bootstrap samples: enough for about fifty outside either end of an interval."""


def site_draws(n_sites: int, seed: int, n_resamples: int = N_RESAMPLES) -> Integers:
    """Draw sites with replacement: site indices of shape (n_resamples, n_sites)."""
    return np.random.default_rng(seed).integers(n_sites, size=(n_resamples, n_sites))


def site_interval(
    differences: Floats, sites: Sequence[str], *, seed: int, n_resamples: int = N_RESAMPLES
) -> Interval | None:
    """Return the interval of a mean difference over pages, in [-1, 1], given each page's site."""
    names, group = np.unique(np.array(sites, dtype=np.str_), return_inverse=True)
    sums = np.bincount(group, weights=differences, minlength=len(names))
    return share_interval(sums, np.bincount(group, minlength=len(names)), seed, n_resamples)


def share_interval(
    numerators: Floats | Integers, denominators: Integers, seed: int, n_resamples: int = N_RESAMPLES
) -> Interval | None:
    """Return the interval of a share, given part and whole of each site, shape (n_sites,).

    Both are 0 for a site without data; a draw with only such sites is left out.
    """
    if len(denominators) < 2:
        return None
    drawn = site_draws(len(denominators), seed, n_resamples)
    return _ends(_share(numerators[drawn].sum(axis=1), denominators[drawn].sum(axis=1)))


def confusion_intervals(
    matrices: Integers, label_set: LabelSet, seed: int, n_resamples: int = N_RESAMPLES
) -> dict[str, Interval]:
    """Return the intervals of the scores of :func:`structce.evaluation.metrics.score_confusion`.

    They are ``accuracy``, ``macro_f1``, ``macro_f1_foreground``, and ``f1.Title`` and so on for
    each label that gold has; none for fewer than two sites. An average is over the labels that gold
    has in a draw, 0 if it has none. A draw without a label in gold is left out of its interval.

    ``matrices`` are the confusion matrices of the sites, shape (n_sites, n_labels, n_labels), gold
    labels in rows. Raises LabelError if they do not fit the label set.
    """
    expected = (len(matrices), len(label_set), len(label_set))
    if matrices.shape != expected:
        raise LabelError(f"confusion matrices have shape {matrices.shape}; expected {expected}")
    if len(matrices) < 2:
        return {}
    counts = label_counts(matrices)
    drawn = _drawn_sums(counts, seed, n_resamples)
    f1 = f1_of(drawn)
    inner = [label_set.index(name) for name in label_set.foreground]
    values = {
        "accuracy": np.nan_to_num(_share(drawn[:, 0].sum(axis=1), drawn[:, 1].sum(axis=1))),
        "macro_f1": macro_of(f1),
        "macro_f1_foreground": macro_of(f1[:, inner]),
    }
    for i in np.flatnonzero(counts[:, 1].sum(axis=0)):
        values[f"f1.{label_set.names[i]}"] = f1[:, i]
    return {name: _ends(value) for name, value in values.items()}


def macro_difference_interval(
    first: Integers, second: Integers, seed: int, n_resamples: int = N_RESAMPLES
) -> Interval | None:
    """Return the interval of the macro F1 of one system minus that of another, in [-1, 1].

    Confusion matrices of both, shape (n_sites, n_labels, n_labels), are of the same pages, sites in
    the same order; the same sites are drawn for both. The average is over the labels that gold has
    in a draw. Raises LabelError if the two differ in the regions of a site.
    """
    # The gold label of a region with several is the predicted one, if that is among them.
    if not np.array_equal(first.sum(axis=(1, 2)), second.sum(axis=(1, 2))):
        raise LabelError(
            "the systems have different numbers of regions; expected the same pages by site"
        )
    if len(first) < 2:
        return None
    counts = (label_counts(matrices) for matrices in (first, second))
    ours, theirs = (macro_of(drawn_f1(own, seed, n_resamples)) for own in counts)
    return _ends(ours - theirs)


def drawn_f1(counts: Integers, seed: int, n_resamples: int = N_RESAMPLES) -> Floats:
    """Return the F1 of each label in each draw of sites, shape (n_resamples, n_labels).

    ``counts`` are hits, gold and predicted regions of each site, shape (n_sites, 3, n_labels).
    """
    return f1_of(_drawn_sums(counts, seed, n_resamples))


def f1_of(counts: Floats | Integers) -> Floats:
    """Return the F1 of each label, shape (..., n_labels), NaN for a label that gold does not have.

    ``counts`` are the numbers of hits, gold and predicted regions, shape (..., 3, n_labels).
    """
    hits, gold, predicted = np.moveaxis(counts, -2, 0)
    return _share(2 * hits, np.where(gold > 0, gold + predicted, 0))


def macro_of(f1: Floats) -> Floats:
    """Return the mean over the labels that gold has, shape (...); 0 if it has none."""
    return np.nan_to_num(_share(np.nansum(f1, axis=-1), np.isfinite(f1).sum(axis=-1)))


def label_counts(matrices: Integers) -> Integers:
    """Return the hits, gold and predicted regions of each site, shape (n_sites, 3, n_labels)."""
    hits = np.diagonal(matrices, axis1=1, axis2=2)
    return np.stack([hits, matrices.sum(axis=2), matrices.sum(axis=1)], axis=1)


def _drawn_sums(counts: Integers, seed: int, n_resamples: int) -> Floats:
    """Return the sums over the sites of each draw, shape (n_resamples, ...), by a matrix product.

    Floating point is far faster, and exact for counts below 2 ** 53.
    """
    n_sites = len(counts)
    draws = site_draws(n_sites, seed, n_resamples)
    rows = np.arange(n_resamples)[:, None] * n_sites
    times = np.bincount((draws + rows).ravel(), minlength=draws.size).reshape(draws.shape)
    return np.tensordot(times.astype(np.float64), counts.astype(np.float64), axes=1)


def _share(part: Floats | Integers, whole: Floats | Integers) -> Floats:
    """Return the ratio of part to whole; NaN where the whole is 0."""
    share = np.full(part.shape, np.nan)
    np.divide(part, whole, out=share, where=whole != 0)
    return share


def _ends(values: Floats) -> Interval:
    """Return the interval of the values that are not NaN; (0, 1) if all are."""
    known = values[~np.isnan(values)]
    low, high = np.quantile(known, (0.025, 0.975)) if len(known) else (0.0, 1.0)
    return float(low), float(high)
