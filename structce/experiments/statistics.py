"""Statistics of a study: scores pooled over test pages, paired comparisons, ranks over studies."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from structce.arrays import Floats, Integers, Integers32, Labels
from structce.corpus import Corpus
from structce.evaluation import (
    NO_DIFFERENCE,
    brier_score,
    confusion,
    confusion_intervals,
    detectable_difference,
    expected_calibration_error,
    field_counts,
    is_exact,
    is_wrong,
    macro_difference_interval,
    page_accuracies,
    reliability,
    score_confusion,
    score_fields,
    score_segments,
    segment_counts,
    share_interval,
)
from structce.experiments.results import (
    Calibration,
    Comparison,
    Contrast,
    LearnerResult,
    Power,
    Ranking,
    Reliability,
    Study,
    TrainingRecord,
)
from structce.experiments.significance import corrected, paired_test, rank_rivals
from structce.labels import UNKNOWN_INDEX, LabelSet

_REFERENCE = "structured-svm"
"""Learner that others are tested against, as in Table 2 of Spengler et al. (2010)."""

_SMALL = 0.01
"""Test pages that could not show this difference of page accuracy, one point, count as few."""


@dataclass(frozen=True, eq=False)
class TestPages:
    """Test pages of all splits, one after another; a page may occur more than once."""

    label_set: LabelSet
    ids: tuple[str, ...]
    sites: tuple[str, ...]
    gold: tuple[Labels, ...]
    blocks: tuple[Integers32, ...]

    @classmethod
    def of(cls, tests: Sequence[Corpus]) -> TestPages:
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
class PooledResult:
    """A result, with the data for its comparison with others.

    Parameters
    ----------
    by_site : shape (n_sites, n_labels, n_labels)
        Confusion matrix of the test pages of each site, sites sorted.
    """

    row: LearnerResult
    by_site: Integers
    sites: dict[str, str]
    label_set: LabelSet

    @property
    def page_sites(self) -> list[tuple[str, str]]:
        """Pages that have an accuracy, each with its site."""
        return [(page, self.sites[page]) for page in self.row.page_accuracy]


def pool(
    tests: TestPages,
    predictions: Sequence[Sequence[int]],
    trials: Sequence[TrainingRecord],
    seed: int,
) -> PooledResult:
    """Return the scores of predictions, the label indices of each test page, pooled over all."""
    predicted = [np.array(page, dtype=np.int64) for page in predictions]
    n = len(tests.label_set)
    names, place = np.unique(np.array(tests.sites, dtype=np.str_), return_inverse=True)
    by_site = np.zeros((len(names), n, n), dtype=np.int64)
    segments, fields = np.zeros((3, n), dtype=np.int64), np.zeros((2, n), dtype=np.int64)
    exact = np.zeros((len(names), 2), dtype=np.int64)
    pages = zip(place.tolist(), tests.gold, predicted, tests.blocks, strict=True)
    for site, gold, given, blocks in pages:
        by_site[site] += confusion(gold, given, n)
        segments += segment_counts(gold, given, blocks, n)
        fields += field_counts(gold, given, n)
        if (right := is_exact(gold, given)) is not None:
            exact[site] += (right, 1)
    matrix = by_site.sum(axis=0)
    n_exact, n_pages = exact.sum(axis=0).tolist()
    row = LearnerResult(
        scores=score_confusion(matrix, tests.label_set),
        segments=score_segments(segments, tests.label_set),
        fields=score_fields(fields, tests.label_set),
        page_exactness=n_exact / n_pages if n_pages else 0.0,
        confusion=tuple(tuple(counts) for counts in matrix.tolist()),
        page_accuracy=_page_accuracy(tests, predicted),
        intervals={
            **confusion_intervals(by_site, tests.label_set, seed=seed),
            "page_exactness": share_interval(exact[:, 0], exact[:, 1], seed=seed),
        },
        trials=tuple(trials),
    )
    return PooledResult(
        row, by_site, dict(zip(tests.ids, tests.sites, strict=True)), tests.label_set
    )


def _page_accuracy(tests: TestPages, predicted: Sequence[Labels]) -> dict[str, float]:
    """Return the accuracy of each page, by id; the mean for one tested several times."""
    shares: dict[str, list[float]] = {}
    for page, share in zip(tests.ids, page_accuracies(tests.gold, predicted).tolist(), strict=True):
        if not np.isnan(share):
            shares.setdefault(page, []).append(share)
    return {page: float(np.mean(shares[page])) for page in sorted(shares)}


def measure_calibration(
    tests: TestPages,
    predictions: Sequence[Sequence[int]],
    before: Sequence[Sequence[float]],
    after: Sequence[Sequence[float]],
) -> Calibration | None:
    """Return the agreement of confidence with accuracy over the regions of known label.

    None if a page has no confidences.
    """
    if len(before) < len(tests.ids):
        return None
    gold, predicted = np.concatenate(tests.gold), np.concatenate(predictions)
    known = gold != UNKNOWN_INDEX
    right = ~is_wrong(gold, predicted)[known]
    confidences = (np.concatenate(pages)[known] for pages in (before, after))
    return Calibration(
        *(
            Reliability(
                error=expected_calibration_error(confidence, right),
                brier=brier_score(confidence, right),
                bins=reliability(confidence, right),
            )
            for confidence in confidences
        )
    )


def compare_results(
    first: PooledResult, second: PooledResult, names: tuple[str, str], seed: int
) -> Comparison:
    """Return how two results differ, page by page; with an uncorrected p-value.

    Both must have been tested on the same pages.
    """
    ours, theirs = _page_accuracies(first, second)
    sites = [site for _, site in second.page_sites]
    macro_interval = NO_DIFFERENCE
    # Two renderers find different regions on the same pages, and repeats may test a page more often
    # with one way of splitting than with another: nothing is known then. Regions are counted
    # whatever their gold: where it allows several labels, each learner's prediction decides it.
    regions = [result.by_site.sum(axis=(1, 2)) for result in (first, second)]
    if np.array_equal(*regions):
        macro_interval = macro_difference_interval(
            first.by_site, second.by_site, first.label_set, seed=seed
        )
    return Comparison(
        **asdict(paired_test(ours, theirs, sites, seed)),
        first=names[0],
        second=names[1],
        macro_difference=first.row.scores.macro_f1 - second.row.scores.macro_f1,
        macro_interval=macro_interval,
    )


def _page_accuracies(first: PooledResult, second: PooledResult) -> tuple[Floats, Floats]:
    """Return the accuracies of two results on the same pages, in the order of the second."""
    ours, theirs = first.row.page_accuracy, second.row.page_accuracy
    return np.array([ours[page] for page in theirs]), np.array([*theirs.values()])


def compare_all(pooled: dict[str, PooledResult], seed: int) -> tuple[Comparison, ...]:
    """Return the comparisons of every two results, each once, in the order of the results."""
    both = itertools.combinations(pooled, 2)
    return corrected([compare_results(pooled[a], pooled[b], (a, b), seed) for a, b in both])


def choose_reference(pooled: dict[str, PooledResult], learners: dict[str, str]) -> str:
    """Return the name of the candidate that others are marked against; empty without results.

    The first structured SVM, or else the candidate with the highest accuracy; ties: the first.
    """
    structured = [name for name in pooled if learners[name] == _REFERENCE]
    if structured or not pooled:
        return structured[0] if structured else ""
    return max(pooled, key=lambda name: pooled[name].row.scores.accuracy)


def estimate_power(pooled: dict[str, PooledResult]) -> Power | None:
    """Return the power of the test pages; None for fewer than two results.

    Computed from the pair with the median spread.
    """
    spreads = []
    for pair in itertools.combinations(pooled.values(), 2):
        differences = np.subtract(*_page_accuracies(*pair))
        spread = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
        spreads.append((spread, differences))
    if not spreads:
        return None
    spread, differences = sorted(spreads, key=lambda pair: pair[0])[len(spreads) // 2]
    least = detectable_difference(differences)
    return Power(len(differences), spread, least, least is None or least > _SMALL)


def rank_studies(studies: Sequence[Study], measure: str = "macro_f1") -> tuple[Ranking, ...]:
    """Rank candidates over corpora, separately for each way of splitting and rendering.

    Studies by site and by page have the same pages, and so have those of two renderers: they are
    not ranked together. A single study gives no ranking.
    """
    n_of_path = Counter((study.by, study.source.path) for study in studies)
    groups: dict[tuple[str, str], list[Study]] = {}
    for study in studies:
        is_again = n_of_path[study.by, study.source.path] > 1
        key = study.by, study.source.renderer if is_again else ""
        groups.setdefault(key, []).extend([study] if study.candidates else [])

    def scores(study: Study) -> dict[str, float]:
        return {
            candidate.name: getattr(candidate.row.scores, measure) for candidate in study.candidates
        }

    ranked = (
        rank_rivals(measure, [(study.name, scores(study)) for study in same])
        for same in groups.values()
    )
    return tuple(ranking for ranking in ranked if ranking)


def contrast_studies(
    studies: Sequence[Study], pooled: Mapping[str, Mapping[str, PooledResult]], seed: int
) -> tuple[Contrast, ...]:
    """Return each candidate in every two studies that differ in one respect.

    These are the same corpus with another split or renderer, and two corpora of the same pages,
    such as one per renderer. Corpora of other pages are not contrasted: no learner can help that
    one of them is harder. Pooled results are by study and candidate.
    """
    contrasts = []
    for first, second in itertools.combinations(studies, 2):
        what = _what_differs(first, second)
        names = first.name, second.name
        for name in pooled[first.name] if what else ():
            if name in pooled[second.name]:
                ours, theirs = pooled[first.name][name], pooled[second.name][name]
                # Pages of two corpora are the same if their ids and their sites are.
                is_same = ours.page_sites == theirs.page_sites
                if is_same or first.source.path == second.source.path:
                    pair = compare_results(ours, theirs, names, seed) if is_same else None
                    values = ours.row.scores.macro_f1, theirs.row.scores.macro_f1
                    contrasts.append(Contrast(what, name, *names, values, pair))
    return tuple(contrasts)


def _what_differs(first: Study, second: Study) -> str:
    """Return ``by`` (if nothing else differs), ``renderer`` or ``corpus``; empty for none."""
    source, other = first.source, second.source
    if first.by != second.by:
        return "by" if (source.path, source.renderer) == (other.path, other.renderer) else ""
    if source.renderer != other.renderer:
        return "renderer"
    return "corpus" if source.path != other.path else ""
