"""Training problem of the SVMs: the regions of all pages, their losses, and its solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats, Labels
from structce.learners.inference.viterbi import viterbi_concatenated
from structce.learners.inputs import SparseRows, matmul

UNFINISHED = (
    "the solver stopped after %d epochs at a relative duality gap of %.3g, above %.3g; "
    "more epochs (max_epochs) close it, though labels mostly settle earlier"
)


@dataclass(frozen=True, eq=False)
class Problem:
    """Concatenated chains of regions with gold labels, which latent training completes first.

    If labels do not depend on each other, every region is a chain of its own, and the structured
    hinge is that of Crammer and Singer (2001).
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
        rows, gold, lengths = stack_chains(pages, labels, [y >= 0 for y in labels])
        return cls(rows, gold, label_costs(gold, weights), lengths, len(pages))

    @classmethod
    def of_regions(
        cls, pages: Sequence[SparseRows], labels: Sequence[Labels], weights: Floats
    ) -> Problem:
        """Return the problem `of_pages` in which every region is a chain of its own."""
        problem = cls.of_pages(pages, labels, weights)
        return replace(problem, lengths=np.ones(len(problem.gold), dtype=np.int64))

    @property
    def n_labels(self) -> int:
        """Size of the label set."""
        return int(self.loss.shape[1])

    @cached_property
    def squared_norms(self) -> Floats:
        """Squared Euclidean norm of each row, shape (n_regions,)."""
        parts = (self.rows[start : start + 1000] for start in range(0, len(self.gold), 1000))
        norms: list[Floats] = [part.multiply(part).sum(axis=1) for part in parts]
        return np.concatenate([np.zeros(0), *norms])  # in parts: a copy of all would be large

    @property
    def starts(self) -> Labels:
        """The first region of each chain, shape (n_chains,)."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def has_left(self) -> Flags:
        """Whether a region has a left neighbour in its chain, shape (n_regions,)."""
        return inside_chains(self.lengths)


class Marginals(NamedTuple):
    """A distribution over the label sequences of every chain: the dual variables of a problem.

    ``edges[r, a, b]`` is the probability of ``a`` at region ``r - 1`` and ``b`` at ``r``; zeros if
    ``r`` begins a chain. There are none if no region has a neighbour.
    """

    regions: Floats  # probability of each label at each region, shape (n_regions, n_labels)
    edges: Floats  # shape (n_regions + 1, n_labels, n_labels)


class Solution(NamedTuple):
    """Weights, and their distance from the optimum."""

    emissions: Floats  # shape (n_columns, n_labels)
    transitions: Floats  # shape (n_labels, n_labels)
    primal: float  # the objective at these weights
    gap: float  # ``(primal - dual) / primal``: no objective is below ``(1 - gap) * primal``
    n_epochs: int
    curve: list[tuple[int, float, float]]  # (epoch, primal, dual) after each epoch
    marginals: Marginals | None = None  # dual variables from which the solver can continue


def primal(
    problem: Problem, scale: float, emissions: Floats, transitions: Floats
) -> tuple[float, Labels, Floats]:
    """Return the primal objective at given weights, the most violating sequences, and scores.

    The objective is a sum over N pages, with ``scale`` = lambda N as the weight of the regulariser.
    The scores are emissions plus loss, shape (n_regions, n_labels).
    """
    scores = matmul(problem.rows, emissions) + problem.loss
    worst = viterbi_concatenated(scores, problem.lengths, transitions)
    gold, every = problem.gold, np.arange(len(problem.gold))
    right = np.flatnonzero(problem.has_left)
    hinges = (scores[every, worst] - scores[every, gold]).sum()
    hinges += transitions[worst[right - 1], worst[right]].sum()
    hinges -= transitions[gold[right - 1], gold[right]].sum()
    return scale / 2 * squared_norm(emissions, transitions) + float(hinges), worst, scores


def squared_norm(emissions: Floats, transitions: Floats) -> float:
    """Return the squared Euclidean norm of all weights."""
    return float(np.vdot(emissions, emissions) + np.vdot(transitions, transitions))


def stack_chains(
    pages: Sequence[SparseRows], labels: Sequence[Labels], kept: Sequence[Flags]
) -> tuple[SparseRows, Labels, Labels]:
    """Return rows and labels of the kept regions, and the lengths of the chains they form.

    ``kept`` has one mask per page; a page is broken at regions that are left out.
    """
    import scipy  # late: labelling a page does not need it

    sizes = [np.diff(page.indptr)[mask] for page, mask in zip(pages, kept, strict=True)]
    ends = np.cumsum(np.concatenate([np.zeros(1, dtype=np.int64), *sizes]))
    data, columns = np.empty(ends[-1]), np.empty(ends[-1], dtype=pages[0].indices.dtype)
    start = 0
    for page, mask in zip(pages, kept, strict=True):
        part = page if mask.all() else page[np.flatnonzero(mask)]
        place = slice(start, start + part.nnz)
        data[place], columns[place] = part.data[: part.nnz], part.indices[: part.nnz]
        start += part.nnz
    shape = len(ends) - 1, pages[0].shape[1]
    rows = scipy.sparse.csr_array((data, columns, ends), shape=shape)
    is_first = [np.diff(np.flatnonzero(mask), prepend=-2) > 1 for mask in kept]
    starts = np.flatnonzero(np.concatenate(is_first))
    chosen = np.concatenate(labels)[np.concatenate(kept)]
    return rows, chosen, np.diff(np.append(starts, len(chosen)))


def inside_chains(lengths: Labels) -> Flags:
    """Return whether a region has a left neighbour in its chain, shape (n_regions,)."""
    flags = np.ones(int(lengths.sum()), dtype=bool)
    flags[(np.cumsum(lengths) - lengths)[lengths > 0]] = False
    return flags


def label_costs(gold: Labels, weights: Floats) -> Floats:
    """Return the Hamming loss, weighted by the correct label: shape (n_regions, n_labels)."""
    loss = np.repeat(weights[gold][:, None], len(weights), axis=1)
    loss[np.arange(len(gold)), gold] = 0.0
    return loss
