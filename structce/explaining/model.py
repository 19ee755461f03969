"""What weighs in a model: the strongest columns of every label, and labels after labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.labels import LabelSet
from structce.learners import GreedySVM, Learner
from structce.learners.arrays import Floats
from structce.learners.linear_chain import LinearChain

NEGLIGIBLE = 0.01
"""A weight below this part of the largest is shown nowhere; our choice."""


@dataclass(frozen=True)
class Weight:
    """A column and its weight for a label (dimensionless)."""

    column: str
    weight: float


@dataclass(frozen=True)
class LabelWeights:
    """The strongest columns of a label.

    Parameters
    ----------
    n_regions
        How many training regions have the label; None if the model does not say.
    supporting, opposing
        Columns of the highest weights above 0 and of the lowest below 0, strongest first.
    """

    label: str
    n_regions: int | None
    supporting: tuple[Weight, ...]
    opposing: tuple[Weight, ...]


@dataclass(frozen=True, eq=False)
class ModelView:
    """What can be seen in a fitted model.

    Parameters
    ----------
    labels
        The strongest columns of each label.
    names
        All labels of the model, in the order of the axes of `transitions`.
    transitions : shape (n_labels, n_labels)
        ``[a, b]`` scores label ``b`` right after label ``a``: for chains the transitions, for the
        greedy SVM the context of one region before. None where regions are labelled alone.
    distances : shape (context,)
        For the greedy SVM the sum of absolute weights of each distance, from 1; else empty.
    """

    labels: tuple[LabelWeights, ...]
    names: tuple[str, ...]
    transitions: Floats | None
    distances: tuple[float, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the view as JSON values."""
        return {
            "columns": {
                one.label: {
                    "for": [[weight.column, weight.weight] for weight in one.supporting],
                    "against": [[weight.column, weight.weight] for weight in one.opposing],
                }
                for one in self.labels
            },
            "transitions": None if self.transitions is None else self._nested(self.transitions),
            "distances": list(self.distances),
        }

    def _nested(self, matrix: Floats) -> dict[str, dict[str, float]]:
        rows = zip(self.names, matrix.tolist(), strict=True)
        return {name: dict(zip(self.names, row, strict=True)) for name, row in rows}


def view_model(
    learner: Learner,
    columns: Sequence[str],
    label_set: LabelSet,
    *,
    counts: Mapping[str, int] | None = None,
    label: str | None = None,
    n_columns: int = 5,
) -> ModelView:
    """Return what weighs in a fitted learner.

    Parameters
    ----------
    columns
        Names of the learner's columns.
    counts
        Training regions by label, where they are known.
    label
        Only the columns of this label; those of all when not given.
    n_columns
        At most this many columns for and as many against each label.

    Raises
    ------
    LabelError
        If there is no such label.
    """
    chosen = label_set.names if label is None else (label_set.names[label_set.index(label)],)
    largest = float(np.abs(learner.emissions_).max(initial=0.0))
    views = []
    for name in chosen:
        weights = learner.emissions_[:, label_set.index(name)]
        count = None if counts is None else counts.get(name)
        strongest = (
            _strongest(sign * weights, sign, columns, n_columns, NEGLIGIBLE * largest)
            for sign in (1, -1)
        )
        views.append(LabelWeights(name, count, *strongest))
    return ModelView(tuple(views), label_set.names, *_context(learner))


def _strongest(
    weights: Floats, sign: int, columns: Sequence[str], n_columns: int, least: float
) -> tuple[Weight, ...]:
    """Return the columns of the highest weights above `least`, on a tie in order of columns."""
    order = np.argsort(-weights, kind="stable")[:n_columns]
    return tuple(Weight(columns[k], sign * float(weights[k])) for k in order if weights[k] > least)


def _context(learner: Learner) -> tuple[Floats | None, tuple[float, ...]]:
    if isinstance(learner, LinearChain):
        return learner.transitions_, ()
    if isinstance(learner, GreedySVM) and len(learner.context_weights_):
        sums = np.abs(learner.context_weights_).sum(axis=(1, 2))
        return learner.context_weights_[0], tuple(sums.tolist())
    return None, ()
