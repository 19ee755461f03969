"""Work of a bulk run on shards: pages are read, rendered and labelled, and become rows."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Self

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
from structce.bulk.inputs import BulkInput, ParquetColumns, Shard, ShardReader
from structce.bulk.tables import Row, ShardTables, shard_tables
from structce.io import json_line
from structce.labelling import ModelChoice, find_model
from structce.page import original_source
from structce.rendering import Loader, NetworkReader, Settings, Source, start_renderer
from structce.version import __version__


@dataclass(frozen=True)
class BulkSettings:
    """Settings of a bulk run; its rows depend on nothing else except the inputs.

    Parameters
    ----------
    model, renderer, favour, rules
        See :func:`structce.label`.
    browser, rendering
        Path of the browser; limits and other settings of the renderer.
    has_regions, has_context
        Whether rows contain the labelled regions of their pages, and records the context.
    chunk_tokens
        Greatest number of words per row of a table of chunks; 0 for no table. With regions or
        chunks, places of values in the source are found, which takes an eighth of the time.
    shard_pages
        Number of pages per shard.
    columns
        Columns of Parquet inputs.
    """

    model: str | None = None
    renderer: str = "static"
    browser: str | None = None
    rendering: Settings = field(default_factory=Settings)
    favour: Favour = "balance"
    rules: tuple[SiteRules, ...] = ()
    has_regions: bool = False
    has_context: bool = False
    chunk_tokens: int = 0
    shard_pages: int = 500
    columns: ParquetColumns = field(default_factory=ParquetColumns)

    def options(self) -> dict[str, object]:
        """Return as JSON values what the rows depend on."""
        name = ModelChoice(self.model).name(self.renderer)
        manifest = (find_model(name) / "manifest.json").read_bytes()
        return {
            "version": __version__,
            "model": name,
            "model_digest": hashlib.sha256(manifest).hexdigest(),
            "renderer": self.renderer,
            "rendering": str(self.rendering),
            "favour": self.favour,
            "rules": [str(site) for site in self.rules],
            "regions": self.has_regions,
            "context": self.has_context,
            "chunks": self.chunk_tokens,
            "shard_pages": self.shard_pages,
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
        renderer = start_renderer(
            settings.renderer, browser=settings.browser, settings=settings.rendering,
            workers=workers,
        )  # fmt: skip
        reader = PageReader(
            renderer, models, spans=settings.has_regions or settings.chunk_tokens > 0,
            favour=settings.favour, context=settings.has_context, rules=settings.rules,
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

        has_regions, has_chunks = self.settings.has_regions, self.settings.chunk_tokens > 0
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
    if settings.chunk_tokens:
        same = {name: row[name] for name in ("source", "url")}
        chunks = chunk_rows(reading.article, settings.chunk_tokens)
        row["chunks"] = [{**chunk, **same} for chunk in chunks]
    return (
        row | {"record": json_line(record)} | ({"regions": regions} if settings.has_regions else {})
    )
