"""Training problem of the SVMs: regions of all pages, their losses, and blocks of regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from structce.arrays import Flags, Floats, Labels, allowed_labels
from structce.learners.inference.batch import places_in_runs
from structce.learners.inference.viterbi import count_edges
from structce.learners.inputs import SparseRows

NONZEROS_PER_BLOCK = 30_000
"""Large enough that most time is spent in NumPy. On training pages of Fundus, 50 to 200 random
regions (of 275 columns each) reached a gap of 1 % in 35 to 40 epochs; whole pages, whose regions
are similar to each other, took over 60."""

MOST_REGIONS = 400
"""Maximum number of regions in a block: those that move are compared pairwise."""

FEWEST_BLOCKS = 50
"""Regions of a block move at once, so with few large blocks an epoch would achieve little."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Concatenated chains of regions whose correct labels are known.

    A page of a linear chain is one chain. If labels do not depend on each other, every region is a
    chain of its own, and the structured hinge is that of Crammer and Singer (2001).
    """

    rows: SparseRows  # shape (n_regions, n_columns)
    gold: Labels  # the label that must win at each region
    loss: Floats  # cost of each label at each region, at least 0, and 0 for the correct one
    lengths: Labels  # number of regions of each chain
    n_pages: int  # divisor of the sum of the hinges

    @classmethod
    def of_pages(
        cls, pages: Sequence[SparseRows], labels: Sequence[Labels], weights: Floats
    ) -> Problem:
        """Return the problem in which a page is a chain, broken where no single label is known.

        Regions without a single label are left out, so nothing is learnt from them. ``weights`` are
        the costs of missing each label, above 0; ones give the Hamming loss.
        """
        every, starts = np.concatenate(labels), _page_starts(labels)
        known = every >= 0
        is_first = starts | ~np.concatenate([[True], known[:-1]])[: len(known)]
        lengths = np.diff(np.append(np.flatnonzero(is_first[known]), known.sum()))
        rows = stack_rows(pages, [y >= 0 for y in labels])
        gold = every[known]
        return cls(rows, gold, label_costs(gold, weights), lengths, len(pages))

    @classmethod
    def of_regions(
        cls, pages: Sequence[SparseRows], labels: Sequence[Labels], weights: Floats
    ) -> Problem:
        """Return the problem in which every region with a known label is a chain of its own."""
        return cls.of_pages(pages, labels, weights).apart()

    @classmethod
    def of_completed(
        cls,
        pages: Sequence[SparseRows],
        labels: Sequence[Labels],
        completed: Sequence[Labels],
        weights: Floats,
    ) -> Problem:
        """Return the problem in which a label was chosen where several, or all, are allowed.

        The other allowed labels cost nothing.
        """
        rows = stack_rows(pages, [np.ones(len(y), dtype=bool) for y in labels])
        gold, starts = np.concatenate(completed), _page_starts(completed)
        loss = costs_of_sets(gold, np.concatenate(labels), weights)
        lengths = np.diff(np.append(np.flatnonzero(starts), len(gold)))
        return cls(rows, gold, loss, lengths, len(pages))

    def apart(self) -> Problem:
        """Return the problem in which each of the regions is a chain of its own."""
        return replace(self, lengths=np.ones(len(self.gold), dtype=np.int64))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.loss.shape[1])

    @cached_property
    def squared_norms(self) -> Floats:
        """Squared Euclidean norm of each row, shape (n_regions,)."""
        norms = np.empty(len(self.gold))
        for start in range(0, len(norms), 1000):  # in parts: a copy of all rows would be large
            part = self.rows[start : start + 1000]
            norms[start : start + 1000] = part.multiply(part).sum(axis=1)
        return norms

    @property
    def gold_edges(self) -> Floats:
        """Number of times that each gold label follows each, shape (n_labels, n_labels)."""
        return count_edges(self.gold, self.n_labels, self.has_left)

    @property
    def starts(self) -> Labels:
        """The first region of each chain, shape (n_chains,)."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def has_left(self) -> Flags:
        """Whether a region has a left neighbour in its chain, shape (n_regions,)."""
        flags = np.ones(len(self.gold), dtype=bool)
        flags[self.starts] = False
        return flags


