"""Benchmark of extractors on test packages: one pass, one row per document, resumable.

A system is one of our extractors in this process (`MethodSystem`) or any extractor behind an HTTP
proxy (`ProxySystem`). A document on which a system fails has a row with the reason, and counts as
if nothing had been extracted.

Source: T. Gottron (2007). Evaluating content extraction on HTML documents. Proc. Internet
Technologies and Applications, sections 3 and 4.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Protocol

from structce.datasets import READERS, UTF8_HTML, GoldPage, Lost
from structce.errors import StructceError
from structce.evaluation import (
    FOUR,
    PERTURBATIONS,
    Overlap,
    fold_space,
    four_overlaps,
    perturb,
    unperturbed,
)
from structce.extraction.measures import extraction_overlaps, failed_overlaps
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.proxies import LOOPBACK, DocumentServer, shown_text
from structce.extraction.registry import Extractor, make_extractor
from structce.gold import TEXT, Gold
from structce.rendering import MAX_PAGE_BYTES, ProxyAnswer, ProxyClient, decode

KILOBYTE = 1_000
"""Bytes of the kilobyte to which processing time refers."""

SECONDS = 60.0
"""Default time limit for one document through a proxy; our choice."""


@dataclass(frozen=True)
class Outcome:
    """Result of a system on one document.

    ``text`` has white space folded, and is empty if the system failed; ``seconds`` is the
    processing time, None if unknown; ``error`` is the reason for a failure. ``source`` is the
    document and the extraction with its positions; None if the system failed or returns only a
    text.
    """

    text: str
    seconds: float | None
    error: str = ""
    source: tuple[ParsedDocument, Extraction] | None = None


class System(Protocol):
    """Content extractor under test, however it is reached."""

    @property
    def name(self) -> str:
        """Name of the system in the rows of its documents."""
        ...

    def run(self, page: GoldPage) -> Outcome:
        """Return the result of the system on a page; a failure is not raised but reported."""
        ...


class MethodSystem:
    """Extractor of the registry, or another one under this name, in this process.

    Its time is measured from the bytes of the page to the text. Raises ExtractionError if there is
    no extractor of this name.
    """

    def __init__(self, name: str, extractor: Extractor | None = None) -> None:
        self.name = name
        self._extractor = extractor or make_extractor(name)

    def run(self, page: GoldPage) -> Outcome:
        """Return the result of the extractor on a page."""
        start = perf_counter()
        try:
            document = ParsedDocument.of(page.document())
            extraction = self._extractor.extract(document)
        except StructceError as error:
            return Outcome("", None, one_line(error))
        seconds = perf_counter() - start
        return Outcome(fold_space(extraction.text), seconds, source=(document, extraction))


class ProxySystem:
    """Content extractor behind an HTTP proxy.

    A web server thread serves the one document; the proxy is asked for it, fetches and rewrites
    it. The time is measured from the end of serving to the end of receiving; ``seconds`` limits the
    time from the request to the last byte. The document is served at ``address``. The name in the
    rows is by default the proxy's address, ``HOST:PORT``. Raises SourceError if ``proxy`` is not
    such an address.
    """

    def __init__(
        self, proxy: str, *, seconds: float = SECONDS, address: str = LOOPBACK, name: str = ""
    ) -> None:
        self.name = name or proxy
        self._client = ProxyClient(proxy)
        self._seconds = seconds
        self._address = address

    def run(self, page: GoldPage) -> Outcome:
        """Return the result of the proxy on a page."""
        try:
            with DocumentServer(page.data, page.content_type, self._address) as server:
                answer = self._client.get(
                    server.url, seconds=self._seconds, max_bytes=MAX_PAGE_BYTES
                )
                served_at = server.served_at()
            if served_at is None:
                return Outcome("", None, "the proxy answered without having read the document")
            seconds = max(answer.received_at - served_at, 0.0)
            return Outcome(text_of_answer(answer), seconds)
        except (StructceError, OSError) as error:
            return Outcome("", None, one_line(error))


def text_of_answer(answer: ProxyAnswer) -> str:
    """Return the text of a proxy's answer, empty without bytes; raises SourceError if not text."""
    if not answer.data.strip():
        return ""
    document = decode(answer.data, name="the answer", content_type=answer.content_type)
    is_plain = answer.content_type.lower().startswith("text/plain")
    return fold_space(document.html) if is_plain else shown_text(document.html)


