"""Where units are done: here, in several processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

from structce.errors import ExperimentError
from structce.experiments.running.clusters import work_on_ray
from structce.experiments.running.data import Data
from structce.experiments.running.fitting import Make, do
from structce.experiments.running.recipes import Recipe
from structce.experiments.running.units import Outcome, Raised, Task

Name = Literal["local", "ray"]

ENGINES: tuple[str, ...] = get_args(Name)

ENDED = "the process that did it has ended, killed or out of memory; try fewer jobs"


@dataclass(frozen=True)
class Engine:
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
        if self.name not in ENGINES:
            raise ExperimentError(f"engine {self.name!r}; expected one of {', '.join(ENGINES)}")
        if self.n_jobs < 1 and self.n_jobs != -1:
            raise ExperimentError(f"{self.n_jobs} jobs; expected 1 or more, or -1")

    def work(
        self, tasks: Sequence[Task], makes: Sequence[Make], data: Data
    ) -> Iterator[tuple[int, Outcome]]:
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
            yield from ((i, do(*pair, data)) for i, pair in enumerate(pairs))
            return
        recipes = [Recipe.of(make) for make in makes]
        if self.name == "ray":
            yield from work_on_ray(tasks, recipes, data, self.n_jobs)
        else:
            yield from _work_here(tasks, recipes, data, self.n_jobs)


LOCAL = Engine()


def _work_here(
    tasks: Sequence[Task], recipes: Sequence[Recipe], data: Data, n_jobs: int
) -> Iterator[tuple[int, Outcome]]:
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


def _alone(i: int, call: tuple[Task, Recipe], data: Data) -> Outcome:
    try:
        ((_, outcome),) = _in_processes({i: call}, data, 2)
    except TerminatedWorkerError:
        return Raised(ENDED)
    except BrokenProcessPool as error:
        return Raised(f"LearnerError: {error}")
    return outcome


def _in_processes(
    calls: dict[int, tuple[Task, Recipe]], data: Data, n_jobs: int
) -> Iterator[tuple[int, Outcome]]:
    with parallel_config(backend="loky", n_jobs=n_jobs, inner_max_num_threads=1):
        parallel = Parallel(return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(_numbered)(i, *call, data) for i, call in calls.items())


def _numbered(i: int, task: Task, recipe: Recipe, data: Data) -> tuple[int, Outcome]:
    return i, recipe.do(task, data)
