"""Aliases of NumPy array types, each defined once for the whole package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Floats32: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Integers32: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]

Labels: TypeAlias = NDArray[np.int64]
"""Gold labels of one page, shape (n_regions,): the index of each region's label; `UNKNOWN_INDEX`
if it is unknown; a lower value for a set of labels of which any may be right, see `any_of`.
Predictions contain only indices."""

UNKNOWN_INDEX = -1
"""Index of an unknown label: allowed in training and in gold, never predicted."""

MOST_LABELS = 62
"""Maximum number of labels in a label set: a set of labels is stored as the bits of one integer.
Learners know more if the gold has no such sets."""


def any_of(indices: Iterable[int], n_labels: int) -> int:
    """Return the integer that represents a set of labels in gold; the set is not empty.

    A single label is its index and the set of all labels is `UNKNOWN_INDEX`; any other set is
    ``-1 - b``, where bit ``k`` of ``b`` is set for label ``k``.
    """
    distinct = set(indices)
    if len(distinct) == 1:
        return distinct.pop()
    if len(distinct) == n_labels:
        return UNKNOWN_INDEX
    return UNKNOWN_INDEX - sum(1 << index for index in distinct)


def allowed_labels(labels: Labels, n_labels: int) -> Flags:
    """Return which labels the gold allows at each region, shape (n_regions, n_labels).

    An exact label allows one, an unknown label allows all.
    """
    sets = np.where(labels < UNKNOWN_INDEX, UNKNOWN_INDEX - labels, 0)
    every = np.arange(n_labels)
    bits: Flags = (sets[:, None] >> np.minimum(every, MOST_LABELS)) & 1 > 0
    bits |= labels[:, None] == every
    bits[labels == UNKNOWN_INDEX] = True
    return bits


def without_background_sets(labels: Labels, background: int) -> Labels:
    """Return gold in which sets of labels that include the background are unknown."""
    includes_background = ((UNKNOWN_INDEX - labels) >> background) & 1 > 0
    return np.where((labels < UNKNOWN_INDEX) & includes_background, UNKNOWN_INDEX, labels)


def resolve_sets(gold: Labels, predicted: Labels, n_labels: int) -> Labels:
    """Return gold in which every set of labels is reduced to one label, to score predictions.

    If the predicted label is in the set, it counts as right. Otherwise the gold label becomes the
    member of the set that is most frequent among the array's exact labels (on a tie the first).
    """
    several = np.flatnonzero(gold < UNKNOWN_INDEX)
    if not len(several):
        return gold
    counts = np.bincount(gold[gold >= 0], minlength=n_labels)
    allowed = allowed_labels(gold[several], n_labels)
    resolved = gold.copy()
    resolved[several] = np.where(allowed, counts + 1, 0).argmax(axis=1)
    right = allowed[np.arange(len(several)), predicted[several]]
    resolved[several[right]] = predicted[several[right]]
    return resolved
