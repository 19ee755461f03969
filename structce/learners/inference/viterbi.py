"""Viterbi decoding of linear chains: the textbook algorithm, a fast one, and max-marginals.

`viterbi` is the textbook algorithm, one page at a time. `viterbi_concatenated` returns the same
labels for many pages, and is fast for two reasons. First, most regions of a page are *certain*: one
label leads there by more than its neighbours' transitions can ever offset, so that every best
sequence has it. Let ``D[a, b] = max(0, max_p T[p, b] - T[p, a]) + max(0, max_q T[b, q] - T[a,
q])``. If a sequence has label ``b`` at region ``r``, replacing it by ``a`` raises its score by
``e[r, a] - e[r, b]``, and changes at most two transitions, by ``-D[a, b]`` or more; the maxima with
0 allow for a missing neighbour. So if ``e[r, a] - e[r, b] > D[a, b]`` for every other ``b``, only
``a`` can be best at ``r``. Second, between certain regions there remain short runs that no longer
depend on each other, once the transitions from and to their neighbours are added at their ends; one
recursion serves the runs of all pages, with one operation per time step for all of them.

References
----------
L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), section III-B.
R. F. Goldstein (1994). Efficient rotamer elimination applied to protein side-chains and related
spin glasses. Biophysical Journal 66(5): the same bound on any graph, called dead-end elimination.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Flags, Floats, Labels
from structce.learners.inference.batch import BatchLayout

BOUND_SLACK = 1e-9
"""Margin beyond the bound for a certain label, relative to the scores; far above rounding."""

SHORT = 32
"""Number of regions up to which searching for certain ones costs more than it saves; measured."""

FEW_CHAINS = 3
"""Total length, in lengths of the longest chain, up to which chains are solved one by one."""

CHUNK = 2048
"""Regions processed together, so that their data stay in the processor's cache; measured."""


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
    L. R. Rabiner (1989). A tutorial on hidden Markov models. Proc. IEEE 77(2), equations (32) to
    (35), with sums of scores instead of products of probabilities.
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
    """Return `viterbi` of every page, computed for all pages at once.

    The same labels as page by page, including ties as far as sums are exact; many times faster for
    many pages.
    """
    if not emissions:
        return []
    lengths = [len(page) for page in emissions]
    labels = viterbi_concatenated(np.concatenate(emissions), lengths, transitions)
    return np.split(labels, np.cumsum(lengths)[:-1])


def viterbi_concatenated(
    emissions: Floats, lengths: Sequence[int] | Labels, transitions: Floats
) -> Labels:
    """Return `viterbi` of pages of these lengths, whose regions are concatenated in one matrix."""
    if len(emissions) <= SHORT:
        return _solve(emissions, np.asarray(lengths, dtype=np.int64), transitions)
    labels, certain = _find_certain(emissions, transitions)
    regions = np.flatnonzero(~certain)
    if len(regions) == len(labels):
        return _solve(emissions, np.asarray(lengths, dtype=np.int64), transitions)
    if len(regions):
        borders = np.zeros(len(labels) + 1, dtype=np.bool_)
        borders[0] = True
        borders[np.cumsum(lengths)] = True
        scores, sizes = _split(emissions, labels, regions, borders, transitions)
        labels[regions] = _solve(scores, sizes, transitions)
    return labels


def max_marginals(emissions: Floats, transitions: Floats) -> Floats:
    """Return the score of the best sequence that has each label at each region.

    Emissions and result have shape (n_regions, n_labels), transitions (n_labels, n_labels). The
    score is that of the whole page; -inf if there is no such sequence. Every row's maximum is the
    score of the overall best sequence, up to rounding.

    References
    ----------
    M. Wainwright, M. Jordan (2008). Graphical models, exponential families, and variational
    inference. Foundations and Trends in Machine Learning 1(1-2), section 2.5.1.
    """
    ahead = _accumulate(emissions, transitions)
    behind = _accumulate(emissions[::-1], transitions.T)[::-1]
    totals = ahead + behind
    return np.subtract(totals, emissions, out=totals, where=emissions > -np.inf)  # counted twice


def _accumulate(scores: Floats, transitions: Floats) -> Floats:
    """Return the score of the best sequence up to each region that has each label there."""
    best = scores.copy()
    for r in range(1, len(best)):
        best[r] += (best[r - 1][:, None] + transitions).max(axis=0)
    return best


