"""Predictions of every learner on the test pages of a study, region by region, as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from structce.experiments.job import TestResult
from structce.experiments.schedule import SplitRun
from structce.labels import UNKNOWN, LabelSet

_PLACE = ("split", "page", "site", "region", "gold")
"""Headers of the columns before those of the learners."""


def prediction_table(
    splits: Sequence[SplitRun], learners: Sequence[str], label_set: LabelSet
) -> str:
    """Return one row for each region of a test page, separated by tabs.

    Columns: the split and the region, counted from 1 and from 0, as in the report; the page and its
    site; the gold label; and for each learner the predicted label and its confidence after
    calibration. A cell is empty where the gold label is unknown, a learner gives no confidence, or
    its test in the split failed.
    """
    text = io.StringIO()
    writer = csv.writer(text, "excel-tab", lineterminator="\n")
    confidences = (f"{name} confidence" for name in learners)
    pairs = zip(learners, confidences, strict=True)
    writer.writerow([*_PLACE, *(header for pair in pairs for header in pair)])
    names = dict(enumerate(label_set.names))
    for split in splits:
        columns = [_Column.of(split, learner, names) for learner in learners]
        writer.writerows(_rows(split, columns))
    return text.getvalue()


@dataclass(frozen=True)
class _Column:
    """Predicted labels and confidences of a learner in a split, page by page; none if it failed."""

    labels: Sequence[Sequence[str]]
    confidences: Sequence[Sequence[float]]

    @classmethod
    def of(cls, split: SplitRun, learner: str, names: dict[int, str]) -> _Column:
        tests = (result for job, result in split.finished(learner, TestResult) if job.is_whole)
        if (result := next(tests, None)) is None:
            return cls((), ())
        # Where the right label is unknown a learner may predict any index.
        labels = [[names.get(index, UNKNOWN) for index in page] for page in result.predictions]
        return cls(labels, result.after)

    def cells(self, page: int, region: int) -> tuple[str, str]:
        """Return the label and the confidence of a region as text."""
        label = self.labels[page][region] if self.labels else ""
        return label, f"{self.confidences[page][region]:.4f}" if self.confidences else ""


def _rows(split: SplitRun, columns: Sequence[_Column]) -> Iterator[list[str]]:
    for number, page in enumerate(split.pages.test):
        for region, gold in enumerate(page.labels):
            place = [str(split.number + 1), page.id, page.site, str(region)]
            cells = (cell for column in columns for cell in column.cells(number, region))
            yield [*place, "" if gold == UNKNOWN else gold, *cells]
