"""``structce template``: what the pages of a site share, learnt once and kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from structce import extraction
from structce.cli import options
from structce.cli.inputs import show_progress
from structce.cli.messages import fail_with, show_message
from structce.errors import ExtractionError, StructceError
from structce.page import site_of
from structce.rendering import check_markup, open_sources

_COLUMNS, _ROWS = 72, 40  # of a table

_file_argument = click.argument("path", metavar="FILE", type=options.FILE)
_sources_argument = click.argument("sources", nargs=-1, required=True, metavar="SRC...")


@click.group("template")
def command() -> None:
    """Learn what the pages of a site share, inspect it, and extract by it.

    What is learnt from a few pages serves all of the site: structce extract PAGE --method
    template:FILE.
    """


@command.command("learn", epilog="Example:  structce template learn pages/ --out post.template")
@_sources_argument
@click.option("--out", required=True, type=options.FILE, help="File for the template.")
@click.option("--method", default="content-extractor", help="See 'structce extract --list'.")
def learn_command(sources: tuple[str, ...], out: Path, method: str) -> None:
    """Learn the template of a site from its pages: files, folders, archives or addresses.

    Five to ten pages are enough, and two are needed. A page that cannot be read is left out; the
    command then exits with 1.
    """
    _save(out, sources, extraction.PAGE_CLASS_METHODS.make(method).learn)


@command.command("update", epilog="Example:  structce template update post.template new-pages/")
@_file_argument
@_sources_argument
def update_command(path: Path, sources: tuple[str, ...]) -> None:
    """Add pages to a template, as if it had been learnt from all at once.

    A page that the template was already learnt from counts once.
    """
    template = extraction.load_template(path)
    if not isinstance(template, extraction.ContentTemplate):
        way = "cannot be extended; learn it again from all pages"
        raise ExtractionError(f"{path}: a template of {template.method} {way}")
    _save(path, sources, template.update)


@command.command("show", epilog="Example:  structce template show post.template")
@_file_argument
@options.format_option
def show_command(path: Path, form: str) -> None:
    """Show what a template has learnt: which blocks repeat, and on how many pages."""
    template = extraction.load_template(path)
    rows = template.rows()
    show_message(_summary(template))
    n_shown = _ROWS if form == "table" else len(rows)
    options.print_table(rows[:n_shown], form, width=_COLUMNS)
    if len(rows) > n_shown:
        show_message(f"and {len(rows) - n_shown:,} more; --format json shows all")


def _save(
    path: Path,
    sources: Sequence[str],
    learn: Callable[[Iterator[extraction.ParsedDocument]], object],
) -> None:
    """Write and report what is learnt from pages; exit with 1 if one of them cannot be read."""
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

    template = learn(documents())
    if not isinstance(template, extraction.Template):
        raise ExtractionError(f"{path}: what this method learns cannot be saved to a file")
    if len(sites) > 1:
        named = ", ".join(sorted(site or "no address" for site in sites))
        show_message(f"warning: a template is for one site; these pages are from {named}")
    extraction.save_template(template, path)
    show_message(f"{path}: {_summary(template)}")
    fail_with(errors)


def _summary(template: extraction.Template) -> str:
    pages, rows = template.n_pages, len(template.rows())
    return f"{template.method}, learnt from {pages:,} pages, {rows:,} rows"
