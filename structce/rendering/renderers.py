"""Choose a renderer by its name, and render many sources with it.

Results come in the order of the sources, several pages are under way at once, and an error costs
one page.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TypeVar

from structce.errors import SETUP_ERRORS, RenderError, describe_fault
from structce.page import Page
from structce.rendering.base import Renderer, Settings
from structce.rendering.document import Document
from structce.rendering.source_spans import with_spans
from structce.rendering.static import StaticRenderer

RENDERERS = ("static", "chromium")
"""Names of the renderers."""

Loader = Callable[[], Document | Page]
"""Reads a document that is to be rendered, or a page that has been rendered before."""

_READ_AHEAD = 2  # documents for each worker: one to take up at once, one in reserve

T = TypeVar("T")


def start_renderer(
    name: str | None = None,
    *,
    browser: str | None = None,
    settings: Settings | None = None,
    workers: int = 1,
) -> Renderer:
    """Return a renderer, not yet opened.

    Parameters
    ----------
    name
        ``static``, the default, or ``chromium``: what a page gives must not depend on what happens
        to be installed, so a browser is asked for by its name.
    browser
        Path of the browser to use; found by itself when not given.
    settings
        Window, scripts, and what one page may take; the static renderer heeds the limits.
    workers
        Pages under way at once: browsers, or processes of the static renderer.

    Raises
    ------
    RenderError
        If there is no renderer of the name, or it cannot run scripts as the settings ask.
    """
    name = name or RENDERERS[0]
    if name == "static":
        if settings is not None and settings.scripts:
            raise RenderError(
                "scripts run only in a browser: ask for it by --renderer chromium, in Python by "
                "renderer='chromium'"
            )
        return StaticRenderer(settings=settings, workers=workers)
    if name == "chromium":
        # Late: asyncio and psutil take 0.1 s, and the static renderer needs neither.
        from structce.rendering.chromium import ChromiumRenderer

        return ChromiumRenderer(browser, settings=settings, workers=workers)
    raise RenderError(f"unknown renderer {name!r}; expected one of {', '.join(RENDERERS)}")


def has_browser(browser: str | None = None) -> bool:
    """Return whether Playwright and a browser are installed."""
    if not _has_playwright():
        return False
    from structce.rendering.chromium.discovery import find_browser  # late, as the renderer itself

    return find_browser(browser) is not None


def _has_playwright() -> bool:
    return find_spec("playwright") is not None


@dataclass(frozen=True)
class RenderResult:
    """Result of rendering one source: its page, or an error.

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


def render_all(sources: Iterable[tuple[str, Loader]], renderer: Renderer) -> Iterator[RenderResult]:
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
    waiting = submit_ahead(sources, partial(_page_to_come, renderer), renderer.workers)
    for name, document, page in waiting:
        yield _result(name, document, page)


def submit_ahead(
    sources: Iterable[tuple[str, Loader]],
    submit: Callable[[str, Document | Page], Future[T]],
    workers: int,
) -> Iterator[tuple[str, Document, Future[T]]]:
    """Yield every source in the order given, with its document and what will come of it.

    Sources are read one after the other, a few ahead of what is yielded, so that all workers are
    busy and memory does not grow with the number of sources. What cannot be read comes as a future
    that raises the error.

    Parameters
    ----------
    submit
        Takes a source's name and what was read.
    """
    waiting: deque[tuple[str, Document, Future[T]]] = deque()
    for name, read in sources:
        waiting.append((name, *_submit(name, read, partial(submit, name))))
        while waiting and (len(waiting) > _READ_AHEAD * workers or waiting[0][2].done()):
            yield waiting.popleft()
    yield from waiting


def render_with_bar(
    sources: Sequence[tuple[str, Loader]],
    renderer: Renderer,
    *,
    what: str = "pages",
    is_quiet: bool | None = None,
) -> Iterator[RenderResult]:
    """Render as :func:`render_all` does, with a progress bar on standard error.

    Parameters
    ----------
    what
        Written before the bar.
    is_quiet
        Show none; None shows one on a terminal only.
    """
    yield from with_bar(render_all(sources, renderer), len(sources), what=what, is_quiet=is_quiet)


def with_bar(
    results: Iterable[T], total: int, *, what: str = "pages", is_quiet: bool | None = None
) -> Iterator[T]:
    """Yield results with a progress bar on standard error; see :func:`render_with_bar`."""
    if is_quiet:
        yield from results
        return
    from tqdm import tqdm  # late: a single page has no bar

    yield from tqdm(results, total=total, desc=what, unit="page", disable=is_quiet, file=sys.stderr)


def _submit(
    name: str, read: Loader, submit: Callable[[Document | Page], Future[T]]
) -> tuple[Document, Future[T]]:
    try:
        found = read()
    except SETUP_ERRORS:
        raise
    except Exception as error:
        failed: Future[T] = Future()
        failed.set_exception(describe_fault(name, error))
        return Document(""), failed
    return found if isinstance(found, Document) else Document(""), submit(found)


def _page_to_come(renderer: Renderer, _: str, found: Document | Page) -> Future[Page]:
    if isinstance(found, Document):
        return renderer.submit(found)
    page: Future[Page] = Future()
    page.set_result(found)
    return page


def _result(name: str, document: Document, page: Future[Page]) -> RenderResult:
    try:
        rendered = page.result()
        if rendered.spans is None:
            rendered = with_spans(rendered, document.html)
        return RenderResult(name, document, rendered)
    except SETUP_ERRORS:
        raise
    except Exception as error:
        return RenderResult(name, document, None, str(describe_fault(name, error)))
