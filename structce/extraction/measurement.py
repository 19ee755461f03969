"""Measurement of extractors on pages with gold: one row per document.

A document on which a system fails has a row with the reason, and counts as if nothing had been
extracted. A method that must see pages first learns from some and extracts from others in one job.

Source: T. Gottron (2007). Evaluating content extraction on HTML documents. Proc. Internet
Technologies and Applications, sections 3 and 4.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Literal, NamedTuple, TypeAlias

from structce.datasets import GoldPage
from structce.errors import SourceError, StructceError
from structce.evaluation import FOUR, Overlap, fold_space, four_overlaps
from structce.extraction.boilernet import MANIFEST, shipped_folder
from structce.extraction.measures import extraction_overlaps, failed_overlaps
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.proxies import DocumentServer
from structce.extraction.registry import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extractor,
    load_extractors,
    make_extractor,
    text_of_html,
)
from structce.features import import_features
from structce.rendering import MAX_PAGE_BYTES, ProxyAnswer, ProxyClient, decode

SECONDS = 60.0
"""Default time limit of one document, through a proxy or in a process; our choice."""

_PROXY = "proxy:"  # prefix of the address of a proxy

PARTS = ("precision", "recall", "f1")

Parameter = bool | int | float | str
Rows: TypeAlias = "tuple[DocumentRow, ...]"


class Measurement(NamedTuple):
    """Result of a system on one document."""

    text: str  # white space folded; empty if the system failed
    seconds: float | None  # None if unknown
    error: str = ""  # reason for a failure
    source: tuple[ParsedDocument, Extraction] | None = None  # None for a system that gives a text


System: TypeAlias = Callable[[GoldPage], Measurement]
"""Content extractor under test, however it is reached."""


def run_extractor(extractor: Extractor, page: GoldPage) -> Measurement:
    """Return the result of an extractor, timed from the bytes of the page to the text."""
    start = perf_counter()
    document = ParsedDocument.of(page.document())
    extraction = extractor.extract(document)
    seconds = perf_counter() - start
    return Measurement(fold_space(extraction.text), seconds, source=(document, extraction))


def run_proxy(client: ProxyClient, seconds: float, page: GoldPage) -> Measurement:
    """Return the result of an HTTP proxy, timed from the end of serving to the end of receiving.

    A web server thread serves the one document; the proxy is asked for it, fetches and rewrites it,
    within ``seconds``.
    """
    with DocumentServer(page.data, page.content_type) as server:
        answer = client.get(server.url, seconds=seconds, max_bytes=MAX_PAGE_BYTES)
        served_at = server.served_at()
    if served_at is None:
        raise SourceError("the proxy answered without having read the document")
    return Measurement(_text_of(answer), max(answer.received_at - served_at, 0.0))


def measure(system: System, page: GoldPage) -> Measurement:
    """Return the result of a system on a page; a failure is not raised but reported."""
    try:
        return system(page)
    except (StructceError, OSError) as error:
        return _failure(error)


def _failure(error: Exception) -> Measurement:
    return Measurement("", None, fold_space(str(error)) or type(error).__name__)


def _text_of(answer: ProxyAnswer) -> str:
    """Return the text of an answer (Gottron 2007, section 4.2); SourceError if it is not text."""
    if not answer.data.strip():
        return ""
    html = decode(answer.data, name="the answer", content_type=answer.content_type).html
    is_plain = answer.content_type.lower().startswith("text/plain")
    return fold_space(html if is_plain else text_of_html(html))


@dataclass(frozen=True)
class DocumentRow:
    """Scores of one system on one document, by the name of the measure.

    ``n_bytes`` is the size of the page as served; ``seconds`` is None if unknown.
    """

    document: str
    n_bytes: int
    seconds: float | None
    overlaps: Mapping[str, Overlap]
    error: str = ""

    @property
    def seconds_per_kb(self) -> float | None:
        """Seconds per thousand bytes of the page."""
        return None if self.seconds is None else self.seconds * 1_000 / max(self.n_bytes, 1)


def _overlaps(outcome: Measurement, page: GoldPage, measures: Sequence[str]) -> dict[str, Overlap]:
    """Return the overlaps of an outcome: the four, and others of `MEASURES`.

    For a system that returns only a text, pieces are those of the page in its text.
    """
    gold = page.gold.text
    if outcome.error:
        return failed_overlaps(gold, measures)
    if set(measures) <= set(FOUR):
        return four_overlaps(outcome.text, gold)
    try:
        document, extraction = outcome.source or (
            ParsedDocument.of(page.document()),
            Extraction(outcome.text),
        )
    except StructceError:  # the system read a document that cannot be divided into pieces here
        return failed_overlaps(gold, measures) | four_overlaps(outcome.text, gold)
    return extraction_overlaps(document, extraction, gold, measures)


def digest_of(page: GoldPage) -> str:
    """Return a digest of sixteen hexadecimal digits of the page, its type and its gold."""
    total = hashlib.sha256(page.data)
    total.update(f"\0{page.content_type}\0{page.gold.text}".encode(errors="replace"))
    return total.hexdigest()[:16]


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
    def kind(self) -> Literal["extractor", "page class", "trainable"]:
        """Kind of method, by what it must see first: nothing, or pages."""
        if self.extractor in PAGE_CLASS_METHODS:
            return "page class"
        return "trainable" if self.extractor in TRAINABLE_METHODS else "extractor"

    def system(self, seconds: float = SECONDS) -> System:
        """Return the extractor, or the proxy with its time limit, as a system to measure.

        Raises ExtractionError if there is no such extractor, or it has no such parameter;
        MissingExtraError if it needs a package that is not installed.
        """
        if self.extractor.startswith(_PROXY):
            client = ProxyClient(self.extractor.removeprefix(_PROXY).strip())
            return partial(run_proxy, client, seconds)
        if not self.parameters or self.kind != "extractor":
            return partial(run_extractor, make_extractor(self.extractor))
        load_extractors()
        return partial(run_extractor, EXTRACTORS.make(self.extractor, **self.parameters))

    def learn(self, pages: Sequence[GoldPage]) -> Extractor:
        """Return the extractor that the method learns from pages; errors as for `system`."""
        documents = (ParsedDocument.of(page.document()) for page in pages)
        if self.kind == "page class":
            return PAGE_CLASS_METHODS.make(self.extractor, **self.parameters).learn(documents)
        method = TRAINABLE_METHODS.make(self.extractor, **self.parameters)
        return method.fit(documents, [page.gold.text for page in pages])

    def check(self) -> None:
        """Create the method, whatever its kind; errors as for `system`."""
        if self.kind == "extractor":
            self.system()
        elif self.kind == "page class":
            PAGE_CLASS_METHODS.make(self.extractor, **self.parameters)
        else:
            TRAINABLE_METHODS.make(self.extractor, **self.parameters)


@dataclass(frozen=True)
class MeasurementJob:
    """A method on pages of a package, after it has learnt from some pages if it must.

    ``measures`` are some of :data:`structce.extraction.measures.MEASURES`, the four always
    included.
    """

    package: str
    method: Method
    measured: tuple[GoldPage, ...]
    learnt: tuple[GoldPage, ...] = ()
    measures: tuple[str, ...] = FOUR

    def __str__(self) -> str:
        return f"{self.method.name}, {self.package}, {self.measured[0].id}"

    def row(self, page: GoldPage, outcome: Measurement) -> DocumentRow:
        """Return the row of one of the measured pages."""
        overlaps = _overlaps(outcome, page, self.measures)
        return DocumentRow(page.id, len(page.data), outcome.seconds, overlaps, outcome.error)

    def rows(self, system: System) -> Rows:
        """Return the rows of a system on the measured pages."""
        return tuple(self.row(page, measure(system, page)) for page in self.measured)

    def failed(self, error: StructceError) -> Rows:
        """Return the rows of a job that extracted nothing from any page."""
        return tuple(self.row(page, _failure(error)) for page in self.measured)


def start_measuring(
    seconds: float = SECONDS, imports: Sequence[str] = ()
) -> Callable[[MeasurementJob], Rows]:
    """Return the function that runs a job in this process, after imports of user's extractors.

    A proxy has ``seconds`` for a page. Systems are created once.
    """
    import_features(imports)
    systems: dict[str, System] = {}

    def run(job: MeasurementJob) -> Rows:
        name = job.method.name
        if job.method.kind != "extractor":
            return _learn_and_measure(job)
        if name not in systems:
            systems[name] = job.method.system(seconds)
        return job.rows(systems[name])

    return run


def _learn_and_measure(job: MeasurementJob) -> Rows:
    """Learn from the readable pages of a job; if nothing can be learnt, each row has the reason."""
    readable = []
    for page in job.learnt:
        with suppress(StructceError):
            page.document()
            readable.append(page)
    try:
        extractor = job.method.learn(readable)
    except StructceError as error:
        return job.failed(error)
    return job.rows(partial(run_extractor, extractor))


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
        manifest = json.loads((shipped_folder() / MANIFEST).read_bytes())
        return frozenset(manifest["training"]["pages"])
    return frozenset({"wcxb", "fundus"} if method.extractor == "web2text-wcxb" else ())
