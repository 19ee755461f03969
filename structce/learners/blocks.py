"""Regions whose dual variables a solver moves together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from structce.learners.arrays import Labels, Rows
from structce.learners.problem import Problem

NONZEROS_PER_BLOCK = 30_000
"""Our choice: enough that NumPy works rather than Python. On training pages of Fundus, 50 to 200
random regions (of 275 columns each) reached a gap of 1 % in 35 to 40 epochs; whole pages, whose
regions resemble each other, took over 60."""

MOST_REGIONS = 400
"""Of a block, however few columns they have: those that move are compared pair by pair."""

FEWEST_BLOCKS = 50
"""Our choice: regions of a block move at once, so few large blocks make little of an epoch."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some regions and their rows.

    Parameters
    ----------
    regions : shape (n_block,)
        Indices of regions, ascending.
    rows : shape (n_block, n_columns)
    """

    regions: Labels
    rows: Rows

    @classmethod
    def of(cls, problem: Problem, regions: Labels) -> Block:
        """Return the block of some regions, given in ascending order."""
        return cls(regions, problem.rows[regions])


class Compactor:
    """Finds the columns that occur in some rows, without a look at the others."""

    def __init__(self, n_columns: int) -> None:
        self._occurs = np.zeros(n_columns, dtype=bool)
        self._place = np.zeros(n_columns, dtype=np.int32)

    def __call__(self, rows: Rows) -> tuple[Labels, Rows]:
        """Return these columns, ascending, and the rows on them alone."""
        self._occurs[rows.indices] = True
        columns = np.flatnonzero(self._occurs)
        self._occurs[columns] = False
        self._place[columns] = np.arange(len(columns), dtype=np.int32)
        shape = (rows.shape[0], len(columns))
        local = self._place[rows.indices]
        return columns, sparse.csr_array((rows.data, local, rows.indptr), shape=shape)


def usual_size(problem: Problem) -> int:
    """Return how many regions make a block of `NONZEROS_PER_BLOCK`, at most `MOST_REGIONS`."""
    density = problem.rows.nnz / max(1, len(problem.gold))
    return int(min(MOST_REGIONS, NONZEROS_PER_BLOCK / max(density, 1.0)))


def scattered_regions(problem: Problem, random: np.random.Generator) -> list[Labels]:
    """Return random groups of regions, ascending, no two of which are neighbours.

    Every region is in one group. Their rows are taken when they are needed, so that no second
    copy of the pages is kept.
    """
    sizes = problem.lengths
    per_block = min(usual_size(problem), -(-len(problem.gold) // FEWEST_BLOCKS))
    place = np.arange(len(problem.gold)) - np.repeat(problem.starts, sizes)
    found = []
    for parity in (0, 1):
        regions = random.permutation(np.flatnonzero(place % 2 == parity))
        if len(regions):
            groups = np.array_split(regions, -(-len(regions) // per_block))
            found += [np.sort(group) for group in groups]
    return found
