"""Statistics of learners and extractors: pooled scores, paired tests, ranks, power, evidence.

A test over pages assumes that pages are independent, but those of one site are right or wrong
together; an interval over resampled sites does not see single pages. A difference is therefore
certain if both show it, and a hint if only one of them does.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from structce.arrays import Floats, Integers, Integers32, Labels
from structce.corpus import Corpus
from structce.evaluation import (
    LEVEL,
    NO_DIFFERENCE,
    NO_SHARE,
    Interval,
    Measures,
    Scores,
    brier_score,
    confusion,
    confusion_intervals,
    critical_difference,
    detectable_difference,
    expected_calibration_error,
    field_counts,
    friedman,
    holm,
    is_wrong,
    label_scores,
    macro,
    macro_difference_interval,
    mean_ranks,
    nemenyi,
    page_accuracies,
    rank_biserial,
    reliability,
    score_confusion,
    segment_counts,
    share_interval,
    site_interval,
    wilcoxon,
)
from structce.evaluation import (
    pooled as pooled_measures,
)
from structce.experiments.report import Bin, Pair, Ranking, Score, Study
from structce.labels import UNKNOWN_INDEX, LabelSet

_REFERENCE = "structured-svm"
"""Learner that others are tested against, as in Table 2 of Spengler et al. (2010)."""

_LEAST = 3  # fewest subjects, and fewest studies, for a Friedman test
_DIGITS = 12  # of a difference; two pages that differ by less are equal

CERTAIN_RULE = (
    f"certain: the test over pages finds it after Holm's correction, p at most {LEVEL}, and "
    "difference, effect and the whole 95 per cent interval over sites lie on one side of 0"
)
"""The rule in words, for notes below tables."""

Kind = Literal["subjects", "features", "studies"]


@dataclass(frozen=True, eq=False)
class EvaluatedPages:
    """Test pages of all splits, one after another; a page may occur more than once."""

    label_set: LabelSet
    ids: tuple[str, ...]
    sites: tuple[str, ...]
    gold: tuple[Labels, ...]
    blocks: tuple[Integers32, ...]

    @classmethod
    def of(cls, tests: Sequence[Corpus]) -> EvaluatedPages:
        """Return the test pages of the splits of one corpus; at least one split."""
        pages = [page for test in tests for page in test]
        label_set = tests[0].label_set
        return cls(
            label_set=label_set,
            ids=tuple(page.id for page in pages),
            sites=tuple(page.site for page in pages),
            gold=tuple(label_set.encode(page.labels) for page in pages),
            blocks=tuple(page.page.blocks for page in pages),
        )


@dataclass(frozen=True, eq=False)
class Pooled:
    """Counts of a learner's predictions for all test pages, by which learners are compared.

    Parameters
    ----------
    by_site : shape (n_sites, n_labels, n_labels)
        Confusion matrix of the test pages of each site, sites sorted.
    segments : shape (3, n_labels)
        Segments that are right, in gold and predicted; neighbouring regions of one label in a
        block are one segment.
    fields : shape (2, n_labels)
        Pages that have a label in gold or prediction, and those on which exactly the right regions
        have it.
    exact : shape (n_sites, 2)
        Pages without any wrong region, and all pages with a known region, of each site.
    accuracy, sites
        Accuracy and site by page; a page tested in several splits has the mean.
    """

    label_set: LabelSet
    by_site: Integers
    segments: Integers
    fields: Integers
    exact: Integers
    accuracy: Mapping[str, float]
    sites: Mapping[str, str]

    @property
    def scores(self) -> Scores:
        """Scores by region."""
        return score_confusion(self.by_site.sum(axis=0), self.label_set)


def pool(tests: EvaluatedPages, predictions: Sequence[Sequence[int]]) -> Pooled:
    """Return the counts of predictions, the label indices of each test page."""
    predicted = [np.array(page, dtype=np.int64) for page in predictions]
    n = len(tests.label_set)
    names, place = np.unique(np.array(tests.sites, dtype=np.str_), return_inverse=True)
    by_site, exact = np.zeros((len(names), n, n), np.int64), np.zeros((len(names), 2), np.int64)
    segments, fields = np.zeros((3, n), np.int64), np.zeros((2, n), np.int64)
    accuracies: dict[str, list[float]] = {}
    shares = page_accuracies(tests.gold, predicted).tolist()
    pages = zip(tests.ids, place.tolist(), tests.gold, predicted, tests.blocks, shares, strict=True)
    for page, site, gold, given, blocks, share in pages:
        by_site[site] += confusion(gold, given, n)
        segments += segment_counts(gold, given, blocks, n)
        fields += field_counts(gold, given, n)
        if not np.isnan(share):
            exact[site] += (share == 1, 1)
            accuracies.setdefault(page, []).append(share)
    return Pooled(
        label_set=tests.label_set,
        by_site=by_site,
        segments=segments,
        fields=fields,
        exact=exact,
        accuracy={page: float(np.mean(accuracies[page])) for page in sorted(accuracies)},
        sites=dict(zip(tests.ids, tests.sites, strict=True)),
    )


def learner_scores(
    study: str, subject: str, pooled: Pooled, seed: int, part: str = ""
) -> Iterator[Score]:
    """Yield the scores of a learner: averages by region and by segment, then label by label."""
    scores, label_set = pooled.scores, pooled.label_set
    exact = pooled.exact.sum(axis=0)
    intervals: dict[str, Interval] = {
        **confusion_intervals(pooled.by_site, label_set, seed=seed),
        "page_exactness": share_interval(pooled.exact[:, 0], pooled.exact[:, 1], seed=seed),
    }

    def score(measure: str, value: float, label: str = "") -> Score:
        low, high = intervals.get(f"{measure}.{label}" if label else measure, (None, None))
        if (low, high) == NO_SHARE and len(pooled.by_site) < 2:
            low, high = None, None
        return Score(study=study, subject=subject, measure=measure, value=float(value),
                     label=label, part=part, low=low, high=high)  # fmt: skip

    inner = pooled.segments[:, [label_set.index(name) for name in label_set.foreground]]
    segments = {one.name: one for one in label_scores(inner, label_set.foreground)}
    yield score("accuracy", scores.accuracy)
    yield score("page_exactness", exact[0] / exact[1] if exact[1] else 0.0)
    averages: dict[tuple[str, str], Measures] = {
        ("weighted", ""): scores.weighted,
        ("macro", ""): scores.macro,
        ("micro", ""): scores.micro,
        ("micro", "_foreground"): scores.micro_foreground,
        ("macro", "_foreground"): scores.macro_foreground,
        ("micro", "_segments"): pooled_measures(inner),
        ("macro", "_segments"): macro(list(segments.values())),
    }
    for (name, what), measures in averages.items():
        for kind in ("precision", "recall", "f1"):
            yield score(f"{name}_{kind}{what}", getattr(measures, kind))
    for i, label in enumerate(scores.labels):
        yield score("n_test", label.support, label.name)
        yield score("n_predicted", label.n_predicted, label.name)
        for kind in ("precision", "recall", "f1") if label.occurs else ():
            yield score(kind, getattr(label.measures, kind), label.name)
        if (segment := segments.get(label.name)) and segment.occurs:
            yield score("segment_f1", segment.measures.f1, label.name)
        if label.name in segments and pooled.fields[0, i]:
            yield score("n_pages", pooled.fields[0, i], label.name)
            yield score("n_exact_pages", pooled.fields[1, i], label.name)


def calibration(
    study: str,
    subject: str,
    tests: EvaluatedPages,
    predictions: Sequence[Sequence[int]],
    confidences: Sequence[Sequence[float]],
    *,
    is_calibrated: bool,
) -> tuple[list[Score], list[Bin]]:
    """Return how confidence agrees with accuracy over the regions of known label."""
    gold, predicted = np.concatenate(tests.gold), np.concatenate(predictions)
    known = gold != UNKNOWN_INDEX
    right = ~is_wrong(gold, predicted)[known]
    confidence = np.concatenate(confidences)[known]
    when = "after" if is_calibrated else "before"
    values = {
        f"calibration_error_{when}": expected_calibration_error(confidence, right),
        f"brier_{when}": brier_score(confidence, right),
    }
    scores = [
        Score(study=study, subject=subject, measure=name, value=value)
        for name, value in values.items()
    ]
    bins = [
        Bin(study=study, subject=subject, is_calibrated=is_calibrated, **vars(point))
        for point in reliability(confidence, right)
    ]
    return scores, bins


def paired_test(
    kind: Kind,
    study: str,
    names: tuple[str, str],
    values: tuple[Floats, Floats],
    sites: Sequence[str],
    seed: int,
) -> Pair:
    """Return how two subjects differ, given their scores and the site of each unit."""
    ours, theirs = values
    differences = ours - theirs
    p = wilcoxon(ours, theirs)
    low, high = known_interval(site_interval(differences, sites, seed=seed))
    return Pair(
        kind=kind,
        study=study,
        first=names[0],
        second=names[1],
        difference=float(np.mean(differences)) if len(differences) else 0.0,
        low=low,
        high=high,
        p=p,
        p_holm=p,
        effect=rank_biserial(ours, theirs),
        n_units=len(differences),
        n_differ=int((np.round(differences, _DIGITS) != 0).sum()),
    )


def known_interval(interval: Interval) -> tuple[float | None, float | None]:
    """Return the ends of an interval of a difference; None for those of an unknown one."""
    return (None, None) if tuple(interval) == NO_DIFFERENCE else interval


def corrected(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs with p-values corrected for their number, after Holm."""
    adjusted = holm(np.array([pair.p for pair in pairs]))
    return [
        msgspec.structs.replace(pair, p_holm=float(p))
        for pair, p in zip(pairs, adjusted, strict=True)
    ]


