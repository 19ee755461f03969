"""The tables of an experiment: over all labels, and label by label; numbers in per cent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabulate import tabulate

from structce.evaluation import LabelScore, Measures
from structce.evaluation.significance import LEVEL
from structce.experiments.results import (
    Ablation,
    Calibration,
    Comparison,
    Failure,
    LearnerResult,
    Result,
)

NOTHING = "–"
UNDEFINED = "†"


@dataclass(frozen=True)
class Table:
    """A table as text: the first column holds names, the others numbers."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        align = ["left", *["right"] * (len(self.headers) - 1)]
        body = tabulate(
            self.rows, self.headers, tablefmt="simple", colalign=align, disable_numparse=True
        )
        return "\n".join([self.title, "", body, *self.notes])


def summary(result: Result) -> str:
    """Return the question and all tables of a result as text for a terminal."""
    parts = [result.experiment.question, _sources(result), str(learner_table(result))]
    if (confidence := calibration_table(result)).rows:
        parts.append(str(confidence))
    if result.ablated:
        parts += [str(ablation_table(result, row)) for row in result.ablated]
        parts.append("\n".join(ablation_notes(result)))
    parts += [str(label_table(result, row)) for row in result.succeeded]
    return "\n\n".join(parts) + "\n"


def learner_table(result: Result) -> Table:
    """Return one row a learner, as in Table 2 of Spengler et al. (2010).

    The last two columns, without the background label, are not theirs.
    """
    headers = ("Learner", "Micro F1", "Macro F1", "Accuracy", "", "Micro F1 fg", "Macro F1 fg")
    return Table(
        title="Table 2. Learners over all labels, in per cent",
        headers=headers,
        rows=tuple(_learner_row(row) for row in result.learners),
        notes=tuple(_learner_notes(result)),
    )


def calibration_table(result: Result) -> Table:
    """Return one row a learner that tells how sure it is: how far that can be believed."""
    headers = ("Learner", "Error", "Error after", "Brier", "Brier after", "Temperature")
    return Table(
        title="Confidence before and after calibration on the validation pages",
        headers=headers,
        rows=tuple(
            (row.learner, *_calibration_cells(row.calibration), _temperatures(row))
            for row in result.succeeded
            if row.calibration
        ),
        notes=(
            "Error: expected calibration error, mean distance of confidence from the share of "
            "right labels; at best 0, as is the Brier score.",
        ),
    )


def ablation_table(result: Result, full: LearnerResult) -> Table:
    """Return one row for all features, each family left out, and each family alone.

    Yao and Zuo (2013), Figures 2 and 3, compare sets of features in the same way, by the F1 of one
    learner; that family after family is left out as well is ours.
    """
    headers = ("Features", "Macro F1", "Change", "Macro F1 fg", "Accuracy", "",
               "Accuracy of a page, minus all", "Columns")  # fmt: skip
    n_columns = tuple(split.n_columns for split in result.splits)
    rows = [("all", *_ablation_cells(full, n_columns, full))]
    rows += [
        (str(one.variant), *_ablation_cells(one.row, one.n_columns, full))
        for one in result.ablations[full.learner]
    ]
    return Table(
        title=f"Families of features: {full.learner}, in per cent",
        headers=headers,
        rows=tuple(rows),
        notes=tuple(_ablation_notes(result.ablations[full.learner])),
    )


def ablation_notes(result: Result) -> tuple[str, ...]:
    """Return how to read the tables of an ablation, in one place for all learners."""
    of_folds = " (mean of folds)" if len(result.splits) > 1 else ""
    n_tests = len(result.experiment.variants)
    return (
        "Every row is fitted at the hyper-parameters that were chosen with all features; nothing "
        "was tuned again, which favours all.",
        f"* differs from all: Wilcoxon matched-pairs signed-ranks test over the accuracies of test "
        f"pages, p <= {LEVEL}. Where nothing differs, one test in twenty still says so; a learner "
        f"has {n_tests} here. In brackets: 95 per cent interval, from drawing whole sites again.",
        f"Change: of macro F1, in points. Columns{of_folds} include the bias, which every row has.",
    )


def label_table(result: Result, row: LearnerResult) -> Table:
    """Return one row a label, as in Table 3 of Spengler et al. (2010)."""
    rows = [
        (
            label.name,
            f"{result.n_train[label.name]:.0f}",
            str(result.n_test[label.name]),
            *_label_cells(label),
        )
        for label in row.scores.labels
    ]
    averages = {
        "Micro average": row.scores.micro,
        "Macro average": row.scores.macro,
        "Micro average fg": row.scores.micro_foreground,
        "Macro average fg": row.scores.macro_foreground,
    }
    rows += [(name, NOTHING, NOTHING, *_measure_cells(mean)) for name, mean in averages.items()]
    return Table(
        title=f"Table 3. {row.learner} label by label, in per cent",
        headers=("Label", "n train", "n test", "Precision", "Recall", "F1"),
        rows=tuple(rows),
        notes=tuple(_label_notes(row)),
    )


