"""From what units found on every split to one row: scores counted together over all test pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.corpus import Corpus
from structce.evaluation import (
    brier_score,
    confusion,
    confusion_intervals,
    expected_calibration_error,
    field_counts,
    is_exact,
    page_accuracies,
    reliability,
    score_confusion,
    score_fields,
    score_segments,
    segment_counts,
    share_interval,
)
from structce.experiments.finding.rows import Calibration, Interval, Reliability, Row
from structce.experiments.finding.trials import Trial
from structce.labels import UNKNOWN_INDEX, LabelSet

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tests:
    """The test pages of all splits, one after the other; a page may come again.

    Parameters
    ----------
    ids, sites, gold, blocks
        One of each a test page.
    """

    label_set: LabelSet
    ids: tuple[str, ...]
    sites: tuple[str, ...]
    gold: tuple[Labels, ...]
    blocks: tuple[NDArray[np.int32], ...]

    @classmethod
    def of(cls, tests: Sequence[Corpus]) -> Tests:
        """Return the test pages of splits of one corpus; at least one split."""
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
    """A row, and what its comparison with others takes.

    Parameters
    ----------
    by_site : shape (n_sites, n_labels, n_labels)
        Confusion of the test pages of each site, sites sorted.
    sites
        Site by page.
    """

    row: Row
    by_site: NDArray[np.int64]
    sites: dict[str, str]
    label_set: LabelSet


def pool(
    tests: Tests, predictions: Sequence[Sequence[int]], trials: Sequence[Trial], seed: int
) -> Pooled:
    """Return the scores of predictions, pooled over all test pages.

    Parameters
    ----------
    predictions
        Label indices of each test page.
    seed
        Of the intervals.
    """
    found = [np.array(page, dtype=np.int64) for page in predictions]
    n = len(tests.label_set)
    names, place = np.unique(np.array(tests.sites, dtype=np.str_), return_inverse=True)
    by_site = np.zeros((len(names), n, n), dtype=np.int64)
    segments, fields = np.zeros((3, n), dtype=np.int64), np.zeros((2, n), dtype=np.int64)
    exact = np.zeros((len(names), 2), dtype=np.int64)
    pages = zip(place.tolist(), tests.gold, found, tests.blocks, strict=True)
    for site, gold, given, blocks in pages:
        by_site[site] += confusion(gold, given, n)
        segments += segment_counts(gold, given, blocks, n)
        fields += field_counts(gold, given, n)
        if (right := is_exact(gold, given)) is not None:
            exact[site] += (right, 1)
    matrix = by_site.sum(axis=0)
    n_exact, n_pages = exact.sum(axis=0).tolist()
    row = Row(
        scores=score_confusion(matrix, tests.label_set),
        segments=score_segments(segments, tests.label_set),
        fields=score_fields(fields, tests.label_set),
        page_exactness=n_exact / n_pages if n_pages else 0.0,
        confusion=tuple(tuple(counts) for counts in matrix.tolist()),
        page_accuracy=_page_accuracy(tests, found),
        intervals=_intervals(by_site, exact, tests.label_set, seed),
        trials=tuple(trials),
    )
    return Pooled(row, by_site, dict(zip(tests.ids, tests.sites, strict=True)), tests.label_set)


def _intervals(
    by_site: NDArray[np.int64], exact: NDArray[np.int64], label_set: LabelSet, seed: int
) -> dict[str, Interval]:
    found = confusion_intervals(by_site, label_set, seed=seed)
    return {**found, "page_exactness": share_interval(exact[:, 0], exact[:, 1], seed=seed)}


def _page_accuracy(tests: Tests, found: Sequence[Labels]) -> dict[str, float]:
    """Return the accuracy of each page, by id; of one tested several times the mean."""
    shares: dict[str, list[float]] = {}
    for page, share in zip(tests.ids, page_accuracies(tests.gold, found).tolist(), strict=True):
        if not np.isnan(share):
            shares.setdefault(page, []).append(share)
    return {page: float(np.mean(shares[page])) for page in sorted(shares)}


def calibration(
    tests: Tests,
    predictions: Sequence[Sequence[int]],
    before: Sequence[Sequence[float]],
    after: Sequence[Sequence[float]],
) -> Calibration | None:
    """Return how well confidence agrees with being right, region by region over all test pages.

    Regions of unknown label are neither right nor wrong: they do not count. None where a page has
    no confidences.
    """
    if len(before) < len(tests.ids):
        return None
    gold, found = np.concatenate(tests.gold), _joined(predictions, np.int64)
    known = gold != UNKNOWN_INDEX
    right = found[known] == gold[known]
    first, second = (_joined(said, np.float64)[known] for said in (before, after))
    return Calibration(_reliability(first, right), _reliability(second, right))


def _joined(pages: Sequence[Sequence[float]], kind: type[np.generic]) -> NDArray[np.generic]:
    return np.concatenate([np.array(page, dtype=kind) for page in pages])


def _reliability(confidence: NDArray[np.generic], right: NDArray[np.bool_]) -> Reliability:
    told = confidence.astype(np.float64)
    return Reliability(
        expected_calibration_error(told, right), brier_score(told, right), reliability(told, right)
    )
