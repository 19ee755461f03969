"""Measurement of methods that must see pages first: learn from some pages, extract from others.

A task is one method, the pages that it learns from, and the pages that it is measured on, all in
one process. The time to learn is measured separately from the time to extract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import overload

from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.extraction.base import Extractor
from structce.extraction.benchmark import (
    DocumentRow,
    MethodSystem,
    digest_of,
    measure_document,
    one_line,
)
from structce.extraction.measurement import Method
from structce.extraction.measures import failed_overlaps
from structce.extraction.parsed_document import ParsedDocument
from structce.features import import_features, import_sources
from structce.runtime import WorkerPool


@dataclass(frozen=True)
class LearningTask:
    """One method, the pages that it learns from, and those that it is measured on.

    Parameters
    ----------
    system
        Name of the method in the rows.
    """

    package: str
    system: str
    method: Method
    learnt: tuple[GoldPage, ...]
    measured: tuple[GoldPage, ...]
    measures: tuple[str, ...] = FOUR

    def failed(self, why: str) -> LearningOutcome:
        """Return the outcome of a task in which nothing was learnt, so nothing extracted."""
        rows = (self._failed_row(page, why) for page in self.measured)
        return LearningOutcome(None, len(self.learnt), tuple(rows))

    def _failed_row(self, page: GoldPage, why: str) -> DocumentRow:
        key = self.package, self.system, page.id, digest_of(page)
        overlaps = failed_overlaps(page.gold.text, self.measures)
        return DocumentRow(*key, len(page.data), None, overlaps, why)


@dataclass(frozen=True)
class LearningOutcome:
    """Result of a task.

    Parameters
    ----------
    seconds
        Time to learn, starting from the bytes of all pages; None if it failed.
    n_learnt
        Number of pages learnt from.
    rows
        Rows of the measured pages, in order.
    tokens
        Tokens of attributes that the learnt extractor looks for; empty for most.
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
        extractor = _learn(task.method, readable)
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


def _learn(method: Method, pages: Sequence[GoldPage]) -> Extractor:
    documents = PageDocuments(pages)
    if method.kind == "page class":
        return method.make_page_class_method().learn(documents)
    texts = [page.gold.text for page in pages]
    return method.make_trainable_method().fit(documents, texts)


def run_learning_tasks(
    tasks: Sequence[LearningTask], *, n_jobs: int = 1, seconds: float = 60.0
) -> Iterator[LearningOutcome]:
    """Yield the outcome of every task, in order.

    Parameters
    ----------
    n_jobs
        Number of processes; with 1, everything runs in this process, without time limits.
    seconds
        Time limit per page that a task learns from or is measured on. A process that takes longer,
        or dies, only affects its own task.
    """
    if n_jobs == 1:
        yield from map(run_learning_task, tasks)
    elif tasks:
        most = max(len(task.learnt) + len(task.measured) for task in tasks)
        yield from _outcomes_of_pool(tasks, n_jobs, seconds * most)


def _start(imports: Sequence[str]) -> Callable[[LearningTask], LearningOutcome]:
    """Return the function that runs a task, in any process."""
    import_features(imports)
    return run_learning_task


def _outcomes_of_pool(
    tasks: Sequence[LearningTask], n_jobs: int, seconds: float
) -> Iterator[LearningOutcome]:
    starter = partial(_start, import_sources())
    pool: WorkerPool[LearningTask, LearningOutcome] = WorkerPool(starter, n_jobs, seconds=seconds)
    named = ((task, f"{task.system}, {task.package}") for task in tasks)
    for task, future in pool.run_ahead(named):
        yield _finished(task, future)


def _finished(task: LearningTask, future: Future[LearningOutcome]) -> LearningOutcome:
    try:
        return future.result()
    except StructceError as error:
        return task.failed(one_line(error))
