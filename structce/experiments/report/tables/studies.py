"""Tables of ablations, learning curves, tuning, calibration and failures, and over studies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from structce.evaluation import LEVEL, Scores
from structce.experiments.report.tables.base import (
    DASH,
    Table,
    measure_words,
    number_range,
    p_value,
    p_words,
    parameters_text,
    percent,
    percent_interval,
    percentage_points,
    short_number,
    training_warnings,
    without_line_breaks,
)
from structce.experiments.report.tables.scores import (
    failed_jobs,
    failures_by_kind,
    pair_words,
    reversed_pair,
    significance_marks,
)
from structce.experiments.results import (
    Ablation,
    CandidateResult,
    Comparison,
    Cost,
    Diagnostics,
    LearnerResult,
    Ranking,
    Report,
    Study,
    TrainingRecord,
)
from structce.experiments.significance import CERTAIN_RULE

_CONTRAST_WORDS = {"by": "split", "corpus": "corpus", "renderer": "renderer"}
"""Words for the setting in which two studies of a contrast differ."""


def study_table(report: Report) -> Table:
    """Return one row per learner and one column per study: macro F1 over all labels."""
    studies = tuple(study.name for study in report.studies)
    rows: dict[str, dict[str, str]] = {}
    for study in report.studies:
        for candidate in study.candidates:
            score = percent(candidate.row.scores.macro_f1)
            rows.setdefault(candidate.name, {})[study.name] = score
    return Table(
        title="Macro F1 of every learner in every study, in per cent",
        headers=("Learner", *studies),
        rows=tuple(
            (name, *(scores.get(study, DASH) for study in studies)) for name, scores in rows.items()
        ),
        highest=studies,
    )


def contrast_table(report: Report) -> Table:
    """Return one row for each learner in two studies that differ in one setting."""
    return Table.of(
        "One learner in two studies that differ in one thing: macro F1, in per cent",
        report.contrasts,
        ("Learner", lambda contrast: contrast.candidate),
        ("Differs in", lambda contrast: _CONTRAST_WORDS.get(contrast.what, contrast.what)),
        ("First", lambda contrast: contrast.first),
        ("Second", lambda contrast: contrast.second),
        ("Macro F1 first", lambda contrast: percent(contrast.values[0])),
        ("Macro F1 second", lambda contrast: percent(contrast.values[1])),
        ("Change", lambda contrast: percentage_points(contrast.values[1] - contrast.values[0])),
        (
            "Accuracy of a page, change",
            lambda contrast: pair_words(reversed_pair(contrast.pair)) if contrast.pair else DASH,
        ),
        notes=(
            "Changes are second minus first, in points. The last column compares the pages that "
            "both studies tested: mean difference in points, 95 per cent interval from resampling "
            "whole sites, and Wilcoxon's test; a dash where other pages were tested.",
        ),
        n_names=4,
    )


def ranking_table(ranking: Ranking) -> Table:
    """Return one row per learner, the best first, with Nemenyi's p-values against the others."""
    names = sorted(ranking.ranks, key=lambda name: ranking.ranks[name])
    others = names if ranking.p_pairs else []

    def nemenyi(name: str, other: str) -> str:
        p = ranking.p_pairs.get(name, {}).get(other)
        return DASH if p is None or name == other else p_value(p)

    rows = [
        (name, f"{ranking.ranks[name]:.2f}", *(nemenyi(name, other) for other in others))
        for name in names
    ]
    measure = measure_words(ranking.measure)
    return Table(
        title=f"Mean ranks over {len(ranking.studies)} studies by {measure}; 1 is best",
        headers=("Learner", "Mean rank", *(f"p {name}" for name in others)),
        rows=tuple(rows),
        notes=tuple(_ranking_notes(ranking)),
    )


def _ranking_notes(ranking: Ranking) -> list[str]:
    notes = [f"Studies: {', '.join(ranking.studies)}."]
    if ranking.p_friedman is None:
        return [*notes, "Too few learners or studies to test whether the ranks differ by chance."]
    notes.append(f"Friedman's test that the ranks differ by chance alone: "
                 f"{p_words(ranking.p_friedman)}.")  # fmt: skip
    if ranking.critical_difference is not None:
        notes.append(
            f"Nemenyi's test: mean ranks differ at the 0.05 level if they are "
            f"{ranking.critical_difference:.2f} or more apart."
        )
    return notes


