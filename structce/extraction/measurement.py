"""Measurement of extractors, and of methods that must see pages first, here or in worker processes.

Workers create each extractor once. A method that must see pages first learns from some pages and
extracts from others in one process; the time to learn is measured separately.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Literal, overload

from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.extraction.benchmark import (
    SECONDS,
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


@dataclass(frozen=True)
class MeasurementJob:
    """A method on pages of a package, after it has learnt from some pages if it must.

    ``system`` is the name of the method in the rows.
    """

    package: str
    system: str
    method: Method
    measured: tuple[GoldPage, ...]
    learnt: tuple[GoldPage, ...] = ()
    measures: tuple[str, ...] = FOUR

    def __str__(self) -> str:
        return f"{self.system}, {self.package}, {self.measured[0].id}"

    def failed(self, why: str) -> JobOutcome:
        """Return the outcome of a job that extracted nothing from any page."""
        rows = []
        for page in self.measured:
            overlaps = failed_overlaps(page.gold.text, self.measures)
            place = self.package, self.system, page.id, digest_of(page)
            rows.append(DocumentRow(*place, len(page.data), None, overlaps, why))
        return JobOutcome(tuple(rows))


@dataclass(frozen=True)
class JobOutcome:
    """Rows of the measured pages of a job, in order.

    ``seconds`` is the time to learn from ``n_learnt`` pages, starting from their bytes; None if
    nothing was learnt. ``tokens`` are those of attributes that the learnt extractor looks for.
    """

    rows: tuple[DocumentRow, ...]
    seconds: float | None = None
    n_learnt: int = 0
    tokens: tuple[str, ...] = ()


def run_jobs(
    jobs: Sequence[MeasurementJob], *, n_jobs: int = 1, seconds: float = SECONDS
) -> Iterator[JobOutcome]:
    """Yield the outcome of every job, in order.

    With one job at a time, everything runs in this process, without time limits; otherwise a
    process that dies, or takes longer than ``seconds`` for a page that is learnt from or measured,
    only affects its own job.
    """
    if n_jobs == 1:
        yield from map(_start_measuring(()), jobs)
    elif jobs:
        most = max(len(job.learnt) + len(job.measured) for job in jobs)
        starter = partial(_start_measuring, import_sources())
        pool: WorkerPool[MeasurementJob, JobOutcome]
        pool = WorkerPool(starter, n_jobs, seconds=seconds * most)
        for job, future in pool.run_ahead((job, str(job)) for job in jobs):
            try:
                yield future.result()
            except StructceError as error:
                yield job.failed(one_line(error))


def _start_measuring(imports: Sequence[str]) -> Callable[[MeasurementJob], JobOutcome]:
    """Return the function that runs a job, in any process; systems are created once."""
    import_features(imports)
    systems: dict[str, System] = {}

    def run(job: MeasurementJob) -> JobOutcome:
        if job.method.kind != "extractor":
            return _learn_and_measure(job)
        if job.system not in systems:
            systems[job.system] = job.method.system()
        return JobOutcome(_measured(job, systems[job.system]))

    return run


def _measured(job: MeasurementJob, system: System) -> tuple[DocumentRow, ...]:
    return tuple(measure_document(job.package, system, page, job.measures) for page in job.measured)


def _learn_and_measure(job: MeasurementJob) -> JobOutcome:
    """Learn from the readable pages of a job; if nothing can be learnt, each row has the reason."""
    readable = tuple(page for page in job.learnt if _is_readable(page))
    start = perf_counter()
    try:
        extractor = job.method.learn(readable)
    except StructceError as error:
        return job.failed(one_line(error))
    seconds = perf_counter() - start
    tokens = tuple(str(token) for token in getattr(extractor, "tokens", ()))
    rows = _measured(job, MethodSystem(job.system, extractor))
    return JobOutcome(rows, seconds, len(readable), tokens)


def _is_readable(page: GoldPage) -> bool:
    try:
        page.document()
    except StructceError:
        return False
    return True


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
