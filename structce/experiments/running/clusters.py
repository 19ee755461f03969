"""Units on a Ray cluster."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from structce.errors import MissingExtraError
from structce.experiments.running.data import Data
from structce.experiments.running.recipes import Recipe
from structce.experiments.running.units import Outcome, Raised, Task

if TYPE_CHECKING:
    import ray


def work_on_ray(
    tasks: Sequence[Task], recipes: Sequence[Recipe], data: Data, n_jobs: int
) -> Iterator[tuple[int, Outcome]]:
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
    running: dict[ray.ObjectRef[Outcome], int] = {}
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


def _outcome(done: ray.ObjectRef[Outcome]) -> Outcome:
    import ray

    try:
        outcome: Outcome = ray.get(done)
    except ray.exceptions.RayError as error:
        return Raised(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    return outcome


def _done(task: Task, recipe: Recipe, data: Data) -> Outcome:
    return recipe.do(task, data)
