"""Reader of pages: each is rendered, labelled and read, within its limits.

:class:`PageReader` does so for one page, or for many in order. All functions and commands that read
articles call it, so that time limits, checks and errors are the same for all of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from structce.article.article import Article
from structce.article.body_choice import Favour
from structce.article.reading import Reading, empty_page_message, read_labelling
from structce.article.site_rules import SiteRules
from structce.errors import (
    SETUP_ERRORS,
    EmptyPageWarning,
    RenderError,
    StructceError,
    describe_fault,
    page_faults,
)
from structce.features import import_features, import_sources, load_entry_points
from structce.labelling import ModelChoice
from structce.page import Page
from structce.rendering import (
    Document,
    Loader,
    Renderer,
    RenderResult,
    StaticRenderer,
    render_all,
    submit_ahead,
    with_spans,
)
from structce.runtime import call_within, without_collection

if TYPE_CHECKING:
    from structce.runtime import WorkerPool

_GRACE = 5.0  # seconds beyond a page's limit after which the process itself is killed
_ATTEMPTS = 3  # processes that may die on an isolated page: one killed from outside proves nothing
_PAGES_PER_PROCESS = 2_000  # it has then grown by a quarter, and the start of another costs 1 %

T = TypeVar("T")

_Item = tuple[str, Document | Page, str]  # name, what is read, and the source of a page


class PageOutcome(NamedTuple, Generic[T]):
    """Result of one source: a value or, if it is None, the error."""

    source: str
    value: T | None
    error: str = ""


class PageReader(msgspec.Struct, frozen=True):
    """Reader of pages: renders, labels and reads each within its time limit.

    Parameters
    ----------
    renderer
        Renderer, open if it is a browser; :meth:`pipe` opens it by itself.
    labeller
        Choice of each page's model.
    spans
        Whether to find the places of regions in the source, which takes an eighth of the time.
    favour, context
        As in :func:`structce.read_article`.
    rules
        Rules of sites, which are asked before the model.

    Examples
    --------
    >>> from structce.labelling import ModelChoice
    >>> from structce.rendering import Document, StaticRenderer
    >>> reader = PageReader(StaticRenderer(), ModelChoice())
    >>> reader(Document("<h1>Ferry to stop</h1><p>It will stop in June.</p>")).article.title.value
    'Ferry to stop'
    """

    renderer: Renderer
    labeller: ModelChoice
    spans: bool = True
    favour: Favour = "balance"
    context: bool = False
    rules: tuple[SiteRules, ...] = ()

    def __post_init__(self) -> None:
        if self.favour not in (known := get_args(Favour)):
            raise StructceError(
                f"unknown favour {self.favour!r}; expected one of {', '.join(known)}"
            )

    def __call__(self, document: Document | Page, name: str = "") -> Reading:
        """Return the reading of a document, or of a page that has been rendered already.

        ``name`` is that of the page in errors. For the errors see :meth:`run`.
        """
        html = document.html if isinstance(document, Document) else ""
        return self.run(document, partial(self.read, html=html), name)

    def run(self, document: Document | Page, work: Callable[[Page], T], name: str = "") -> T:
        """Return the result of work on a rendered page, within the limits of the renderer.

        Raises
        ------
        RenderError
            If the page exceeds a limit; TimeLimitError if it is that of time.
        PageError
            If the page causes an unforeseen error.
        """
        html, given = "", document
        if isinstance(document, Document):
            html, name = document.html, name or document.name
        name = name or document.url or "page"

        @without_collection
        def render_and_work() -> T:
            page = given if isinstance(given, Page) else self.renderer.render(given)
            return work(with_spans(page, html) if self.spans and page.spans is None else page)

        with page_faults(name):
            if isinstance(document, Document) and self.renderer.name != StaticRenderer.name:
                given = self.renderer.render(document)  # has limits of its own
            return call_within(self.seconds, name, render_and_work)

    @property
    def seconds(self) -> float:
        """Time limit of a page, except for rendering by a browser."""
        return self.renderer.settings.limits.page_seconds

    def read(self, page: Page, html: str = "") -> Reading:
        """Return the reading of a rendered page, without limits.

        ``html`` is its source, in whose data the text is looked for if the page shows none.
        """
        return read_labelling(
            self.labeller.label(page),
            favour=self.favour,
            context=self.context,
            html=html,
            rules=self.rules,
        )

    def pipe(
        self,
        sources: Iterable[tuple[str, Loader]],
        make: Callable[[str, Reading], T],
        *,
        workers: int = 1,
        may_fork: bool = False,
    ) -> Generator[PageOutcome[T], None, None]:
        """Yield the outcome of every source, in the order given; see :class:`ReadingPool`."""
        with ReadingPool(self, make, workers=workers, may_fork=may_fork) as pool:
            yield from pool.outcomes(sources)

    def articles(
        self, sources: Iterable[tuple[str, Loader]], *, workers: int = 1
    ) -> Generator[PageOutcome[Article], None, None]:
        """Yield the article of every source, in the order given.

        A page whose content scripts write gives an `EmptyPageWarning`. Worker processes load the
        model themselves, since forking the user's process may not be safe.
        """
        with closing(self.pipe(sources, _article_and_message, workers=workers)) as outcomes:
            for source, value, error in outcomes:
                article, message = value or (None, "")
                if message:
                    warnings.warn(message, EmptyPageWarning, stacklevel=3)
                yield PageOutcome(source, article, error)


def _article_and_message(source: str, reading: Reading) -> tuple[Article, str]:
    # The message is not a warning yet: the process that read the page may not be the user's.
    return reading.article, empty_page_message(source, reading.article)


class ReadingPool(Generic[T]):
    """Pool of processes in which a reader reads pages; a context manager.

    A process does all the work on a page and returns the final result, since sending a page with
    its labels takes long. Pages of a browser are rendered by this process.

    Parameters
    ----------
    make
        Makes the result from the name of a source and its reading. It must be importable, and its
        result is sent between processes.
    workers
        Number of processes; with one, pages are read in this process, and so are those of a
        browser. As always in Python, a script with several must start its work under
        ``if __name__ == "__main__":``.
    may_fork
        Whether processes may share the loaded model by forking this process; otherwise each of them
        loads the model.
    is_isolated
        Whether even a single worker is a process of its own, which is replaced from time to time,
        so that no page can end, block or fill this process.
    """

    def __init__(
        self,
        reader: PageReader,
        make: Callable[[str, Reading], T],
        *,
        workers: int = 1,
        may_fork: bool = False,
        is_isolated: bool = False,
    ) -> None:
        if workers < 1:
            raise RenderError(f"workers: expected 1 or more, got {workers}")
        is_static = reader.renderer.name == StaticRenderer.name
        self._browser = None if is_static else reader.renderer
        self._n_processes = workers if is_static or is_isolated else 1
        self._is_isolated = is_isolated
        # Processes, and this one, render by themselves where no browser is needed.
        reader = replace(reader, renderer=StaticRenderer(settings=reader.renderer.settings))
        self._seconds = reader.seconds + _GRACE
        self._work = partial(_read_item, reader, make)
        self._start = partial(_start_reading, reader, make, import_sources())
        self._may_fork = may_fork
        self._pool: WorkerPool[_Item, T] | None = None
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._n_processes > 1 or self._is_isolated:
                from structce.runtime import WorkerPool  # late: one process needs no others

                self._pool = WorkerPool(
                    self._start,
                    self._n_processes,
                    seconds=self._seconds,
                    work=self._work if self._may_fork else None,
                    attempts=_ATTEMPTS if self._is_isolated else 1,
                    most_items=_PAGES_PER_PROCESS if self._is_isolated else None,
                )
                stack.callback(self._pool.close)
            if self._browser is not None:
                stack.enter_context(self._browser)
            self._opened = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
        self._pool = None

    def outcomes(self, sources: Iterable[tuple[str, Loader]]) -> Iterator[PageOutcome[T]]:
        """Yield the outcome of every source, in the order given.

        Sources are names, each with a function that loads the document or an already rendered
        page. They are read one after the other, a few ahead of the consumer, so that memory use
        does not grow with their number.
        """
        contents: Iterable[tuple[str, Callable[[], Document | Page | RenderResult]]] = sources
        if self._browser is not None:
            results = render_all(sources, self._browser)
            contents = ((result.source, partial(_rendered, result)) for result in results)
        for name, _, future in submit_ahead(contents, self._submit, self._n_processes):
            try:
                outcome = PageOutcome(name, future.result())
            except SETUP_ERRORS:
                raise
            except Exception as error:
                outcome = PageOutcome(name, None, str(describe_fault(name, error)))
            yield outcome

    def _submit(self, source: str, content: Document | Page | RenderResult) -> Future[T]:
        html = ""
        if isinstance(content, RenderResult):
            html, page = content.document.html, content.page
            content = content.document if page is None else page
        elif isinstance(content, Document):
            # Resources may be open files or connections, and only a browser needs them.
            content = replace(content, resources=None)
        item = source, content, html
        if self._pool is not None:
            return self._pool.submit(item, source)
        future: Future[T] = Future()
        try:
            future.set_result(self._work(item))
        except Exception as error:
            future.set_exception(error)
        return future


def _rendered(result: RenderResult) -> RenderResult:
    if result.page is None:
        raise RenderError(result.error)
    return result


def _start_reading(
    reader: PageReader, make: Callable[[str, Reading], T], imports: Sequence[str]
) -> Callable[[_Item], T]:
    """Return the work of a new process; it imports the user's files, which the model may need."""
    load_entry_points()
    import_features(imports)
    return partial(_read_item, reader, make)


def _read_item(reader: PageReader, make: Callable[[str, Reading], T], item: _Item) -> T:
    source, content, html = item
    html = content.html if isinstance(content, Document) else html
    return reader.run(content, lambda page: make(source, reader.read(page, html)), source)
