"""What the units of a study took: time and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structce.experiments.finding.report import Cost
from structce.experiments.running.bench import Bench
from structce.experiments.running.units import Spent, Task, Tested, Tuned


def costs_of(study: str, benches: Sequence[Bench]) -> Iterator[Cost]:
    """Yield what every unit of a study took, split by split; first the features of its pages."""
    for bench in benches:
        spent = bench.columns.spent
        yield Cost(study, bench.number, "", "features", spent.seconds, spent.megabytes)
        for task, outcome in bench.outcomes:
            if isinstance(outcome, Tuned):
                yield _cost(task, "tuning", outcome.spent)
            elif isinstance(outcome, Tested):
                yield _cost(task, "training", outcome.training)
                yield _cost(task, "prediction", outcome.prediction)


def _cost(task: Task, step: str, spent: Spent) -> Cost:
    return Cost(
        study=task.study,
        split=task.split,
        arm=task.arm,
        step=step,
        seconds=spent.seconds,
        megabytes=spent.megabytes,
        part=task.part or (f"{100 * task.share:g} % of the sites" if task.share < 1 else ""),
        parameters=task.parameters if step == "tuning" else {},
    )
