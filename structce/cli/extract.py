"""``structce extract``: the main content of pages, by one method or several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from structce.article import Article, PageRecord, printable
from structce.cli.inputs import show_progress
from structce.cli.messages import FAILED, closing_line, show_error
from structce.cli.options import debug_option, page_seconds_option, print_table, workers_option
from structce.cli.page_writers import (
    FileWriter,
    PageForm,
    PageWriter,
    check_name,
    form_of_lines,
    form_of_path,
    is_file_name,
)
from structce.errors import ExtractionError, StructceError, page_faults
from structce.extraction import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extraction,
    Extractor,
    ParsedDocument,
    SiteTemplates,
    describe_extractor,
    load_extractors,
    make_extractor,
)
from structce.features import import_features, import_sources, load_entry_points
from structce.rendering import Document, Source, check_markup, open_sources
from structce.runtime import WorkerPool, call_within

_FORMS = ("text", "json", "jsonl")
_GRACE = 5.0  # seconds beyond the limits of a page before its process is ended


@click.command("extract", epilog="Example:  structce extract page.html --method bte --format json")
@click.argument("sources", nargs=-1, metavar="SRC...")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="Extractor; repeat for several. Default: regions, the shipped model. Also with "
    "parameters, as 'dsc window=25', and from a file: 'model:FOLDER', 'trained:FILE', "
    "'template:FILE'. For several pages of a site also "
    f"{', '.join(sorted(PAGE_CLASS_METHODS))}, which learn from them first.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl"]),
    help="The text (the default), or records with text, spans, method and seconds: a JSON array, "
    "or one per line.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write all pages to one file, in the form of its name (.jsonl, .json, .txt), instead of "
    "standard output.",
)
@click.option(
    "--resume", is_flag=True, help="Continue an interrupted --out; finished pages are kept."
)
@click.option("--list", "lists", is_flag=True, help="List the extractors, and exit.")
@workers_option
@page_seconds_option
@debug_option
def extract_command(
    sources: tuple[str, ...], methods: tuple[str, ...], form: str | None, out: Path | None,
    resume: bool, lists: bool, workers: int, page_seconds: float,
) -> None:  # fmt: skip
    """Extract the main content of pages: files, folders, archives, addresses, or - for stdin.

    The spans of a record are pairs of offsets in the source, of the first character and the one
    after the last; a system that returns only text has none. The seconds include parsing and
    extraction.

    A page that a method cannot read yields a record with "error"; the others continue, and the
    command exits with 1.
    """
    if lists:
        load_extractors()
        print_table(_listed(), "table" if form in (None, "text") else "json")
        return
    if not sources:
        raise click.UsageError("Missing argument 'SRC...'.")
    out = None if out is None or str(out) == "-" else out
    if resume and out is None:
        raise click.UsageError("--resume continues an interrupted --out; give --out, too")
    methods = methods or ("regions",)
    opened, learnt = _open(sources, methods)
    writer = _open_writer(out, form, methods, is_resumed=resume)
    pages = [
        (source, [name for name in methods if not writer.knows(f"{name} {source.name}")])
        for source in opened
    ]
    missing = [(source, names) for source, names in pages if names]
    if len(missing) < len(pages):
        click.echo(f"{len(pages) - len(missing):,} pages are already done", err=True)
    records = _records(missing, _Work(methods, learnt, page_seconds), workers)
    if _write(show_progress(records, len(missing), waits=out is not None), writer):
        raise FAILED


def _open_writer(
    out: Path | None, form: str | None, methods: Sequence[str], *, is_resumed: bool
) -> PageWriter:
    """Return the writer of the records, to standard output or to one file."""
    form = form or ("text" if out is None else form_of_path(out, None))
    if form not in _FORMS or (out is not None and not is_file_name(out)):
        raise click.UsageError(f"--out {out}: expected a file that ends with .jsonl, .json or .txt")
    shape = PageForm(_text) if form == "text" else form_of_lines(form)
    if out is None:
        return PageWriter(shape)
    check_name(out, form)
    settings: dict[str, object] = {"methods": list(methods)}
    return FileWriter(shape, out, form, settings=settings, is_resumed=is_resumed)


def _text(record: PageRecord, _: Article | None) -> str | None:
    return f"{printable(str(record['text']))}\n" if "text" in record else None


def _write(pages: Iterable[list[PageRecord]], writer: PageWriter) -> bool:
    """Write the records of each page; return whether any failed."""
    n_done, n_failed, start = 0, 0, time.perf_counter()
    try:
        for records in pages:
            problems = {str(record["error"]) for record in records if "error" in record}
            for problem in sorted(problems):
                show_error(problem)
            for record in records:
                key = f"{record['method']} {record['source']}"
                writer.write(writer.text(record, None), key, is_error="error" in record)
            n_done += 1
            n_failed += bool(problems)
    except KeyboardInterrupt:
        if place := writer.stop():
            message = f"stopped: {n_done:,} pages were done, and are kept in {place}"
            click.echo(f"{message}; run the same command with --resume to continue", err=True)
        raise
    writer.close()
    if n_done > 1:
        click.echo(closing_line(n_done, n_failed, time.perf_counter() - start), err=True)
    return n_failed > 0


def _listed() -> list[dict[str, object]]:
    """Return one row per method: its name, what it needs first, and its description."""
    needs = {
        **dict.fromkeys(EXTRACTORS, ""),
        **dict.fromkeys(PAGE_CLASS_METHODS, "pages of a site"),
        **dict.fromkeys(TRAINABLE_METHODS, "training"),
    }
    return [
        {"name": name, "needs": needs[name], "what": describe_extractor(name)}
        for name in sorted(needs)
    ]


def _open(
    names: Sequence[str], methods: Sequence[str]
) -> tuple[Sequence[Source], dict[str, Extractor]]:
    """Return the sources, and the extractors of methods that learn from them."""
    sources = list(open_sources(names))
    compared = [
        name for name in methods if name.split()[:1] and name.split()[0] in PAGE_CLASS_METHODS
    ]
    learnt: dict[str, Extractor] = {}
    if compared:
        sources = [_read_once(source) for source in sources]
        learnt = {name: _learn(name, sources) for name in compared}
    for name in methods:
        if name not in learnt:
            make_extractor(name)  # an unknown method is reported before any page is read
    return sources, learnt


def _read_once(source: Source) -> Source:
    """Return a source that can be read more than once, or the same source if reading fails."""
    try:
        document = source.read()
    except StructceError:
        return source
    return Source(source.name, lambda: document)


def _learn(method: str, sources: Sequence[Source]) -> SiteTemplates:
    """Return what a method learns from all readable pages, and print their number."""
    documents = []
    for source in sources:
        with suppress(StructceError):  # reported when the page is extracted
            documents.append(check_markup(source.read()))
    templates = SiteTemplates(method, documents)
    if sites := templates.learnt_sites:
        n_pages = sum(templates.n_pages[site] for site in sites)
        origin = f" of {len(sites)} sites" if len(sites) > 1 else f" of {sites[0]}" * bool(sites[0])
        click.echo(f"{method}: learnt from {n_pages:,} pages{origin}", err=True)
    return templates


class _ReadPage(NamedTuple):
    """A page that was read, or why it was not, and the methods to apply to it."""

    source: str
    document: Document | None
    problem: str
    methods: Sequence[str]


class _Work:
    """Work on one page after another: one record per method. It can be sent to processes."""

    def __init__(
        self, methods: Sequence[str], learnt: Mapping[str, Extractor], page_seconds: float
    ) -> None:
        self.learnt = learnt
        self.page_seconds = page_seconds
        self._methods = methods
        self._imports = import_sources()

    def start(self) -> Callable[[_ReadPage], list[PageRecord]]:
        """Return the function that makes the records of a page, in a new process."""
        load_entry_points()
        for source in self._imports:
            import_features(source)
        return self.here()

    def here(self) -> Callable[[_ReadPage], list[PageRecord]]:
        """Return the function that makes the records of a page, with extractors of this process."""
        extractors = {name: self.learnt.get(name) or make_extractor(name) for name in self._methods}
        return partial(_records_of, extractors, self.page_seconds)


def _records(
    pages: Sequence[tuple[Source, Sequence[str]]], work: _Work, workers: int
) -> Iterator[list[PageRecord]]:
    """Yield the records of each page, in order; by several processes if requested."""
    inputs = (_read(source, methods) for source, methods in pages)
    if workers == 1 or len(pages) < 2:
        yield from map(work.here(), inputs)
        return
    if work.learnt:
        raise click.UsageError("--workers: methods that learn from the pages need a single process")
    seconds = len(pages[0][1]) * work.page_seconds + _GRACE
    pool = WorkerPool(work.start, workers, seconds=seconds, work=work.here())
    for page, future in pool.run_ahead((page, page.source) for page in inputs):
        try:
            yield future.result()
        except StructceError as error:
            yield [_failure(page, method, str(error)) for method in page.methods]


def _read(source: Source, methods: Sequence[str]) -> _ReadPage:
    try:
        document = replace(check_markup(source.read()), resources=None)
    except StructceError as error:
        return _ReadPage(source.name, None, str(error), methods)
    return _ReadPage(source.name, document, "", methods)


def _failure(page: _ReadPage, method: str, problem: str) -> PageRecord:
    record: PageRecord = {"source": page.source, "method": method}
    if page.document is not None:
        record["url"] = page.document.url
    return record | {"error": problem}


def _records_of(
    systems: Mapping[str, Extractor], page_seconds: float, page: _ReadPage
) -> list[PageRecord]:
    """Return one record per method for one page."""
    document, records = page.document, []
    for method in page.methods:
        if document is None:
            records.append(_failure(page, method, page.problem))
            continue
        start = time.perf_counter()
        try:
            with page_faults(document.name):
                work = partial(_extract, systems[method], document)
                extraction = call_within(page_seconds, document.name, work)
        except StructceError as error:
            records.append(_failure(page, method, str(error)))
            continue
        head: PageRecord = {"source": page.source, "method": method, "url": document.url}
        seconds = round(time.perf_counter() - start, 6)
        records.append(
            head | {"text": extraction.text, "spans": extraction.spans, "seconds": seconds}
        )
    return records


def _extract(system: Extractor, document: Document) -> Extraction:
    where = type(system).__name__
    if not hasattr(system, "extract"):
        raise ExtractionError(f"{document.name}: {where} has no method extract(document)")
    extraction = system.extract(ParsedDocument.of(document))
    if not isinstance(extraction, Extraction):
        raise ExtractionError(
            f"{document.name}: {where}.extract returned {type(extraction).__name__}; expected an "
            "Extraction"
        )
    return extraction
