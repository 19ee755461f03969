"""Measurement of extractors, and of methods that must see pages first, here or in worker processes.

Workers create each extractor once. A method that must see pages first learns from some pages and
extracts from others in one process; the time to learn is measured separately.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any, Literal, TypeVar, overload

from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.extraction.benchmark import (
    DocumentRow,
    MethodSystem,
    ProxySystem,
    System,
    digest_of,
    measure_document,
    one_line,
)
from structce.extraction.boilernet import MANIFEST, shipped_folder
from structce.extraction.measures import failed_overlaps
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extractor,
    load_extractors,
    make_extractor,
)
from structce.features import import_features, import_sources
from structce.runtime import WorkerPool

PROXY = "proxy:"
"""Prefix of the address of a proxy."""

Parameter = bool | int | float | str
_Result = TypeVar("_Result")


MethodKind = Literal["extractor", "page class", "trainable"]
"""Kind of method, by what it must see first: nothing, pages of a class, or labelled pages."""


@dataclass(frozen=True)
class Method:
    """Extractor, or a method that must see pages first, under a name of its own with parameters.

    ``extractor`` is an argument of :func:`structce.extraction.make_extractor`, the name of a method
    that must see pages first, or an HTTP proxy in any language, ``proxy:HOST:PORT``. Parameters
    override those of a registered extractor or method.
    """

    name: str
    extractor: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @property
    def kind(self) -> MethodKind:
        """Kind of method, by what it must see first."""
        if self.extractor in PAGE_CLASS_METHODS:
            return "page class"
        return "trainable" if self.extractor in TRAINABLE_METHODS else "extractor"

    def system(self) -> System:
        """Return the extractor or the proxy as a system to measure; errors as :meth:`make`."""
        if address := self.proxy:
            return ProxySystem(address, name=self.name)
        return MethodSystem(self.name, self.make())

    @property
    def proxy(self) -> str:
        """``HOST:PORT`` of a proxy; empty for any other method."""
        return self.extractor[len(PROXY) :].strip() if self.extractor.startswith(PROXY) else ""

    def make(self) -> Extractor:
        """Return the extractor.

        Raises ExtractionError if there is no extractor of this name, it must see pages first, or it
        does not have such a parameter; MissingExtraError if it needs a package that is not
        installed.
        """
        if not self.parameters or self.kind != "extractor":
            return make_extractor(self.extractor)
        load_extractors()
        return EXTRACTORS.make(self.extractor, **self.parameters)

    def learn(self, pages: Sequence[GoldPage]) -> Extractor:
        """Return the extractor that the method learns from pages; errors as for :meth:`make`."""
        documents = PageDocuments(pages)
        if self.kind == "page class":
            return PAGE_CLASS_METHODS.make(self.extractor, **self.parameters).learn(documents)
        method = TRAINABLE_METHODS.make(self.extractor, **self.parameters)
        return method.fit(documents, [page.gold.text for page in pages])

    def check(self) -> None:
        """Create the method, whatever its kind; errors as for :meth:`make`."""
        if self.kind == "page class":
            PAGE_CLASS_METHODS.make(self.extractor, **self.parameters)
        elif self.kind == "trainable":
            TRAINABLE_METHODS.make(self.extractor, **self.parameters)
        else:
            self.system()


@dataclass(frozen=True)
class MeasurementTask:
    """One method on one page of a package."""

    package: str
    page: GoldPage
    method: str
    measures: tuple[str, ...] = FOUR

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Identity of the row."""
        return self.package, self.method, self.page.id, digest_of(self.page)

    def failed(self, why: str) -> DocumentRow:
        """Return the row of a page from which nothing was extracted."""
        overlaps = failed_overlaps(self.page.gold.text, self.measures)
        return DocumentRow(*self.key, len(self.page.data), None, overlaps, why)


def measure_tasks(
    methods: Sequence[Method],
    tasks: Sequence[MeasurementTask],
    *,
    n_jobs: int = 1,
    seconds: float = 60.0,
) -> Iterator[DocumentRow]:
    """Yield the row of every task, in order, by the methods that the tasks name.

    With one job, everything runs in this process, without time limits; otherwise a process that
    takes longer for a task than ``seconds``, or dies, only affects its own row.
    """
    if n_jobs == 1:
        yield from map(_start_measuring(methods, ()), tasks)
    elif tasks:
        named = ((task, f"{task.method}, {task.page.id}") for task in tasks)
        starter = partial(_start_measuring, methods, import_sources())
        yield from _results_of_pool(starter, named, n_jobs, seconds)


def _start_measuring(
    methods: Sequence[Method], imports: Sequence[str]
) -> Callable[[MeasurementTask], DocumentRow]:
    """Return the function that measures one method on one page, in any process."""
    import_features(imports)
    systems = {method.name: method.system() for method in methods}
    return lambda task: measure_document(
        task.package, systems[task.method], task.page, task.measures
    )


