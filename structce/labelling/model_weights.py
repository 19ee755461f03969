"""Weights of a model: a view of the strongest ones and of the transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structce.errors import LearnerError
from structce.labels import LabelSet
from structce.learners import GreedySVM, Learner, LinearChain, LinearLearner

_NEGLIGIBLE = 0.01
"""Weights below this part of the largest are left out: they show as zero and hardly decide."""

Weights = list[tuple[str, float]]
"""Columns and their weights for a label (dimensionless), strongest first."""


class ModelView(NamedTuple):
    """Strongest weights of a fitted model, as JSON values.

    Parameters
    ----------
    columns
        The strongest columns of each label: ``for`` it those with the highest weights above 0,
        ``against`` it those with the lowest below 0.
    transitions
        ``[a][b]`` scores label ``b`` right after label ``a``: for chains the transitions, for the
        greedy SVM the context of one region before. None if regions are labelled independently.
    distances
        For the greedy SVM the sum of absolute weights of each distance, from 1; else empty.
    """

    columns: dict[str, dict[str, Weights]]
    transitions: dict[str, dict[str, float]] | None
    distances: list[float]


def view_model(
    learner: Learner,
    columns: Sequence[str],
    label_set: LabelSet,
    *,
    label: str | None = None,
    n_columns: int = 5,
) -> ModelView:
    """Return the strongest columns of a label, or of all, and the transitions of a fitted learner.

    ``columns`` are the names of the learner's columns; at most ``n_columns`` are for, and as many
    against, each label. Raises LabelError if there is no such label; LearnerError if the learner is
    a network, whose columns have no weight of their own for a label.
    """
    if not isinstance(learner, LinearLearner):
        raise LearnerError(f"a {learner.name} has no weights of columns for labels to show")
    names = label_set.names
    chosen = names if label is None else (names[label_set.index(label)],)
    least = _NEGLIGIBLE * float(np.abs(learner.emissions_).max(initial=0.0))

    def strongest(name: str, sign: int) -> Weights:
        weights = learner.emissions_[:, label_set.index(name)]
        order = np.argsort(-sign * weights, kind="stable")[:n_columns]
        return [(columns[k], float(weights[k])) for k in order if sign * weights[k] > least]

    steps, distances = None, list[float]()
    if isinstance(learner, LinearChain):
        steps = learner.transitions_.tolist()
    elif isinstance(learner, GreedySVM) and len(learner.context_weights_):
        steps = learner.context_weights_[0].tolist()
        distances = np.abs(learner.context_weights_).sum(axis=(1, 2)).tolist()
    transitions = steps and {
        name: dict(zip(names, row, strict=True)) for name, row in zip(names, steps, strict=True)
    }
    sides = {name: {"for": strongest(name, 1), "against": strongest(name, -1)} for name in chosen}
    return ModelView(sides, transitions, distances)
