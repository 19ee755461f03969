"""From the trials of every split to one row a learner: pooled scores and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from structce.corpus import Corpus
from structce.evaluation import (
    page_accuracies,
    score_confusion,
    site_interval,
    wilcoxon,
)
from structce.experiments.results import Comparison, LearnerResult, Trial

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
    accuracy: dict[str, float] = {}
    for trial, test in zip(trials, tests, strict=True):
        gold = [label_set.encode(page.labels) for page in test]
        shares = page_accuracies(gold, trial.predictions)
        pairs = zip(test, shares, strict=True)
        accuracy |= {page.id: float(share) for page, share in pairs if not np.isnan(share)}
    scores = score_confusion(matrix, label_set)
    return LearnerResult(learner, tuple(trials), scores, matrix, dict(sorted(accuracy.items())))


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
    theirs = np.array(list(reference.page_accuracy.values()))
    groups = [sites[page] for page in reference.page_accuracy]
    compared = []
    for row in rows:
        ours = np.array(list(row.page_accuracy.values()))
        comparison = Comparison(
            reference=reference.learner,
            difference=float(np.mean(ours - theirs)) if len(ours) else 0.0,
            interval=site_interval(ours - theirs, groups, seed=seed),
            p=wilcoxon(ours, theirs),
        )
        compared.append(row if row is reference else replace(row, comparison=comparison))
    return compared
