"""Renderer without a browser: a parser (Lexbor), and the default appearance of HTML elements."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Self

from structce.errors import RenderError, describe_fault
from structce.page import Page, Provenance
from structce.rendering.base import Renderer, Settings
from structce.rendering.document import Document
from structce.rendering.static.render import RENDERER_NAME, provenance_of, render_static
from structce.runtime import call_within

if TYPE_CHECKING:
    from structce.runtime import WorkerPool


class StaticRenderer(Renderer):
    """Static renderer: without a browser, hence fast and the same everywhere, but without layout.

    An element is hidden by its tag, by ``hidden``, or by its ``style`` attribute; style sheets
    are not read. Declarative shadow trees and documents in ``srcdoc`` are walked.

    Parameters
    ----------
    settings
        Settings, of which the limits ``regions`` and ``page_seconds`` apply; files that a page
        refers to are never requested.
    workers
        Number of processes that render; more than one are started by ``with``. As always in Python,
        a script that does so must start its work under ``if __name__ == "__main__":``.
    """

    name = RENDERER_NAME

    def __init__(self, *, settings: Settings | None = None, workers: int = 1) -> None:
        if workers < 1:
            raise RenderError(f"workers: expected 1 or more, got {workers}")
        self.settings = settings or Settings()
        self.workers = workers
        self._pool: WorkerPool[Document, Page] | None = None

    def provenance(self, document: Document) -> Provenance:
        """Return how a page of the document comes about, without rendering it."""
        return provenance_of(document, self.settings)

    def submit(self, document: Document) -> Future[Page]:
        """Return the future page; with one worker it is finished at once.

        Raises
        ------
        RenderError
            If there are several workers that ``with`` has not started. Errors of the document are
            raised by the future.
        """
        if self.workers > 1:
            if self._pool is None:
                raise RenderError(
                    "the workers have not been started; use 'with StaticRenderer(...) as renderer'"
                )
            # Resources may be open files or connections, and only a browser needs them.
            return self._pool.submit(replace(document, resources=None), document.name)
        future: Future[Page] = Future()
        try:
            seconds = self.settings.limits.page_seconds
            work = partial(render_static, document, self.settings)
            future.set_result(call_within(seconds, document.name, work))
        except Exception as error:
            future.set_exception(describe_fault(document.name, error))
        return future

    def __enter__(self) -> Self:
        if self.workers > 1:
            from structce.runtime import WorkerPool

            starter = partial(page_maker, self.settings)
            self._pool = WorkerPool(
                starter, self.workers, seconds=self.settings.limits.page_seconds
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = None


def page_maker(settings: Settings) -> Callable[[Document], Page]:
    """Return the function that renders documents in a worker process."""
    return partial(render_static, settings=settings)