def compare_learners(
    kind: Kind,
    study: str,
    names: tuple[str, str],
    results: tuple[Pooled, Pooled],
    seed: int,
    *,
    subject: str = "",
    setting: str = "",
) -> Pair:
    """Return how two results on the same pages differ, page by page; its p-value is uncorrected."""
    first, second = results
    values = page_values(first, second)
    sites = [second.sites[page] for page in second.accuracy]
    low, high = None, None
    # Two renderers find different regions on the same pages, and repeats may test a page more often
    # with one way of splitting than with another: nothing is known then. Regions are counted
    # whatever their gold: where it allows several labels, each learner's prediction decides it.
    if np.array_equal(*(result.by_site.sum(axis=(1, 2)) for result in results)):
        low, high = known_interval(
            macro_difference_interval(first.by_site, second.by_site, first.label_set, seed=seed)
        )
    return msgspec.structs.replace(
        paired_test(kind, study, names, values, sites, seed),
        subject=subject,
        setting=setting,
        macro_difference=first.scores.macro_f1 - second.scores.macro_f1,
        macro_low=low,
        macro_high=high,
    )


def page_values(first: Pooled, second: Pooled) -> tuple[Floats, Floats]:
    """Return the accuracies of two results on the same pages, in the order of the second."""
    return (
        np.array([first.accuracy[page] for page in second.accuracy]),
        np.array([*second.accuracy.values()]),
    )


