"""Schedule of a study: its splits one by one, the jobs of each in order, and their cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

from structce.corpus import Corpus
from structce.experiments.backends import Backend
from structce.experiments.cache import (
    Cache,
    CacheKey,
    JobBar,
    cache_key,
    code_digest,
    run_missing,
    source_digest,
)
from structce.experiments.config import Candidate, Experiment, Learners, Parameters
from structce.experiments.fit import BestModels, Meter, can_calibrate
from structce.experiments.job import (
    ColumnCounts,
    EncodedSplit,
    Failure,
    Job,
    JobOutcome,
    JobStep,
    TestResult,
    Trial,
    encode_split,
)
from structce.experiments.results import GridPoint, PartRecord, SplitRecord
from structce.experiments.splits import SplitPages, StudyPlan
from structce.features import REGISTRY, FeatureSet
from structce.page import pack_page

_Outcome = TypeVar("_Outcome", Trial, TestResult)

CODE_PATHS = tuple(
    """
    addresses.py arrays.py evaluation/calibration.py evaluation/metrics.py experiments/config.py
    experiments/fit.py experiments/job.py features labelling/training.py labels.py language
    learners neural page
    """.split()
)
"""Code, below the package, that outcomes depend on; a change in it makes all of them stale."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "python-crfsuite")
"""Packages that outcomes depend on; those of other versions are stale."""


@dataclass(frozen=True)
class SplitData:
    """Data that all splits of a study share.

    The one feature set is fitted again on each split: it computes features of each page once. The
    SHA-256 of each page with its labels, and of the code that runs the jobs, are empty without a
    cache.
    """

    experiment: Experiment
    features: FeatureSet
    cache: Cache
    digests: Mapping[str, str]
    code: str

    @classmethod
    def of(
        cls, experiment: Experiment, features: FeatureSet, cache: Cache, corpus: Corpus
    ) -> SplitData:
        """Return the shared data of the splits of a corpus; pages and code are digested once."""
        if cache.folder is None:
            return cls(experiment, features, cache, {}, "")
        digests = {
            page.id: hashlib.sha256(page.digest.encode() + pack_page(page.page)).hexdigest()
            for page in corpus
        }
        return cls(experiment, features, cache, digests, code_digest(CODE_PATHS, LIBRARIES))

    def key(self, pages: SplitPages) -> CacheKey:
        """Return the digest of everything that all jobs of a split depend on."""
        if self.cache.folder is None:
            return ""
        label_set = pages.train.label_set
        return cache_key(
            {
                "code": self.code,
                "labels": [list(label_set.names), label_set.background],
                "pages": [
                    [self.digests[page.id] for page in part]
                    for part in (pages.train, pages.validation, pages.test)
                ],
                # What recurs on a site is counted over pages of all parts, and of none.
                "corpus": sorted(self.digests.values()) if self.features.needs_sites else [],
                "features": [
                    self.experiment.min_count,
                    self.experiment.min_pages,
                    self.features.windows,
                    self.features.strengths,
                    self.experiment.unit_norm,
                    self.experiment.encoding,
                    {name: source_digest(REGISTRY[name].compute) for name in self.features.names},
                ],
            }
        )


class SplitRun:
    """One split of a study: its pages, its matrices (once a job needs them), its outcomes.

    Splits are numbered from 0, and outcomes are in the order of the jobs. For the best fitted model
    of each candidate see :func:`structce.experiments.fit.run_job`.
    """

    def __init__(self, number: int, pages: SplitPages, shared: SplitData) -> None:
        self.number = number
        self.pages = pages
        self.outcomes: list[tuple[Job, JobOutcome]] = []
        self.best: BestModels = {}
        self.key = shared.key(pages)
        self._shared = shared
        self._data: EncodedSplit | None = None
        self._columns: ColumnCounts | None = None

    @property
    def data(self) -> EncodedSplit:
        """The matrices of the split, encoded at the first use."""
        return self._data or self._encode()[0]

    @property
    def columns(self) -> ColumnCounts:
        """The numbers of columns; if they are cached, nothing is encoded."""
        self._columns = self._columns or self._shared.cache.read(self._columns_key, ColumnCounts)
        return self._columns or self._encode()[1]

    @property
    def _columns_key(self) -> CacheKey:
        variants = [str(variant) for variant in self._shared.experiment.variants]
        return cache_key({"base": self.key, "columns": variants})

    def _encode(self) -> tuple[EncodedSplit, ColumnCounts]:
        pages, cache = self.pages, self._shared.cache
        with Meter() as meter:
            data = encode_split(self._shared.features, pages.train, pages.validation, pages.test)
        counts = self._columns or cache.read(self._columns_key, ColumnCounts)
        if counts is None:
            variants = self._shared.experiment.variants
            n_parts = {str(variant): len(variant.places(data.columns)) for variant in variants}
            counts = ColumnCounts(len(data.columns), meter.use, n_parts)
            cache.write(self._columns_key, counts)
        self._data, self._columns = data, counts
        return data, counts

    @property
    def record(self) -> SplitRecord:
        """Record of the split for the report."""
        pages = self.pages
        train, validation, test = map(PartRecord.of, (pages.train, pages.validation, pages.test))
        return SplitRecord(pages.seed, train, validation, test, self.columns.n_columns)

    def finished(self, candidate: str, kind: type[_Outcome]) -> Iterator[tuple[Job, _Outcome]]:
        """Yield the trials or tests of a candidate that did not raise, in the order of its jobs."""
        for job, outcome in self.outcomes:
            if job.candidate == candidate and isinstance(outcome, kind):
                yield job, outcome

    def forget(self) -> None:
        """Release the matrices and models; the outcomes stay."""
        self._data = None
        self.best.clear()


