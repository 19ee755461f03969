"""A learner with parts of the features, and with parts of the training pages."""

from __future__ import annotations

from collections.abc import Sequence

from structce.evaluation.significance import LEVEL
from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import Ablation, ArmResult, Row
from structce.experiments.telling.tables.averages import marks
from structce.experiments.telling.tables.cells import (
    NOTHING,
    between,
    percent,
    points,
    said_in,
)
from structce.experiments.telling.tables.paired import describe_pair
from structce.experiments.telling.tables.table import Table


def ablation_table(study: Study, arm: ArmResult) -> Table:
    """Return one row for all features, each family left out, and each family alone.

    No rows without an ablation. Yao and Zuo (2013), Figures 2 and 3, compare sets of features in
    the same way, by the F1 of one learner; that family after family is left out as well is ours.
    """
    parts = [one for one in study.ablations if one.arm == arm.name]
    scores = arm.row.scores
    n_columns = tuple(split.n_columns for split in study.splits)
    full = ("all", percent(scores.macro_f1), NOTHING, percent(scores.macro_f1_foreground),
            percent(scores.accuracy), "", NOTHING, _mean(n_columns))  # fmt: skip
    return Table(
        title=f"{study.name}: families of features, {arm.name}, in per cent",
        headers=(
            "Features",
            "Macro F1",
            "Change",
            "Macro F1 fg",
            "Accuracy",
            "",
            "Accuracy of a page, minus all",
            "Columns",
        ),
        rows=(full, *map(_ablation_row, parts)) if parts else (),
        notes=tuple(_odd(parts)),
    )


def ablation_notes(study: Study) -> tuple[str, ...]:
    """Return how to read the tables of an ablation, in one place for all; empty without one."""
    if not study.ablations:
        return ()
    of_splits = " (mean of splits)" if len(study.splits) > 1 else ""
    return (
        "Every row is fitted at the hyper-parameters that were chosen with all features; nothing "
        "was tuned again, which favours all.",
        f"* differs from all: Wilcoxon matched-pairs signed-ranks test over the accuracies of test "
        f"pages, p at most {LEVEL}; ‡ also after Holm's correction. In brackets: 95 per cent "
        "interval, from drawing whole sites again.",
        f"Change: of macro F1, in points. Columns{of_splits} count the bias, which all have.",
    )


def learning_table(study: Study) -> Table:
    """Return one row for each share of the training pages; no rows without a learning curve.

    The last row of a learner, with all pages, is that of Table 2.
    """
    rows: list[tuple[str, ...]] = []
    for arm in study.arms:
        points_of = [one for one in study.learning if one.arm == arm.name]
        rows += [_learning_row(arm.name, one.share, one.n_pages, one.row) for one in points_of]
        if points_of and max(one.share for one in points_of) < 1:
            rows.append(_learning_row(arm.name, 1.0, n_fitted(study), arm.row))
    return Table(
        title=f"{study.name}: with fewer training pages, in per cent",
        headers=("Learner", "Share", "Pages", "Macro F1", "Between", "Macro F1 fg", "Accuracy"),
        rows=tuple(rows),
        notes=(
            "Share: of the training and validation sites (of pages, in a split by page), in per "
            "cent. Hyper-parameters are those of all pages. Between: 95 per cent interval of macro "
            "F1, from drawing whole sites again.",
        )
        if rows
        else (),
    )


def n_fitted(study: Study) -> float:
    """Return how many pages a tested model was fitted on, the mean over splits; 0 without any."""
    sizes = [len(one.train.pages) + len(one.validation.pages) for one in study.splits]
    return sum(sizes) / len(sizes) if sizes else 0.0


def _ablation_row(one: Ablation) -> tuple[str, ...]:
    scores = one.row.scores
    return (
        one.name,
        percent(scores.macro_f1),
        points(one.pair.macro_difference),
        percent(scores.macro_f1_foreground),
        percent(scores.accuracy),
        marks(one.pair),
        describe_pair(one.pair),
        _mean(one.n_columns),
    )


def _learning_row(name: str, share: float, n_pages: float, row: Row) -> tuple[str, ...]:
    return (
        name,
        f"{100 * share:.0f}",
        f"{n_pages:.0f}",
        percent(row.scores.macro_f1),
        between(row.intervals.get("macro_f1")),
        percent(row.scores.macro_f1_foreground),
        percent(row.scores.accuracy),
    )


def _odd(parts: Sequence[Ablation]) -> list[str]:
    """Return what was odd about some of the rows."""
    notes = [
        f"The family {one.family} gave no column on these pages."
        for one in parts
        if one.kind == "only" and max(one.n_columns, default=0) <= 1
    ]
    warned = [f"{one.name}: {text}" for one in parts for text in said_in(one.row)]
    return [*notes, f"Warned: {'; '.join(warned)}."] if warned else notes


def _mean(counts: Sequence[int]) -> str:
    return f"{sum(counts) / len(counts):.0f}" if counts else NOTHING
