"""How much the cells of a feature count: what a linear learner should lean on first.

Under an L2 penalty a column with larger cells needs a smaller weight, so learners turn to it
first. Of cues that come to the same on the training sites, those that join many others hold on
unseen sites; without this, a byline's weight is spread over hundreds of columns that happened to
go along with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from structce.features.columns import split_name

STRENGTHS: Mapping[str, float] = dict.fromkeys(
    (
        "task.author-place",
        "task.headline-place",
        "task.description-place",
        "task.date-place",
        "task.body-match",
        "task.company",
        "task.caption-place",
        "task.media-place",
        "task.like-text",
        "task.meaning-cue",
    ),
    3.0,
)
"""Strengths by feature name or family; 1 where nothing is said. Chosen on training sites of
Fundus, as one value for all features that join several cues."""

NEIGHBOUR_STRENGTH = 0.5
"""What the cues of neighbouring regions count beside a region's own; chosen as above."""

_VALUE = re.compile(r"[=:]")


def column_strengths(
    columns: Sequence[str], strengths: Mapping[str, float], neighbour_strength: float
) -> NDArray[np.float32]:
    """Return the strength of each column, shape (n_columns,)."""
    known: dict[str, float] = {}
    found = np.ones(len(columns), dtype=np.float32)
    for j, column in enumerate(columns):
        offset, key = split_name(column)
        name = _VALUE.split(key, maxsplit=1)[0]
        if name not in known:
            known[name] = strengths.get(name, strengths.get(name.split(".")[0], 1.0))
        found[j] = known[name] * (neighbour_strength if offset else 1.0)
    return found
