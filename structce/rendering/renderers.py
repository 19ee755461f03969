"""Choice of a renderer by name, and rendering of many sources with it.

Results are in the order of the sources, several pages are in progress at once, and an error affects
only one page.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import TypeVar

import msgspec

from structce.errors import SETUP_ERRORS, RenderError, describe_fault
from structce.page import Page
from structce.rendering.base import Renderer, Settings
from structce.rendering.document import Document
from structce.rendering.source_spans import with_spans
from structce.rendering.static import StaticRenderer

RENDERERS = ("static", "chromium")
"""Names of the renderers."""

Loader = Callable[[], Document | Page]
"""Loads a document to be rendered, or a page that has already been rendered."""

READ_AHEAD = 2
"""Documents per worker that are read ahead: one to start at once, one in reserve."""

C = TypeVar("C")  # content of a source
T = TypeVar("T")


def start_renderer(
    name: str | None = None,
    *,
    browser: str | None = None,
    settings: Settings | None = None,
    workers: int = 1,
) -> Renderer:
    """Return the ``static`` renderer or the ``chromium`` one, not yet opened.

    RenderError if there is no renderer with the name, or it cannot run scripts as the settings
    demand. The path ``browser`` is that of the browser to use; by default one is searched for. The
    static renderer uses only the limits of the settings. ``workers`` is the number of pages in
    progress at once: browsers, or processes of the static renderer.
    """
    # Results must not depend on what is installed, so a browser must be requested by name.
    if name in (None, "static"):
        if settings is not None and settings.scripts:
            raise RenderError(
                "scripts run only in a browser: use --renderer chromium, or in Python "
                "renderer='chromium'"
            )
        return StaticRenderer(settings=settings, workers=workers)
    if name == "chromium":
        # Late: asyncio and psutil take 0.1 s, and the static renderer needs neither.
        from structce.rendering.chromium import ChromiumRenderer

        return ChromiumRenderer(browser, settings=settings, workers=workers)
    raise RenderError(f"unknown renderer {name!r}; expected one of {', '.join(RENDERERS)}")


class RenderResult(msgspec.Struct, frozen=True):
    """Result of rendering one source: its page, or an error."""

    source: str
    document: Document  # empty if reading failed, or the page needed no rendering
    page: Page | None  # with the spans of its regions; None if there is an error
    error: str


def render_all(sources: Iterable[tuple[str, Loader]], renderer: Renderer) -> Iterator[RenderResult]:
    """Yield every source in the order given, with its page or its error.

    Each name comes with a function that loads the document, or an already rendered page; see
    :func:`submit_ahead`. The renderer must be open. BrowserError if no browser is available, since
    every other page would fail as well.
    """

    def submit(_: str, content: Document | Page) -> Future[Page]:
        if isinstance(content, Document):
            return renderer.submit(content)
        page: Future[Page] = Future()
        page.set_result(content)
        return page

    for name, document, future in submit_ahead(sources, submit, renderer.workers):
        page, error = None, ""
        try:
            page = future.result()
            page = with_spans(page, document.html) if page.spans is None else page
        except SETUP_ERRORS:
            raise
        except Exception as fault:
            error = str(describe_fault(name, fault))
        yield RenderResult(name, document, None if error else page, error)


def submit_ahead(
    sources: Iterable[tuple[str, Callable[[], C]]],
    submit: Callable[[str, C], Future[T]],
    workers: int,
) -> Iterator[tuple[str, Document, Future[T]]]:
    """Yield every source in the order given, with its document and the future of its result.

    Sources are read one after the other, a few ahead of the consumer, so that all workers are busy
    and memory use does not grow with the number of sources. A source that cannot be read gives a
    future that raises the error. ``submit`` is called with the name and the content of a source.
    """
    waiting: deque[tuple[str, Document, Future[T]]] = deque()
    for name, loader in sources:
        document = Document("")
        future: Future[T] = Future()
        try:
            content = loader()
        except SETUP_ERRORS:
            raise
        except Exception as error:
            future.set_exception(describe_fault(name, error))
        else:
            document = content if isinstance(content, Document) else document
            future = submit(name, content)
        waiting.append((name, document, future))
        while waiting and (len(waiting) > READ_AHEAD * workers or waiting[0][2].done()):
            yield waiting.popleft()
    yield from waiting


def with_bar(
    results: Iterable[T], total: int, *, what: str = "pages", is_quiet: bool | None = None
) -> Iterator[T]:
    """Yield results with a progress bar on standard error.

    ``what`` is the text before the bar; by default the bar is shown on terminals only.
    """
    if is_quiet:
        yield from results
        return
    from tqdm import tqdm  # late: a single page has no bar

    yield from tqdm(results, total=total, desc=what, unit="page", disable=is_quiet, file=sys.stderr)
