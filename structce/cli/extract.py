"""``structce extract``: the main content of pages, by one method or several."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

import click

from structce.article import printable
from structce.cli.inputs import show_progress
from structce.cli.messages import show_error
from structce.cli.options import debug_option, page_seconds_option, print_table
from structce.cli.page_writers import open_writer
from structce.errors import StructceError, page_faults
from structce.extraction import (
    EXTRACTORS,
    OPERATORS,
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
from structce.page_record import PageRecord
from structce.rendering import Document, Source, check_markup, open_sources
from structce.time_limit import call_within

_FAILED = click.exceptions.Exit(1)


@click.command("extract", epilog="Example:  structce extract page.html --method bte --format json")
@click.argument("sources", nargs=-1, metavar="SRC...")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="Extractor, again for more. Default: regions, the shipped model. Also 'dsc window=25' "
    "with parameters, 'vote(bte, dsc)' "
    f"and other combinations ({', '.join(OPERATORS)}), 'model:FOLDER', 'command:PROGRAM "
    "ARGUMENT...' that reads HTML and writes text, 'texts:FILE' of published texts, and "
    "'template:FILE' of 'structce template'. For several pages of a site also "
    f"{', '.join(sorted(PAGE_CLASS_METHODS))}, which learn from them first.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl"]),
    default="text",
    show_default=True,
    help="The text, or records with text, spans, method and seconds: a JSON array, or one a line.",
)
@click.option("--list", "lists", is_flag=True, help="List the extractors, and stop.")
@page_seconds_option
@debug_option
def extract_command(
    sources: tuple[str, ...], methods: tuple[str, ...], form: str, lists: bool, page_seconds: float
) -> None:
    """Extract the main content of pages: files, folders, archives, addresses, or - for stdin.

    The spans of a record are pairs of places in the source, the first character and the one behind
    the last; a system that gives only a text has none. The seconds are those of parsing and
    extraction.

    A page that a method cannot read gives a record with "error"; the others go on, and the command
    exits with 1.
    """
    if lists:
        load_extractors()
        print_table(_listed(), "table" if form == "text" else "json")
        return
    if not sources:
        raise click.UsageError("Missing argument 'SRC...'.")
    opened, systems = _open(sources, methods or ("regions",))
    writer = None if form == "text" else open_writer(form)
    failed = False
    for record in show_progress(
        _records(opened, systems, page_seconds), len(opened) * len(systems)
    ):
        if "error" in record:
            failed = True
            show_error(str(record["error"]))
        if writer is not None:
            writer.send(record)
        elif "text" in record:
            click.echo(printable(str(record["text"])))
    if writer is not None:
        writer.close()
    if failed:
        raise _FAILED


def _listed() -> list[dict[str, object]]:
    """Return a row for each method: its name, what it must see first, and what it is."""
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
    """Return the sources, and the extractor of each method, which may have learnt from them."""
    sources = list(open_sources(names))
    compared = [
        name for name in methods if name.split()[:1] and name.split()[0] in PAGE_CLASS_METHODS
    ]
    learnt = {}
    if compared:
        sources = [_read_once(source) for source in sources]
        learnt = {name: _learn(name, sources) for name in compared}
    return sources, {name: learnt.get(name) or make_extractor(name) for name in methods}


def _read_once(source: Source) -> Source:
    """Return a source that is read, so that it can be read again; as it is if that fails."""
    try:
        document = source.read()
    except StructceError:
        return source
    return Source(source.name, lambda: document)


def _learn(method: str, sources: Sequence[Source]) -> SiteTemplates:
    """Return what a method learns from all pages that can be read, and tell of it."""
    documents = []
    for source in sources:
        with suppress(StructceError):  # told when the page's turn comes
            documents.append(check_markup(source.read()))
    found = SiteTemplates(method, documents)
    if learnt := found.learnt_sites:
        n_pages = sum(found.n_pages[site] for site in learnt)
        of = f" of {len(learnt)} sites" if len(learnt) > 1 else f" of {learnt[0]}" * bool(learnt[0])
        click.echo(f"{method}: learnt from {n_pages:,} pages{of}", err=True)
    return found


def _extract(system: Extractor, document: Document) -> Extraction:
    return system.extract(ParsedDocument.of(document))


def _records(
    sources: Sequence[Source], systems: dict[str, Extractor], page_seconds: float
) -> Iterator[PageRecord]:
    """Yield a record of each source and method, by source."""
    for source in sources:
        problem = ""
        try:
            document = check_markup(source.read())
        except StructceError as error:
            problem = str(error)
        for method, system in systems.items():
            head: PageRecord = {"source": source.name, "method": method}
            if problem:
                yield {**head, "error": problem}
                continue
            head["url"] = document.url
            start = time.perf_counter()
            try:
                with page_faults(document.name):
                    work = partial(_extract, system, document)
                    found = call_within(page_seconds, document.name, work)
            except StructceError as error:
                yield {**head, "error": str(error)}
                continue
            taken = round(time.perf_counter() - start, 6)
            yield {**head, "text": found.text, "spans": found.spans, "seconds": taken}
