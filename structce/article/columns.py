"""Features by name, and the rows of numbers that trees read from them.

Every feature is documented where it is computed. Trees know the columns that they were fitted to: a
row contains these in their order, and a later release may compute more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat

import numpy as np

from structce.arrays import Floats

Facts = Mapping[str, float]
"""Features of one candidate, choice or page by name."""

Columns = Mapping[str, Floats]
"""Features of several blocks or regions by name, each of shape (n_rows,)."""

_NAN = float("nan")


def rows_of(facts: Sequence[Facts], names: Sequence[str]) -> Floats:
    """Return the named features, NaN where they are unknown, shape (n_facts, n_names)."""
    rows = np.empty((len(facts), len(names)))
    for i, own in enumerate(facts):
        rows[i] = [*map(own.get, names, repeat(_NAN))]
    return rows


def stack_columns(columns: Columns, names: Sequence[str]) -> Floats:
    """Return the named columns beside each other, shape (n_rows, n_names)."""
    n_rows = len(next(iter(columns.values())))
    rows = np.empty((n_rows, len(names)))
    for i, name in enumerate(names):
        rows[:, i] = columns[name]
    return rows
