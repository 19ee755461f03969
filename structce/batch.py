"""Labelling of many pages: files, folders, archives and addresses, lazily and in order.

>>> from structce import label_files
>>> for one in label_files(["pages/"]):  # doctest: +SKIP
...     print(one.source, one.error or one.value.title)

A page that cannot be labelled is an outcome with an error; the others go on.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from structce.article import Article, Favour, read_article, warn_of_nothing
from structce.errors import (
    SETUP_ERRORS,
    ModelWarning,
    RenderError,
    SourceError,
    StructceError,
    describe_fault,
)
from structce.labeller import Labelling, ModelChoice
from structce.labelling_pool import LabellingPool, PageOutcome, Reading, page_outcome
from structce.page import Page
from structce.rendering import (
    PAGE_SUFFIXES,
    Document,
    Loader,
    NetworkReader,
    Renderer,
    RenderResult,
    Settings,
    Source,
    check_markup,
    is_url,
    open_sources,
    render_all,
    start_renderer,
)
from structce.snapshot import SUFFIX, original_source, read_snapshot

DocumentReader = Callable[[Source], Document]
"""What reads a source: a file, an address, standard input."""


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
) -> Generator[PageOutcome[Article], None, None]:
    """Yield the article of every page, in the order given.

    Pages are read and labelled as they are asked for, a few ahead, so that memory does not grow
    with their number.

    Parameters
    ----------
    sources
        Files, folders, archives (ZIP, MHTML, WARC), snapshots, or addresses with ``network``.
    model
        Name of a shipped model, or a model's folder. Default: the shipped one for the renderer; of
        a snapshot that for the renderer that made it.
    renderer
        ``static`` or ``chromium``.
    workers
        Processes, or tabs of the browser. A script that asks for several processes must start its
        work below ``if __name__ == "__main__":``, as always in Python.
    network
        Whether addresses may be fetched.
    favour
        As :func:`structce.read_article` has it.
    settings
        Limits and more of the renderer; its ``network`` is the argument's.
    spans
        Whether to find the places of values in the source, which takes an eighth of the time. Pages
        that a browser renders have them in any case.

    Yields
    ------
    Source, article and error: one of the two. The source of a snapshot's article is what the page
    was rendered from, where the snapshot tells.

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
    names = (os.fspath(source) for source in sources)
    return _label_files(names, models, opened, chosen, workers, favour, has_spans=spans)


def _label_files(
    sources: Iterable[str],
    models: ModelChoice,
    opened: Renderer,
    settings: Settings,
    workers: int,
    favour: Favour,
    *,
    has_spans: bool,
) -> Generator[PageOutcome[Article], None, None]:
    read = NetworkReader(settings).read if settings.network else _read_offline
    loaders = page_loaders(sources, partial(_read_markup, read))
    reading = partial(_article, favour=favour)
    if opened.name == "static":
        # Other processes load the model themselves: a copy of the user's process may not be safe.
        labeller = models.labeller(opened.name) if workers == 1 else None
        pool: LabellingPool[tuple[str, Article]] = LabellingPool(
            models.model,
            reading,
            labeller=labeller,
            settings=settings,
            workers=workers,
            has_spans=has_spans,
        )
        with pool:
            yield from map(_of_page, pool.label_all(loaders))
        return
    with opened:
        for one in render_all(loaders, opened):
            work = partial(_read_result, one, models, reading)
            seconds = settings.limits.page_seconds
            yield _of_page(page_outcome(one.source, work, seconds=seconds))


def _read_result(
    one: RenderResult, models: ModelChoice, reading: Reading[tuple[str, Article]]
) -> tuple[str, Article]:
    if one.page is None:
        raise RenderError(one.error)
    return reading(one.source, models.label(one.page))


def _of_page(one: PageOutcome[tuple[str, Article]]) -> PageOutcome[Article]:
    """Return the outcome under the name of what the page was rendered from."""
    if one.value is None:
        return PageOutcome(one.source, None, one.error)
    return PageOutcome(*one.value)


def _article(source: str, labelling: Labelling, *, favour: Favour) -> tuple[str, Article]:
    """Return the article of a page, and what the page was read from."""
    warn_of_nothing(source, labelling.page)
    return original_source(source), read_article(labelling, favour=favour)


def _read_offline(source: Source) -> Document:
    if is_url(source.name):
        raise SourceError(f"{source.name}: an address is fetched only if network=True asks for it")
    return source.read()


def _read_markup(read: DocumentReader, source: Source) -> Document:
    return check_markup(read(source))


def page_loaders(names: Iterable[str], read: DocumentReader) -> Iterator[tuple[str, Loader]]:
    """Yield the name of every page and a function that loads it; snapshots are not rendered."""
    for name in names:
        try:
            yield from _loaders_of(name, read)
        except SETUP_ERRORS:
            raise
        except Exception as error:  # such as a name that is longer than the system takes
            yield name, partial(_fail, describe_fault(name, error))


def _fail(error: StructceError) -> NoReturn:
    raise error


def _loaders_of(name: str, read: DocumentReader) -> Iterator[tuple[str, Loader]]:
    """Yield the pages that one name stands for."""
    path = Path(name)
    snapshots = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else []
    if name.endswith(SUFFIX) and path.is_file():
        snapshots = [path]
    for snapshot in snapshots:
        yield str(snapshot), partial(_read_page, snapshot)
    if not snapshots or (path.is_dir() and _has_others(path)):
        for source in open_sources([name]):
            yield source.name, partial(read, source)


def _has_others(folder: Path) -> bool:
    """Return whether a folder of snapshots holds pages that are to be rendered."""
    return any(path.name.lower().endswith(PAGE_SUFFIXES) for path in folder.rglob("*"))


def _read_page(snapshot: Path) -> Page:
    return read_snapshot(snapshot).page
