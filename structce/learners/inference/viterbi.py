"""Viterbi decoding of linear chains, one by one and in batches, and max-marginals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from structce import kernels
from structce.arrays import Flags, Floats, Labels

T = TypeVar("T", bound=np.generic)
_FEW_CHAINS = 3  # total length, in lengths of the longest, up to which they are solved one by one


def viterbi(emissions: Floats, transitions: Floats) -> Labels:
    """Return the highest-scoring label sequence of a linear chain by the textbook algorithm.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        Emission scores; -inf forbids a label at a region.
    transitions : shape (n_labels, n_labels), or (n_regions - 1, n_labels, n_labels)
        ``transitions[a, b]`` scores label ``b`` right after label ``a``; with three axes, the
        first is the region before the transition.

    Returns
    -------
    shape (n_regions,)
        Empty for a page without regions. On a tie the lower index wins, decided from the last
        region to the first.

    References
    ----------
    L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), section III-B,
    equations (32) to (35), with sums of scores instead of products of probabilities.
    """
    steps = np.broadcast_to(transitions, (max(len(emissions) - 1, 0), *transitions.shape[-2:]))
    best = emissions.copy()  # score of the best sequence that ends at a region with a label
    previous = np.zeros(emissions.shape, dtype=np.int64)  # label before it in that sequence
    for r in range(1, len(emissions)):
        paths = best[r - 1][:, None] + steps[r - 1]
        previous[r] = paths.argmax(axis=0)
        best[r] += paths.max(axis=0)
    labels = np.empty(len(emissions), dtype=np.int64)
    for r in range(len(emissions) - 1, -1, -1):
        is_last = r == len(emissions) - 1
        labels[r] = best[r].argmax() if is_last else previous[r + 1, labels[r + 1]]
    return labels


def viterbi_batch(emissions: Sequence[Floats], transitions: Floats) -> list[Labels]:
    """Return `viterbi` of every page, computed for all pages at once: the same labels, faster."""
    if not emissions:
        return []
    lengths = np.array([len(page) for page in emissions], dtype=np.int64)
    labels = viterbi_concatenated(np.concatenate(emissions), lengths, transitions)
    return split_pages(labels, lengths)


def split_pages(rows: NDArray[T], lengths: Labels) -> list[NDArray[T]]:
    """Return the rows of each of several pages, which `np.split` gives ten times as slowly."""
    return [rows[start:end] for start, end in pairwise([0, *np.cumsum(lengths).tolist()])]


def viterbi_concatenated(emissions: Floats, lengths: Labels, transitions: Floats) -> Labels:
    """Return `viterbi` of pages of these lengths, whose regions are concatenated in one matrix.

    One time step of all pages is computed at a time, with regions as the last axis.
    """
    if kernels.best_labels is not None:
        return kernels.best_labels(emissions, lengths, transitions)
    if 0 < len(emissions) <= _FEW_CHAINS * lengths.max(initial=0):
        pages = split_pages(emissions, lengths)
        return np.concatenate([viterbi(page, transitions) for page in pages])
    layout = BatchLayout.of(lengths)
    best = np.ascontiguousarray(emissions.take(layout.order, axis=0).T)
    for step in range(1, len(layout)):
        before = best[:, None, layout.before(step)]
        best[:, layout.rows(step)] += (before + transitions[:, :, None]).max(axis=0)
    packed = np.empty(len(emissions), dtype=np.int64)
    for step in range(len(layout) - 1, -1, -1):
        rows = layout.rows(step)
        packed[rows] = best[:, rows].argmax(axis=0)
        if step:
            best[:, layout.before(step)] += transitions.take(packed[rows], axis=1)
    labels = np.empty_like(packed)
    labels[layout.order] = packed
    return labels


def max_marginals(emissions: Floats, transitions: Floats) -> Floats:
    """Return the score of the best sequence that has each label at each region.

    Emissions and result have shape (n_regions, n_labels), transitions (n_labels, n_labels). The
    score is that of the whole page; -inf if there is no such sequence. Source: M. Wainwright, M.
    Jordan (2008). Graphical models, exponential families, and variational inference. Foundations
    and Trends in Machine Learning 1(1-2), section 2.5.1.
    """
    ahead, behind = emissions.copy(), emissions[::-1].copy()
    for best, steps in ((ahead, transitions), (behind, transitions.T)):
        for r in range(1, len(best)):
            best[r] += (best[r - 1][:, None] + steps).max(axis=0)
    totals = ahead + behind[::-1]
    return np.subtract(totals, emissions, out=totals, where=emissions > -np.inf)  # counted twice


def sequence_score(emissions: Floats, transitions: Floats, y: Labels) -> float:
    """Return the score of one label sequence; 0 for an empty page."""
    nodes = emissions[np.arange(len(y)), y].sum()
    return float(nodes + transitions[y[:-1], y[1:]].sum())


def count_edges(y: Labels, n_labels: int, has_left: Flags | None = None) -> Floats:
    """Return how often each label follows each, shape (n_labels, n_labels).

    ``has_left`` says whether a region follows the one before it, by default all but the first.
    """
    right = np.arange(1, len(y)) if has_left is None else np.flatnonzero(has_left)
    codes = y[right - 1] * n_labels + y[right]
    counts = np.bincount(codes, minlength=n_labels * n_labels)
    return counts.reshape(n_labels, n_labels).astype(np.float64)


def places_in_runs(sizes: Labels) -> Labels:
    """Return the position, from 0, of each item in its run, for runs of these sizes."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


class BatchLayout(msgspec.Struct, frozen=True):
    """Order of the regions of several pages: all first regions, all second regions, and so on.

    Longer pages come first, so that those with a region at step ``t`` are the first at ``t - 1``.
    """

    lengths: Labels  # number of regions of each page
    order: Labels  # ``concatenated[order]`` is packed
    starts: Labels  # first packed row of each time step
    ends: Labels  # the row after its last one

    @classmethod
    def of(cls, lengths: Sequence[int] | Labels) -> Self:
        """Return the layout of pages with these numbers of regions; 0 is allowed."""
        sizes = np.array(lengths, dtype=np.int64)
        step = places_in_runs(sizes)
        order = np.lexsort((-np.repeat(sizes, sizes), step))
        counts = np.bincount(step)
        ends = np.cumsum(counts)
        return cls(sizes, order, ends - counts, ends)

    def __len__(self) -> int:
        """Return the number of time steps: the length of the longest page."""
        return len(self.ends)

    def rows(self, step: int) -> slice:
        """Return the packed rows of a time step."""
        return slice(int(self.starts[step]), int(self.ends[step]))

    def before(self, step: int) -> slice:
        """Return the rows of ``step - 1`` whose pages also have a region at ``step``."""
        start = int(self.starts[step - 1])
        return slice(start, start + int(self.ends[step] - self.starts[step]))

    def last(self) -> Labels:
        """Return the packed row of the last region of each page that has one, in page order."""
        lengths = self.lengths[self.lengths > 0]
        rank = np.empty_like(lengths)
        rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
        return self.starts[lengths - 1] + rank
