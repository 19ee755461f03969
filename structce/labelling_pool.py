"""Pool of processes that render and label pages, and read from them what is asked for.

Labelling takes most of the time of a page, and reading an article most of the rest, so that
processes which only render are hardly faster than one. What a process sends back is therefore what
is wanted in the end, such as a line of text: a page with its labels takes long to send.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Generic, NamedTuple, Self, TypeVar

from structce.errors import SETUP_ERRORS, RenderError, describe_fault
from structce.features import import_features, import_sources, load_entry_points
from structce.labeller import Labelling, ModelChoice, RegionLabeller, find_model
from structce.page import Page
from structce.rendering import (
    Document,
    Loader,
    Settings,
    StaticRenderer,
    submit_ahead,
    with_spans,
)
from structce.time_limit import call_within
from structce.worker_pool import WorkerPool

_GRACE = 5.0  # seconds beyond a page's limit after which the process itself is ended

T = TypeVar("T")

Reading = Callable[[str, Labelling], T]
"""What is made of a labelled page, given the name of its source. It must be importable: a function
of a module, or a ``partial`` of one; what it returns is sent between processes."""

_Item = tuple[str, Document | Page]


class PageOutcome(NamedTuple, Generic[T]):
    """What came of one source.

    Parameters
    ----------
    value
        What was made of the labelled page; None where there is an error.
    error
        Why there is none; empty where there is one.
    """

    source: str
    value: T | None
    error: str = ""


def page_outcome(
    source: str, work: Callable[[], T], *, seconds: float = math.inf
) -> PageOutcome[T]:
    """Return what comes of one source; whatever goes wrong within the page is its error.

    Parameters
    ----------
    seconds
        That the work may take.

    Raises
    ------
    BrowserError, ModelError, MissingExtraError
        Where no other page would fare better.
    """
    try:
        return PageOutcome(source, call_within(seconds, source, work))
    except SETUP_ERRORS:
        raise
    except Exception as error:
        return PageOutcome(source, None, str(describe_fault(source, error)))


class LabellingPool(Generic[T]):
    """Pool of processes that render pages without a browser and label them; a context manager.

    With one worker there is no other process: pages are worked on in this one.

    Parameters
    ----------
    model
        Name of a shipped model, or a model's folder; None for the shipped one of each page's
        renderer. It must not compare the pages of a site.
    reading
        What the processes make of a labelled page. The labelling that they give it is explained
        and read into an article as any other; one that is sent back is without its labeller.
    labeller
        The same model where it is loaded already; processes share it where the system can.
    settings
        Settings of the static renderer; its ``page_seconds`` hold for all that is done with a page.
    workers
        Number of processes, which ``with`` starts. As always in Python, a script that does so must
        start its work below ``if __name__ == "__main__":``.
    has_spans
        Whether the reading asks where regions stand in the source.
    is_isolated
        Whether a single worker is another process, too: a page can then neither end nor hold up
        this one.
    attempts
        Processes that may die of one page before it is given up.
    """

    def __init__(
        self,
        model: str | Path | None,
        reading: Reading[T],
        *,
        labeller: RegionLabeller | None = None,
        settings: Settings | None = None,
        workers: int = 2,
        has_spans: bool = True,
        is_isolated: bool = False,
        attempts: int = 1,
    ) -> None:
        if workers < 1:
            raise RenderError(f"workers: expected 1 or more, came {workers}")
        self.has_spans = has_spans
        self.is_isolated, self.attempts = is_isolated, attempts
        self.model = None if model is None else find_model(model)
        self.reading = reading
        self.labeller = labeller
        self.settings = settings or Settings()
        self.workers = workers
        self._pool: WorkerPool[_Item, T] | None = None
        self._work: Callable[[_Item], T] | None = None  # of a pool without other processes

    def __enter__(self) -> Self:
        models = ModelChoice(self.model, self.labeller)
        if self.workers == 1 and not self.is_isolated:
            self._work = self._function(models)
            return self
        starter = partial(
            start_labelling,
            self.model,
            self.reading,
            self.settings,
            import_sources(),
            has_spans=self.has_spans,
        )
        ready = None if self.labeller is None else self._function(models)
        seconds = self.settings.limits.page_seconds + _GRACE
        self._pool = WorkerPool(
            starter, self.workers, seconds=seconds, work=ready, attempts=self.attempts
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = self._work = None

    def _function(self, models: ModelChoice) -> Callable[[_Item], T]:
        return labelling_function(models, self.reading, self.settings, has_spans=self.has_spans)

    def label_all(self, sources: Iterable[tuple[str, Loader]]) -> Iterator[PageOutcome[T]]:
        """Yield what comes of every source, in the order given.

        Sources are read one after the other, a few ahead of what is yielded, so that memory does
        not grow with their number.

        Parameters
        ----------
        sources
            Names, and what reads the document, or a page that has been rendered before.

        Raises
        ------
        RenderError
            If the pool is not started.
        """
        for name, _, found in submit_ahead(sources, self._submit, self.workers):
            yield page_outcome(name, found.result)

    def _submit(self, source: str, page: Document | Page) -> Future[T]:
        if self._work is not None:
            return _done(partial(self._work, (source, page)))
        if self._pool is None:
            raise RenderError("the workers are not started; use 'with LabellingPool(...) as pool'")
        if isinstance(page, Page):
            return self._pool.submit((source, page), page.url or "page")
        # Resources may be open files or connections, and are not asked for without a browser.
        return self._pool.submit((source, replace(page, resources=None)), page.name)


def start_labelling(
    model: Path | None,
    reading: Reading[T],
    settings: Settings,
    imports: Sequence[str],
    *,
    has_spans: bool = True,
) -> Callable[[_Item], T]:
    """Return the function that renders, labels and reads in a worker process.

    Parameters
    ----------
    imports
        Files and modules of the user, whose features and learners the model may need.
    """
    load_entry_points()
    import_features(imports)
    return labelling_function(ModelChoice(model), reading, settings, has_spans=has_spans)


def labelling_function(
    models: ModelChoice, reading: Reading[T], settings: Settings, *, has_spans: bool = True
) -> Callable[[_Item], T]:
    """Return the function that renders, labels and reads."""
    return partial(_work, models, StaticRenderer(settings=settings), reading, has_spans)


def _work(
    models: ModelChoice,
    renderer: StaticRenderer,
    reading: Reading[T],
    has_spans: bool,
    item: _Item,
) -> T:
    work = partial(_read, models, renderer, reading, has_spans, item)
    return call_within(renderer.settings.limits.page_seconds, item[0], work)


def _read(
    models: ModelChoice,
    renderer: StaticRenderer,
    reading: Reading[T],
    has_spans: bool,
    item: _Item,
) -> T:
    source, one = item
    page, html = (one, "") if isinstance(one, Page) else (renderer.render(one), one.html)
    if has_spans and page.spans is None:
        page = with_spans(page, html)
    return reading(source, models.label(page))


def _done(work: Callable[[], T]) -> Future[T]:
    """Return what comes of work that is done at once."""
    future: Future[T] = Future()
    try:
        future.set_result(work())
    except Exception as error:
        future.set_exception(error)
    return future
