"""What several studies say together: contrasts of two, and ranks over all."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from structce.evaluation import critical_difference, friedman, mean_ranks, nemenyi
from structce.experiments.finding.pairs import compare
from structce.experiments.finding.pooling import Pooled
from structce.experiments.finding.report import Contrast, Ranking, Study
from structce.experiments.finding.rows import Pair

LEAST = 3
"""Arms, and studies, that a test of ranks needs."""


def rank(studies: Sequence[Study], measure: str = "macro_f1") -> tuple[Ranking, ...]:
    """Return the arms ranked over corpora, apart for each way of splitting and rendering.

    Studies by site and by page are of the same pages, and so are those of two renderers: they are
    not ranked together. No ranking over a single study.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    """
    n_of_path = Counter((study.by, study.source.path) for study in studies)
    groups: dict[tuple[str, str], list[Study]] = {}
    for study in studies:
        is_again = n_of_path[study.by, study.source.path] > 1
        key = study.by, study.source.renderer if is_again else ""
        groups.setdefault(key, []).extend([study] if study.arms else [])
    ranked = (_rank(same, measure) for same in groups.values() if len(same) > 1)
    return tuple(ranking for ranking in ranked if ranking)


def _rank(studies: Sequence[Study], measure: str) -> Ranking | None:
    names = [arm.name for arm in studies[0].arms]
    names = [name for name in names if all(_has(study, name) for study in studies)]
    if len(names) < 2:
        return None
    values = np.array(
        [
            [float(getattr(study.arm(name).row.scores, measure)) for name in names]
            for study in studies
        ]
    )
    ranks = dict(zip(names, mean_ranks(values).tolist(), strict=True))
    titles = tuple(study.name for study in studies)
    if len(names) < LEAST or len(studies) < LEAST:
        return Ranking(measure, titles, ranks)
    rows = nemenyi(values).tolist()
    return Ranking(
        measure,
        titles,
        ranks,
        p_friedman=friedman(values),
        p_pairs={a: dict(zip(names, row, strict=True)) for a, row in zip(names, rows, strict=True)},
        critical_difference=critical_difference(len(names), len(studies)),
    )


def _has(study: Study, name: str) -> bool:
    return any(arm.name == name for arm in study.arms)


def contrast(
    studies: Sequence[Study], pooled: Mapping[str, Mapping[str, Pooled]], seed: int
) -> tuple[Contrast, ...]:
    """Return each arm in every two studies that differ in one thing.

    The same corpus split otherwise or rendered otherwise; and two corpora of the same pages, such
    as one rendered by each renderer. Corpora of other pages are not contrasted: that one of them
    is harder is nothing a learner can help.

    Parameters
    ----------
    pooled
        By study and arm.
    """
    found = []
    for first, second in itertools.combinations(studies, 2):
        what = _what_differs(first, second)
        for name in pooled[first.name] if what else ():
            if name in pooled[second.name]:
                ours, theirs = pooled[first.name][name], pooled[second.name][name]
                names = first.name, second.name
                pair = _pair(ours, theirs, names, seed)
                if pair is not None or first.source.path == second.source.path:
                    values = ours.row.scores.macro_f1, theirs.row.scores.macro_f1
                    found.append(Contrast(what, name, *names, values, pair))
    return tuple(found)


def _what_differs(first: Study, second: Study) -> str:
    """Return what two studies differ in, if that is the split, or else the pages; else nothing."""
    one, other = first.source, second.source
    if first.by != second.by:
        return "by" if (one.path, one.renderer) == (other.path, other.renderer) else ""
    if one.renderer != other.renderer:
        return "renderer"
    return "corpus" if one.path != other.path else ""


def _pair(first: Pooled, second: Pooled, names: tuple[str, str], seed: int) -> Pair | None:
    """Return the difference on the same test pages; None where other pages were tested.

    Pages of two corpora are the same if they have the same ids, and are of the same sites.
    """
    if _pages(first) != _pages(second):
        return None
    return compare(first, second, names, seed)


def _pages(one: Pooled) -> list[tuple[str, str]]:
    return [(page, one.sites[page]) for page in one.row.page_accuracy]
