"""Pool of processes that render and label pages, and return what the caller reads from them.

Labelling takes most of the time per page, and reading an article most of the rest, so processes
that only render hardly help. A process therefore returns the final result, such as a line of text:
sending a page with its labels takes long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar

from structce.errors import SETUP_ERRORS, RenderError, describe_fault
from structce.features import import_features, import_sources, load_entry_points
from structce.labelling.labeller import Labelling, ModelChoice, RegionLabeller, find_model
from structce.page import Page
from structce.rendering import (
    Document,
    Loader,
    Settings,
    StaticRenderer,
    submit_ahead,
    with_spans,
)
from structce.runtime import call_within, without_collection

if TYPE_CHECKING:
    from structce.runtime import WorkerPool

_GRACE = 5.0  # seconds beyond a page's limit after which the process itself is killed

T = TypeVar("T")

Reading = Callable[[str, Labelling], T]
"""Makes the result from a labelled page, given the name of its source. It must be importable: a
function of a module, or a ``partial`` of one; its result is sent between processes."""

_Item = tuple[str, Document | Page]


class PageOutcome(NamedTuple, Generic[T]):
    """Result of one source: a value or, if it is None, the error."""

    source: str
    value: T | None
    error: str = ""


def page_outcome(
    source: str, work: Callable[[], T], *, seconds: float = math.inf
) -> PageOutcome[T]:
    """Return the outcome of work on one source, within a time limit in seconds.

    An exception becomes its error, except `SETUP_ERRORS`, which every other page would raise, too.
    """
    try:
        return PageOutcome(source, call_within(seconds, source, work))
    except SETUP_ERRORS:
        raise
    except Exception as error:
        return PageOutcome(source, None, str(describe_fault(source, error)))


class LabellingPool(Generic[T]):
    """Pool of processes that render pages without a browser and label them; a context manager.

    With one worker there is no other process: pages are processed in this one.

    Parameters
    ----------
    model
        Name of a shipped model, or a model's folder; None for the shipped one of each page's
        renderer. It must not compare the pages of a site.
    reading
        Makes the result from a labelled page. The labelling passed to it can be explained and read
        into an article like any other; one that is sent back loses its labeller.
    labeller
        The same model, if it is already loaded; processes share it if the system allows it.
    settings
        Settings of the static renderer; ``page_seconds`` limits all the work on a page.
    workers
        Number of processes, which ``with`` starts. As always in Python, a script that does so must
        start its work under ``if __name__ == "__main__":``.
    has_spans
        Whether the reading needs the places of regions in the source.
    is_isolated
        Whether a single worker is a process of its own, too, so that a page can neither end nor
        block this one.
    attempts
        Number of processes that may die on one page before it is given up.
    most_pages
        Pages after which a process is replaced by a fresh one, so that its memory stays bounded;
        None for no limit.
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
        most_pages: int | None = None,
    ) -> None:
        if workers < 1:
            raise RenderError(f"workers: expected 1 or more, got {workers}")
        self.has_spans = has_spans
        self.is_isolated, self.attempts, self.most_pages = is_isolated, attempts, most_pages
        self.model = None if model is None else find_model(model)
        self.reading = reading
        self.labeller = labeller
        self.settings = settings or Settings()
        self.workers = workers
        self._pool: WorkerPool[_Item, T] | None = None
        self._work: Callable[[_Item], T] | None = None  # set in a pool without other processes

    def __enter__(self) -> Self:
        models = ModelChoice(self.model, self.labeller)
        if self.workers == 1 and not self.is_isolated:
            self._work = self._function(models)
            return self
        from structce.runtime import WorkerPool  # late: one process needs no others

        given = (self.model, self.reading, self.settings, import_sources())
        self._pool = WorkerPool(
            partial(start_labelling, *given, has_spans=self.has_spans),
            self.workers,
            seconds=self.settings.limits.page_seconds + _GRACE,
            work=None if self.labeller is None else self._function(models),
            attempts=self.attempts,
            most_items=self.most_pages,
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = self._work = None

    def _function(self, models: ModelChoice) -> Callable[[_Item], T]:
        return PageLabeller(
            models, self.reading, StaticRenderer(settings=self.settings), self.has_spans
        )

    def label_all(self, sources: Iterable[tuple[str, Loader]]) -> Iterator[PageOutcome[T]]:
        """Yield the outcome of every source, in the order given.

        Sources are names, each with a function that loads the document or an already rendered
        page. They are read one after the other, a few ahead of the consumer, so that memory use
        does not grow with their number.
        """
        for name, _, future in submit_ahead(sources, self._submit, self.workers):
            yield page_outcome(name, future.result)

    def _submit(self, source: str, page: Document | Page) -> Future[T]:
        if self._work is not None:
            return _done(partial(self._work, (source, page)))
        if self._pool is None:
            advice = "use 'with LabellingPool(...) as pool'"
            raise RenderError(f"the workers have not been started; {advice}")
        if isinstance(page, Page):
            return self._pool.submit((source, page), page.url or "page")
        # Resources may be open files or connections, and only a browser needs them.
        return self._pool.submit((source, replace(page, resources=None)), page.name)


def start_labelling(
    model: Path | None,
    reading: Reading[T],
    settings: Settings,
    imports: Sequence[str],
    *,
    has_spans: bool = True,
) -> Callable[[_Item], T]:
    """Return the function that renders, labels and reads pages in a worker process.

    It imports the user's files and modules, whose features and learners the model may need.
    """
    load_entry_points()
    import_features(imports)
    return PageLabeller(ModelChoice(model), reading, StaticRenderer(settings=settings), has_spans)


@dataclass(frozen=True)
class PageLabeller(Generic[T]):
    """Function that renders and labels a page, and reads from it what is asked for.

    All this must be done within the ``page_seconds`` of the renderer. With ``has_spans``, the
    positions of regions in the source are found before the reading.
    """

    models: ModelChoice
    reading: Reading[T]
    renderer: StaticRenderer
    has_spans: bool = True

    def __call__(self, item: _Item) -> T:
        """Return what is read from a source's document, or from its page if it is rendered."""
        seconds = self.renderer.settings.limits.page_seconds
        return call_within(seconds, item[0], partial(self._read, *item))

    @without_collection
    def _read(self, source: str, given: Document | Page) -> T:
        if isinstance(given, Page):
            page, html = given, ""
        else:
            page, html = self.renderer.render(given), given.html
        if self.has_spans and page.spans is None:
            page = with_spans(page, html)
        return self.reading(source, self.models.label(page))


def _done(work: Callable[[], T]) -> Future[T]:
    """Do work at once and return its result as a finished future."""
    future: Future[T] = Future()
    try:
        future.set_result(work())
    except Exception as error:
        future.set_exception(error)
    return future