def stack_rows(pages: Sequence[SparseRows], chosen: Sequence[Flags]) -> SparseRows:
    """Stack the rows that a mask of each page selects; only one page is copied at a time."""
    import scipy  # late: labelling a page does not need it

    sizes = [np.diff(page.indptr)[kept] for page, kept in zip(pages, chosen, strict=True)]
    ends = np.cumsum(np.concatenate([np.zeros(1, dtype=np.int64), *sizes]))
    data, columns = np.empty(ends[-1]), np.empty(ends[-1], dtype=pages[0].indices.dtype)
    start = 0
    for page, kept in zip(pages, chosen, strict=True):
        part = page if kept.all() else page[np.flatnonzero(kept)]
        place = slice(start, start + part.nnz)
        data[place], columns[place] = part.data[: part.nnz], part.indices[: part.nnz]
        start += part.nnz
    return scipy.sparse.csr_array((data, columns, ends), shape=(len(ends) - 1, pages[0].shape[1]))


def _page_starts(labels: Sequence[Labels]) -> Flags:
    """Return whether a region is the first of its page, shape (n_regions,)."""
    sizes = np.array([len(y) for y in labels], dtype=np.int64)
    starts = np.zeros(int(sizes.sum()), dtype=bool)
    starts[(np.cumsum(sizes) - sizes)[sizes > 0]] = True
    return starts


def label_costs(gold: Labels, weights: Floats) -> Floats:
    """Return the Hamming loss, weighted by the correct label: shape (n_regions, n_labels)."""
    loss = np.repeat(weights[gold][:, None], len(weights), axis=1)
    loss[np.arange(len(gold)), gold] = 0.0
    return loss


def costs_of_sets(completed: Labels, gold: Labels, weights: Floats) -> Floats:
    """Return the cost of each label if gold may allow several: shape (n_regions, n_labels).

    Allowed labels cost nothing, any other label the weight of the completed label.
    """
    loss = label_costs(completed, weights)
    loss[allowed_labels(gold, len(weights))] = 0.0
    return loss


@dataclass(frozen=True, eq=False)
class CoordinateBlock:
    """Some regions and their rows."""

    regions: Labels  # indices of regions, ascending
    rows: SparseRows

    @classmethod
    def of(cls, problem: Problem, regions: Labels) -> CoordinateBlock:
        """Return the block of some regions, given in ascending order."""
        return cls(regions, problem.rows[regions])


class Compactor:
    """Finds the columns that occur in some rows, without scanning the others."""

    def __init__(self, n_columns: int) -> None:
        self._occurs = np.zeros(n_columns, dtype=bool)
        self._place = np.zeros(n_columns, dtype=np.int32)

    def __call__(self, rows: SparseRows) -> tuple[Labels, SparseRows]:
        """Return these columns, ascending, and the rows restricted to them."""
        import scipy  # late: labelling a page does not need it

        self._occurs[rows.indices] = True
        columns = np.flatnonzero(self._occurs)
        self._occurs[columns] = False
        self._place[columns] = np.arange(len(columns), dtype=np.int32)
        shape = (rows.shape[0], len(columns))
        local = self._place[rows.indices]
        return columns, scipy.sparse.csr_array((rows.data, local, rows.indptr), shape=shape)


def usual_size(problem: Problem) -> int:
    """Return the number of regions in a block of `NONZEROS_PER_BLOCK`, at most `MOST_REGIONS`."""
    density = problem.rows.nnz / max(1, len(problem.gold))
    return int(min(MOST_REGIONS, NONZEROS_PER_BLOCK / max(density, 1.0)))


def scattered_regions(
    problem: Problem, random: np.random.Generator, chosen: Flags | None = None
) -> list[Labels]:
    """Return random groups of regions, each ascending and without neighbouring regions.

    Every chosen region is in one group; by default all are chosen. Their rows are extracted only
    when needed, so that no second copy of the pages is kept.
    """
    among = np.ones(len(problem.gold), dtype=bool) if chosen is None else chosen
    per_block = min(usual_size(problem), -(-int(among.sum()) // FEWEST_BLOCKS))
    place = places_in_runs(problem.lengths)
    blocks = []
    for parity in (0, 1):
        regions = random.permutation(np.flatnonzero(among & (place % 2 == parity)))
        if len(regions):
            groups = np.array_split(regions, -(-len(regions) // per_block))
            blocks += [np.sort(group) for group in groups]
    return blocks
