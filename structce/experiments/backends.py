"""How another process comes by a learner that a user's file defines."""

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

from structce.errors import ExperimentError, LearnerError, MissingExtraError
from structce.experiments.fit import LearnerFactory, run_job
from structce.experiments.job import EncodedSplit, Failure, Job, JobOutcome


@dataclass(frozen=True)
class LearnerReference:
    """What makes a learner, or where it stands.

    A class of a user's file cannot be imported by its name elsewhere, so its file travels instead;
    on a cluster the file must stand at the same place on every machine.

    Parameters
    ----------
    make
        None for one that is named.
    module, name, file
        Of one that is named.
    """

    make: LearnerFactory | None
    module: str = ""
    name: str = ""
    file: str = ""

    @classmethod
    def of(cls, make: LearnerFactory) -> LearnerReference:
        """Return the recipe of what makes a learner."""
        if isinstance(make, partial):
            return cls(make)
        module, name = make.__module__, make.__qualname__
        is_named = module in sys.modules and module != "__main__" and "<locals>" not in name
        if module.split(".")[0] == "structce" or not is_named:
            return cls(make)
        try:
            file = inspect.getsourcefile(make) or ""
        except TypeError:  # its module has no file
            file = ""
        return cls(None, module, name, file)

    def do(self, task: Job, data: EncodedSplit) -> JobOutcome:
        """Return what comes of a unit; that its learner cannot be brought here is a value, too."""
        try:
            make = self.make or self._found()
        except Exception as error:  # whatever a file of a user raises is one failed row
            why = f"{type(error).__name__}: {error}"
            return Failure(f"LearnerError: {self.module}.{self.name} is not here: {why}")
        return run_job(task, make, data)

    def _found(self) -> LearnerFactory:
        module = sys.modules.get(self.module) or self._loaded()
        found = reduce(getattr, self.name.split("."), cast(object, module))
        if not callable(found):
            raise LearnerError("it makes no learners")
        return cast(LearnerFactory, found)

    def _loaded(self) -> ModuleType:
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


if TYPE_CHECKING:
    import ray


def work_on_ray(
    tasks: Sequence[Job], recipes: Sequence[LearnerReference], data: EncodedSplit, n_jobs: int
) -> Iterator[tuple[int, JobOutcome]]:
    """Yield the number of each task and what comes of it on a Ray cluster, as they are done.

    The data is put into the cluster once, and machines share it in memory. Ray's backend for joblib
    would hand over the first outcome after the last unit, and send the data with every unit.

    Parameters
    ----------
    n_jobs
        Units at once; -1 for as many as the cluster has processors.

    Raises
    ------
    MissingExtraError
        If Ray is not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError(
            "engine 'ray' is not installed; run: pip install 'structce[ray]'"
        ) from error
    _join(n_jobs)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    most = int(resources["CPU"]) if n_jobs == -1 else n_jobs
    work, shared = ray.remote(max_retries=1)(_done), ray.put(data)
    waiting = list(enumerate(zip(tasks, recipes, strict=True)))[::-1]
    running: dict[ray.ObjectRef[JobOutcome], int] = {}
    try:
        while waiting or running:
            while waiting and len(running) < most:
                i, call = waiting.pop()
                running[work.remote(*call, shared)] = i
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            i = running.pop(done)
            yield i, _outcome(done)
    finally:
        for one in running:
            ray.cancel(one, force=True)


def _join(n_jobs: int) -> None:
    """Join the cluster that is named, or start one here."""
    import ray

    if ray.is_initialized():
        return
    address = os.environ.get("RAY_ADDRESS")
    n_cpus = None if address or n_jobs == -1 else n_jobs
    ray.init(
        address=address,
        num_cpus=n_cpus,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )


def _outcome(done: ray.ObjectRef[JobOutcome]) -> JobOutcome:
    import ray

    try:
        outcome: JobOutcome = ray.get(done)
    except ray.exceptions.RayError as error:
        return Failure(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    return outcome


def _done(task: Job, recipe: LearnerReference, data: EncodedSplit) -> JobOutcome:
    return recipe.do(task, data)


Name = Literal["local", "ray"]

BACKENDS: tuple[str, ...] = get_args(Name)

ENDED = "the process that did it has ended, killed or out of memory; try fewer jobs"


@dataclass(frozen=True)
class Backend:
    """Where units are done, and how many at once.

    Parameters
    ----------
    name
        ``local``: this machine. ``ray``: the cluster that ``RAY_ADDRESS`` names, else one that is
        started on this machine.
    n_jobs
        Units at once, at least 1; -1 for one a processor (of the cluster). Numbers do not hang on
        it.

    Raises
    ------
    ExperimentError
        If there is no such engine, or no such number.
    """

    name: Name = "local"
    n_jobs: int = 1

    def __post_init__(self) -> None:
        if self.name not in BACKENDS:
            raise ExperimentError(f"engine {self.name!r}; expected one of {', '.join(BACKENDS)}")
        if self.n_jobs < 1 and self.n_jobs != -1:
            raise ExperimentError(f"{self.n_jobs} jobs; expected 1 or more, or -1")

    def work(
        self, tasks: Sequence[Job], makes: Sequence[LearnerFactory], data: EncodedSplit
    ) -> Iterator[tuple[int, JobOutcome]]:
        """Yield the number of each task and what comes of it, as they are done.

        Parameters
        ----------
        makes
            Makes the learner of each task.

        Raises
        ------
        MissingExtraError
            If the engine is not installed.
        """
        if self.name == "local" and self.n_jobs == 1:
            pairs = zip(tasks, makes, strict=True)
            yield from ((i, run_job(*pair, data)) for i, pair in enumerate(pairs))
            return
        recipes = [LearnerReference.of(make) for make in makes]
        if self.name == "ray":
            yield from work_on_ray(tasks, recipes, data, self.n_jobs)
        else:
            yield from _work_here(tasks, recipes, data, self.n_jobs)


LOCAL = Backend()


def _work_here(
    tasks: Sequence[Job], recipes: Sequence[LearnerReference], data: EncodedSplit, n_jobs: int
) -> Iterator[tuple[int, JobOutcome]]:
    """Yield what comes of tasks in processes of this machine; one that ends costs its task alone.

    Large arrays are shared in memory.
    """
    left = dict(enumerate(zip(tasks, recipes, strict=True)))
    while left:
        try:
            for i, outcome in _in_processes(dict(left), data, n_jobs):
                del left[i]
                yield i, outcome
        except BrokenProcessPool:  # one of those under way did it: each alone, to find out which
            for i in list(left)[: 2 * effective_n_jobs(n_jobs)]:
                yield i, _alone(i, left.pop(i), data)


def _alone(i: int, call: tuple[Job, LearnerReference], data: EncodedSplit) -> JobOutcome:
    try:
        ((_, outcome),) = _in_processes({i: call}, data, 2)
    except TerminatedWorkerError:
        return Failure(ENDED)
    except BrokenProcessPool as error:
        return Failure(f"LearnerError: {error}")
    return outcome


def _in_processes(
    calls: dict[int, tuple[Job, LearnerReference]], data: EncodedSplit, n_jobs: int
) -> Iterator[tuple[int, JobOutcome]]:
    with parallel_config(backend="loky", n_jobs=n_jobs, inner_max_num_threads=1):
        parallel = Parallel(return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(_numbered)(i, *call, data) for i, call in calls.items())


def _numbered(
    i: int, task: Job, recipe: LearnerReference, data: EncodedSplit
) -> tuple[int, JobOutcome]:
    return i, recipe.do(task, data)
