"""The wrong regions of the pages that came out worst, and what speaks for their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from structce.errors import LearnerError
from structce.experiments.finding.trials import Because
from structce.experiments.running.data import Data, Labels
from structce.experiments.running.units import Wrong
from structce.labels import UNKNOWN_INDEX
from structce.learners import Learner
from structce.learners.arrays import Features
from structce.learners.explaining import find_reasons

N_PAGES, N_REGIONS, N_REASONS = 20, 12, 5
"""Pages of a split, wrong regions of a page, and columns of a region that are told of."""

NEIGHBOURS = "(neighbours)"
"""Stands for what the labels of other regions add to a score."""


def find_wrong(
    model: Learner,
    data: Data,
    predictions: Sequence[Labels],
    confidence: Sequence[Sequence[float]],
) -> Iterator[Wrong]:
    """Yield wrong regions of the test pages of the lowest accuracy, page by page.

    Of pages of one accuracy those with more wrong regions come first. Of a page, those regions
    whose right label is not the background come first, in reading order.

    Parameters
    ----------
    confidence
        Of the predicted labels, one sequence a page; empty if there is none.
    """
    X, gold = data.test.matrices, data.test.targets
    background = data.label_set.index(data.label_set.background)
    for page in _worst(gold, predictions):
        wrong = np.flatnonzero(_is_wrong(gold[page], predictions[page]))
        first = sorted(wrong.tolist(), key=lambda i: (int(gold[page][i]) == background, i))
        for i in first[:N_REGIONS]:
            right, given = int(gold[page][i]), int(predictions[page][i])
            yield Wrong(
                page=page,
                region=i,
                gold=right,
                predicted=given,
                confidence=float(confidence[page][i]) if confidence else None,
                reasons=_reasons(model, X[page], i, right, data.columns),
            )


def _worst(gold: Sequence[Labels], predictions: Sequence[Labels]) -> list[int]:
    """Return the numbers of the worst pages that have a wrong region."""
    rows = []
    for i, pair in enumerate(zip(gold, predictions, strict=True)):
        n_known, n_wrong = int((pair[0] != UNKNOWN_INDEX).sum()), int(_is_wrong(*pair).sum())
        if n_wrong:
            rows.append((1 - n_wrong / n_known, -n_wrong, i))
    return [i for _, _, i in sorted(rows)[:N_PAGES]]


def _is_wrong(gold: Labels, predicted: Labels) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    wrong: np.ndarray[tuple[int], np.dtype[np.bool_]] = (gold != UNKNOWN_INDEX) & (
        gold != predicted
    )
    return wrong


def _reasons(
    model: Learner, page: Features, i: int, right: int, columns: Sequence[str]
) -> tuple[Because, ...]:
    """Return what adds most to the lead of the label given over the right one.

    Empty for whatever is no learner of ours, and for learners that cannot be explained.
    """
    if not isinstance(model, Learner):
        return ()
    try:
        found = find_reasons(model, page, i)
    except LearnerError:
        return ()
    leads = found.contributions[:, found.chosen] - found.contributions[:, right]
    others = float(found.reach[found.chosen] - found.reach[right] - leads.sum())
    named = [
        (columns[column], float(lead)) for column, lead in zip(found.columns, leads, strict=True)
    ]
    named += [(NEIGHBOURS, others)] if abs(others) > 1e-9 else []
    strongest = sorted(named, key=lambda one: (-one[1], one[0]))[:N_REASONS]
    return tuple(Because(name, lead) for name, lead in strongest if lead > 0)
