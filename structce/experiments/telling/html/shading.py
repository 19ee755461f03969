"""Tables whose cells are coloured by what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.telling.tables import Table
from structce.experiments.telling.tables.cells import NOTHING, percent


@dataclass(frozen=True)
class Cell:
    """A shaded cell.

    Parameters
    ----------
    shade
        How strong its colour is, in [0, 1].
    """

    text: str
    shade: float
    is_good: bool = True


Shaded = tuple[tuple[str, tuple[Cell, ...]], ...]
"""Rows of a shaded table: a name and its cells."""


def heat(study: Study) -> Shaded:
    """Return each label with its F1 by learner; shades are cubed, to tell good from better."""
    return tuple((name, tuple(_heat_cells(study, i))) for i, name in enumerate(study.n_test))


def _heat_cells(study: Study, i: int) -> Iterator[Cell]:
    for arm in study.arms:
        one = arm.row.scores.labels[i]
        yield Cell(percent(one.measures.f1), one.measures.f1**3) if one.occurs else Cell(NOTHING, 0)


def confusion_cells(study: Study, arm: ArmResult) -> Shaded:
    """Return a confusion matrix, a colour as strong as its share of the gold label.

    The diagonal is good, all else is not; cells without regions are empty.
    """
    return tuple(
        (name, tuple(_confusion_row(counts, i)))
        for i, (name, counts) in enumerate(zip(study.n_test, arm.row.confusion, strict=True))
    )


def _confusion_row(counts: tuple[int, ...], i: int) -> Iterator[Cell]:
    n_gold = sum(counts)
    for j, count in enumerate(counts):
        yield Cell(str(count) if count else "", count / n_gold if count else 0.0, i == j)


def best_of_columns(table: Table) -> tuple[str, ...]:
    """Return the highest number of each column; empty for columns without any.

    A column with names, marks or intervals has none.
    """
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.headers)
    numbers = ([cell for cell in column if _is_number(cell)] for column in columns)
    return tuple(max(column, key=float, default="") for column in numbers)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdecimal()
