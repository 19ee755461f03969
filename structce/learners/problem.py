"""What the SVMs' solvers are given: the regions of all pages, stacked, and what errors cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from structce.learners.arrays import UNKNOWN, Floats, Labels, Rows
from structce.learners.chain import count_edges


@dataclass(frozen=True, eq=False)
class Problem:
    """Chains of regions whose right labels are known, one after the other.

    A page of a linear chain is one chain. Where labels do not depend on each other, every region
    is a chain of its own; then the structured hinge is that of Crammer and Singer (2001).

    Parameters
    ----------
    rows : shape (n_regions, n_columns)
    gold : shape (n_regions,)
        The label that must win.
    loss : shape (n_regions, n_labels)
        What each label costs at each region, at least 0; the right label costs nothing.
    lengths : shape (n_chains,)
        Regions of each chain.
    n_pages : int
        By which the sum of the hinges is divided.
    """

    rows: Rows
    gold: Labels
    loss: Floats
    lengths: Labels
    n_pages: int

    @classmethod
    def of_pages(cls, pages: Sequence[Rows], labels: Sequence[Labels], weights: Floats) -> Problem:
        """Return the problem in which a page is a chain, broken where a label is unknown.

        Regions of unknown label are left out, so no score of theirs is learnt.

        Parameters
        ----------
        weights : shape (n_labels,)
            What it costs to miss a label, above 0; ones give the Hamming loss.
        """
        rows, gold, starts = _stack(pages, labels)
        known = gold != UNKNOWN
        is_first = starts | ~np.concatenate([[True], known[:-1]])[: len(known)]
        lengths = np.diff(np.append(np.flatnonzero(is_first[known]), known.sum()))
        kept = rows if known.all() else rows[np.flatnonzero(known)]
        return cls(kept, gold[known], _loss(gold[known], weights), lengths, len(pages))

    @classmethod
    def of_regions(
        cls, pages: Sequence[Rows], labels: Sequence[Labels], weights: Floats
    ) -> Problem:
        """Return the problem in which every region of known label stands alone."""
        chains = cls.of_pages(pages, labels, weights)
        ones = np.ones(len(chains.gold), dtype=np.int64)
        return cls(chains.rows, chains.gold, chains.loss, ones, chains.n_pages)

    @classmethod
    def of_completed(
        cls,
        pages: Sequence[Rows],
        labels: Sequence[Labels],
        completed: Sequence[Labels],
        weights: Floats,
    ) -> Problem:
        """Return the problem in which unknown labels have been filled in and cost nothing.

        Parameters
        ----------
        completed
            Labels without `UNKNOWN`, which agree with ``labels`` where these are known.
        """
        rows, gold, starts = _stack(pages, completed)
        known = np.concatenate([*labels, np.empty(0, dtype=np.int64)]) != UNKNOWN
        loss = _loss(gold, weights) * known[:, None]
        lengths = np.diff(np.append(np.flatnonzero(starts), len(gold)))
        return cls(rows, gold, loss, lengths, len(pages))

    @property
    def n_labels(self) -> int:
        """The number of labels."""
        return int(self.loss.shape[1])

    @cached_property
    def squared_norms(self) -> Floats:
        """Squared Euclidean norm of each row, shape (n_regions,)."""
        found = np.empty(len(self.gold))
        for start in range(0, len(found), 1000):  # some at a time: a copy of all would be large
            part = self.rows[start : start + 1000]
            found[start : start + 1000] = part.multiply(part).sum(axis=1)
        return found

    @property
    def gold_edges(self) -> Floats:
        """How often each label rightly follows each, shape (n_labels, n_labels)."""
        return count_edges(self.gold, self.n_labels, self.has_left)

    @property
    def starts(self) -> Labels:
        """The first region of each chain, shape (n_chains,)."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def has_left(self) -> NDArray[np.bool_]:
        """Whether a region has a left neighbour in its chain, shape (n_regions,)."""
        found = np.ones(len(self.gold), dtype=bool)
        found[self.starts] = False
        return found


def _stack(
    pages: Sequence[Rows], labels: Sequence[Labels]
) -> tuple[Rows, Labels, NDArray[np.bool_]]:
    """Return all rows, all labels, and whether a region is the first of its page."""
    rows = sparse.csr_array(sparse.vstack(pages, format="csr"))
    sizes = np.array([len(y) for y in labels], dtype=np.int64)
    starts = np.zeros(int(sizes.sum()), dtype=bool)
    starts[(np.cumsum(sizes) - sizes)[sizes > 0]] = True
    return rows, np.concatenate(labels).astype(np.int64), starts


def _loss(gold: Labels, weights: Floats) -> Floats:
    """Return Hamming loss, weighted by the right label: shape (n_regions, n_labels)."""
    loss = np.repeat(weights[gold][:, None], len(weights), axis=1)
    loss[np.arange(len(gold)), gold] = 0.0
    return loss
