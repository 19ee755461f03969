"""Labelling of many pages: files, folders, archives and addresses, lazily and in order.

>>> from structce import label_files
>>> for outcome in label_files(["pages/"]):  # doctest: +SKIP
...     print(outcome.source, outcome.error or outcome.value.title)

A page that cannot be labelled gives an outcome with an error; the run continues with the others.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import aclosing
from functools import partial, wraps
from pathlib import Path
from typing import Any, NoReturn

from msgspec.structs import replace

from structce.article.api import label
from structce.article.article import Article
from structce.article.body_choice import Favour
from structce.article.reader import PageOutcome, PageReader
from structce.errors import SETUP_ERRORS, ModelWarning, SourceError, StructceError, describe_fault
from structce.labelling import ModelChoice
from structce.page import SUFFIX, Page, original_source, read_snapshot
from structce.rendering import (
    PAGE_SUFFIXES,
    Document,
    Loader,
    NetworkReader,
    Settings,
    Source,
    check_markup,
    is_url,
    open_sources,
    start_renderer,
)

DocumentReader = Callable[[Source], Document]
"""Reads a source (a file, an address, standard input) into a document."""


def label_files(
    sources: Iterable[str | os.PathLike[str]],
    *,
    model: str | Path | None = None,
    renderer: str = "static",
    workers: int = 1,
    network: bool = False,
    favour: Favour = "balance",
    settings: Settings | None = None,
    spans: bool = True,
    context: bool = False,
) -> Generator[PageOutcome[Article], None, None]:
    """Yield the article of every page, in the order given.

    Pages are read and labelled lazily, a few ahead of the consumer, so that memory use does not
    grow with their number.

    Parameters
    ----------
    sources
        Files, folders, archives (ZIP, MHTML, WARC), snapshots, or addresses with ``network``.
    model
        As in :func:`structce.label`; for a snapshot, that of the renderer that made it.
    renderer, network, favour, context
        As in :func:`structce.label`.
    workers
        Number of processes, or of browser tabs. A script that uses several processes must start
        its work under ``if __name__ == "__main__":``, as always in Python.
    settings
        Limits and other settings of the renderer; the argument ``network`` replaces its own.
    spans
        Whether to locate the values in the source, which takes an eighth of the time. Pages
        rendered by a browser have spans in any case.

    Yields
    ------
    Source, and either article or error. The source of a snapshot's article is what the page was
    rendered from, if the snapshot records it. A page whose content scripts write gives an
    `EmptyPageWarning`.

    Raises
    ------
    ModelError
        If there is no such model.
    RenderError
        If there is no such renderer.
    """
    chosen = replace(settings or Settings(), network=network)
    models = ModelChoice(model)
    opened = start_renderer(renderer, settings=chosen, workers=workers)
    if message := models.conflict(opened.name):
        warnings.warn(message, ModelWarning, stacklevel=2)
    reader = PageReader(opened, models, spans=spans, favour=favour, context=context)
    read = NetworkReader(chosen).read if network else _read_offline
    loaders = page_loaders(
        (os.fspath(source) for source in sources), lambda source: check_markup(read(source))
    )
    return _outcomes(reader, loaders, workers)


def _outcomes(
    reader: PageReader, loaders: Iterable[tuple[str, Loader]], workers: int
) -> Generator[PageOutcome[Article], None, None]:
    for outcome in reader.articles(loaders, workers=workers):
        source = outcome.source if outcome.value is None else original_source(outcome.source)
        yield outcome._replace(source=source)


def _read_offline(source: Source) -> Document:
    if is_url(source.name):
        raise SourceError(f"{source.name}: an address is fetched only if network=True asks for it")
    return source.read()


def page_loaders(names: Iterable[str], read: DocumentReader) -> Iterator[tuple[str, Loader]]:
    """Yield each page's name and a function that loads it; snapshots are not rendered again."""
    for name in names:
        try:
            yield from _loaders_of(name, read)
        except SETUP_ERRORS:
            raise
        except Exception as error:  # such as a file name longer than the system allows
            yield name, partial(_fail, describe_fault(name, error))


def _fail(error: StructceError) -> NoReturn:
    raise error


def _loaders_of(name: str, reader: DocumentReader) -> Iterator[tuple[str, Loader]]:
    path = Path(name)
    is_folder = bool(name) and path.is_dir()  # an empty name is not the folder of the process
    snapshots = sorted(path.rglob(f"*{SUFFIX}")) if is_folder else []
    if name.endswith(SUFFIX) and path.is_file():
        snapshots = [path]
    for snapshot in snapshots:
        yield str(snapshot), partial(_read_page, snapshot)
    others = path.rglob("*") if is_folder and snapshots else ()
    if not snapshots or any(other.name.lower().endswith(PAGE_SUFFIXES) for other in others):
        for source in open_sources([name]):
            yield source.name, partial(reader, source)


def _read_page(snapshot: Path) -> Page:
    return read_snapshot(snapshot).page


@wraps(label, assigned=(), updated=())
async def label_async(*args: Any, **kwargs: Any) -> Article:
    """Run :func:`structce.label` in a thread, so that the event loop is not blocked."""
    import asyncio  # late: it takes 50 ms

    return await asyncio.to_thread(label, *args, **kwargs)


@wraps(label_files, assigned=(), updated=())
async def label_files_async(
    *args: Any, **kwargs: Any
) -> AsyncGenerator[PageOutcome[Article], None]:
    """Run :func:`label_files` in a thread, so that the event loop is not blocked."""
    async with aclosing(_in_thread(label_files(*args, **kwargs))) as outcomes:
        async for outcome in outcomes:
            yield outcome


async def _in_thread(
    outcomes: Generator[PageOutcome[Article], None, None],
) -> AsyncGenerator[PageOutcome[Article], None]:
    """Yield from a generator, of which each step and the final ``close`` run in a thread."""
    import asyncio

    try:
        while (outcome := await asyncio.to_thread(next, outcomes, None)) is not None:
            yield outcome
    finally:
        await asyncio.to_thread(outcomes.close)
