"""Paired tests, ranks and evidence, for comparisons of learners and of extractors alike.

A test over pages assumes that pages are independent, but those of one site are right or wrong
together; an interval over resampled sites does not see single pages. A difference is therefore
certain if both show it, and a hint if only one of them does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TypeVar

import numpy as np

from structce.arrays import Floats
from structce.evaluation import (
    LEVEL,
    critical_difference,
    friedman,
    holm,
    mean_ranks,
    nemenyi,
    rank_biserial,
    site_interval,
    wilcoxon,
)
from structce.experiments.results import Comparison, PairedTest, Ranking

_LEAST = 3  # fewest rivals, and fewest corpora, for a Friedman test

_DIGITS = 12  # of a difference; two pages that differ by less are equal

_Test = TypeVar("_Test", bound=PairedTest)


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


def rank_rivals(measure: str, corpora: Sequence[tuple[str, Mapping[str, float]]]) -> Ranking | None:
    """Rank the rivals that have scores on every corpus; the highest score is the best.

    The tests are left out where rivals or corpora are too few. None for fewer than two of either.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    """
    names = tuple(name for name, _ in corpora)
    first = corpora[0][1] if corpora else {}
    rivals = [rival for rival in first if all(rival in scores for _, scores in corpora)]
    if len(rivals) < 2 or len(names) < 2:
        return None
    table = np.array([[scores[rival] for rival in rivals] for _, scores in corpora], float)
    ranking = Ranking(measure, names, dict(zip(rivals, mean_ranks(table).tolist(), strict=True)))
    if len(rivals) < _LEAST or len(names) < _LEAST:
        return ranking
    p_pairs = zip(rivals, nemenyi(table).tolist(), strict=True)
    return replace(
        ranking,
        p_friedman=friedman(table),
        p_pairs={rival: dict(zip(rivals, row, strict=True)) for rival, row in p_pairs},
        critical_difference=critical_difference(len(rivals), len(names)),
    )


CERTAIN_RULE = (
    f"certain: the test over pages finds it after Holm's correction, p at most {LEVEL}, and "
    "difference, effect and the whole 95 per cent interval over sites lie on one side of 0"
)
"""The rule in words, for notes below tables."""


class Evidence(Enum):
    """Evidence that the higher of two macro F1s is more than chance.

    ``BOTH``: it is certain, see :func:`is_certain`. ``SITES``, ``PAGES``: the interval over sites
    shows it, or the test over pages after Holm's correction, but not both. ``AGAINST``: by the test
    over pages the other learner is the better one. ``NONE``: none of these.
    """

    BOTH = "both"
    SITES = "sites"
    PAGES = "pages"
    AGAINST = "against"
    NONE = "none"


def is_certain(test: PairedTest) -> bool:
    """Return whether a difference is certain; see ``CERTAIN_RULE``."""
    ends = (*test.interval, test.difference, test.effect)
    return test.p_holm <= LEVEL and (min(ends) > 0 or max(ends) < 0)


def is_certain_pair(pair: Comparison) -> bool:
    """Return whether it is certain which of two learners is the better one, by macro F1."""
    return is_certain(replace(pair, interval=pair.macro_interval))


def evidence(pair: Comparison) -> Evidence:
    """Return the evidence that the first of a pair, of higher macro F1, is the better one."""
    is_found = pair.p_holm <= LEVEL
    if is_found and pair.difference < 0:
        return Evidence.AGAINST
    if pair.macro_interval[0] > 0:
        return Evidence.BOTH if is_certain_pair(pair) else Evidence.SITES
    return Evidence.PAGES if is_found and pair.difference > 0 else Evidence.NONE
