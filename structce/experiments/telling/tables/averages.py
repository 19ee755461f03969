"""Learners over all labels: Table 2, and how far its numbers would move on other sites."""

from __future__ import annotations

from structce.evaluation.significance import LEVEL
from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult, Pair
from structce.experiments.telling.tables.cells import (
    DIFFERS,
    NOTHING,
    STILL_DIFFERS,
    between,
    one_line,
    percent,
    said_in,
)
from structce.experiments.telling.tables.table import Table

MEASURED = {
    "accuracy": "Accuracy",
    "macro_f1": "Macro F1",
    "macro_f1_foreground": "Macro F1 fg",
    "page_exactness": "Exact pages",
}
"""Measures of a whole row that have an interval, and their headers."""


def learner_table(study: Study) -> Table:
    """Return one row a learner, as in Table 2 of Spengler et al. (2010).

    The columns after the marks are not theirs: without the background label, by segment, by page.
    Learners that failed stand last, without numbers.
    """
    headers = ("Learner", "Micro F1", "Macro F1", "Accuracy", "", "Micro F1 fg", "Macro F1 fg",
               "Macro F1 seg", "Exact pages")  # fmt: skip
    rows = [_row(study, arm) for arm in study.arms]
    rows += [(name, *[NOTHING] * 3, "", *[NOTHING] * 4) for name in failed_arms(study)]
    return Table(
        title=f"Table 2. {study.name}: learners over all labels, in per cent",
        headers=headers,
        rows=tuple(rows),
        notes=tuple(_notes(study)),
    )


def interval_table(study: Study) -> Table:
    """Return the 95 per cent intervals of what Table 2 says; no rows if none is known."""
    rows = [
        (arm.name, *(between(arm.row.intervals.get(name)) for name in MEASURED))
        for arm in study.arms
    ]
    return Table(
        title=f"{study.name}: 95 per cent intervals, in per cent",
        headers=("Learner", *MEASURED.values()),
        rows=tuple(row for row in rows if set(row[1:]) != {NOTHING}),
        notes=("From drawing whole sites again: how far the numbers move on sites like these.",),
    )


def failed_arms(study: Study) -> tuple[str, ...]:
    """Return the names of the arms without scores, in the order of their failures."""
    known = {arm.name for arm in study.arms}
    return tuple(dict.fromkeys(one.arm for one in study.failures if one.arm not in known))


def _row(study: Study, arm: ArmResult) -> tuple[str, ...]:
    scores, segments = arm.row.scores, arm.row.segments
    return (
        arm.name,
        percent(scores.micro_f1),
        percent(scores.macro_f1),
        percent(scores.accuracy),
        marks(_against_reference(study, arm.name)),
        percent(scores.micro_f1_foreground),
        percent(scores.macro_f1_foreground),
        percent(segments.macro.f1),
        percent(arm.row.page_exactness),
    )


def marks(pair: Pair | None) -> str:
    """Return the marks of a difference: none, found, or found after Holm's correction too."""
    if pair is None or pair.p > LEVEL:
        return ""
    return DIFFERS + STILL_DIFFERS if pair.p_holm <= LEVEL else DIFFERS


def _against_reference(study: Study, name: str) -> Pair | None:
    return study.pair(name, study.reference) or study.pair(study.reference, name)


def _notes(study: Study) -> list[str]:
    background = study.source.background
    notes = [
        f"fg: without the background label {background}. seg: by segment, neighbouring regions of "
        "one label in one block, which must be found exactly. Exact pages: share of test pages "
        "without a wrong region."
    ]
    if study.pairs:
        notes.append(
            f"{DIFFERS} differs from {study.reference}: Wilcoxon matched-pairs signed-ranks test "
            f"over the accuracies of test pages, p at most {LEVEL}; {STILL_DIFFERS} also after "
            "Holm's correction for the number of pairs."
        )
    for arm in study.arms:
        notes += [f"{arm.name} warned: {text}" for text in said_in(arm.row)]
    notes += [f"{one.unit} failed: {one_line(one.error)}" for one in study.failures]
    return notes