def is_tuned(candidate: Candidate, learners: Learners) -> bool:
    """Return whether a candidate is fitted on the training pages only: to choose or calibrate."""
    return len(candidate.points) > 1 or can_calibrate(learners[candidate.learner])


def count_jobs(experiment: Experiment, learners: Learners) -> int:
    """Return the number of jobs of one split."""
    tuned = (candidate for candidate in experiment.candidates if is_tuned(candidate, learners))
    n_trials = sum(len(candidate.points) for candidate in tuned)
    return n_trials + _count_tests(experiment) * len(experiment.candidates)


def _count_tests(experiment: Experiment) -> int:
    """Return the number of tests of one candidate on one split."""
    return 1 + len(experiment.variants) + len(partial_shares(experiment))


def partial_shares(experiment: Experiment) -> tuple[float, ...]:
    """Return the shares of the learning curve below 1; the full share is tested anyway."""
    return tuple(dict.fromkeys(share for share in experiment.learning_curve if share < 1))


@dataclass(frozen=True)
class Schedule:
    """Jobs of a study, with the backend, cache and progress bar for them."""

    experiment: Experiment
    plan: StudyPlan
    learners: Learners
    backend: Backend
    cache: Cache
    bar: JobBar

    def run(self, split: SplitRun) -> None:
        """Run all jobs of a split: first those that tune, then those that test.

        A candidate without a point that could be fitted is not tested.
        """
        candidates = self.experiment.candidates
        tuned = [candidate for candidate in candidates if is_tuned(candidate, self.learners)]
        trials = [
            self._job(candidate, split, parameters, "tune")
            for candidate in tuned
            for parameters in candidate.points
        ]
        self._run(split, trials, Trial)
        tests: list[Job] = []
        for candidate in candidates:
            points = [trial.point for _, trial in split.finished(candidate.name, Trial)]
            best = max(points, key=lambda point: point.value, default=None)  # on a tie the first
            if best is not None or candidate not in tuned:
                tests += self._testing(candidate, split, best)
            else:
                self.bar.update(_count_tests(self.experiment))
        self._run(split, tests, TestResult)

    def _testing(
        self, candidate: Candidate, split: SplitRun, best: GridPoint | None
    ) -> Iterator[Job]:
        parameters = best.parameters if best else candidate.points[0]
        whole = self._job(candidate, split, parameters, "test")
        yield replace(whole, temperature=best.temperature if best else None)
        for variant in self.experiment.variants:
            yield replace(whole, part=str(variant))
        for share in partial_shares(self.experiment):
            pages = split.pages.share(share, refit=self.experiment.refit)
            yield replace(whole, share=share, pages=pages)

    def _job(
        self, candidate: Candidate, split: SplitRun, parameters: Parameters, step: JobStep
    ) -> Job:
        return Job(
            study=self.plan.name,
            split=split.number,
            candidate=candidate.name,
            learner=candidate.learner,
            parameters=parameters,
            step=step,
            seed=self.experiment.seed,
            measure=self.experiment.measure,
            neighbours=candidate.neighbours,
            refit=self.experiment.refit,
        )

    def _run(self, split: SplitRun, jobs: Sequence[Job], kind: type[Trial | TestResult]) -> None:
        """Run jobs whose outcomes, unless they raise, are of one kind."""

        def run(left: list[tuple[CacheKey, Job]]) -> Iterator[tuple[int, JobOutcome]]:
            missing = [job for _, job in left]
            self.bar.set_description(missing[0].candidate)
            factories = [self.learners[job.learner] for job in missing]
            for i, outcome in self.backend.run(missing, factories, split.data, split.best):
                self.bar.set_description(missing[i].candidate)
                yield i, outcome

        def write(planned: tuple[CacheKey, Job], outcome: JobOutcome) -> None:
            if not isinstance(outcome, Failure):
                self.cache.write(planned[0], outcome)

        planned = [(self._key(split, job), job) for job in jobs]
        outcomes = run_missing(
            planned, run, read=lambda job: self.cache.read(job[0], kind), write=write, bar=self.bar
        )
        split.outcomes += zip(jobs, outcomes, strict=True)

    def _key(self, split: SplitRun, job: Job) -> CacheKey:
        """Return the key of a job, which does not depend on the names of candidate and study."""
        asked = asdict(replace(job, study="", candidate="", split=0))
        make = source_digest(self.learners[job.learner])
        return cache_key({"base": split.key, "make": make, "asked": asked})
