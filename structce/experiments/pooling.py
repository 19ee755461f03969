"""From the trials of every split to one row a learner: pooled scores and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structce.corpus import Corpus
from structce.evaluation import (
    page_accuracies,
    score_confusion,
    site_interval,
    wilcoxon,
)
from structce.experiments.results import (
    Calibration,
    Comparison,
    Confidence,
    LearnerResult,
    Reliability,
    Trial,
)
from structce.labels import UNKNOWN_INDEX

REFERENCE = "structured-svm"
"""The learner that others are tested against, as in Table 2 of Spengler et al. (2010)."""


def pool(learner: str, trials: Sequence[Trial], tests: Sequence[Corpus]) -> LearnerResult:
    """Return a learner's scores over the test pages of all splits, counted together.

    Parameters
    ----------
    trials, tests
        One of each a split.
    """
    label_set = tests[0].label_set
    matrix = np.sum([trial.confusion for trial in trials], axis=0)
    pages = [page for test in tests for page in test]
    gold = [label_set.encode(page.labels) for page in pages]
    found = [labels for trial in trials for labels in trial.predictions]
    shares = zip(pages, page_accuracies(gold, found), strict=True)
    accuracy = {page.id: float(share) for page, share in shares if not np.isnan(share)}
    return LearnerResult(
        learner=learner,
        trials=tuple(trials),
        scores=score_confusion(matrix, label_set),
        confusion=matrix,
        page_accuracy=dict(sorted(accuracy.items())),
        calibration=_calibration(trials, np.concatenate(gold), np.concatenate(found)),
    )


def _calibration(
    trials: Sequence[Trial], gold: NDArray[np.int64], found: NDArray[np.int64]
) -> Calibration | None:
    """Return how well confidence agrees with being right, region by region over all trials.

    Regions of unknown label are neither right nor wrong: they do not count.
    """
    told: list[Confidence] = [trial.confidence for trial in trials if trial.confidence]
    if len(told) < len(trials):
        return None
    known = gold != UNKNOWN_INDEX
    right = found[known] == gold[known]
    before = np.concatenate([page for one in told for page in one.before])[known]
    after = np.concatenate([page for one in told for page in one.after])[known]
    return Calibration(Reliability.of(before, right), Reliability.of(after, right))


def compare(
    rows: Sequence[LearnerResult], sites: Mapping[str, str], seed: int
) -> list[LearnerResult]:
    """Return the rows, each compared with the structured SVM or, without it, with the best.

    The best is the one of the highest accuracy; on a tie the first.
    """
    if not rows:
        return []
    best = max(rows, key=lambda row: row.scores.accuracy)
    reference = next((row for row in rows if row.learner == REFERENCE), best)
    return [row if row is reference else against(row, reference, sites, seed) for row in rows]


def against(
    row: LearnerResult,
    reference: LearnerResult,
    sites: Mapping[str, str],
    seed: int,
    name: str | None = None,
) -> LearnerResult:
    """Return a row, compared page by page with another one.

    Parameters
    ----------
    sites
        By page.
    name
        What the comparison calls the reference; by default its learner.
    """
    ours, theirs = (np.array(list(one.page_accuracy.values())) for one in (row, reference))
    groups = [sites[page] for page in reference.page_accuracy]
    comparison = Comparison(
        reference=name or reference.learner,
        difference=float(np.mean(ours - theirs)) if len(ours) else 0.0,
        interval=site_interval(ours - theirs, groups, seed=seed),
        p=wilcoxon(ours, theirs),
    )
    return replace(row, comparison=comparison)
