"""Backends that run jobs: this process, processes of this machine, or a Ray cluster."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from types import ModuleType
from typing import TYPE_CHECKING, Literal, cast, get_args

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

from structce.errors import ExperimentError, LearnerError
from structce.experiments.fit import BestModels, run_job
from structce.experiments.job import EncodedSplit, Failure, Job, JobOutcome
from structce.extras import check_extras
from structce.labelling import LearnerFactory

if TYPE_CHECKING:
    import ray

BackendName = Literal["local", "ray"]

BACKENDS: tuple[str, ...] = get_args(BackendName)

ENDED = "the process that did it has ended, killed or out of memory; try fewer jobs"


@dataclass(frozen=True)
class Backend:
    """Where jobs run, and how many at once.

    Parameters
    ----------
    name
        ``local``: this machine. ``ray``: the cluster named by ``RAY_ADDRESS``, or else one that is
        started on this machine.
    n_jobs
        Number of parallel jobs, at least 1; -1 for one per processor (of the cluster). Scores do
        not depend on it.
    """

    name: BackendName = "local"
    n_jobs: int = 1

    def __post_init__(self) -> None:
        if self.name not in BACKENDS:
            raise ExperimentError(f"engine {self.name!r}; expected one of {', '.join(BACKENDS)}")
        if self.n_jobs < 1 and self.n_jobs != -1:
            raise ExperimentError(f"{self.n_jobs} jobs; expected 1 or more, or -1")

    def run(
        self,
        jobs: Sequence[Job],
        factories: Sequence[LearnerFactory],
        data: EncodedSplit,
        best: BestModels | None = None,
    ) -> Iterator[tuple[int, JobOutcome]]:
        """Yield the number of each job and its outcome, in the order in which they finish.

        There is one factory per job. The best models, see :func:`structce.experiments.fit.run_job`,
        are used only if jobs run one by one in this process: they are not sent to others.
        """
        if self.name == "local" and self.n_jobs == 1:
            pairs = zip(jobs, factories, strict=True)
            yield from ((i, run_job(*pair, data, best)) for i, pair in enumerate(pairs))
            return
        references = [LearnerReference.of(factory) for factory in factories]
        calls = dict(enumerate(zip(jobs, references, strict=True)))
        run = run_on_ray if self.name == "ray" else run_in_processes
        yield from run(calls, data, self.n_jobs)


LOCAL = Backend()


@dataclass(frozen=True)
class LearnerReference:
    """Reference to a factory of learners that other processes can load.

    A class in a user's file cannot be imported by its name elsewhere, so its file is named instead
    and ``factory`` is None; on a cluster the file must have the same path on every machine.
    """

    factory: LearnerFactory | None
    module: str = ""
    name: str = ""
    file: str = ""

    @classmethod
    def of(cls, factory: LearnerFactory) -> LearnerReference:
        """Return the reference to a factory of learners."""
        if isinstance(factory, partial):
            return cls(factory)
        module, name = factory.__module__, factory.__qualname__
        known: object = sys.modules.get(module)
        for step in name.split("."):
            known = getattr(known, step, None)
        if module.split(".")[0] in ("structce", "__main__") or known is not factory:
            return cls(factory)
        try:
            file = inspect.getsourcefile(factory) or ""
        except TypeError:  # its module has no file
            file = ""
        return cls(None, module, name, file)

    def run(self, job: Job, data: EncodedSplit) -> JobOutcome:
        """Return the outcome of a job; a learner that cannot be loaded is an outcome, too."""
        try:
            factory = self.factory or self._load()
        except Exception as error:  # any error in a user's file is one failed row
            reason = f"{type(error).__name__}: {error}"
            return Failure(f"LearnerError: {self.module}.{self.name} cannot be loaded: {reason}")
        return run_job(job, factory, data)

    def _load(self) -> LearnerFactory:
        module = sys.modules.get(self.module) or self._load_module()
        factory = reduce(getattr, self.name.split("."), cast(object, module))
        if not callable(factory):
            message = "it is not callable; expected a class or function that makes learners"
            raise LearnerError(message)
        return cast(LearnerFactory, factory)

    def _load_module(self) -> ModuleType:
        spec = importlib.util.spec_from_file_location(self.module, self.file)
        if spec is None or spec.loader is None:
            return importlib.import_module(self.module)
        module = importlib.util.module_from_spec(spec)
        sys.modules[self.module] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[self.module]
            raise
        return module


Calls = dict[int, tuple[Job, LearnerReference]]  # jobs by number, each with its learner


def run_in_processes(
    calls: Calls, data: EncodedSplit, n_jobs: int
) -> Iterator[tuple[int, JobOutcome]]:
    """Yield outcomes from processes of this machine; one that ends costs its job alone.

    Large arrays are shared in memory.
    """
    left = dict(calls)
    while left:
        try:
            for i, outcome in _parallel(dict(left), data, n_jobs):
                del left[i]
                yield i, outcome
        except BrokenProcessPool:  # by a running job: each is run alone to find out which
            for i in list(left)[: 2 * effective_n_jobs(n_jobs)]:
                yield i, _alone(i, left.pop(i), data)


def _alone(i: int, call: tuple[Job, LearnerReference], data: EncodedSplit) -> JobOutcome:
    try:
        ((_, outcome),) = _parallel({i: call}, data, 2)
    except TerminatedWorkerError:
        return Failure(ENDED)
    except BrokenProcessPool as error:
        return Failure(f"LearnerError: {error}")
    return outcome


def _parallel(calls: Calls, data: EncodedSplit, n_jobs: int) -> Iterator[tuple[int, JobOutcome]]:
    with parallel_config(backend="loky", n_jobs=n_jobs, inner_max_num_threads=1):
        parallel = Parallel(return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(_numbered)(i, *call, data) for i, call in calls.items())


def _numbered(
    i: int, job: Job, learner: LearnerReference, data: EncodedSplit
) -> tuple[int, JobOutcome]:
    return i, learner.run(job, data)


def run_on_ray(calls: Calls, data: EncodedSplit, n_jobs: int) -> Iterator[tuple[int, JobOutcome]]:
    """Yield outcomes from a Ray cluster, in the order in which the jobs finish.

    The data is put into the cluster once, and shared in memory on each machine. Ray's backend for
    joblib would hand over the first outcome after the last job, and send the data with every job.
    """
    check_extras(("ray",), "engine 'ray'", "ray")
    import ray

    if not ray.is_initialized():  # joins the named cluster, or starts a local one
        address = os.environ.get("RAY_ADDRESS")
        ray.init(
            address=address,
            num_cpus=None if address or n_jobs == -1 else n_jobs,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    most = int(resources["CPU"]) if n_jobs == -1 else n_jobs
    run, shared = ray.remote(max_retries=1)(_numbered), ray.put(data)
    waiting = list(calls.items())[::-1]
    running: dict[ray.ObjectRef[tuple[int, JobOutcome]], int] = {}
    try:
        while waiting or running:
            while waiting and len(running) < most:
                i, call = waiting.pop()
                running[run.remote(i, *call, shared)] = i
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            i = running.pop(done)
            try:
                _, outcome = ray.get(done)
            except ray.exceptions.RayError as error:
                outcome = Failure(f"{type(error).__name__}: {str(error).splitlines()[0]}")
            yield i, outcome
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
