"""How learners were tuned, what they took, how sure they are, and what failed."""

from __future__ import annotations

from collections.abc import Sequence

from structce.experiments.asking.names import written_name
from structce.experiments.finding.report import Cost, Study
from structce.experiments.finding.rows import ArmResult, Calibration
from structce.experiments.finding.trials import Numbers, Trial
from structce.experiments.telling.tables.cells import (
    NOTHING,
    number,
    one_line,
    parameters_text,
    percent,
    span,
)
from structce.experiments.telling.tables.table import Table

STEPS = ("tuning", "training", "prediction")


def tuning_table(study: Study, costs: Sequence[Cost] = ()) -> Table:
    """Return one row for each learner and split: what was chosen, where it stopped, what it took.

    Parameters
    ----------
    costs
        Of the report; those of other studies, and of parts, are not looked at.
    """
    spent = [one for one in costs if one.study == study.name and not one.part]
    rows = [
        (arm.name, str(trial.split + 1), parameters_text(trial.parameters), *_stop_cells(trial),
         *_cost_cells([one for one in spent if (one.arm, one.split) == (arm.name, trial.split)]))
        for arm in study.arms
        for trial in arm.row.trials
    ]  # fmt: skip
    return Table(
        title=f"{study.name}: what was chosen, and what it took",
        headers=(
            "Learner",
            "Split",
            "Chosen",
            "On validation",
            "Gap or gradient",
            "Passes",
            "Temperature",
            "Tuning s",
            "Training s",
            "Prediction s",
            "Memory MB",
        ),
        rows=tuple(rows),
        notes=(
            "On validation: the measure that the experiment chooses by, in per cent; what was "
            "chosen was fitted again on training and validation pages. Gap or gradient: how near "
            "the optimum it stopped, the relative duality gap of an SVM, the norm of the gradient "
            "of a CRF. Seconds of wall clock; memory beyond what the process had before. These two "
            "alone differ from run to run.",
            *_edge_notes(study),
        ),
        n_names=3,
    )


def grid_table(study: Study, arm: ArmResult) -> Table:
    """Return every point that was tried for a learner, split by split; no rows without a grid."""
    rows = [
        (str(trial.split + 1), parameters_text(one.parameters), percent(one.value),
         number(nearness(one.stop)), number(passes(one.stop)),
         "chosen" if one.parameters == trial.parameters else "")
        for trial in arm.row.trials
        for one in trial.points
    ]  # fmt: skip
    return Table(
        title=f"{study.name}: {arm.name}, every point of its grid",
        headers=("Split", "Hyper-parameters", "On validation", "Gap or gradient", "Passes", ""),
        rows=tuple(rows),
        n_names=2,
    )


def calibration_table(study: Study) -> Table:
    """Return one row a learner that tells how sure it is: how far that can be believed."""
    rows = [
        (arm.name, *_calibration_cells(arm.calibration), _temperatures(arm))
        for arm in study.arms
        if arm.calibration
    ]
    return Table(
        title=f"{study.name}: confidence before and after calibration on the validation pages",
        headers=("Learner", "Error", "Error after", "Brier", "Brier after", "Temperature"),
        rows=tuple(rows),
        notes=(
            "Error: expected calibration error, mean distance of confidence from the share of "
            "right labels; at best 0, as is the Brier score.",
        )
        if rows
        else (),
    )


def failure_table(study: Study) -> Table:
    """Return one row for each unit that raised; no rows if all is complete."""
    return Table(
        title=f"{study.name}: what failed",
        headers=("Learner", "What was done", "Error"),
        rows=tuple((one.arm, one.unit, one_line(one.error)) for one in study.failures),
        n_names=3,
    )


def nearness(stop: Numbers) -> float | None:
    """Return how near the optimum a solver stopped: its gap, else the norm of its gradient."""
    return stop.get("gap", stop.get("gradient_norm"))


def passes(stop: Numbers) -> float | None:
    """Return how often a solver passed over the pages: its epochs, else its iterations."""
    return stop.get("n_epochs", stop.get("n_iterations"))


def _edge_notes(study: Study) -> list[str]:
    """Return a note on hyper-parameters whose best value may lie outside their grid."""
    found = {
        f"{arm.name} ({written_name(name)} = {trial.parameters[name]})"
        for arm in study.arms
        for trial in arm.row.trials
        for name in trial.parameters
        if _is_at_edge(trial, name)
    }
    if not found:
        return []
    named = ", ".join(sorted(found))
    return [f"Chosen at the edge of the grid, so that a value beyond may be better: {named}."]


def _is_at_edge(trial: Trial, name: str) -> bool:
    """Return whether a number was chosen that is the least or the greatest of those tried."""
    tried = {one.parameters[name] for one in trial.points}
    if len(tried) < 2 or not all(isinstance(one, int | float) for one in tried):
        return False
    return trial.parameters[name] in (min(tried), max(tried))


def _stop_cells(trial: Trial) -> tuple[str, ...]:
    chosen = [one.value for one in trial.points if one.parameters == trial.parameters]
    return (
        percent(chosen[0]) if chosen else NOTHING,
        number(nearness(trial.stop)),
        number(passes(trial.stop)),
        NOTHING if trial.temperature is None else f"{trial.temperature:.3g}",
    )


def _cost_cells(costs: Sequence[Cost]) -> tuple[str, ...]:
    cells = []
    for step in STEPS:
        seconds = [one.seconds for one in costs if one.step == step]
        cells.append(f"{sum(seconds):.1f}" if seconds else NOTHING)
    memory = [one.megabytes for one in costs if one.megabytes is not None]
    return (*cells, f"{max(memory):.0f}" if memory else NOTHING)


def _calibration_cells(found: Calibration) -> Sequence[str]:
    before, after = found.before, found.after
    return [f"{share:.4f}" for share in (before.error, after.error, before.brier, after.brier)]


def _temperatures(arm: ArmResult) -> str:
    """Return the temperature, or the lowest and the highest of all splits."""
    return span(one.temperature for one in arm.row.trials if one.temperature is not None)
