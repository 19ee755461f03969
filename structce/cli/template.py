"""``structce template``: what the pages of a site share, learnt once and kept in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from structce import extraction
from structce.cli import options
from structce.cli.messages import fail_with, show_message
from structce.cli.options import show_progress
from structce.errors import ExtractionError, StructceError
from structce.page import site_of
from structce.rendering import check_markup, open_sources


@click.group("template")
def command() -> None:
    """Learn what the pages of a site share, to extract what they do not.

    What is learnt from a few pages serves all of the site: structce extract PAGE --method
    template:FILE.
    """


@command.command("learn", epilog="Example:  structce template learn pages/ --out post.template")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--out", required=True, type=options.FILE, help="File for the template.")
@click.option("--method", default="content-extractor", help="See 'structce extract --list'.")
def learn_command(sources: tuple[str, ...], out: Path, method: str) -> None:
    """Learn the template of a site from its pages: files, folders, archives or addresses.

    Five to ten pages are enough, and two are needed. A page that cannot be read is left out; the
    command then exits with 1.
    """
    opened, sites, errors = list(open_sources(sources)), set[str](), list[str]()

    def documents() -> Iterator[extraction.ParsedDocument]:
        for source in show_progress(opened, len(opened), waits=True):
            try:
                document = check_markup(source.read())
            except StructceError as error:
                errors.append(str(error))
                continue
            sites.add(site_of(document.url))
            yield extraction.ParsedDocument.of(document)

    template = extraction.PAGE_CLASS_METHODS.make(method).learn(documents())
    if not isinstance(template, extraction.Template):
        raise ExtractionError(f"{out}: what this method learns cannot be saved to a file")
    if len(sites) > 1:
        named = ", ".join(sorted(site or "no address" for site in sites))
        show_message(f"warning: a template is for one site; these pages are from {named}")
    extraction.save_template(template, out)
    pages, rows = template.n_pages, len(template.rows())
    show_message(f"{out}: {template.method}, learnt from {pages:,} pages, {rows:,} rows")
    fail_with(errors)