def ablation_table(study: Study, candidate: CandidateResult) -> Table:
    """Return one row for all features, each family left out, and each family alone.

    No rows without an ablation. Yao and Zuo (2013), Figures 2 and 3, compare sets of features in
    the same way, by the F1 of one learner; leaving out one family at a time is an addition.
    """
    parts = [ablation for ablation in study.ablations if ablation.candidate == candidate.name]
    rows: list[tuple[str, Scores, Comparison | None, Sequence[int]]] = [
        (ablation.name, ablation.row.scores, ablation.pair, ablation.n_columns)
        for ablation in parts
    ]
    if parts:
        n_columns = [split.n_columns for split in study.splits]
        rows.insert(0, ("all", candidate.row.scores, None, n_columns))
    return Table.of(
        f"{study.name}: families of features, {candidate.name}, in per cent",
        rows,
        ("Features", lambda row: row[0]),
        ("Macro F1", lambda row: percent(row[1].macro_f1)),
        ("Change", lambda row: percentage_points(row[2].macro_difference) if row[2] else DASH),
        ("Macro F1 fg", lambda row: percent(row[1].macro_f1_foreground)),
        ("Accuracy", lambda row: percent(row[1].accuracy)),
        ("", lambda row: significance_marks(row[2])),
        ("Accuracy of a page, minus all", lambda row: pair_words(row[2]) if row[2] else DASH),
        ("Columns", lambda row: f"{fmean(row[3]):.0f}" if row[3] else DASH),
        notes=tuple(_ablation_table_notes(parts)),
    )


def ablation_notes(study: Study) -> tuple[str, ...]:
    """Return the notes that the tables of an ablation share; empty without an ablation."""
    if not study.ablations:
        return ()
    of_splits = " (mean of splits)" if len(study.splits) > 1 else ""
    return (
        "Every row is fitted at the hyper-parameters that were chosen with all features; nothing "
        "was tuned again, which favours all.",
        f"* differs from all: Wilcoxon matched-pairs signed-ranks test over the accuracies of test "
        f"pages, p at most {LEVEL}; ‡ {CERTAIN_RULE}; the interval is of macro F1. In brackets: "
        "95 per cent interval, from resampling whole sites.",
        f"Change: of macro F1, in points. Columns{of_splits} count the bias, which all have.",
    )


def learning_table(study: Study) -> Table:
    """Return one row for each share of the training pages; no rows without a learning curve.

    The last row of a learner, with all pages, repeats Table 2.
    """
    sizes = [len(split.train.pages) + len(split.validation.pages) for split in study.splits]
    rows: list[tuple[str, float, float, LearnerResult]] = []
    for candidate in study.candidates:
        own = [point for point in study.learning if point.candidate == candidate.name]
        rows += [(candidate.name, point.share, point.n_pages, point.row) for point in own]
        if own and max(point.share for point in own) < 1:
            rows.append((candidate.name, 1.0, fmean(sizes or [0]), candidate.row))
    return Table.of(
        f"{study.name}: with fewer training pages, in per cent",
        rows,
        ("Learner", lambda row: row[0]),
        ("Share", lambda row: f"{100 * row[1]:.0f}"),
        ("Pages", lambda row: f"{row[2]:.0f}"),
        ("Macro F1", lambda row: percent(row[3].scores.macro_f1)),
        ("Between", lambda row: percent_interval(row[3].intervals.get("macro_f1"))),
        ("Macro F1 fg", lambda row: percent(row[3].scores.macro_f1_foreground)),
        ("Accuracy", lambda row: percent(row[3].scores.accuracy)),
        notes=(
            "Share: of the training and validation sites (of pages, in a split by page), in per "
            "cent. Hyper-parameters are those of all pages. Between: 95 per cent interval of macro "
            "F1, from resampling whole sites.",
        ),
    )


def _ablation_table_notes(parts: Sequence[Ablation]) -> list[str]:
    """Return notes on families without columns, and warnings while training."""
    notes, warned = [], []
    for ablation in parts:
        if ablation.kind == "only" and max(ablation.n_columns, default=0) <= 1:
            notes.append(f"The family {ablation.family} gave no column on these pages.")
        warned += [f"{ablation.name}: {text}" for text in training_warnings(ablation.row)]
    return [*notes, f"Warned: {'; '.join(warned)}."] if warned else notes