def percent(share: float) -> str:
    """Return a share as a number in per cent with two decimals."""
    return f"{100 * share:.2f}"


def describe_comparison(comparison: Comparison) -> str:
    """Return a comparison in words: difference in points, interval over sites, p-value."""
    low, high = comparison.interval
    between = f" [{100 * low:+.2f}, {100 * high:+.2f}]" if (low, high) != (-1.0, 1.0) else ""
    p = "p < 0.001" if comparison.p < 0.001 else f"p = {comparison.p:.3f}"
    return f"{100 * comparison.difference:+.2f}{between}, {p}"


def _sources(result: Result) -> str:
    source, experiment = result.source, result.experiment
    how = f"{experiment.folds} folds" if experiment.folds else "one split"
    n = source.n_unknown
    unknown = f"; {n:,} regions of unknown label are not counted" if n else ""
    return (
        f"{source.name}: {source.n_pages} pages of {len(source.sites)} sites, "
        f"{source.renderer} renderer; {how} by {experiment.by}, seed {experiment.seed}" + unknown
    )


def _learner_row(row: LearnerResult | Failure) -> tuple[str, ...]:
    if isinstance(row, Failure):
        return (row.learner, *[NOTHING] * 3, "", *[NOTHING] * 2)
    scores = row.scores
    return (
        row.learner,
        percent(scores.micro_f1),
        percent(scores.macro_f1),
        percent(scores.accuracy),
        "*" if row.comparison and row.comparison.is_significant else "",
        percent(scores.micro_f1_foreground),
        percent(scores.macro_f1_foreground),
    )


def _learner_notes(result: Result) -> list[str]:
    background = result.source.background
    notes = [f"fg: without the background label {background}."]
    compared = [row for row in result.succeeded if row.comparison]
    if compared and compared[0].comparison:
        reference = compared[0].comparison.reference
        notes.append(
            f"* differs from {reference}: Wilcoxon matched-pairs signed-ranks test over the "
            f"accuracies of test pages, p <= {LEVEL}."
        )
    for row in result.succeeded:
        said = dict.fromkeys(text for trial in row.trials for text in trial.warnings)
        notes += [f"{row.learner} warned: {text}" for text in said]
    notes += [f"{row.learner} failed: {row.error}" for row in result.failed]
    return notes


def _ablation_cells(
    row: LearnerResult | Failure, n_columns: Sequence[int], full: LearnerResult
) -> Sequence[str]:
    mean = f"{sum(n_columns) / len(n_columns):.0f}"
    if isinstance(row, Failure):
        return [*[NOTHING] * 4, "", NOTHING, mean]
    scores, comparison = row.scores, row.comparison
    change = scores.macro_f1 - full.scores.macro_f1
    return [
        percent(scores.macro_f1),
        NOTHING if row is full else f"{100 * change:+.2f}",
        percent(scores.macro_f1_foreground),
        percent(scores.accuracy),
        "*" if row is not full and comparison and comparison.is_significant else "",
        NOTHING if row is full or not comparison else describe_comparison(comparison),
        mean,
    ]


def _ablation_notes(ablations: Sequence[Ablation]) -> list[str]:
    """Return what was odd about some of the rows."""
    notes, warned = [], []
    for one in ablations:
        if one.variant.kind == "only" and max(one.n_columns) == 1:
            notes.append(f"The family {one.variant.family} gave no column on these pages.")
        if isinstance(one.row, Failure):
            notes.append(f"{one.variant} failed: {one.row.error}")
            continue
        said = dict.fromkeys(text for trial in one.row.trials for text in trial.warnings)
        warned += [f"{one.variant}: {text}" for text in said]
    return [*notes, f"Warned: {'; '.join(warned)}."] if warned else notes


def _calibration_cells(found: Calibration) -> Sequence[str]:
    before, after = found.before, found.after
    shares = (before.error, after.error, before.brier, after.brier)
    return [f"{share:.4f}" for share in shares]


def _temperatures(row: LearnerResult) -> str:
    """Return the temperature, or the lowest and the highest of all folds."""
    found = [trial.confidence.temperature for trial in row.trials if trial.confidence]
    return "–".join(dict.fromkeys(f"{one:.3g}" for one in (min(found), max(found))))


def _label_cells(label: LabelScore) -> Sequence[str]:
    if not label.occurs:
        return [NOTHING] * 3
    cells = zip(("precision", "recall", "f1"), _measure_cells(label.measures), strict=True)
    return [cell + UNDEFINED if name in label.undefined else cell for name, cell in cells]


def _measure_cells(measures: Measures) -> Sequence[str]:
    return [percent(share) for share in (measures.precision, measures.recall, measures.f1)]


def _label_notes(row: LearnerResult) -> list[str]:
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
