"""Engines of a bulk run: processes of this machine, or a Ray cluster.

Both work on the same shards, and only the process that started the run writes. A shard is written
once all its pages are done, so a process that dies loses only its unfinished shards.
"""

from __future__ import annotations

import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, get_args

from structce.bulk.inputs import BulkInput, Shard, list_inputs
from structce.bulk.tables import BulkFolder, ShardTables
from structce.bulk.work import BulkSettings, ShardWorker
from structce.errors import BulkError
from structce.extras import check_extras
from structce.features import import_features, import_sources, load_entry_points

if TYPE_CHECKING:
    import ray
    from ray.actor import ActorHandle

EngineName = Literal["local", "ray"]

ENGINES: tuple[str, ...] = get_args(EngineName)

_MOST_DEATHS = 3  # of actors at one task before the run is given up


@dataclass(frozen=True)
class BulkCounts:
    """Pages of a bulk run: all, those that failed, and those that earlier runs had done."""

    n_pages: int
    n_failed: int
    n_before: int
    seconds: float


def run_bulk(
    names: Iterable[str],
    out: Path,
    settings: BulkSettings,
    *,
    engine: EngineName = "local",
    workers: int = 1,
    on_shard: Callable[[int], object] | None = None,
) -> BulkCounts:
    """Label the pages of sources into a folder of Parquet files; continue an earlier run.

    Parameters
    ----------
    names
        Files, folders, archives and, if the settings allow the network, addresses.
    engine
        ``local``, or ``ray``: the cluster that ``RAY_ADDRESS`` names, else one that is started on
        this machine. Inputs need the same paths on every machine of a cluster, or addresses; only
        this process writes to the folder.
    workers
        Number of processes, or of actors of Ray.
    on_shard
        Called with the number of pages of every shard that is written.

    Raises
    ------
    BulkError
        If the folder contains another run, or the engine fails.
    """
    if engine not in ENGINES:
        raise BulkError(f"engine {engine!r}; expected one of {', '.join(ENGINES)}")
    check_extras(("pyarrow",), "a bulk run", "bulk")
    start = perf_counter()
    inputs = list_inputs(names, network=settings.rendering.network)
    run = _run_on_ray if engine == "ray" else _run_locally
    with BulkFolder(out, settings.options(), inputs) as folder:
        for tables in run(inputs, folder, settings, workers):
            folder.write(tables)
            if on_shard is not None:
                on_shard(tables.shard.n_pages)
        n_pages, n_failed = folder.summarise()
    return BulkCounts(n_pages, n_failed, folder.n_before, perf_counter() - start)


def _run_locally(
    inputs: Sequence[BulkInput], folder: BulkFolder, settings: BulkSettings, workers: int
) -> Iterator[ShardTables]:
    with ShardWorker(settings, workers) as worker:
        shards = (
            shard
            for source in folder.unfinished_inputs(inputs)
            for shard in folder.missing_shards(source, worker.shards(source))
        )
        yield from worker.run(shards)


class _RayWorker:
    """Worker on shards as an actor of Ray, with a process of its own that labels."""

    def __init__(self, settings: BulkSettings, imports: Sequence[str]) -> None:
        load_entry_points()
        import_features(imports)
        self._worker = ShardWorker(settings, 1)
        self._worker.__enter__()

    def ready(self) -> None:
        """Return when the model is loaded."""

    def list_shards(self, source: BulkInput) -> list[Shard]:
        """Return the shards of an input."""
        return list(self._worker.shards(source))

    def run(self, shard: Shard) -> ShardTables:
        """Return the tables of a shard."""
        (tables,) = self._worker.run([shard])
        return tables


_Task = BulkInput | Shard | None
"""Task of an actor: an input to list, a shard to label, or None while it starts."""