def _find_certain(emissions: Floats, transitions: Floats) -> tuple[Labels, Flags]:
    """Return a label for every region, and where every best sequence is certain to have it.

    Labels of other regions are meaningless. See the module's docstring for the bound.
    """
    labels = np.zeros(len(emissions), dtype=np.int64)
    certain = np.zeros(len(emissions), dtype=np.bool_)
    if not np.isfinite(transitions).all():
        return labels, certain
    into = (transitions[:, :, None] - transitions[:, None, :]).max(axis=0)
    out = (transitions[:, None, :] - transitions[None, :, :]).max(axis=2)
    bounds = np.maximum(into, 0) + np.maximum(out, 0)  # one row per rival, one column per label
    bounds += BOUND_SLACK * bounds.max()
    bounds.flat[:: len(bounds) + 1] = -np.inf  # no label is its own rival
    order = np.arange(len(bounds), dtype=np.int16)[:, None]
    for start in range(0, len(emissions), CHUNK):
        chunk = slice(start, start + CHUNK)
        by_label = np.ascontiguousarray(emissions[chunk].T)
        top = by_label.max(axis=0)
        highest = ((by_label == top) * order).max(axis=0)
        rivals = bounds.take(highest, axis=1)
        rivals += by_label
        labels[chunk] = highest
        certain[chunk] = rivals.max(axis=0) < top - BOUND_SLACK * np.abs(top)
    return labels, certain


def _split(
    emissions: Floats, labels: Labels, regions: Labels, borders: Flags, transitions: Floats
) -> tuple[Floats, Labels]:
    """Return the scores of the uncertain regions, ascending, as runs, and the size of every run.

    The scores are the emissions and, at a run's ends, the transitions from and to its certain
    neighbours, whose labels are final. ``borders`` marks where pages start and end.
    """
    apart = np.flatnonzero((np.diff(regions) > 1) | borders[regions[1:]])
    firsts, lasts = np.append(0, apart + 1), np.append(apart, len(regions) - 1)
    scores = emissions.take(regions, axis=0)
    after = firsts[~borders[regions[firsts]]]
    scores[after] += transitions[labels[regions[after] - 1]]
    before = lasts[~borders[regions[lasts] + 1]]
    scores[before] += transitions.T[labels[regions[before] + 1]]
    return scores, lasts - firsts + 1


def _solve(scores: Floats, sizes: Labels, transitions: Floats) -> Labels:
    """Return the best labels of concatenated chains of these lengths."""
    if len(scores) <= FEW_CHAINS * sizes.max(initial=0):
        chains = np.split(scores, np.cumsum(sizes)[:-1])
        return np.concatenate([viterbi(chain, transitions) for chain in chains])
    return _solve_packed(scores, BatchLayout.of(sizes.tolist()), transitions)


def _solve_packed(scores: Floats, layout: BatchLayout, transitions: Floats) -> Labels:
    """Return the best labels of many chains, computed one time step of all chains at a time.

    Regions are the last axis, so that the inner loops are long.
    """
    best = np.ascontiguousarray(scores.take(layout.order, axis=0).T)
    for step in range(1, len(layout)):
        before = best[:, None, layout.before(step)]
        best[:, layout.rows(step)] += (before + transitions[:, :, None]).max(axis=0)
    packed = np.empty(len(scores), dtype=np.int64)
    for step in range(len(layout) - 1, -1, -1):
        rows = layout.rows(step)
        packed[rows] = best[:, rows].argmax(axis=0)
        if step:
            best[:, layout.before(step)] += transitions.take(packed[rows], axis=1)
    labels = np.empty_like(packed)
    labels[layout.order] = packed
    return labels


def sequence_score(emissions: Floats, transitions: Floats, y: Labels) -> float:
    """Return the score of one label sequence; 0 for an empty page."""
    nodes = emissions[np.arange(len(y)), y].sum()
    return float(nodes + transitions[y[:-1], y[1:]].sum())


def count_edges(y: Labels, n_labels: int, has_left: Flags | None = None) -> Floats:
    """Return how often each label follows each, shape (n_labels, n_labels).

    ``has_left`` says whether a region follows the one before it; by default all except the first
    do, and the counts sum to ``n_regions - 1``.
    """
    right = np.arange(1, len(y)) if has_left is None else np.flatnonzero(has_left)
    codes = y[right - 1] * n_labels + y[right]
    counts = np.bincount(codes, minlength=n_labels * n_labels)
    return counts.reshape(n_labels, n_labels).astype(np.float64)
