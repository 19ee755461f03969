"""Weights of a model: a view of the strongest ones and of the transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats
from structce.errors import LearnerError
from structce.labels import LabelSet
from structce.learners import GreedySVM, Learner, LinearChain, LinearLearner

_NEGLIGIBLE = 0.01
"""Weights below this part of the largest are left out: they show as zero and hardly decide."""


class Weight(NamedTuple):
    """A column and its weight for a label (dimensionless)."""

    column: str
    weight: float


class StrongestColumns(NamedTuple):
    """The strongest columns of a label, and its training regions if the model states them.

    Supporting columns have the highest weights above 0, opposing ones the lowest below 0, strongest
    first.
    """

    label: str
    n_regions: int | None
    supporting: tuple[Weight, ...]
    opposing: tuple[Weight, ...]


@dataclass(frozen=True, eq=False)
class ModelView:
    """Strongest weights of a fitted model.

    Parameters
    ----------
    labels
        The strongest columns of each label.
    names
        All labels of the model, in the order of the axes of `transitions`.
    transitions : shape (n_labels, n_labels)
        ``[a, b]`` scores label ``b`` right after label ``a``: for chains the transitions, for the
        greedy SVM the context of one region before. None if regions are labelled independently.
    distances : shape (context,)
        For the greedy SVM the sum of absolute weights of each distance, from 1; else empty.
    """

    labels: tuple[StrongestColumns, ...]
    names: tuple[str, ...]
    transitions: Floats | None
    distances: tuple[float, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the view as JSON values."""
        columns = {
            strongest.label: {
                "for": list(map(list, strongest.supporting)),
                "against": list(map(list, strongest.opposing)),
            }
            for strongest in self.labels
        }
        rows = [] if self.transitions is None else self.transitions.tolist()
        table = {
            name: dict(zip(self.names, row, strict=True))
            for name, row in zip(self.names, rows, strict=False)
        }
        return {
            "columns": columns,
            "transitions": None if self.transitions is None else table,
            "distances": list(self.distances),
        }


def view_model(
    learner: Learner,
    columns: Sequence[str],
    label_set: LabelSet,
    *,
    counts: Mapping[str, int] | None = None,
    label: str | None = None,
    n_columns: int = 5,
) -> ModelView:
    """Return the strongest columns and the transitions of a fitted learner.

    Parameters
    ----------
    columns
        Names of the learner's columns.
    counts
        Number of training regions by label, if known.
    label
        Only the columns of this label; of all labels if not given.
    n_columns
        At most this many columns for, and as many against, each label.

    Raises
    ------
    LabelError
        If there is no such label.
    LearnerError
        If the learner is a network, whose columns have no weight of their own for a label.
    """
    if not isinstance(learner, LinearLearner):
        raise LearnerError(f"a {learner.name} has no weights of columns for labels to show")
    chosen = label_set.names if label is None else (label_set.names[label_set.index(label)],)
    least = _NEGLIGIBLE * float(np.abs(learner.emissions_).max(initial=0.0))

    def strongest(weights: Floats, sign: int) -> tuple[Weight, ...]:
        order = np.argsort(-sign * weights, kind="stable")[:n_columns]
        return tuple(
            Weight(columns[k], float(weights[k])) for k in order if sign * weights[k] > least
        )

    views = []
    for name in chosen:
        weights = learner.emissions_[:, label_set.index(name)]
        sides = strongest(weights, 1), strongest(weights, -1)
        views.append(StrongestColumns(name, (counts or {}).get(name), *sides))
    transitions, distances = None, ()
    if isinstance(learner, LinearChain):
        transitions = learner.transitions_
    elif isinstance(learner, GreedySVM) and len(learner.context_weights_):
        transitions = learner.context_weights_[0]
        distances = tuple(np.abs(learner.context_weights_).sum(axis=(1, 2)).tolist())
    return ModelView(tuple(views), label_set.names, transitions, distances)