class _RayRun:
    """Run on actors of Ray, each of which lists inputs and works on their shards.

    An actor works first on shards of the inputs that it has listed, since it may have copies of
    them; it takes shards of other actors once all inputs are listed.
    """

    def __init__(
        self, inputs: Sequence[BulkInput], folder: BulkFolder, settings: BulkSettings, workers: int
    ) -> None:
        import ray

        self._ray = ray
        self._folder, self._settings = folder, settings
        self._inputs = deque(folder.unfinished_inputs(inputs))
        self._returned: deque[Shard] = deque()  # shards of actors that died
        self._shards: dict[ActorHandle[_RayWorker], deque[Shard]] = {}
        self._running: dict[ray.ObjectRef[Any], tuple[ActorHandle[_RayWorker], _Task]] = {}
        self._idle: list[ActorHandle[_RayWorker]] = []
        self._deaths: Counter[_Task] = Counter()
        for _ in range(workers):
            self._start_actor()

    def _start_actor(self) -> None:
        kind = self._ray.remote(num_cpus=1, max_restarts=0)(_RayWorker)
        actor: Any = kind.remote(self._settings, list(import_sources()))
        self._shards[actor] = deque()
        self._running[actor.ready.remote()] = (actor, None)

    def tables(self) -> Iterator[ShardTables]:
        """Yield the tables of every shard, in the order in which they are done."""
        while (
            self._inputs
            or self._returned
            or any(self._shards.values())
            or any(task is not None for _, task in self._running.values())
        ):
            (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
            actor, task = self._running.pop(done)
            try:
                result = self._ray.get(done)
            except self._ray.exceptions.RayActorError as error:
                self._replace(actor, task, error)
                continue
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, Exception) else error from None
            if isinstance(task, BulkInput):
                self._shards[actor] += self._folder.missing_shards(task, result)
            self._idle.append(actor)
            self._assign()
            if isinstance(task, Shard):
                yield result

    def _assign(self) -> None:
        """Assign a task to every idle actor while tasks are left."""
        actors, self._idle = self._idle, []
        for actor in actors:
            task = self._next_task(actor)
            if task is None:
                self._idle.append(actor)
                continue
            method: Any = actor.list_shards if isinstance(task, BulkInput) else actor.run
            self._running[method.remote(task)] = (actor, task)

    def _next_task(self, actor: ActorHandle[_RayWorker]) -> _Task:
        for tasks in (self._shards[actor], self._returned, self._inputs):
            if tasks:
                return tasks.popleft()
        longest = max(self._shards.values(), key=len)
        return longest.pop() if longest else None

    def _replace(self, actor: ActorHandle[_RayWorker], task: _Task, error: Exception) -> None:
        """Replace an actor that died, and repeat its task unless several actors died of it."""
        self._deaths[task] += 1
        if self._deaths[task] >= _MOST_DEATHS:
            reason = str(error).splitlines()[0]
            raise BulkError(f"{_MOST_DEATHS} actors of Ray died of the same task: {reason}")
        if isinstance(task, Shard):
            self._returned.append(task)
        elif task is not None:
            self._inputs.append(task)
        self._returned += self._shards.pop(actor)
        self._start_actor()
        self._assign()

    def stop(self) -> None:
        """End the actors."""
        for actor in self._shards:
            self._ray.kill(actor)


def _run_on_ray(
    inputs: Sequence[BulkInput], folder: BulkFolder, settings: BulkSettings, workers: int
) -> Iterator[ShardTables]:
    check_extras(("ray",), "engine 'ray'", "ray")
    import ray

    if not ray.is_initialized():  # joins the cluster that is named, or starts one here
        address = os.environ.get("RAY_ADDRESS", "local")  # none: one that is left over, too
        n_cpus = workers if address == "local" else None
        ray.init(
            address, num_cpus=n_cpus, include_dashboard=False, log_to_driver=False,
            logging_level=logging.ERROR,
        )  # fmt: skip
    run = _RayRun(inputs, folder, settings, workers)
    try:
        yield from run.tables()
    finally:
        run.stop()