def tuning_table(study: Study, costs: Sequence[Cost] = (), *, refit: bool = True) -> Table:
    """Return one row for each learner and split: what was chosen, where it stopped, what it took.

    Costs of other studies and of parts of the features or pages are ignored.
    """
    fitted = (
        "what was chosen was fitted again on training and validation pages"
        if refit
        else "what was chosen was tested as fitted on the training pages, so Training s may be "
        "part of Tuning s"
    )
    spent: dict[tuple[str, int], list[Cost]] = defaultdict(list)
    for cost in costs:
        if cost.study == study.name and not cost.part:
            spent[cost.candidate, cost.split].append(cost)
    rows = [
        (candidate.name, trial, spent[candidate.name, trial.split])
        for candidate in study.candidates
        for trial in candidate.row.trials
    ]
    return Table.of(
        f"{study.name}: what was chosen, and what it took",
        rows,
        ("Learner", lambda row: row[0]),
        ("Split", lambda row: str(row[1].split + 1)),
        ("Chosen", lambda row: parameters_text(row[1].parameters)),
        ("On validation", lambda row: _chosen_score(row[1])),
        ("Objective (gap)", lambda row: _objective_and_gap(row[1].stop)),
        ("Passes", lambda row: short_number(n_passes(row[1].stop))),
        ("Temperature", lambda row: number_range([row[1].temperature])),
        ("Tuning s", lambda row: _seconds(row[2], "tuning")),
        ("Training s", lambda row: _seconds(row[2], "training")),
        ("Prediction s", lambda row: _seconds(row[2], "prediction")),
        ("Memory MB", lambda row: _most_memory(row[2])),
        notes=(
            f"On validation: the measure that the experiment chooses by, in per cent; {fitted}. "
            "Objective: regularised loss, a mean over pages. Gap: how near the optimum it stopped, "
            "the relative duality gap of an SVM, the norm of the gradient of a CRF. Seconds of "
            "wall clock; memory beyond what the process had before. These two alone differ from "
            "run to run.",
        ),
        n_names=3,
    )


def _chosen_score(trial: TrainingRecord) -> str:
    chosen = [point.value for point in trial.points if point.parameters == trial.parameters]
    return percent(chosen[0]) if chosen else DASH


def _seconds(costs: Sequence[Cost], step: str) -> str:
    seconds = [cost.seconds for cost in costs if cost.step == step]
    return f"{sum(seconds):.1f}" if seconds else DASH


def _most_memory(costs: Sequence[Cost]) -> str:
    memory = [cost.megabytes for cost in costs if cost.megabytes is not None]
    return f"{max(memory):.0f}" if memory else DASH


def grid_table(study: Study, candidate: CandidateResult) -> Table:
    """Return every grid point of a learner, split by split; no rows without a grid."""
    return Table.of(
        f"{study.name}: {candidate.name}, every point of its grid",
        [(trial, point) for trial in candidate.row.trials for point in trial.points],
        ("Split", lambda row: str(row[0].split + 1)),
        ("Hyper-parameters", lambda row: parameters_text(row[1].parameters)),
        ("On validation", lambda row: percent(row[1].value)),
        ("Gap or gradient", lambda row: short_number(distance_to_optimum(row[1].stop))),
        ("Passes", lambda row: short_number(n_passes(row[1].stop))),
        ("", lambda row: "chosen" if row[0].parameters == row[1].parameters else ""),
        n_names=2,
    )


def calibration_table(study: Study) -> Table:
    """Return calibration errors and temperatures, one row per learner with confidences."""
    return Table.of(
        f"{study.name}: confidence before and after calibration on the validation pages",
        [(learner, learner.calibration) for learner in study.candidates if learner.calibration],
        ("Learner", lambda row: row[0].name),
        ("Error", lambda row: f"{row[1].before.error:.4f}"),
        ("Error after", lambda row: f"{row[1].after.error:.4f}"),
        ("Brier", lambda row: f"{row[1].before.brier:.4f}"),
        ("Brier after", lambda row: f"{row[1].after.brier:.4f}"),
        ("Temperature", lambda row: number_range(trial.temperature for trial in row[0].row.trials)),
        notes=(
            "Error: expected calibration error, mean distance of confidence from the share of "
            "right labels; at best 0, as is the Brier score.",
        ),
    )


def failure_table(study: Study) -> Table:
    """Return one row for each learner and kind of error."""
    return Table.of(
        f"{study.name}: what failed",
        failures_by_kind(study.failures),
        ("Learner", lambda jobs: jobs[0].candidate),
        ("What was done", failed_jobs),
        ("Error", lambda jobs: without_line_breaks(jobs[0].error)),
        ("Jobs", lambda jobs: str(len(jobs))),
        n_names=3,
    )


def _objective_and_gap(stop: Diagnostics) -> str:
    return f"{short_number(stop.get('objective'))} ({short_number(distance_to_optimum(stop))})"


def distance_to_optimum(stop: Diagnostics) -> float | None:
    """Return the gap at which a solver stopped, else the norm of its gradient."""
    return stop.get("gap", stop.get("gradient_norm"))


def n_passes(stop: Diagnostics) -> float | None:
    """Return the epochs of a solver, else its iterations."""
    return stop.get("n_epochs", stop.get("n_iterations"))