def choose_reference(results: Mapping[str, Pooled], learners: Mapping[str, str]) -> str:
    """Return the name of the candidate that others are marked against; empty without results.

    The first structured SVM, or else the candidate with the highest accuracy; ties: the first.
    """
    structured = [name for name in results if learners[name] == _REFERENCE]
    if structured or not results:
        return structured[0] if structured else ""
    return max(results, key=lambda name: results[name].scores.accuracy)


def estimate_power(results: Mapping[str, Pooled]) -> tuple[float | None, float | None]:
    """Return the spread of the difference of two learners, and the least detectable difference.

    They are those of the pair with the median spread; None for fewer than two results.
    """
    differences = [
        np.subtract(*page_values(*pair)) for pair in itertools.combinations(results.values(), 2)
    ]
    if not differences:
        return None, None
    spreads = [float(np.std(own, ddof=1)) if len(own) > 1 else 0.0 for own in differences]
    middle = sorted(range(len(spreads)), key=spreads.__getitem__)[len(spreads) // 2]
    return spreads[middle], detectable_difference(differences[middle])


def rank_subjects(
    measure: str, studies: Mapping[str, Mapping[str, float]], source: str = ""
) -> Ranking | None:
    """Rank the subjects that have scores in every study; the highest score is the best.

    The tests are left out where subjects or studies are too few. None for fewer than two of either.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    """
    first = next(iter(studies.values()), {})
    names = [name for name in first if all(name in scores for scores in studies.values())]
    if len(names) < 2 or len(studies) < 2:
        return None
    table = np.array([[scores[name] for name in names] for scores in studies.values()], float)
    ranking = Ranking(
        measure=measure,
        studies=tuple(studies),
        ranks=dict(zip(names, mean_ranks(table).tolist(), strict=True)),
        source=source,
    )
    if len(names) < _LEAST or len(studies) < _LEAST:
        return ranking
    p_pairs = zip(names, nemenyi(table).tolist(), strict=True)
    return msgspec.structs.replace(
        ranking,
        p_friedman=friedman(table),
        p_pairs={name: dict(zip(names, row, strict=True)) for name, row in p_pairs},
        critical_difference=critical_difference(len(names), len(studies)),
    )


def rank_learners(
    studies: Sequence[Study], results: Mapping[str, Mapping[str, Pooled]]
) -> list[Ranking]:
    """Rank candidates over corpora by macro F1, separately for each way of splitting and rendering.

    Studies by site and by page have the same pages, and so have those of two renderers: they are
    not ranked together. A single study gives no ranking.
    """
    n_of_path = Counter((study.by, study.source) for study in studies)
    groups: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for study in studies:
        is_again = n_of_path[study.by, study.source] > 1
        group = groups.setdefault((study.by, study.renderer if is_again else ""), {})
        if own := results[study.name]:
            group[study.name] = {name: result.scores.macro_f1 for name, result in own.items()}
    rankings = (rank_subjects("macro_f1", group) for group in groups.values())
    return [ranking for ranking in rankings if ranking]


def contrast_studies(
    studies: Sequence[Study], results: Mapping[str, Mapping[str, Pooled]], seed: int
) -> Iterator[Pair]:
    """Yield each candidate in every two studies that differ in one setting.

    These are the same corpus with another split or renderer, and two corpora of the same pages,
    such as one per renderer. Corpora of other pages are not contrasted: no learner can help that
    one of them is harder.
    """
    for first, second in itertools.combinations(studies, 2):
        setting, names = _what_differs(first, second), (first.name, second.name)
        both = [name for name in results[first.name] if name in results[second.name]]
        for name in both if setting else ():
            pair = results[first.name][name], results[second.name][name]
            # Pages of two corpora are the same if their ids and their sites are.
            pages = [[(page, own.sites[page]) for page in own.accuracy] for own in pair]
            if pages[0] == pages[1]:
                about = {"subject": name, "setting": setting}
                yield compare_learners("studies", first.name, names, pair, seed, **about)
            elif first.source == second.source:
                yield Pair(
                    kind="studies",
                    study=first.name,
                    first=first.name,
                    second=second.name,
                    subject=name,
                    setting=setting,
                    macro_difference=pair[0].scores.macro_f1 - pair[1].scores.macro_f1,
                )


def _what_differs(first: Study, second: Study) -> str:
    """Return ``by`` (if nothing else differs), ``renderer`` or ``corpus``; empty for none."""
    if first.by != second.by:
        is_same = (first.source, first.renderer) == (second.source, second.renderer)
        return "by" if is_same else ""
    if first.renderer != second.renderer:
        return "renderer"
    return "corpus" if first.source != second.source else ""


def is_certain(pair: Pair) -> bool:
    """Return whether it is certain which of a pair is better; see ``CERTAIN_RULE``.

    The interval is that of macro F1 where the pair has one, else that of the mean difference.
    """
    is_macro = pair.macro_difference is not None
    ends = (pair.macro_low, pair.macro_high) if is_macro else (pair.low, pair.high)
    values = (*ends, pair.difference, pair.effect)
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values) or pair.p_holm > LEVEL:
        return False
    return min(numbers) > 0 or max(numbers) < 0


def turned(pair: Pair) -> Pair:
    """Return a comparison with its two subjects exchanged."""

    def minus(value: float | None) -> float | None:
        return None if value is None else -value

    return msgspec.structs.replace(
        pair,
        first=pair.second,
        second=pair.first,
        difference=minus(pair.difference),
        low=minus(pair.high),
        high=minus(pair.low),
        effect=-pair.effect,
        macro_difference=minus(pair.macro_difference),
        macro_low=minus(pair.macro_high),
        macro_high=minus(pair.macro_low),
    )
