"""``structce extract``: the main content of pages, by one method or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter

import click
from msgspec.structs import replace

from structce import extraction
from structce.article import PageRecord, printable
from structce.cli import options, outputs
from structce.cli.messages import show_message
from structce.errors import StructceError, page_faults
from structce.rendering import Document, Limits, Source, check_markup, open_sources
from structce.runtime import call_within

_FORMS = ("text", "json", "jsonl")

Methods = Mapping[str, extraction.Extractor]
"""Extractors by what the user called them."""


@click.command("extract", epilog="Example:  structce extract page.html --method bte --format json")
@click.argument("sources", nargs=-1, metavar="SRC...")
@click.option(
    "--method",
    "methods",
    multiple=True,
    default=["regions"],
    help="Extractor; repeat for several. 'regions' is the shipped model. Also with parameters, as "
    "'dsc window=25', and from a file: 'model:FOLDER', 'trained:FILE', 'template:FILE'.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*_FORMS, "txt"]),
    help="The text (the default), or records with text, spans, method and seconds: a JSON array, "
    "or one per line.",
)
@click.option("-o", "--out", type=options.PATH, help="File for all pages, .jsonl, .json or .txt.")
@options.resume_option
@options.force_option
@click.option("--list", "lists", is_flag=True, help="List the extractors, and exit.")
@options.limit_option
def command(
    sources: tuple[str, ...], methods: tuple[str, ...], form: str | None, out: Path | None,
    resume: bool, force: bool, lists: bool, limits: Limits,
) -> None:  # fmt: skip
    """Extract the main content of pages: files, folders, archives, addresses, or - for stdin.

    Methods that --list says need pages of a site learn from all given pages first. The spans of a
    record are pairs of offsets in the source; a system that returns only text has none. A page
    that a method cannot read yields a record with "error"; the others continue, and the command
    exits with 1.
    """
    if lists:
        extraction.load_extractors()
        needs = dict.fromkeys(extraction.EXTRACTORS, "")
        needs |= dict.fromkeys(extraction.PAGE_CLASS_METHODS, "pages of a site")
        needs |= dict.fromkeys(extraction.TRAINABLE_METHODS, "training")
        rows = (
            {"name": name, "needs": need, "what": extraction.describe_extractor(name)}
            for name, need in sorted(needs.items())
        )
        options.print_table(rows, "json" if form in ("json", "jsonl") else "table")
        return
    if not sources:
        raise click.UsageError("Missing argument 'SRC...'.")
    out = None if str(out) == "-" else out
    form = outputs.format_of(out, form, default="text")
    if form not in _FORMS or (out is not None and not outputs.is_file_name(out)):
        raise click.UsageError(f"--out {out}: expected a file that ends with .jsonl, .json or .txt")
    opened, extractors = _open(sources, methods)
    output = outputs.PageOutput(
        form, out, [source.name for source in opened], {"methods": methods}, force=force,
        resume=resume, is_named=False,
    )  # fmt: skip
    missing = [opened[number] for number in output.missing]
    records = (_page_records(extractors, limits.page_seconds, source) for source in missing)
    outputs.write_pages((_page_text(form, page) for page in records), output)


def _page_text(form: str, records: Sequence[PageRecord]) -> outputs.PageText:
    if form == "text":
        texts = [f"{printable(str(r['text']))}\n" for r in records if "text" in r]
    else:
        texts = [outputs.page_text(form, record) or "" for record in records]
    errors = sorted({str(record["error"]) for record in records if "error" in record})
    text = outputs.FORMATS[form].between.join(texts) or None
    return text, "\nerror: ".join(errors), bool(errors)


def _open(names: Sequence[str], methods: Sequence[str]) -> tuple[list[Source], Methods]:
    """Return the sources and the extractors, of which some learn from all pages first."""
    sources = list(open_sources(names))
    learning = [m for m in methods if m.partition(" ")[0] in extraction.PAGE_CLASS_METHODS]
    extractors: dict[str, extraction.Extractor] = {}
    documents: list[Document] = []
    for number, source in enumerate(sources if learning else ()):
        with suppress(StructceError):  # reported when the page is extracted
            document = source.read()
            sources[number] = Source(source.name, partial(replace, document))  # read only once
            documents.append(check_markup(document))
    for method in methods:
        if method not in learning:
            extractors[method] = extraction.make_extractor(method)
            continue
        extractors[method] = templates = extraction.SiteTemplates(method, documents)
        if sites := templates.learnt_sites:
            n_pages = sum(templates.n_pages[site] for site in sites)
            origin = f"{len(sites)} sites" if len(sites) > 1 else sites[0]
            show_message(f"{method}: learnt from {n_pages:,} pages{origin and f' of {origin}'}")
    return sources, extractors


def _page_records(methods: Methods, seconds: float, source: Source) -> list[PageRecord]:
    """Return the record of a page by each method: text and spans, or an error."""
    try:
        document = replace(check_markup(source.read()), resources=None)
    except StructceError as error:
        reason = str(error)
        return [{"source": source.name, "method": name, "error": reason} for name in methods]
    records: list[PageRecord] = []
    for method, extractor in methods.items():
        record: PageRecord = {"source": source.name, "method": method, "url": document.url}
        start = perf_counter()

        def extract(extractor: extraction.Extractor = extractor) -> extraction.Extraction:
            return extractor.extract(extraction.ParsedDocument.of(document))

        try:
            with page_faults(document.name):
                extracted = call_within(seconds, document.name, extract)
            record |= {"text": extracted.text, "spans": extracted.spans}
            record["seconds"] = round(perf_counter() - start, 6)
        except StructceError as error:
            record["error"] = str(error)
        records.append(record)
    return records
