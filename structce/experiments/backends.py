"""Backends that run jobs: this process, processes of this machine, or a Ray cluster."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Literal, get_args

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.externals.loky import cloudpickle_wrapper
from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

from structce.errors import ExperimentError
from structce.experiments.fit import EncodedSplit, Job, Outcome, run_job
from structce.extras import check_extras
from structce.labelling import LearnerFactory

if TYPE_CHECKING:
    import ray

BackendName = Literal["local", "ray"]
BACKENDS: tuple[str, ...] = get_args(BackendName)

ENDED = "the process that did it has ended, killed or out of memory; try fewer jobs"

Calls = dict[int, tuple[Job, LearnerFactory]]  # jobs by number, each with its learner


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
        self, jobs: Sequence[Job], factories: Sequence[LearnerFactory], data: EncodedSplit
    ) -> Iterator[tuple[int, Outcome]]:
        """Yield the number of each job and its outcome, in the order in which they finish.

        There is one factory per job.
        """
        calls = dict(enumerate(zip(jobs, factories, strict=True)))
        if self.name == "ray":
            yield from run_on_ray(calls, data, self.n_jobs)
        elif self.n_jobs == 1:
            yield from (_numbered(i, *call, data) for i, call in calls.items())
        else:
            yield from run_in_processes(calls, data, self.n_jobs)


LOCAL = Backend()


def users_modules(calls: Calls) -> set[ModuleType]:
    """Return the modules of learners that other processes cannot import by their names.

    They are those of files of a user; their classes are sent by value.
    """
    names = {getattr(factory, "__module__", "") for _, factory in calls.values()}
    known = names & sys.modules.keys() - {"__main__"}
    return {sys.modules[n] for n in known if PathFinder.find_spec(n.partition(".")[0]) is None}


def _numbered(i: int, job: Job, factory: LearnerFactory, data: EncodedSplit) -> tuple[int, Outcome]:
    return i, run_job(job, factory, data)


def run_in_processes(
    calls: Calls, data: EncodedSplit, n_jobs: int
) -> Iterator[tuple[int, Outcome]]:
    """Yield outcomes from processes of this machine; one that ends costs its job alone.

    Large arrays are shared in memory.
    """
    left = dict(calls)
    pickler = sys.modules[cloudpickle_wrapper.dumps.__module__]  # in joblib, or a package
    for module in users_modules(calls):
        pickler.register_pickle_by_value(module)
    while left:
        try:
            for i, outcome in _parallel(dict(left), data, n_jobs):
                del left[i]
                yield i, outcome
        except BrokenProcessPool:  # by a running job: each is run alone to find out which
            for i in list(left)[: 2 * effective_n_jobs(n_jobs)]:
                try:
                    yield from list(_parallel({i: left.pop(i)}, data, 2))
                except TerminatedWorkerError:
                    yield i, Outcome(error=ENDED)
                except BrokenProcessPool as error:
                    yield i, Outcome(error=f"LearnerError: {error}")


def _parallel(calls: Calls, data: EncodedSplit, n_jobs: int) -> Iterator[tuple[int, Outcome]]:
    with parallel_config(backend="loky", n_jobs=n_jobs, inner_max_num_threads=1):
        parallel = Parallel(return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(_numbered)(i, *call, data) for i, call in calls.items())


def run_on_ray(calls: Calls, data: EncodedSplit, n_jobs: int) -> Iterator[tuple[int, Outcome]]:
    """Yield outcomes from a Ray cluster, in the order in which the jobs finish.

    The data is put into the cluster once, and shared in memory on each machine. Ray's backend for
    joblib would hand over the first outcome after the last job, and send the data with every job.
    """
    check_extras(("ray",), "engine 'ray'", "ray")
    import ray
    from ray import cloudpickle as ray_pickle

    for module in users_modules(calls):
        ray_pickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
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
    running: dict[ray.ObjectRef[tuple[int, Outcome]], int] = {}
    try:
        while waiting or running:
            while waiting and len(running) < most:
                i, call = waiting.pop()
                running[run.remote(i, *call, shared)] = i
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            i = running.pop(done)
            try:
                yield ray.get(done)
            except ray.exceptions.RayError as error:
                name, message = type(error).__name__, str(error).splitlines()[0]
                yield i, Outcome(error=f"{name}: {message}")
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
