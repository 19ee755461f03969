"""On how many pages a field is found exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.evaluation.labels import confusion
from structce.labels import UNKNOWN_INDEX, LabelSet

Labels = NDArray[np.int64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class FieldScore:
    """Pages on which the regions of one label are exactly those of the gold standard.

    Parameters
    ----------
    n_pages
        Pages that have the label, in gold or prediction.
    n_exact
        Those of them on which both give it to the same regions.
    """

    name: str
    n_pages: int
    n_exact: int

    @property
    def exactness(self) -> float:
        """Share of exact pages, in [0, 1]; 0 without pages."""
        return self.n_exact / self.n_pages if self.n_pages else 0.0


def field_counts(y_true: Labels, y_pred: Labels, n_labels: int) -> Counts:
    """Return which labels a page has, and which of them are found exactly.

    Parameters
    ----------
    y_true, y_pred : shape (n_regions,)
        Label indices in [0, n_labels). Regions whose gold label is unknown (-1) are left out.

    Returns
    -------
    shape (2, n_labels)
        1 where gold or prediction has the label, and 1 where both give it to the same regions;
        else 0. Their sum over pages is what :func:`score_fields` takes.

    Raises
    ------
    LabelError
        If the two differ in length, or an index is out of range.
    """
    matrix = confusion(y_true, y_pred, n_labels)
    hits, gold, found = np.diag(matrix), matrix.sum(axis=1), matrix.sum(axis=0)
    occurs = gold + found > 0
    return np.stack([occurs, occurs & (hits == gold) & (hits == found)]).astype(np.int64)


def score_fields(counts: Counts, label_set: LabelSet) -> tuple[FieldScore, ...]:
    """Return one score a label in the order of the label set, background left out.

    Parameters
    ----------
    counts : shape (2, n_labels)
        The sum of :func:`field_counts` over pages.
    """
    columns = {name: counts[:, label_set.index(name)] for name in label_set.foreground}
    return tuple(FieldScore(name, int(has), int(exact)) for name, (has, exact) in columns.items())


def is_exact(y_true: Labels, y_pred: Labels) -> bool | None:
    """Return whether no known region of a page is wrong; None for a page without known regions.

    Parameters
    ----------
    y_true, y_pred : shape (n_regions,)
        Label indices; -1 in gold where nobody knows.
    """
    known = y_true != UNKNOWN_INDEX
    return bool(np.array_equal(y_true[known], y_pred[known])) if known.any() else None
