"""Regions whose dual variables a solver moves together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from structce.learners.arrays import Columns, Floats, Labels, Rows
from structce.learners.problem import Problem

REGIONS_PER_BLOCK = 100
"""Our choice. On training pages of Fundus, 50 to 200 random regions reached a gap of 1 % in 35 to
40 epochs; whole pages, whose regions resemble each other, took over 60."""

FEWEST_BLOCKS = 200
"""Our choice: regions of a block move at once, so few large blocks make little of an epoch."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some regions, on the columns that occur in them.

    Parameters
    ----------
    regions : shape (n_block,)
        Ascending indices of regions.
    columns : shape (n_active,)
        Columns of the problem that the block's own columns stand for.
    rows : shape (n_block, n_active)
    transposed : shape (n_active, n_block)
        Shares its memory with ``rows``.
    kernel : shape (n_block, n_block)
        Inner products of the rows.
    """

    regions: Labels
    columns: Labels
    rows: Rows
    transposed: Columns
    kernel: Floats

    @classmethod
    def of(cls, problem: Problem, regions: Labels) -> Block:
        """Return the block of some regions, given in ascending order."""
        picked = problem.rows[regions]
        occurs = np.zeros(picked.shape[1], dtype=bool)
        occurs[picked.indices] = True
        columns = np.flatnonzero(occurs)
        local = np.empty(picked.shape[1], dtype=np.int32)
        local[columns] = np.arange(len(columns), dtype=np.int32)
        shape = (len(regions), len(columns))
        rows = sparse.csr_array((picked.data, local[picked.indices], picked.indptr), shape=shape)
        kernel = (rows @ rows.T).toarray()
        return cls(regions, columns, rows, rows.T, kernel)


def scattered_blocks(problem: Problem, random: np.random.Generator) -> list[Block]:
    """Return blocks of random regions, no two of which are neighbours; each is in one block."""
    sizes = problem.lengths
    per_block = min(REGIONS_PER_BLOCK, -(-len(problem.gold) // FEWEST_BLOCKS))
    place = np.arange(len(problem.gold)) - np.repeat(problem.starts, sizes)
    blocks = []
    for parity in (0, 1):
        regions = random.permutation(np.flatnonzero(place % 2 == parity))
        if len(regions):
            groups = np.array_split(regions, -(-len(regions) // per_block))
            blocks += [Block.of(problem, np.sort(group)) for group in groups]
    return blocks