@dataclass(frozen=True)
class DocumentRow:
    """Scores of one system on one document of a package.

    ``digest`` is that of the page and its gold, and identifies documents that are already measured;
    ``n_bytes`` is the size of the page as served; ``overlaps`` are those of the measures in
    ``FOUR``, and others on request.
    """

    package: str
    system: str
    document: str
    digest: str
    n_bytes: int
    seconds: float | None
    overlaps: Mapping[str, Overlap]
    error: str = ""

    @property
    def seconds_per_kb(self) -> float | None:
        """Seconds per thousand bytes of the page."""
        return None if self.seconds is None else self.seconds * KILOBYTE / max(self.n_bytes, 1)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Identity of the row."""
        return self.package, self.system, self.document, self.digest


@dataclass(frozen=True)
class Package:
    """Test package in memory: its documents with a text, and why others are missing."""

    name: str
    pages: tuple[GoldPage, ...]
    lost: Mapping[str, str]


def read_package(path: Path) -> Package:
    """Read a test package, named after its folder or archive; raises CorpusError for others."""
    pages, lost = [], {}
    for item in READERS["gottron"].read(path):
        if isinstance(item, Lost):
            lost[item.id] = item.why
        else:
            pages.append(item)
    return Package(path.resolve().name.removesuffix(".zip"), tuple(pages), lost)


def measure(
    packages: Sequence[Package],
    systems: Sequence[System],
    known: Mapping[tuple[str, str, str, str], DocumentRow],
    measures: Sequence[str] = FOUR,
) -> Iterator[DocumentRow]:
    """Yield a row for each document and system; ``known`` rows have the measures and are kept."""
    for package in packages:
        for page in package.pages:
            for system in systems:
                row = known.get((package.name, system.name, page.id, digest_of(page)))
                yield row or measure_document(package.name, system, page, measures)


def measure_perturbed(
    packages: Sequence[Package],
    systems: Sequence[System],
    known: Mapping[tuple[str, str, str, str], DocumentRow],
    measures: Sequence[str] = FOUR,
) -> Iterator[DocumentRow]:
    """Yield a row for each perturbation of a document that it has a place for, and each system.

    The gold is the system's own text of the document before, with what the perturbation adds. The
    package of a row is called ``PACKAGE, PERTURBATION``. Pages that a system cannot read, and
    those that cannot be parsed, have no rows.
    """
    for package in packages:
        for page in package.pages:
            with suppress(StructceError):
                html = page.document().html
                for system in systems:
                    before = system.run(_rewritten(page, unperturbed(html)))
                    lines = (before.source[1].text if before.source else before.text).split("\n")
                    for name in () if before.error else PERTURBATIONS:
                        if changed := perturb(name, html, page.gold, page.url):
                            body = tuple((TEXT, line) for line in (*lines, *changed.added))
                            other = replace(_rewritten(page, changed.html), gold=Gold(body=body))
                            whole = f"{package.name}, {name}"
                            row = known.get((whole, system.name, page.id, digest_of(other)))
                            yield row or measure_document(whole, system, other, measures)


def _rewritten(page: GoldPage, html: str) -> GoldPage:
    return replace(page, data=html.encode("utf-8", "replace"), content_type=UTF8_HTML)


def measure_document(
    package: str, system: System, page: GoldPage, measures: Sequence[str] = FOUR
) -> DocumentRow:
    """Return the row of one document and system.

    ``measures`` are some of :data:`structce.extraction.measures.MEASURES`; the four are always
    included. For a system that returns only a text, pieces are those of the page in its text.
    """
    outcome = system.run(page)
    return DocumentRow(
        package,
        system.name,
        page.id,
        digest_of(page),
        len(page.data),
        outcome.seconds,
        _overlaps(outcome, page, measures),
        outcome.error,
    )


def _overlaps(outcome: Outcome, page: GoldPage, measures: Sequence[str]) -> dict[str, Overlap]:
    gold = page.gold.text
    if set(measures) <= set(FOUR):
        return four_overlaps(outcome.text, gold)
    if outcome.error:
        return failed_overlaps(gold, measures)
    source = outcome.source
    if source is None:
        try:
            source = ParsedDocument.of(page.document()), Extraction(outcome.text)
        except StructceError:  # the system read a document that cannot be divided into pieces here
            return failed_overlaps(gold, measures) | four_overlaps(outcome.text, gold)
    return extraction_overlaps(*source, gold, measures)


def digest_of(page: GoldPage) -> str:
    """Return a digest of sixteen hexadecimal digits of the page, its type and its gold."""
    total = hashlib.sha256(page.data)
    total.update(f"\0{page.content_type}\0{page.gold.text}".encode(errors="replace"))
    return total.hexdigest()[:16]


def one_line(error: Exception) -> str:
    """Return the message of an error without line breaks and tabs."""
    return fold_space(str(error)) or type(error).__name__
