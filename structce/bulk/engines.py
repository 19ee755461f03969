"""Bulk runs: their settings, work on shards, and engines: processes here, or a Ray cluster.

Both engines work on the same shards, and only the process that started the run writes. A shard is
written once all its pages are done, so a process that dies loses only its unfinished shards.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, NamedTuple, Self, get_args

from structce.article import (
    Favour,
    PageOutcome,
    PageReader,
    Reading,
    ReadingPool,
    SiteRules,
    article_row,
    chunk_rows,
    page_record,
)
from structce.bulk.inputs import BulkInput, ParquetColumns, Shard, ShardReader, list_inputs
from structce.bulk.tables import BulkFolder, Row, ShardTables, shard_tables
from structce.errors import BulkError
from structce.extras import check_extras
from structce.features import import_features, import_sources, load_entry_points
from structce.io import json_line
from structce.labelling import ModelChoice, find_model
from structce.page import original_source
from structce.rendering import Loader, NetworkReader, Settings, Source, start_renderer
from structce.version import __version__

EngineName = Literal["local", "ray"]

ENGINES: tuple[str, ...] = get_args(EngineName)

_ATTEMPTS = 3  # of actors that die at one task, before the run is given up


@dataclass(frozen=True)
class BulkSettings:
    """Settings of a bulk run; its rows depend on nothing else except the inputs.

    Parameters
    ----------
    model, renderer, favour, rules
        See :func:`structce.label`.
    rendering
        Limits and other settings of the renderer.
    regions, context
        Whether rows contain the labelled regions of their pages, and records the context.
    chunks
        Greatest number of words per row of a table of chunks; 0 for no table. With regions or
        chunks, places of values in the source are found, which takes an eighth of the time.
    shard_pages
        Number of pages per shard.
    columns
        Columns of Parquet inputs.
    """

    model: str | None = None
    renderer: str = "static"
    rendering: Settings = field(default_factory=Settings)
    favour: Favour = "balance"
    rules: tuple[SiteRules, ...] = ()
    regions: bool = False
    context: bool = False
    chunks: int = 0
    shard_pages: int = 500
    columns: ParquetColumns = field(default_factory=ParquetColumns)

    def options(self) -> dict[str, object]:
        """Return as JSON values what the rows depend on."""
        name = ModelChoice(self.model).name(self.renderer)
        manifest = (find_model(name) / "manifest.json").read_bytes()
        return vars(self) | {
            "version": __version__,
            "model": name,
            "model_digest": hashlib.sha256(manifest).hexdigest(),
            "rendering": str(self.rendering),
            "rules": [str(site) for site in self.rules],
            "columns": self.columns._asdict(),
        }


class ShardWorker:
    """Worker on shards, with labelling processes and as many browsers if the renderer is one.

    It is a context manager. A page that takes too long, or ends a process, is a row of the failed
    pages.
    """

    def __init__(self, settings: BulkSettings, workers: int) -> None:
        models = ModelChoice(settings.model)
        self.settings = settings
        network = settings.rendering.network
        read = NetworkReader(settings.rendering).read if network else Source.read
        self._reader = ShardReader(read, settings.columns)
        renderer = start_renderer(settings.renderer, settings=settings.rendering, workers=workers)
        reader = PageReader(
            renderer, models, spans=settings.regions or settings.chunks > 0,
            favour=settings.favour, context=settings.context, rules=settings.rules,
        )  # fmt: skip
        make = partial(_row, settings=settings, model=models.name(settings.renderer))
        self._pool = ReadingPool(reader, make, workers=workers, may_fork=True, is_isolated=True)

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.__exit__()
        self._reader.close()

    def shards(self, source: BulkInput) -> Iterator[Shard]:
        """Yield the shards of an input."""
        return self._reader.shards(source, self.settings.shard_pages)

    def run(self, shards: Iterable[Shard]) -> Iterator[ShardTables]:
        """Yield the tables of every shard, in the order given.

        Work on the pages of the next shard begins before the last page of a shard is done.
        """
        in_progress: deque[Shard] = deque()

        def loaders() -> Iterator[tuple[str, Loader]]:
            for shard in shards:
                in_progress.append(shard)
                yield from self._reader.loaders(shard)

        has_regions, has_chunks = self.settings.regions, self.settings.chunks > 0
        outcomes: list[PageOutcome[Row]] = []
        for outcome in self._pool.outcomes(loaders()):
            outcomes.append(outcome)
            if len(outcomes) == in_progress[0].n_pages:
                shard = in_progress.popleft()
                yield shard_tables(shard, outcomes, has_regions=has_regions, has_chunks=has_chunks)
                outcomes.clear()


def _row(source: str, reading: Reading, *, settings: BulkSettings, model: str) -> Row:
    """Return the row of a page, in a worker process."""
    record = page_record(original_source(source), reading, model)
    regions = record.pop("regions")
    head = {name: record.pop(name) for name in ("source", "url", "renderer", "model")}
    record.pop("text")  # a column of its own, and most of the record
    row = {**article_row(reading.article), **head, "url": head["url"] or None}
    row.pop("error")
    if settings.chunks:
        same = {name: row[name] for name in ("source", "url")}
        chunks = chunk_rows(reading.article, settings.chunks)
        row["chunks"] = [{**chunk, **same} for chunk in chunks]
    return row | {"record": json_line(record)} | ({"regions": regions} if settings.regions else {})


class BulkCounts(NamedTuple):
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

    def list_shards(self, source: BulkInput) -> list[Shard]:
        """Return the shards of an input."""
        return list(self._worker.shards(source))

    def run(self, shard: Shard) -> ShardTables:
        """Return the tables of a shard."""
        (tables,) = self._worker.run([shard])
        return tables


def _run_on_ray(
    inputs: Sequence[BulkInput], folder: BulkFolder, settings: BulkSettings, workers: int
) -> Iterator[ShardTables]:
    """Yield the tables of every shard, in the order in which actors are done with them.

    Each actor lists inputs and works first on their shards, since it may have copies of them; it
    takes shards of other actors once all inputs are listed. Ray starts an actor that dies again,
    and repeats its task.
    """
    check_extras(("ray",), "engine 'ray'", "ray")
    import ray

    if not ray.is_initialized():
        address = os.environ.get("RAY_ADDRESS", "local")  # none: one that is left over, too
        ray.init(
            address, num_cpus=workers if address == "local" else None, include_dashboard=False,
            log_to_driver=False, logging_level=logging.ERROR,
        )  # fmt: skip
    kind: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=_ATTEMPTS - 1)(_RayWorker)
    imports = list(import_sources())
    shards: dict[Any, deque[Shard]] = {
        kind.remote(settings, imports): deque() for _ in range(workers)
    }
    waiting = deque(folder.unfinished_inputs(inputs))
    running: dict[Any, tuple[Any, BulkInput | Shard]] = {}
    idle = list(shards)

    def next_task(actor: Any) -> BulkInput | Shard | None:
        for tasks in (shards[actor], waiting):
            if tasks:
                return tasks.popleft()
        longest = max(shards.values(), key=len)
        return longest.pop() if longest else None

    try:
        while True:
            for actor in list(idle):
                if (task := next_task(actor)) is not None:
                    work = actor.list_shards if isinstance(task, BulkInput) else actor.run
                    running[work.remote(task)] = actor, task
                    idle.remove(actor)
            if not running:
                return
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            actor, task = running.pop(done)
            try:
                result: Any = ray.get(done)
            except ray.exceptions.RayActorError as error:
                reason = str(error).splitlines()[0]
                raise BulkError(f"{_ATTEMPTS} actors of Ray died of a task: {reason}") from error
            except ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, Exception) else error from None
            idle.append(actor)
            if isinstance(task, BulkInput):
                shards[actor] += folder.missing_shards(task, result)
            else:
                yield result
    finally:
        for actor in shards:
            ray.kill(actor)
