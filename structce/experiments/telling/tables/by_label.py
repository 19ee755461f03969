"""One learner label by label: Table 3."""

from __future__ import annotations

from collections.abc import Sequence

from structce.evaluation import FieldScore, LabelScore, Measures
from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult, Row
from structce.experiments.telling.tables.cells import NOTHING, UNDEFINED, between, percent
from structce.experiments.telling.tables.table import Table

AVERAGES = ("Micro average", "Macro average", "Micro average fg", "Macro average fg")


def label_table(study: Study, arm: ArmResult) -> Table:
    """Return one row a label and the averages, as in Table 3 of Spengler et al. (2010).

    The last three columns are not theirs. The background has no segments and no exact pages.
    """
    row = arm.row
    rows = [
        (one.name, *_counts(study, one.name), *_label_cells(one), *_more_cells(row, one))
        for one in row.scores.labels
    ]
    return Table(
        title=f"Table 3. {study.name}: {arm.name} label by label, in per cent",
        headers=(
            "Label",
            "n train",
            "n test",
            "Precision",
            "Recall",
            "F1",
            "F1 between",
            "F1 seg",
            "Exact pages",
        ),
        rows=(*rows, *_averages(row)),
        notes=tuple(_notes(row)),
    )


def label_notes(study: Study) -> tuple[str, ...]:
    """Return how to read Table 3, in one place for all learners; empty without any."""
    if not study.arms:
        return ()
    of_splits = " (mean of splits)" if len(study.splits) > 1 else ""
    return (
        f"n train: regions that the tested model was fitted on{of_splits}. F1 between: 95 per cent "
        f"interval, from drawing whole sites again. fg: without the background label "
        f"{study.source.background}. seg: by segment, neighbouring regions of one label in one "
        "block. Exact pages: those on which exactly the right regions have the label, of those "
        "that have it in gold or prediction.",
    )


def _counts(study: Study, label: str) -> tuple[str, str]:
    return f"{study.n_train.get(label, 0):.0f}", str(study.n_test.get(label, 0))


def _label_cells(label: LabelScore) -> Sequence[str]:
    if not label.occurs:
        return [NOTHING] * 3
    cells = zip(("precision", "recall", "f1"), _measure_cells(label.measures), strict=True)
    return [cell + UNDEFINED if name in label.undefined else cell for name, cell in cells]


def _more_cells(row: Row, label: LabelScore) -> Sequence[str]:
    segments = {one.name: one for one in row.segments.labels}
    fields = {one.name: one for one in row.fields}
    segment = segments.get(label.name)
    return (
        between(row.intervals.get(f"f1.{label.name}")),
        percent(segment.measures.f1) if segment and segment.occurs else NOTHING,
        _exact(fields.get(label.name)),
    )


def _exact(found: FieldScore | None) -> str:
    return f"{found.n_exact}/{found.n_pages}" if found and found.n_pages else NOTHING


def _averages(row: Row) -> list[tuple[str, ...]]:
    scores, segments = row.scores, row.segments
    means = (scores.micro, scores.macro, scores.micro_foreground, scores.macro_foreground)
    known = ("accuracy", "macro_f1", "micro_f1_foreground", "macro_f1_foreground")
    # Segments are of foreground labels alone, so they stand in the rows of these averages.
    by_segment = (NOTHING, NOTHING, percent(segments.micro.f1), percent(segments.macro.f1))
    return [
        (
            name,
            NOTHING,
            NOTHING,
            *_measure_cells(mean),
            between(row.intervals.get(key)),
            f1,
            NOTHING,
        )
        for name, mean, key, f1 in zip(AVERAGES, means, known, by_segment, strict=True)
    ]


def _measure_cells(measures: Measures) -> Sequence[str]:
    return [percent(share) for share in (measures.precision, measures.recall, measures.f1)]


def _notes(row: Row) -> list[str]:
    notes = []
    if any(label.occurs and label.undefined for label in row.scores.labels):
        notes.append(
            f"{UNDEFINED} not defined, counted as 0: nothing was predicted (precision) or "
            "nothing was there to find (recall)."
        )
    if row.scores.left_out:
        names = ", ".join(row.scores.left_out)
        notes.append(f"In no average, as neither gold nor predicted: {names}.")
    return notes
