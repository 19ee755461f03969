"""One split of a study: its columns, its matrices once something asks for them, its outcomes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from structce.corpus import Corpus
from structce.experiments.backends import Backend
from structce.experiments.cache import Cache, cache_key, code_digest, source_digest
from structce.experiments.config import Candidate, Experiment, Learners, Parameters
from structce.experiments.fit import Meter, can_calibrate
from structce.experiments.job import (
    ColumnCounts,
    EncodedSplit,
    Failure,
    Job,
    JobOutcome,
    JobStep,
    ResourceUse,
    TestResult,
    Trial,
    encode_split,
)
from structce.experiments.results import GridPoint, PartRecord, SplitRecord
from structce.experiments.splits import SplitPages, StudyPlan
from structce.features import REGISTRY, FeatureSet
from structce.snapshot import pack_page


@dataclass(frozen=True)
class SplitData:
    """What all splits of a study stand on.

    Parameters
    ----------
    features
        One feature set, fitted anew on each split: it describes each page once.
    digests
        SHA-256 over everything that a page holds, and its labels, by page.
    code
        SHA-256 over the code that does the units; see :func:`code_digest`.
    """

    experiment: Experiment
    features: FeatureSet
    store: Cache
    digests: Mapping[str, str]
    code: str

    @classmethod
    def of(
        cls, experiment: Experiment, features: FeatureSet, store: Cache, corpus: Corpus
    ) -> SplitData:
        """Return the ground of a corpus, all its pages and the code looked at once."""
        digests = {
            page.id: hashlib.sha256(page.digest.encode() + pack_page(page.page)).hexdigest()
            for page in corpus
        }
        return cls(experiment, features, store, digests, code_digest())

    def base(self, parts: SplitPages) -> str:
        """Return what all units of a split hang on, as a digest."""
        label_set = parts.train.label_set
        return cache_key(
            {
                "code": self.code,
                "labels": [list(label_set.names), label_set.background],
                "pages": [
                    [self.digests[page.id] for page in part]
                    for part in (parts.train, parts.validation, parts.test)
                ],
                # What recurs on a site is counted over pages of all parts, and of none.
                "corpus": sorted(self.digests.values()) if self.features.needs_sites else [],
                "features": [
                    self.experiment.min_count,
                    self.experiment.min_pages,
                    {name: source_digest(REGISTRY[name].compute) for name in self.features.names},
                ],
            }
        )


class SplitRun:
    """One split of a study, before its units are done and after.

    Attributes
    ----------
    number
        From 0.
    base
        What all its units hang on, as a digest.
    outcomes
        Of every unit that was done, in the order of its tasks.
    """

    def __init__(self, number: int, parts: SplitPages, ground: SplitData) -> None:
        self.number = number
        self.parts = parts
        self.outcomes: list[tuple[Job, JobOutcome]] = []
        self.base = ground.base(parts)
        self._ground = ground
        self._data: EncodedSplit | None = None
        self._columns: ColumnCounts | None = None

    @property
    def data(self) -> EncodedSplit:
        """The matrices of the split, made when they are asked for first."""
        if self._data is None:
            self._data, found = self._encode()
            self._columns = self._columns or self._kept() or self._keep(found)
        return self._data

    @property
    def columns(self) -> ColumnCounts:
        """What the training pages gave; read where it is kept, so that nothing is encoded."""
        self._columns = self._columns or self._kept()
        if self._columns is None:
            self._data, found = self._encode()
            self._columns = self._keep(found)
        return self._columns

    def _kept(self) -> ColumnCounts | None:
        return self._ground.store.read(self._columns_key, ColumnCounts)

    def _keep(self, found: ColumnCounts) -> ColumnCounts:
        self._ground.store.write(self._columns_key, found)
        return found

    def _encode(self) -> tuple[EncodedSplit, ColumnCounts]:
        parts = self.parts
        with Meter() as meter:
            data = encode_split(self._ground.features, parts.train, parts.validation, parts.test)
        counts = {
            str(one): len(one.places(data.columns)) for one in self._ground.experiment.variants
        }
        return data, ColumnCounts(
            len(data.columns), ResourceUse(meter.seconds, meter.megabytes), counts
        )

    @property
    def split(self) -> SplitRecord:
        """Which pages served for what."""
        parts = self.parts
        train, validation, test = map(PartRecord.of, (parts.train, parts.validation, parts.test))
        return SplitRecord(parts.seed, train, validation, test, self.columns.n_columns)

    def of(self, arm: str, step: JobStep) -> list[tuple[Job, JobOutcome]]:
        """Return what came of the units of an arm that tune, or test."""
        return [one for one in self.outcomes if (one[0].arm, one[0].step) == (arm, step)]

    def forget(self) -> None:
        """Let the matrices go; the outcomes stay."""
        self._data = None

    @property
    def _columns_key(self) -> str:
        return cache_key(
            {"base": self.base, "columns": [str(one) for one in self._ground.experiment.variants]}
        )


class ProgressBar(Protocol):
    """A progress bar."""

    def update(self, n: float = 1) -> object:
        """Go on by some units."""

    def set_description(self, desc: str | None = None) -> object:
        """Say what is under way."""


def is_tuned(arm: Candidate, learners: Learners) -> bool:
    """Return whether an arm is fitted on the training pages alone: to choose, or to calibrate."""
    return len(arm.points) > 1 or can_calibrate(learners[arm.learner])


def count_jobs(experiment: Experiment, learners: Learners) -> int:
    """Return the number of units of one split."""
    n_tests = _count_tests(experiment)
    points = (len(arm.points) if is_tuned(arm, learners) else 0 for arm in experiment.arms)
    return sum(points) + n_tests * len(experiment.arms)


def partial_shares(experiment: Experiment) -> tuple[float, ...]:
    """Return the shares of the learning curve; that of all pages is tested anyway."""
    return tuple(dict.fromkeys(one for one in experiment.learning_curve if one < 1))


@dataclass(frozen=True)
class Schedule:
    """What it takes to do the units of a study."""

    experiment: Experiment
    question: StudyPlan
    learners: Learners
    engine: Backend
    store: Cache
    bar: ProgressBar

    def do(self, bench: SplitRun) -> None:
        """Do all units of a split: first those that tune, then those that test.

        An arm none of whose points could be fitted is not tested.
        """
        arms = self.experiment.arms
        self._wave(bench, [task for arm in arms for task in self._tuning(arm, bench)])
        tests: list[Job] = []
        for arm in arms:
            best = best_point(bench.of(arm.name, "tune"))
            if best is not None or not is_tuned(arm, self.learners):
                tests += self._testing(arm, bench, best)
            else:
                self.bar.update(_count_tests(self.experiment))
        self._wave(bench, tests)

    def _tuning(self, arm: Candidate, bench: SplitRun) -> Iterator[Job]:
        if is_tuned(arm, self.learners):
            for parameters in arm.points:
                yield self._task(arm, bench, parameters, "tune")

    def _testing(self, arm: Candidate, bench: SplitRun, best: GridPoint | None) -> Iterator[Job]:
        parameters = best.parameters if best else arm.points[0]
        whole = self._task(arm, bench, parameters, "test")
        yield replace(whole, temperature=best.temperature if best else None)
        for variant in self.experiment.variants:
            yield replace(whole, part=str(variant))
        for share in partial_shares(self.experiment):
            yield replace(whole, share=share, pages=bench.parts.share(share))

    def _task(self, arm: Candidate, bench: SplitRun, parameters: Parameters, step: JobStep) -> Job:
        return Job(
            study=self.question.name,
            split=bench.number,
            arm=arm.name,
            learner=arm.learner,
            parameters=parameters,
            step=step,
            seed=self.experiment.seed,
            measure=self.experiment.measure,
        )

    def _wave(self, bench: SplitRun, tasks: Sequence[Job]) -> None:
        """Find what is kept, and do the rest; keep each outcome as it comes."""
        found: dict[int, JobOutcome] = {}
        for i, task in enumerate(tasks):
            kept = self._kept(bench, task)
            if kept is not None:
                found[i] = kept
                self.bar.update()
        missing = [i for i in range(len(tasks)) if i not in found]
        for i, outcome in self._done(bench, [tasks[i] for i in missing]):
            found[missing[i]] = outcome
        bench.outcomes += [(task, found[i]) for i, task in enumerate(tasks)]

    def _kept(self, bench: SplitRun, task: Job) -> JobOutcome | None:
        key = self._key(bench, task)
        if task.step == "tune":
            return self.store.read(key, Trial)
        return self.store.read(key, TestResult)

    def _done(self, bench: SplitRun, tasks: Sequence[Job]) -> Iterator[tuple[int, JobOutcome]]:
        if not tasks:
            return
        self.bar.set_description(tasks[0].arm)
        makes = [self.learners[task.learner] for task in tasks]
        for i, outcome in self.engine.work(tasks, makes, bench.data):
            if not isinstance(outcome, Failure):
                self.store.write(self._key(bench, tasks[i]), outcome)
            self.bar.set_description(tasks[i].arm)
            self.bar.update()
            yield i, outcome

    def _key(self, bench: SplitRun, task: Job) -> str:
        """Return what a unit hangs on: not on the names of its arm and study, nor on its number."""
        asked = asdict(replace(task, study="", arm="", split=0))
        make = source_digest(self.learners[task.learner])
        return cache_key({"base": bench.base, "make": make, "asked": asked})


def best_point(outcomes: Sequence[tuple[Job, JobOutcome]]) -> GridPoint | None:
    """Return the point of the highest value; on a tie the first; None if none could be fitted."""
    points = [one.point for _, one in outcomes if isinstance(one, Trial)]
    return max(points, key=lambda point: point.value, default=None)


def _count_tests(experiment: Experiment) -> int:
    return 1 + len(experiment.variants) + len(partial_shares(experiment))
