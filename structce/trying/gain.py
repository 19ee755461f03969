"""How much better regions are labelled with a feature than without, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.evaluation import confusion
from structce.evaluation.bootstrap import f1_of, macro_of

Labels = NDArray[np.int64]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

N_RESAMPLES = 2000
"""Bootstrap samples of sites; our choice."""


@dataclass(frozen=True)
class Change:
    """A measure without and with a feature.

    Parameters
    ----------
    before, after
        F1 in [0, 1]; NaN where the label is in neither gold nor prediction.
    low, high
        95 per cent interval of the difference, from drawing whole sites again.
    """

    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """What the feature adds."""
        return self.after - self.before

    @property
    def is_noise(self) -> bool:
        """Whether the interval holds 0: other sites might as well show the opposite."""
        return not (self.low > 0 or self.high < 0)

    @property
    def verdict(self) -> str:
        """``within noise``, ``better`` or ``worse``."""
        if self.is_noise:
            return "within noise"
        return "better" if self.difference > 0 else "worse"


def count_by_site(
    gold: Sequence[Labels], found: Sequence[Labels], sites: Sequence[str], n_labels: int
) -> Counts:
    """Return right, gold and predicted regions of each label at each site.

    Parameters
    ----------
    gold, found, sites
        One of each a page.

    Returns
    -------
    shape (n_sites, 3, n_labels)
        Sites in the order of their names.
    """
    names, places = np.unique(np.array(sites, dtype=np.str_), return_inverse=True)
    counts = np.zeros((len(names), 3, n_labels), dtype=np.int64)
    for y_true, y_pred, place in zip(gold, found, places, strict=True):
        matrix = confusion(y_true, y_pred, n_labels)
        counts[place] += [np.diag(matrix), matrix.sum(axis=1), matrix.sum(axis=0)]
    return counts


def changes(before: Counts, after: Counts, *, seed: int) -> tuple[Change, list[Change]]:
    """Return the change of macro F1 and of each label's F1.

    Sites are drawn again with replacement, the same ones before and after; pages of a site share
    a template and are right or wrong together. Macro F1 is the mean over the labels that are in
    gold or prediction, in each sample anew.

    Parameters
    ----------
    before, after : shape (n_sites, 3, n_labels)
        See :func:`count_by_site`.

    References
    ----------
    B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, section 13 (percentile
    interval).
    """
    n_sites = len(before)
    drawn = np.random.default_rng(seed).multinomial(
        n_sites, np.full(n_sites, 1 / n_sites), size=N_RESAMPLES
    )
    samples = [np.tensordot(drawn, counts, axes=1) for counts in (before, after)]
    whole = [f1_of(counts.sum(axis=0)) for counts in (before, after)]
    spread = [f1_of(counts) for counts in samples]
    labels = [
        _change(whole[0][i], whole[1][i], spread[1][:, i] - spread[0][:, i])
        for i in range(before.shape[2])
    ]
    means = [macro_of(f1) for f1 in spread]
    macro = _change(macro_of(whole[0]), macro_of(whole[1]), means[1] - means[0])
    return macro, labels


def _change(before: Floats, after: Floats, differences: Floats) -> Change:
    known = differences[~np.isnan(differences)]
    low, high = np.quantile(known, (0.025, 0.975)) if len(known) else (np.nan, np.nan)
    return Change(float(before), float(after), float(low), float(high))
