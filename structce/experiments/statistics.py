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
from typing import Any, Literal

import msgspec
import numpy as np

from structce.arrays import Floats, Integers, Integers32, Labels
from structce.corpus import Corpus
from structce.evaluation import (
    LEVEL,
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
    holm,
    is_wrong,
    label_scores,
    macro,
    macro_difference_interval,
    page_accuracies,
    pooled,
    rank_biserial,
    rank_systems,
    reliability,
    score_confusion,
    segment_counts,
    share_interval,
    site_interval,
    wilcoxon,
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
        label_set, pages = tests[0].label_set, [page for test in tests for page in test]
        rows = [(p.id, p.site, label_set.encode(p.labels), p.page.blocks) for p in pages]
        return cls(label_set, *zip(*rows, strict=True))


@dataclass(frozen=True, eq=False)
class Pooled:
    """Counts of a learner's predictions for all test pages, by which learners are compared.

    Parameters
    ----------
    by_site : shape (n_sites, n_labels, n_labels)
        Confusion matrix of the test pages of each site, sites sorted.
    segments : shape (3, n_labels)
        Segments that are right, in gold and predicted.
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
    accuracy = {page: float(np.mean(accuracies[page])) for page in sorted(accuracies)}
    sites = dict(zip(tests.ids, tests.sites, strict=True))
    return Pooled(tests.label_set, by_site, segments, fields, exact, accuracy, sites)


def learner_scores(
    study: str, subject: str, own: Pooled, seed: int, part: str = ""
) -> Iterator[Score]:
    """Yield the scores of a learner: averages by region and by segment, then label by label."""
    scores, label_set = own.scores, own.label_set
    intervals: dict[str, Interval | None] = {
        **confusion_intervals(own.by_site, label_set, seed=seed),
        "page_exactness": share_interval(own.exact[:, 0], own.exact[:, 1], seed=seed),
    }

    def score(measure: str, value: float, label: str = "") -> Score:
        ends = intervals.get(f"{measure}.{label}" if label else measure)
        low, high = ends or (None, None)
        return Score(study=study, subject=subject, measure=measure, value=float(value),
                     label=label, part=part, low=low, high=high)  # fmt: skip

    foreground = label_set.foreground
    inner = own.segments[:, [label_set.index(name) for name in foreground]]
    segments = {one.name: one for one in label_scores(inner, foreground)}
    n_exact, n_pages = own.exact.sum(axis=0)
    yield score("accuracy", scores.accuracy)
    yield score("page_exactness", n_exact / n_pages if n_pages else 0.0)
    averages: dict[str, Measures] = {
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
    for i, label in enumerate(scores.labels):
        values: dict[str, float] = {"n_test": label.support, "n_predicted": label.n_predicted}
        values |= label.measures._asdict() if label.occurs else {}
        if (segment := segments.get(label.name)) and segment.occurs:
            values["segment_f1"] = segment.measures.f1
        if segment and own.fields[0, i]:
            values |= {"n_pages": own.fields[0, i], "n_exact_pages": own.fields[1, i]}
        for measure, value in values.items():
            yield score(measure, value, label.name)


def calibration(
    place: Mapping[str, Any],
    tests: EvaluatedPages,
    predictions: Sequence[Sequence[int]],
    confidences: Sequence[Sequence[float]],
    *,
    is_calibrated: bool,
) -> tuple[list[Score], list[Bin]]:
    """Return how confidence agrees with accuracy over the regions of known label.

    The place is the study and the subject of the records.
    """
    gold, predicted = np.concatenate(tests.gold), np.concatenate(predictions)
    known = gold != UNKNOWN_INDEX
    right = ~is_wrong(gold, predicted)[known]
    confidence = np.concatenate(confidences)[known]
    when = "after" if is_calibrated else "before"
    values = {
        f"calibration_error_{when}": expected_calibration_error(confidence, right),
        f"brier_{when}": brier_score(confidence, right),
    }
    scores = [Score(**place, measure=name, value=value) for name, value in values.items()]
    points = reliability(confidence, right)
    return scores, [Bin(**place, is_calibrated=is_calibrated, **vars(point)) for point in points]


def paired_test(
    kind: Kind, study: str, names: tuple[str, str], values: tuple[Floats, Floats],
    sites: Sequence[str], seed: int, **about: Any,
) -> Pair:  # fmt: skip
    """Return how two subjects differ, given their scores and the site of each unit.

    The p-value is not corrected. Further fields of the record are given as they are.
    """
    differences = values[0] - values[1]
    low, high = site_interval(differences, sites, seed=seed) or (None, None)
    p = wilcoxon(*values)
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
        effect=rank_biserial(*values),
        n_units=len(differences),
        n_differ=int((np.round(differences, _DIGITS) != 0).sum()),
        **about,
    )


def corrected(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs with p-values corrected for their number, after Holm."""
    adjusted = holm(np.array([pair.p for pair in pairs])).tolist()
    both = zip(pairs, adjusted, strict=True)
    return [msgspec.structs.replace(pair, p_holm=p) for pair, p in both]


def compare_learners(
    kind: Kind, study: str, names: tuple[str, str], results: tuple[Pooled, Pooled], seed: int,
    **about: Any,
) -> Pair:  # fmt: skip
    """Return how two results on the same pages differ, page by page; its p-value is uncorrected."""
    first, second = results
    ends = None
    # Two renderers find different regions on the same pages, and repeats may test a page more often
    # with one way of splitting than with another: nothing is known then. Regions are counted
    # whatever their gold: where it allows several labels, each learner's prediction decides it.
    if np.array_equal(*(result.by_site.sum(axis=(1, 2)) for result in results)):
        ends = macro_difference_interval(first.by_site, second.by_site, first.label_set, seed=seed)
    low, high = ends or (None, None)
    sites = [second.sites[page] for page in second.accuracy]
    macros = {
        "macro_difference": first.scores.macro_f1 - second.scores.macro_f1,
        "macro_low": low,
        "macro_high": high,
    }
    return paired_test(kind, study, names, page_values(*results), sites, seed, **about, **macros)


def page_values(first: Pooled, second: Pooled) -> tuple[Floats, Floats]:
    """Return the accuracies of two results on the same pages, in the order of the second."""
    ours = np.array([first.accuracy[page] for page in second.accuracy])
    return ours, np.array([*second.accuracy.values()])


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
    pairs = itertools.combinations(results.values(), 2)
    differences = [np.subtract(*page_values(*pair)) for pair in pairs]
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
    found = rank_systems(table)
    ranks = dict(zip(names, found.mean.tolist(), strict=True))
    ranking = Ranking(measure=measure, studies=tuple(studies), ranks=ranks, source=source)
    if len(names) < _LEAST or len(studies) < _LEAST:
        return ranking
    rows = zip(names, found.p_pairs.tolist(), strict=True)
    return msgspec.structs.replace(
        ranking,
        p_friedman=found.p_friedman,
        p_pairs={name: dict(zip(names, row, strict=True)) for name, row in rows},
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
            about: dict[str, Any] = {"subject": name, "setting": setting}
            # Pages of two corpora are the same if their ids and their sites are.
            pages = [[(page, own.sites[page]) for page in own.accuracy] for own in pair]
            if pages[0] == pages[1]:
                yield compare_learners("studies", first.name, names, pair, seed, **about)
            elif first.source == second.source:
                change = pair[0].scores.macro_f1 - pair[1].scores.macro_f1
                yield Pair(kind="studies", study=first.name, first=first.name, second=second.name,
                           macro_difference=change, **about)  # fmt: skip


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
    names = {"first": "second", "low": "high", "macro_low": "macro_high"}
    values = {**names, **{name: own for own, name in names.items()}}
    signed = "difference low high effect macro_difference macro_low macro_high".split()
    given = {name: getattr(pair, values.get(name, name)) for name in ("first", "second", *signed)}
    changed = {
        name: -value if name in signed and value is not None else value
        for name, value in given.items()
    }
    return msgspec.structs.replace(pair, **changed)
