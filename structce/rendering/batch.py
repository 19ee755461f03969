"""Sources to pages: in their order, several under way at once, one error costing one page."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from tqdm import tqdm

from structce.errors import BrowserError, RenderError, SourceError
from structce.page import Page
from structce.rendering.base import Renderer
from structce.rendering.document import Document
from structce.rendering.source_spans import with_spans

WAITING = 2
"""Documents read ahead for each worker, so that none waits for the disk; our choice."""

Read = Callable[[], Document | Page]
"""Reads a document that is to be rendered, or a page that has been."""


@dataclass(frozen=True)
class Rendered:
    """One source: its page, or what is wrong with it.

    Parameters
    ----------
    source
        Name of the source.
    document
        What was read; empty where nothing could be, or where the page needed no rendering.
    page
        With the spans of its regions; None where there is an error.
    """

    source: str
    document: Document
    page: Page | None
    error: str = ""


def render_all(sources: Iterable[tuple[str, Read]], renderer: Renderer) -> Iterator[Rendered]:
    """Yield every source in the order given, with its page or its error.

    Parameters
    ----------
    sources
        Names, and what reads the document, or a page that needs no rendering; read one after the
        other, a few ahead of what is yielded, so that memory does not grow with their number.
    renderer
        An open one.

    Raises
    ------
    BrowserError
        If no browser can be had: no other page would fare better.
    """
    waiting: deque[tuple[str, Document, Future[Page] | str]] = deque()
    for name, read in sources:
        waiting.append((name, *_submit(read, renderer)))
        while waiting and (len(waiting) > WAITING * renderer.workers or _is_done(waiting[0][2])):
            yield _finished(*waiting.popleft())
    while waiting:
        yield _finished(*waiting.popleft())


def render_with_bar(
    sources: Sequence[tuple[str, Read]],
    renderer: Renderer,
    *,
    what: str = "pages",
    is_quiet: bool | None = None,
) -> Iterator[Rendered]:
    """Do what :func:`render_all` does, with a progress bar on standard error.

    Parameters
    ----------
    what
        Written before the bar.
    is_quiet
        Show none; None shows one on a terminal only.
    """
    yield from tqdm(
        render_all(sources, renderer),
        total=len(sources),
        desc=what,
        unit="page",
        disable=is_quiet,
        file=sys.stderr,
    )


def _submit(read: Read, renderer: Renderer) -> tuple[Document, Future[Page] | str]:
    try:
        found = read()
    except SourceError as error:
        return Document(""), str(error)
    if isinstance(found, Document):
        return found, renderer.submit(found)
    page: Future[Page] = Future()
    page.set_result(found)
    return Document(""), page


def _is_done(page: Future[Page] | str) -> bool:
    return isinstance(page, str) or page.done()


def _finished(name: str, document: Document, page: Future[Page] | str) -> Rendered:
    if isinstance(page, str):
        return Rendered(name, document, None, page)
    try:
        made = page.result()
        made = made if made.spans is not None else with_spans(made, document.html)
        return Rendered(name, document, made)
    except BrowserError:
        raise
    except RenderError as error:
        return Rendered(name, document, None, str(error))
