"""What the units of a study took: time and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structce.experiments.finding.report import Cost
from structce.experiments.running.bench import Bench
from structce.experiments.running.units import Spent, Tested, Tuned


def costs_of(study: str, benches: Sequence[Bench]) -> Iterator[Cost]:
    """Yield what every step of a study took, split by split; tuning is the sum over its units."""
    for bench in benches:
        yield _cost(study, bench.number, "", "features", [bench.columns.spent])
        tuning: dict[str, list[Spent]] = {}
        for task, outcome in bench.outcomes:
            if isinstance(outcome, Tuned):
                tuning.setdefault(task.arm, []).append(outcome.spent)
        for arm, spent in tuning.items():
            yield _cost(study, bench.number, arm, "tuning", spent)
        for task, outcome in bench.outcomes:
            if isinstance(outcome, Tested):
                share = f"{100 * task.share:g} % of sites" if task.share < 1 else ""
                part = task.part or share
                for step, one in (
                    ("training", outcome.training),
                    ("prediction", outcome.prediction),
                ):
                    yield _cost(study, bench.number, task.arm, step, [one], part)


def _cost(
    study: str, split: int, arm: str, step: str, spent: Sequence[Spent], part: str = ""
) -> Cost:
    seconds = sum(one.seconds for one in spent)
    return Cost(study, split, arm, step, seconds, max(one.megabytes for one in spent), part)
