"""Paired tests and ranks, for comparisons of learners and of extractors alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from structce.arrays import Floats
from structce.evaluation import (
    Interval,
    critical_difference,
    friedman,
    holm,
    mean_ranks,
    nemenyi,
    rank_biserial,
    site_interval,
    wilcoxon,
)
from structce.experiments.results import Ranking

_LEAST = 3
"""Fewest rivals, and fewest corpora, for a Friedman test."""

_DIGITS = 12  # of a difference; two pages that differ by less are equal

_Test = TypeVar("_Test", bound=Any)  # a dataclass with the fields p and p_holm


@dataclass(frozen=True)
class PairedTest:
    """How the scores of two rivals on the same pages differ.

    Parameters
    ----------
    difference
        Mean difference, the first rival's score minus the second's.
    interval
        Interval of the difference, from resampling whole sites; (-1, 1) if nothing is known.
    p
        p-value of Wilcoxon's matched-pairs signed-ranks test, two-sided.
    p_holm
        The same after Holm's correction by :func:`corrected`; ``p`` before.
    effect
        Matched-pairs rank-biserial correlation, in [-1, 1].
    n_pages, n_differ
        Number of pages, and of those with different scores.
    """

    difference: float
    interval: Interval
    p: float
    p_holm: float
    effect: float
    n_pages: int
    n_differ: int


def paired_test(ours: Floats, theirs: Floats, sites: Sequence[str], seed: int) -> PairedTest:
    """Return how two rivals differ, given their scores and the site of each page."""
    differences = ours - theirs
    p = wilcoxon(ours, theirs)
    return PairedTest(
        difference=float(np.mean(differences)) if len(differences) else 0.0,
        interval=site_interval(differences, sites, seed=seed),
        p=p,
        p_holm=p,
        effect=rank_biserial(ours, theirs),
        n_pages=len(differences),
        n_differ=int((np.round(differences, _DIGITS) != 0).sum()),
    )


def corrected(tests: Sequence[_Test]) -> tuple[_Test, ...]:
    """Return tests with p-values corrected for their number, after Holm."""
    adjusted = holm(np.array([test.p for test in tests]))
    return tuple(replace(test, p_holm=float(p)) for test, p in zip(tests, adjusted, strict=True))


def rank_rivals(
    measure: str, rivals: Sequence[str], corpora: Sequence[str], scores: Floats
) -> Ranking:
    """Rank rivals over corpora; the tests are left out where either are too few.

    Parameters
    ----------
    scores : shape (n_corpora, n_rivals)
        Score of each rival on each corpus; the highest is the best.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    """
    ranks = dict(zip(rivals, mean_ranks(scores).tolist(), strict=True))
    ranking = Ranking(measure, tuple(corpora), ranks)
    if len(rivals) < _LEAST or len(corpora) < _LEAST:
        return ranking
    p_pairs = zip(rivals, nemenyi(scores).tolist(), strict=True)
    return replace(
        ranking,
        p_friedman=friedman(scores),
        p_pairs={name: dict(zip(rivals, row, strict=True)) for name, row in p_pairs},
        critical_difference=critical_difference(len(rivals), len(corpora)),
    )
