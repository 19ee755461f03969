"""How much a region counts, by its right label: rare labels matter."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TypeAlias

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners.typing import UNKNOWN

LabelWeights: TypeAlias = str | Sequence[float] | None
"""``None``, ``"balanced"``, ``"sqrt"``, or one positive number a label."""

SCHEMES = ("balanced", "sqrt")


def check_label_weights(label_weights: LabelWeights) -> None:
    """Raise LearnerError unless these are weights of labels; their number is not known yet."""
    if label_weights is None or (isinstance(label_weights, str) and label_weights in SCHEMES):
        return
    if not isinstance(label_weights, str | int | float):
        try:
            values = list(label_weights)
        except TypeError:
            values = []
        if values and all(_is_weight(value) for value in values):
            return
    raise LearnerError(
        f"label_weights={label_weights!r}; expected None, one of {SCHEMES}, or one finite number "
        "above 0 for each label"
    )


def resolve_weights(label_weights: LabelWeights, labels: Sequence[Labels], n_labels: int) -> Floats:
    """Return the weight of each label, shape (n_labels,), above 0.

    Parameters
    ----------
    label_weights
        ``None`` gives ones. ``"balanced"`` makes every label that occurs weigh as much as any
        other in sum, ``"sqrt"`` takes the square root of these weights; both are scaled so that
        the mean over known regions is 1, and a label that never occurs weighs 1. Numbers stand
        for themselves.
    labels
        Of the training pages; `UNKNOWN` does not count.

    Raises
    ------
    LearnerError
        If the number of weights is not that of the labels.
    """
    if label_weights is None:
        return np.ones(n_labels)
    if not isinstance(label_weights, str):
        given = np.array(label_weights, dtype=np.float64)
        if len(given) != n_labels:
            raise LearnerError(f"label_weights has {len(given)} numbers for {n_labels} labels")
        return given
    known = np.concatenate([np.empty(0, dtype=np.int64), *labels])
    counts = np.bincount(known[known != UNKNOWN], minlength=n_labels)
    weights = np.ones(n_labels)
    occurs = counts > 0
    weights[occurs] = counts[occurs] ** (-1.0 if label_weights == "balanced" else -0.5)
    if occurs.any():
        weights[occurs] *= counts.sum() / (weights * counts).sum()
    return weights


def _is_weight(value: object) -> bool:
    return (
        isinstance(value, Real)
        and not isinstance(value, bool | np.bool_)
        and 0 < float(value) < float("inf")
    )
