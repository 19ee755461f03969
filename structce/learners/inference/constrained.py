"""Constrained decoding: the best labels given some labels, and labels that occur at most once.

A user who has clicked a region knows its label, and knows that a page has one title. Decoding
under such constraints is exact for chains and for independent regions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Integral

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners.inference.viterbi import sequence_score, viterbi

MOST_ONCE = 4  # labels that may be restricted to one region: time and memory double with each
IMPOSSIBLE = "no label sequence meets the constraints"


def constrained_viterbi(
    emissions: Floats,
    transitions: Floats,
    *,
    fixed: Mapping[int, int] = {},
    at_most_once: Collection[int] = (),
) -> Labels:
    """Return the highest-scoring sequence of a linear chain among those that meet constraints.

    Some regions have ``fixed`` labels; at most one may have each label ``at_most_once``, of which
    there are no more than `MOST_ONCE`. Labels that occur only once in the best sequence anyway add
    no cost; the others are decoded over pairs of a label and the set of those used so far. Raises
    LearnerError if no sequence meets the constraints, or a region in them does not exist.
    """
    allowed, once = _restricted(emissions, fixed, at_most_once)
    labels = viterbi(allowed, transitions)
    watched: list[int] = []
    while broken := [label for label in once if (labels == label).sum() > 1]:
        watched += broken
        labels = _watch(allowed, transitions, watched)
    if sequence_score(allowed, transitions, labels) == -np.inf:
        raise LearnerError(IMPOSSIBLE)
    return labels


def constrained_greedy(
    emissions: Floats,
    context_weights: Floats,
    *,
    fixed: Mapping[int, int] = {},
    at_most_once: Collection[int] = (),
) -> Labels:
    """Label a page from left to right as `greedy_decode` does, under constraints.

    A given label is accepted, whatever its score, and counts as context; a label that must not
    occur again, or is fixed elsewhere, is skipped. This is not a search: a sequence that meets the
    constraints and scores higher may exist. Raises LearnerError if a region has no label left, or a
    region in the constraints does not exist.
    """
    allowed, once = _restricted(emissions, fixed, at_most_once)
    by_label = context_weights.transpose(1, 0, 2)
    labels = np.empty(len(allowed), dtype=np.int64)
    for r, scores in enumerate(allowed):
        label = labels[r] = scores.argmax()
        if scores[label] == -np.inf:
            raise LearnerError(f"region {r}: all labels that it may have are used up")
        if label in once:
            allowed[r + 1 :, label] = -np.inf
        seeing = allowed[r + 1 : r + 1 + len(context_weights)]
        seeing += by_label[label, : len(seeing)]
    return labels


def _restricted(
    emissions: Floats, fixed: Mapping[int, int], at_most_once: Collection[int]
) -> tuple[Floats, list[int]]:
    """Return emissions with -inf wherever fixed labels forbid a label, and `at_most_once`, sorted.

    Raises LearnerError if a constraint is invalid, or leaves a region without a label.
    """
    n_regions, n_labels = emissions.shape
    once = sorted(set(at_most_once))
    if len(once) > MOST_ONCE:
        raise LearnerError(f"at_most_once has {len(once)} labels; expected {MOST_ONCE} at most")
    allowed = emissions.copy()
    taken: dict[int, int] = {}
    for region, label in sorted(fixed.items()):
        if not isinstance(region, Integral) or not 0 <= int(region) < n_regions:
            raise LearnerError(f"region {region} has a fixed label; the page has {n_regions}")
        if label in once and label in taken:
            raise LearnerError(
                f"regions {taken[label]} and {region} are both fixed to label {label}, "
                "which may occur at most once"
            )
        taken[label] = region
        allowed[region, np.arange(n_labels) != label] = -np.inf
    for label in set(once) & set(taken):
        allowed[np.arange(n_regions) != taken[label], label] = -np.inf
    if len(left_out := np.flatnonzero((allowed == -np.inf).all(axis=1))):
        raise LearnerError(f"region {left_out[0]}: the constraints leave it no label")
    return allowed, once


def _watch(emissions: Floats, transitions: Floats, watched: Sequence[int]) -> Labels:
    """Return the best sequence that has each of the watched labels at most once.

    A state is a label and the set of watched labels so far, as bits, including the label's own.
    Backwards, all tied sets are kept, so that labels alone decide ties.
    """
    n_labels = len(transitions)
    bits = np.zeros(n_labels, dtype=np.int64)
    bits[list(watched)] = 1 << np.arange(len(watched))
    sets = np.arange(1 << len(watched))[:, None]
    earlier = sets & ~bits  # the set at the region before
    never = np.where((sets & bits) == bits, 0.0, -np.inf)
    best = np.full((len(emissions), *never.shape), -np.inf)
    best[0, bits, np.arange(n_labels)] = emissions[0]
    for r in range(1, len(emissions)):
        reached = (best[r - 1, :, :, None] + transitions).max(axis=1)
        best[r] = reached[earlier, np.arange(n_labels)] + never + emissions[r]
    if best[-1].max() == -np.inf:
        raise LearnerError(IMPOSSIBLE)
    labels = np.empty(len(emissions), dtype=np.int64)
    alive, onward = sets[:, 0], np.zeros(n_labels)
    for r in range(len(emissions) - 1, -1, -1):
        totals = best[r, alive] + onward
        label = labels[r] = totals.max(axis=0).argmax()
        alive = earlier[alive[totals[:, label] == totals[:, label].max()], label]
        onward = transitions[:, label]
    return labels
