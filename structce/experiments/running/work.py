"""The units of a split: which there are, in two waves, and how each is found or done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from structce.experiments.asking.spec import Arm, Experiment, Learners, Parameters
from structce.experiments.finding.trials import Point
from structce.experiments.running.bench import Bench
from structce.experiments.running.engines import Engine
from structce.experiments.running.fitting import can_calibrate
from structce.experiments.running.store import Store, key_of, source_digest
from structce.experiments.running.studies import Question
from structce.experiments.running.units import Outcome, Raised, Step, Task, Tested, Tuned


class Bar(Protocol):
    """A progress bar."""

    def update(self, n: float = 1) -> object:
        """Go on by some units."""

    def set_description(self, desc: str | None = None) -> object:
        """Say what is under way."""


def is_tuned(arm: Arm, learners: Learners) -> bool:
    """Return whether an arm is fitted on the training pages alone: to choose, or to calibrate."""
    return len(arm.points) > 1 or can_calibrate(learners[arm.learner])


def count_units(experiment: Experiment, learners: Learners) -> int:
    """Return the number of units of one split."""
    n_tests = _count_tests(experiment)
    points = (len(arm.points) if is_tuned(arm, learners) else 0 for arm in experiment.arms)
    return sum(points) + n_tests * len(experiment.arms)


def partial_shares(experiment: Experiment) -> tuple[float, ...]:
    """Return the shares of the learning curve; that of all pages is tested anyway."""
    return tuple(dict.fromkeys(one for one in experiment.learning_curve if one < 1))


@dataclass(frozen=True)
class Work:
    """What it takes to do the units of a study."""

    experiment: Experiment
    question: Question
    learners: Learners
    engine: Engine
    store: Store
    bar: Bar

    def do(self, bench: Bench) -> None:
        """Do all units of a split: first those that tune, then those that test.

        An arm none of whose points could be fitted is not tested.
        """
        arms = self.experiment.arms
        self._wave(bench, [task for arm in arms for task in self._tuning(arm, bench)])
        tests: list[Task] = []
        for arm in arms:
            best = best_point(bench.of(arm.name, "tune"))
            if best is not None or not is_tuned(arm, self.learners):
                tests += self._testing(arm, bench, best)
            else:
                self.bar.update(_count_tests(self.experiment))
        self._wave(bench, tests)

    def _tuning(self, arm: Arm, bench: Bench) -> Iterator[Task]:
        if is_tuned(arm, self.learners):
            for parameters in arm.points:
                yield self._task(arm, bench, parameters, "tune")

    def _testing(self, arm: Arm, bench: Bench, best: Point | None) -> Iterator[Task]:
        parameters = best.parameters if best else arm.points[0]
        whole = self._task(arm, bench, parameters, "test")
        yield replace(whole, temperature=best.temperature if best else None)
        for variant in self.experiment.variants:
            yield replace(whole, part=str(variant))
        for share in partial_shares(self.experiment):
            yield replace(whole, share=share, pages=bench.parts.share(share))

    def _task(self, arm: Arm, bench: Bench, parameters: Parameters, step: Step) -> Task:
        return Task(
            study=self.question.name,
            split=bench.number,
            arm=arm.name,
            learner=arm.learner,
            parameters=parameters,
            step=step,
            seed=self.experiment.seed,
            measure=self.experiment.measure,
        )

    def _wave(self, bench: Bench, tasks: Sequence[Task]) -> None:
        """Find what is kept, and do the rest; keep each outcome as it comes."""
        found: dict[int, Outcome] = {}
        for i, task in enumerate(tasks):
            kept = self._kept(bench, task)
            if kept is not None:
                found[i] = kept
                self.bar.update()
        missing = [i for i in range(len(tasks)) if i not in found]
        for i, outcome in self._done(bench, [tasks[i] for i in missing]):
            found[missing[i]] = outcome
        bench.outcomes += [(task, found[i]) for i, task in enumerate(tasks)]

    def _kept(self, bench: Bench, task: Task) -> Outcome | None:
        key = self._key(bench, task)
        if task.step == "tune":
            return self.store.read(key, Tuned)
        return self.store.read(key, Tested)

    def _done(self, bench: Bench, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        if not tasks:
            return
        self.bar.set_description(tasks[0].arm)
        makes = [self.learners[task.learner] for task in tasks]
        for i, outcome in self.engine.work(tasks, makes, bench.data):
            if not isinstance(outcome, Raised):
                self.store.write(self._key(bench, tasks[i]), outcome)
            self.bar.set_description(tasks[i].arm)
            self.bar.update()
            yield i, outcome

    def _key(self, bench: Bench, task: Task) -> str:
        """Return what a unit hangs on: not on the names of its arm and study, nor on its number."""
        asked = asdict(replace(task, study="", arm="", split=0))
        make = source_digest(self.learners[task.learner])
        return key_of({"base": bench.base, "make": make, "asked": asked})


def best_point(outcomes: Sequence[tuple[Task, Outcome]]) -> Point | None:
    """Return the point of the highest value; on a tie the first; None if none could be fitted."""
    points = [one.point for _, one in outcomes if isinstance(one, Tuned)]
    return max(points, key=lambda point: point.value, default=None)


def _count_tests(experiment: Experiment) -> int:
    return 1 + len(experiment.variants) + len(partial_shares(experiment))
