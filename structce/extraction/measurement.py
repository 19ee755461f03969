"""Measurement of extractors on pages, here or in worker processes that each create them once.

Such a process loads only this module and its imports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeVar

from structce.datasets import GoldPage
from structce.errors import ExtractionError, StructceError
from structce.evaluation import FOUR
from structce.extraction.base import Extractor, PageClassMethod, TrainableMethod
from structce.extraction.benchmark import (
    DocumentRow,
    MethodSystem,
    ProxySystem,
    System,
    digest_of,
    measure_document,
    one_line,
)
from structce.extraction.measures import failed_overlaps
from structce.extraction.registry import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    load_extractors,
    make_extractor,
)
from structce.features import import_features, import_sources
from structce.runtime import WorkerPool

PROXY = "proxy:"
"""Prefix of the address of a proxy."""

Parameter = bool | int | float | str
_Made = TypeVar("_Made")


MethodKind = Literal["extractor", "page class", "trainable"]
"""Kind of method, by what it must see first: nothing, pages of a class, or labelled pages."""


@dataclass(frozen=True)
class Method:
    """Extractor, or a method that must see pages first, under a name of its own with parameters.

    Parameters
    ----------
    name
        Name in the rows; by default the extractor's.
    extractor
        Argument of :func:`structce.extraction.make_extractor`, the name of a method that must see
        pages first, or an HTTP proxy in any language, ``proxy:HOST:PORT``.
    parameters
        Parameters that override those of a registered extractor or method.
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

        Raises
        ------
        ExtractionError
            If there is no extractor of this name, it must see pages first, or it does not have such
            a parameter.
        MissingExtraError
            If it needs a package that is not installed.
        """
        if not self.parameters or self.kind != "extractor":
            return make_extractor(self.extractor)
        load_extractors()
        return self._make(EXTRACTORS[self.extractor])

    def make_page_class_method(self) -> PageClassMethod:
        """Return the method that compares pages of a class; errors as for :meth:`make`."""
        return self._make(PAGE_CLASS_METHODS[self.extractor])

    def make_trainable_method(self) -> TrainableMethod:
        """Return the method that learns from main contents; errors as for :meth:`make`."""
        return self._make(TRAINABLE_METHODS[self.extractor])

    def check(self) -> None:
        """Create the method, whatever its kind; errors as for :meth:`make`."""
        if self.kind == "page class":
            self.make_page_class_method()
        elif self.kind == "trainable":
            self.make_trainable_method()
        else:
            self.system()

    def _make(self, make: Callable[..., _Made]) -> _Made:
        try:
            return make(**self.parameters)
        except TypeError as error:
            raise ExtractionError(f"{self.extractor}: {error}") from error


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
    """Yield the row of every task, in order.

    Parameters
    ----------
    methods
        Methods that the tasks name.
    n_jobs
        Number of processes; with 1, everything runs in this process, without time limits.
    seconds
        Time limit per task. A process that takes longer, or dies, only affects its own row.
    """
    if n_jobs == 1:
        measure = start_measuring(methods, ())
        yield from map(measure, tasks)
    elif tasks:
        yield from _rows_of_pool(methods, tasks, n_jobs, seconds)


def start_measuring(
    methods: Sequence[Method], imports: Sequence[str]
) -> Callable[[MeasurementTask], DocumentRow]:
    """Return the function that measures one method on one page, in any process.

    Parameters
    ----------
    imports
        Files and modules of the user, whose extractors may be used.
    """
    import_features(imports)
    systems = {method.name: method.system() for method in methods}
    return partial(_measure, systems)


def _measure(systems: Mapping[str, System], task: MeasurementTask) -> DocumentRow:
    return measure_document(task.package, systems[task.method], task.page, task.measures)


def _rows_of_pool(
    methods: Sequence[Method], tasks: Sequence[MeasurementTask], n_jobs: int, seconds: float
) -> Iterator[DocumentRow]:
    starter = partial(start_measuring, methods, import_sources())
    pool: WorkerPool[MeasurementTask, DocumentRow] = WorkerPool(starter, n_jobs, seconds=seconds)
    named = ((task, f"{task.method}, {task.page.id}") for task in tasks)
    for task, future in pool.run_ahead(named):
        yield _finished(task, future)


def _finished(task: MeasurementTask, future: Future[DocumentRow]) -> DocumentRow:
    try:
        return future.result()
    except StructceError as error:
        return task.failed(one_line(error))
