"""Precision, recall and F1 of whatever is counted by label: regions, or segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Measures:
    """Precision, recall and F1, each in [0, 1]; 0 where undefined."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class LabelScore:
    """Measures of one label against all others.

    Parameters
    ----------
    support
        Regions of this label in the gold standard.
    n_predicted
        Regions that were given this label.
    """

    name: str
    measures: Measures
    support: int
    n_predicted: int

    @property
    def occurs(self) -> bool:
        """Whether the label stands in gold or prediction."""
        return self.support + self.n_predicted > 0

    @property
    def undefined(self) -> tuple[str, ...]:
        """Names of the measures that are 0 by convention, since they divide by zero.

        Precision of a label that was never predicted, recall of one that is nowhere in gold,
        F1 of one that is in neither.
        """
        empty = {
            "precision": not self.n_predicted,
            "recall": not self.support,
            "f1": not self.occurs,
        }
        return tuple(name for name, is_empty in empty.items() if is_empty)


def label_scores(counts: Counts, names: Sequence[str]) -> tuple[LabelScore, ...]:
    """Return the score of each label.

    Parameters
    ----------
    counts : shape (3, n_labels)
        Hits, those in the gold standard, and those found.
    names
        Of the labels, one a column.
    """
    return tuple(
        LabelScore(name, pooled(counts[:, [i]]), int(counts[1, i]), int(counts[2, i]))
        for i, name in enumerate(names)
    )


def pooled(counts: Counts) -> Measures:
    """Return the measures of the sums over labels: a micro average.

    Parameters
    ----------
    counts : shape (3, n_labels)
        See :func:`label_scores`.
    """
    hits, gold, found = counts.sum(axis=1)
    return Measures(ratio(hits, found), ratio(hits, gold), ratio(2 * hits, gold + found))


def macro(labels: Sequence[LabelScore]) -> Measures:
    """Return the means over the labels that occur, 0 without any; F1 is the mean of the F1s."""
    rows = [label.measures for label in labels if label.occurs]
    if not rows:
        return Measures(0.0, 0.0, 0.0)
    means = [(row.precision, row.recall, row.f1) for row in rows]
    precision, recall, f1 = (float(mean) for mean in np.mean(means, axis=0))
    return Measures(precision, recall, f1)


def ratio(part: np.int64, whole: np.int64) -> float:
    """Return a part of a whole; 0 where the whole is 0."""
    return float(part / whole) if whole else 0.0
