"""Statistics of learners and extractors: pooled scores, paired tests, ranks, evidence.

A test over pages assumes that pages are independent, but those of one site are right or wrong
together; an interval over resampled sites does not see single pages. A difference is therefore
certain if both show it, and a hint if only one of them does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from structce.arrays import Floats, Integers
from structce.corpus import LabelledPage
from structce.evaluation import (
    LEVEL,
    Interval,
    Scores,
    brier_score,
    confusion,
    confusion_intervals,
    expected_calibration_error,
    holm,
    is_wrong,
    label_scores,
    macro,
    macro_difference_interval,
    pooled,
    rank_biserial,
    reliability,
    score_confusion,
    segment_counts,
    share_interval,
    site_interval,
    wilcoxon,
)
from structce.labels import UNKNOWN_INDEX, LabelSet

_REFERENCE = "structured-svm"
"""Learner that others are marked against, as in Table 2 of Spengler et al. (2010)."""

_LEAST = 3  # fewest subjects, and fewest studies, for a Friedman test
_DIGITS = 12  # of a difference; two pages that differ by less are equal

CERTAIN_RULE = (
    f"certain: the test over pages finds it after Holm's correction, p at most {LEVEL}, and "
    "difference, effect and the whole 95 per cent interval over sites lie on one side of 0"
)
"""The rule in words, for notes below tables."""

Row = dict[str, Any]  # of a table of a report
Rows = dict[str, list[Row]]  # rows by the names of their tables


@dataclass(frozen=True, eq=False)
class Pooled:
    """Counts of a learner's predictions for all test pages, by which learners are compared.

    ``by_site`` are the confusion matrices of the sites, sorted, shape (n_sites, n_labels,
    n_labels); ``segments`` those that are right, in gold and predicted, shape (3, n_labels);
    ``exact`` the pages without a wrong region, and all with a known one, of each site, shape
    (n_sites, 2). A page that several splits test has its mean ``accuracy``.
    """

    label_set: LabelSet
    by_site: Integers
    segments: Integers
    exact: Integers
    accuracy: Mapping[str, float]
    sites: Mapping[str, str]

    @property
    def scores(self) -> Scores:
        """Scores by region."""
        return score_confusion(self.by_site.sum(axis=0), self.label_set)


def pool(
    label_set: LabelSet, pages: Sequence[LabelledPage], predictions: Sequence[Sequence[int]]
) -> Pooled:
    """Return the counts of predictions, the label indices of each test page.

    A page occurs as often as splits test it.
    """
    n = len(label_set)
    names, places = np.unique([page.site for page in pages], return_inverse=True)
    by_site, exact = np.zeros((len(names), n, n), np.int64), np.zeros((len(names), 2), np.int64)
    segments, accuracies = np.zeros((3, n), np.int64), dict[str, list[float]]()
    for page, site, labels in zip(pages, places.tolist(), predictions, strict=True):
        gold, given = label_set.encode(page.labels), np.array(labels, dtype=np.int64)
        matrix = confusion(gold, given, n)
        by_site[site] += matrix
        segments += segment_counts(gold, given, page.page.blocks, n)
        n_hits, n_known = int(np.trace(matrix)), int(matrix.sum())
        if n_known:
            exact[site] += (n_hits == n_known, 1)
            accuracies.setdefault(page.id, []).append(n_hits / n_known)
    accuracy = {page: float(np.mean(accuracies[page])) for page in sorted(accuracies)}
    sites = {page.id: page.site for page in pages}
    return Pooled(label_set, by_site, segments, exact, accuracy, sites)


def learner_scores(own: Pooled, seed: int) -> Iterator[Row]:
    """Yield the scores of a learner: averages by region and by segment, then label by label."""
    scores, label_set = own.scores, own.label_set
    intervals: dict[str, Interval | None] = {
        **confusion_intervals(own.by_site, label_set, seed=seed),
        "page_exactness": share_interval(own.exact[:, 0], own.exact[:, 1], seed=seed),
    }

    def score(measure: str, value: float, label: str = "") -> Row:
        low, high = intervals.get(f"{measure}.{label}" if label else measure) or (None, None)
        place = {"measure": measure, "label": label}
        return {**place, "value": float(value), "low": low, "high": high}

    foreground = label_set.foreground
    inner = own.segments[:, [label_set.index(name) for name in foreground]]
    segments = {one.name: one for one in label_scores(inner, foreground)}
    n_exact, n_pages = own.exact.sum(axis=0)
    yield score("accuracy", scores.accuracy)
    yield score("page_exactness", n_exact / n_pages if n_pages else 0.0)
    averages = {
        "weighted_{}": scores.weighted,
        "macro_{}": scores.macro,
        "micro_{}": scores.micro,
        "micro_{}_foreground": scores.micro_foreground,
        "macro_{}_foreground": scores.macro_foreground,
        "micro_{}_segments": pooled(inner),
        "macro_{}_segments": macro(list(segments.values())),
    }
    for name, measures in averages.items():
        for kind, value in measures._asdict().items():
            yield score(name.format(kind), value)
    for label in scores.labels:
        values: dict[str, float] = {"n_test": label.support, "n_predicted": label.n_predicted}
        values |= label.measures._asdict() if label.occurs else {}
        if (segment := segments.get(label.name)) and segment.occurs:
            values["segment_f1"] = segment.measures.f1
        for measure, value in values.items():
            yield score(measure, value, label.name)


def calibration_rows(
    label_set: LabelSet, pages: Sequence[LabelledPage], predictions: Sequence[Sequence[int]],
    confidences: Sequence[Sequence[float]], is_calibrated: bool,
) -> Rows:  # fmt: skip
    """Return scores and bins of how confidence agrees with accuracy, over known regions."""
    gold = np.concatenate([label_set.encode(page.labels) for page in pages])
    known = gold != UNKNOWN_INDEX
    right = ~is_wrong(gold, np.concatenate(predictions))[known]
    sure, when = np.concatenate(confidences)[known], "after" if is_calibrated else "before"
    error, brier = expected_calibration_error(sure, right), brier_score(sure, right)
    bins = [{"is_calibrated": is_calibrated, **one._asdict()} for one in reliability(sure, right)]
    return {
        "scores": [
            {"measure": f"calibration_error_{when}", "value": error},
            {"measure": f"brier_{when}", "value": brier},
        ],
        "bins": bins,
    }


def paired_test(
    names: tuple[str, str], values: tuple[Floats, Floats], sites: Sequence[str], seed: int
) -> Row:
    """Return how two subjects differ, given their scores and the site of each unit.

    The p-value is not corrected.
    """
    differences = values[0] - values[1]
    low, high = site_interval(differences, sites, seed=seed) or (None, None)
    p = wilcoxon(*values)
    return {
        "first": names[0],
        "second": names[1],
        "difference": float(np.mean(differences)) if len(differences) else 0.0,
        "low": low,
        "high": high,
        "p": p,
        "p_holm": p,
        "effect": rank_biserial(*values),
        "n_units": len(differences),
        "n_differ": int((np.round(differences, _DIGITS) != 0).sum()),
    }


def corrected(pairs: Sequence[Row]) -> list[Row]:
    """Return pairs with p-values corrected for their number, after Holm."""
    adjusted = holm(np.array([pair["p"] for pair in pairs])).tolist()
    return [{**pair, "p_holm": p} for pair, p in zip(pairs, adjusted, strict=True)]


def compare_learners(names: tuple[str, str], results: tuple[Pooled, Pooled], seed: int) -> Row:
    """Return how two results on the same pages differ, page by page; its p-value is uncorrected."""
    first, second = results
    ends = macro_difference_interval(first.by_site, second.by_site, seed=seed)
    low, high = ends or (None, None)
    values = tuple(np.array([own.accuracy[page] for page in second.accuracy]) for own in results)
    sites = [second.sites[page] for page in second.accuracy]
    return {
        **paired_test(names, (values[0], values[1]), sites, seed),
        "macro_difference": first.scores.macro.f1 - second.scores.macro.f1,
        "macro_low": low,
        "macro_high": high,
    }


def choose_reference(results: Mapping[str, Pooled], learners: Mapping[str, str]) -> str:
    """Return the name of the candidate that others are marked against; empty without results.

    The first structured SVM, or else the candidate with the highest accuracy; ties: the first.
    """
    structured = [name for name in results if learners[name] == _REFERENCE]
    return max(
        structured[:1] or results, key=lambda name: results[name].scores.accuracy, default=""
    )


def rank_studies(rows: Rows, measure: str, group_of: Callable[[Row], tuple[str, ...]]) -> list[Row]:
    """Return the rankings of subjects over the studies of each group that have scores.

    The source of a ranking is the first text of its group.
    """
    studies = {study["name"]: study for study in rows["studies"]}
    groups: dict[tuple[str, ...], dict[str, dict[str, float]]] = {}
    for score in rows["scores"]:
        if score["measure"] == measure and not (score.get("label") or score.get("part")):
            group = groups.setdefault(group_of(studies[score["study"]]), {})
            group.setdefault(score["study"], {})[score["subject"]] = score["value"]
    rankings = (rank_subjects(measure, group, key[0]) for key, group in groups.items())
    return [ranking for ranking in rankings if ranking]


def rank_subjects(
    measure: str, studies: Mapping[str, Mapping[str, float]], source: str = ""
) -> Row | None:
    """Return the mean ranks of the subjects that have scores in every study, 1 is best.

    Equal subjects share their ranks. Friedman's test, corrected for ties, is left out where
    subjects or studies are too few. None for fewer than two of either.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2.
    """
    first = next(iter(studies.values()), {})
    names = [name for name in first if all(name in scores for scores in studies.values())]
    if len(names) < 2 or len(studies) < 2:
        return None
    table = np.array([[scores[name] for name in names] for scores in studies.values()], float)
    ranks = scipy.stats.rankdata(-np.round(table, _DIGITS), axis=1)
    means = dict(zip(names, ranks.mean(axis=0).tolist(), strict=True))
    row: Row = {"measure": measure, "studies": tuple(studies), "ranks": means, "source": source}
    if min(len(names), len(studies)) >= _LEAST:
        differs = np.ptp(ranks, axis=1).any()
        p = scipy.stats.friedmanchisquare(*ranks.T).pvalue if differs else 1.0
        row["p_friedman"] = float(p)
    return row


def is_certain(pair: Any) -> bool:
    """Return whether it is certain which of a pair is better; see ``CERTAIN_RULE``.

    The interval is that of macro F1 where the pair has one, else that of the mean difference.
    """
    is_macro = pair.macro_difference is not None
    ends = (pair.macro_low, pair.macro_high) if is_macro else (pair.low, pair.high)
    values = [value for value in (*ends, pair.difference, pair.effect) if value is not None]
    return len(values) == 4 and pair.p_holm <= LEVEL and (min(values) > 0 or max(values) < 0)
