"""Work of a bulk run on shards: pages are read, rendered and labelled, and become rows."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Self

from structce.article import Favour, article_row, page_record, read_labelling
from structce.bulk.inputs import (
    BulkInput,
    LocalCopies,
    ParquetColumns,
    Shard,
    ShardReader,
    shards_of,
)
from structce.bulk.tables import Row, ShardTables, shard_tables
from structce.errors import BulkError, RenderError
from structce.io import json_line
from structce.labelling import Labelling, LabellingPool, ModelChoice, PageOutcome, find_model
from structce.page import Page, original_source
from structce.rendering import (
    Loader,
    NetworkReader,
    RenderResult,
    Settings,
    Source,
    render_all,
    start_renderer,
)
from structce.version import __version__

_ATTEMPTS = 3
"""Processes that may die on one page: one that is killed from outside proves nothing about it."""

_PAGES_PER_PROCESS = 2_000
"""Pages after which a process is replaced: it has grown by a quarter, and a start costs 1 %."""


@dataclass(frozen=True)
class BulkSettings:
    """Settings of a bulk run; its rows depend on nothing else except the inputs.

    Parameters
    ----------
    model
        Name of a shipped model, or a model's folder; None for the shipped one of the renderer.
    renderer, browser
        ``static`` or ``chromium``, and the browser's path.
    rendering
        Limits and other settings of the renderer.
    favour
        See :func:`structce.read_article`.
    has_spans
        Whether places of values in the source are looked for, which takes an eighth of the time.
    has_regions, has_context
        Whether rows contain the labelled regions of their pages, and records the context.
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
    has_spans: bool = False
    has_regions: bool = False
    has_context: bool = False
    shard_pages: int = 500
    columns: ParquetColumns = field(default_factory=ParquetColumns)

    def __post_init__(self) -> None:
        if self.shard_pages < 1:
            raise BulkError(f"{self.shard_pages} pages per shard; expected 1 or more")

    @property
    def models(self) -> ModelChoice:
        """The model or models of the run, not yet loaded."""
        return ModelChoice(self.model)

    def options(self) -> dict[str, object]:
        """Return as JSON values what the rows depend on."""
        name = self.models.name(self.renderer)
        manifest = (find_model(name) / "manifest.json").read_bytes()
        return {
            "version": __version__,
            "model": name,
            "model_digest": hashlib.sha256(manifest).hexdigest(),
            "renderer": self.renderer,
            "rendering": str(self.rendering),
            "favour": self.favour,
            "spans": self.has_spans,
            "regions": self.has_regions,
            "context": self.has_context,
            "shard_pages": self.shard_pages,
            "columns": asdict(self.columns),
        }


class ShardWorker:
    """Worker on shards, with labelling processes and as many browsers if the renderer is one.

    It is a context manager. A page that takes too long, or ends a process, is a row of the failed
    pages. A model that compares the pages of a site raises BulkError.
    """

    def __init__(self, settings: BulkSettings, workers: int) -> None:
        labeller = settings.models.labeller(settings.renderer)
        if labeller.needs_sites:
            raise BulkError(
                f"{settings.models.name(settings.renderer)}: the model compares the pages of a "
                "site, which are not together in bulk; use one without the family 'site'"
            )
        self.settings = settings
        self.copies = LocalCopies()
        network = settings.rendering.network
        read = NetworkReader(settings.rendering).read if network else Source.read
        self._reader = ShardReader(read, settings.columns, self.copies)
        self._pool: LabellingPool[Row] = LabellingPool(
            None if settings.model is None else Path(settings.model),
            partial(
                _row,
                model=settings.models.name(settings.renderer),
                favour=settings.favour,
                has_regions=settings.has_regions,
                has_context=settings.has_context,
            ),
            labeller=labeller,
            settings=settings.rendering,
            workers=workers,
            has_spans=settings.has_spans,
            is_isolated=True,
            attempts=_ATTEMPTS,
            most_pages=_PAGES_PER_PROCESS,
        )
        self._renderer = None
        if settings.renderer != "static":
            self._renderer = start_renderer(
                settings.renderer,
                browser=settings.browser,
                settings=settings.rendering,
                workers=workers,
            )
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.callback(self.copies.close)
            stack.enter_context(self._pool)
            if self._renderer is not None:
                stack.enter_context(self._renderer)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def shards(self, source: BulkInput) -> Iterator[Shard]:
        """Yield the shards of an input."""
        return shards_of(source, self.settings.shard_pages, self.settings.columns, self.copies)

    def run(self, shards: Iterable[Shard]) -> Iterator[ShardTables]:
        """Yield the tables of every shard, in the order given.

        Work on the pages of the next shard begins before the last page of a shard is done.
        """
        in_progress: deque[Shard] = deque()

        def loaders() -> Iterator[tuple[str, Loader]]:
            for shard in shards:
                in_progress.append(shard)
                yield from self.loaders(shard)

        outcomes: list[PageOutcome[Row]] = []
        for outcome in self.outcomes(loaders()):
            outcomes.append(outcome)
            if len(outcomes) == in_progress[0].n_pages:
                shard = in_progress.popleft()
                yield shard_tables(shard, outcomes, has_regions=self.settings.has_regions)
                outcomes.clear()

    def outcomes(self, loaders: Iterable[tuple[str, Loader]]) -> Iterator[PageOutcome[Row]]:
        """Yield the outcome of every page, in the order given."""
        if self._renderer is not None:
            results = render_all(loaders, self._renderer)
            loaders = ((result.source, partial(_page, result)) for result in results)
        return self._pool.label_all(loaders)

    def loaders(self, shard: Shard) -> Iterator[tuple[str, Loader]]:
        """Yield the name of every page of a shard and a function that loads it."""
        return self._reader.loaders(shard)


def _page(result: RenderResult) -> Page:
    if result.page is None:
        raise RenderError(result.error)
    return result.page


def _row(
    source: str,
    labelling: Labelling,
    *,
    model: str,
    favour: Favour,
    has_regions: bool,
    has_context: bool,
) -> Row:
    """Return the row of a labelled page, in a worker process."""
    reading = read_labelling(labelling, favour=favour, context=has_context)
    record = page_record(original_source(source), reading, model)
    regions = record.pop("regions")
    head = {name: record.pop(name) for name in ("source", "url", "renderer", "model")}
    record.pop("text")  # a column of its own, and most of the record
    row = {**article_row(reading.article), **head, "url": head["url"] or None}
    row.pop("error")
    return {**row, "record": json_line(record), **({"regions": regions} if has_regions else {})}
