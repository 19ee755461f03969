"""The parts of a training set that block-coordinate Frank-Wolfe moves one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from structce.learners.arrays import Columns, Floats, Labels, Rows
from structce.learners.chain import count_edges

REGIONS_PER_BLOCK = 50
"""Regions that a step moves together when labels do not depend on each other. Our choice: on
synthetic pages (100 of 300 regions, 30,000 columns) 30 to 100 reached a gap of 1 % soonest, while
300, or whole pages, whose regions resemble each other, took up to twice as long."""


@dataclass(frozen=True)
class Block:
    """Regions whose dual variables move together, on the columns that occur in them.

    Parameters
    ----------
    columns : shape (n_active,)
        Columns of the training set that the block's own columns stand for.
    rows : shape (n_regions, n_active)
    transposed : shape (n_active, n_regions)
        Shares its memory with ``rows``.
    squared_norms : shape (n_regions,)
        Of each row; 1 for a row of (nearly) zeros, which moves no weight.
    gold : shape (n_regions, n_labels)
        1 at the right label, else 0.
    gold_edges : shape (n_labels, n_labels)
        Counts of right transitions.
    """

    columns: Labels
    rows: Rows
    transposed: Columns
    squared_norms: Floats
    gold: Floats
    gold_edges: Floats


def page_blocks(pages: Sequence[Rows], labels: Sequence[Labels], n_labels: int) -> list[Block]:
    """Return one block a page, leaving out pages without regions."""
    pairs = zip(pages, labels, strict=True)
    return [_block(page, y, n_labels) for page, y in pairs if len(y)]


def region_blocks(
    pages: Sequence[Rows],
    labels: Sequence[Labels],
    n_labels: int,
    random: np.random.Generator,
) -> list[Block]:
    """Return blocks of `REGIONS_PER_BLOCK` regions drawn at random from all pages."""
    stacked = sparse.csr_array(sparse.vstack(pages, format="csr"))
    y = np.concatenate(labels)
    order = random.permutation(len(y))
    groups = np.array_split(order, -(-len(y) // REGIONS_PER_BLOCK)) if len(y) else []
    return [_block(stacked[group], y[group], n_labels) for group in groups]


def _block(page: Rows, y: Labels, n_labels: int) -> Block:
    columns, local = np.unique(page.indices, return_inverse=True)
    shape = (len(y), len(columns))
    rows = sparse.csr_array((page.data, local.astype(np.int32), page.indptr), shape=shape)
    norms = np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64)
    return Block(
        columns=columns.astype(np.int64),
        rows=rows,
        transposed=rows.T,
        squared_norms=np.where(norms > 1e-12, norms, 1.0),
        gold=np.eye(n_labels)[y],
        gold_edges=count_edges(y, n_labels),
    )