def _results_of_pool(
    starter: Callable[[], Callable[[Any], _Result]],
    named: Iterable[tuple[Any, str]],
    n_jobs: int,
    seconds: float,
) -> Iterator[_Result]:
    """Yield the result of every task in order, or that of its failure."""
    pool: WorkerPool[Any, _Result] = WorkerPool(starter, n_jobs, seconds=seconds)
    for task, future in pool.run_ahead(named):
        try:
            yield future.result()
        except StructceError as error:
            yield task.failed(one_line(error))


@dataclass(frozen=True)
class LearningTask:
    """One method, named ``system`` in the rows, the pages to learn from, and those to measure."""

    package: str
    system: str
    method: Method
    learnt: tuple[GoldPage, ...]
    measured: tuple[GoldPage, ...]
    measures: tuple[str, ...] = FOUR

    def failed(self, why: str) -> LearningOutcome:
        """Return the outcome of a task in which nothing was learnt, so nothing extracted."""
        tasks = (
            MeasurementTask(self.package, page, self.system, self.measures)
            for page in self.measured
        )
        return LearningOutcome(None, len(self.learnt), tuple(task.failed(why) for task in tasks))


@dataclass(frozen=True)
class LearningOutcome:
    """Result of a task.

    ``seconds`` is the time to learn, starting from the bytes of all pages; None if it failed.
    ``rows`` are those of the measured pages, in order; ``tokens`` are those of attributes that the
    learnt extractor looks for.
    """

    seconds: float | None
    n_learnt: int
    rows: tuple[DocumentRow, ...]
    tokens: tuple[str, ...] = ()

    @property
    def is_failed(self) -> bool:
        """Whether a row has an error."""
        return any(row.error for row in self.rows)


class PageDocuments(Sequence[ParsedDocument]):
    """Documents of pages, each parsed again at every access, since parsed pages are large."""

    def __init__(self, pages: Sequence[GoldPage]) -> None:
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    @overload
    def __getitem__(self, i: int) -> ParsedDocument: ...

    @overload
    def __getitem__(self, i: slice) -> PageDocuments: ...

    def __getitem__(self, i: int | slice) -> ParsedDocument | PageDocuments:
        if isinstance(i, slice):
            return PageDocuments(self._pages[i])
        return ParsedDocument.of(self._pages[i].document())


def run_learning_task(task: LearningTask) -> LearningOutcome:
    """Learn from the pages of a task, then extract from those that are measured.

    Unreadable pages are not used for learning. If nothing can be learnt, each measured page has a
    row with the reason.
    """
    readable = tuple(page for page in task.learnt if _is_readable(page))
    start = perf_counter()
    try:
        extractor = task.method.learn(readable)
    except StructceError as error:
        return task.failed(one_line(error))
    seconds = perf_counter() - start
    system = MethodSystem(task.system, extractor)
    rows = (measure_document(task.package, system, page, task.measures) for page in task.measured)
    tokens = tuple(str(token) for token in getattr(extractor, "tokens", ()))
    return LearningOutcome(seconds, len(readable), tuple(rows), tokens)


def _is_readable(page: GoldPage) -> bool:
    try:
        page.document()
    except StructceError:
        return False
    return True


def run_learning_tasks(
    tasks: Sequence[LearningTask], *, n_jobs: int = 1, seconds: float = 60.0
) -> Iterator[LearningOutcome]:
    """Yield the outcome of every task, in order.

    The time limit is per page that a task learns from or is measured on. A process that takes
    longer, or dies, only affects its own task. For ``n_jobs`` see :func:`measure_tasks`.
    """
    if n_jobs == 1:
        yield from map(run_learning_task, tasks)
    elif tasks:
        most = max(len(task.learnt) + len(task.measured) for task in tasks)
        named = ((task, f"{task.system}, {task.package}") for task in tasks)
        starter = partial(_start_learning, import_sources())
        yield from _results_of_pool(starter, named, n_jobs, seconds * most)


def _start_learning(imports: Sequence[str]) -> Callable[[LearningTask], LearningOutcome]:
    """Return the function that runs a task, in any process."""
    import_features(imports)
    return run_learning_task


def training_sets(method: Method) -> frozenset[str]:
    """Return the names of the data sets that a method's shipped model was trained on.

    Empty for methods without a model, and for those trained in the experiment itself. Raises
    ModelError if there is no such model.
    """
    if method.extractor == "regions":
        from structce.labelling import RegionLabeller  # late: only this method needs it

        model = str(dict(method.parameters).get("model", "news-static"))
        return RegionLabeller.load(model).training_sets
    if method.extractor == "boilernet-small":
        stated = json.loads((shipped_folder() / MANIFEST).read_bytes())
        return frozenset(stated["training"]["pages"])
    return frozenset({"wcxb", "fundus"} if method.extractor == "web2text-wcxb" else ())
