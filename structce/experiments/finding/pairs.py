"""Rows on the same test pages, two by two: do they differ by more than chance."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from structce.evaluation import (
    detectable_difference,
    holm,
    macro_difference_interval,
    rank_biserial,
    site_interval,
    wilcoxon,
)
from structce.evaluation.bootstrap import NO_DIFFERENCE
from structce.experiments.finding.pooling import Pooled
from structce.experiments.finding.rows import Interval, Pair, Power

REFERENCE = "structured-svm"
"""The learner that others are tested against, as in Table 2 of Spengler et al. (2010)."""

SMALL = 0.01
"""Test pages that could not show a difference of a point of page accuracy are few; our choice."""


def compare(first: Pooled, second: Pooled, names: tuple[str, str], seed: int) -> Pair:
    """Return how two rows differ, page by page; its p is not corrected yet.

    Both must have been tested on the same pages.
    """
    pages = list(second.row.page_accuracy)
    ours, theirs = (
        np.array([one.row.page_accuracy[page] for page in pages]) for one in (first, second)
    )
    groups = [second.sites[page] for page in pages]
    p = wilcoxon(ours, theirs)
    macro = first.row.scores.macro_f1 - second.row.scores.macro_f1
    return Pair(
        first=names[0],
        second=names[1],
        difference=float(np.mean(ours - theirs)) if pages else 0.0,
        interval=site_interval(ours - theirs, groups, seed=seed),
        p=p,
        p_holm=p,
        effect=rank_biserial(ours, theirs),
        n_pages=len(pages),
        n_differ=int((np.round(ours - theirs, 12) != 0).sum()),
        macro_difference=macro,
        macro_interval=_macro_interval(first, second, seed),
    )


def _macro_interval(first: Pooled, second: Pooled, seed: int) -> Interval:
    """Return the interval of the difference of macro F1; nothing known where regions differ.

    Two renderers find other regions on the same pages, and repeats may test a page more often by
    one way of splitting than by another.
    """
    ours, theirs = (one.by_site.sum(axis=2) for one in (first, second))
    if not np.array_equal(ours, theirs):
        return NO_DIFFERENCE
    return macro_difference_interval(first.by_site, second.by_site, first.label_set, seed=seed)


def corrected(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the pairs, their p-values corrected after Holm for being that many."""
    if not pairs:
        return ()
    adjusted = holm(np.array([pair.p for pair in pairs]))
    return tuple(replace(one, p_holm=float(p)) for one, p in zip(pairs, adjusted, strict=True))


def all_pairs(pooled: dict[str, Pooled], seed: int) -> tuple[Pair, ...]:
    """Return every two rows, each once, in the order of their names' appearance."""
    both = itertools.combinations(pooled, 2)
    return corrected([compare(pooled[a], pooled[b], (a, b), seed) for a, b in both])


def reference(pooled: dict[str, Pooled], learners: dict[str, str]) -> str:
    """Return the name of the row that others are marked against; empty without rows.

    The first arm of the structured SVM; without one that of the highest accuracy, on a tie the
    first.
    """
    structured = [name for name in pooled if learners[name] == REFERENCE]
    if structured or not pooled:
        return structured[0] if structured else ""
    return max(pooled, key=lambda name: pooled[name].row.scores.accuracy)


def power(pooled: dict[str, Pooled]) -> Power | None:
    """Return how small a difference the test pages could have shown; None for fewer than two rows.

    From the pair whose spread is the median of all.
    """
    found = []
    for first, second in itertools.combinations(pooled.values(), 2):
        pages = list(second.row.page_accuracy)
        pairs = [(first.row.page_accuracy[page], second.row.page_accuracy[page]) for page in pages]
        differences = np.array([a - b for a, b in pairs])
        spread = float(np.std(differences, ddof=1)) if len(pages) > 1 else 0.0
        found.append((spread, len(pages), differences))
    if not found:
        return None
    spread, n_pages, differences = sorted(found, key=lambda one: one[0])[len(found) // 2]
    least = detectable_difference(differences)
    return Power(n_pages, spread, least, least is None or least > SMALL)
