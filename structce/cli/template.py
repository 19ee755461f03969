"""``structce template``: what the pages of a site share, learnt once and kept in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeGuard

import click

from structce.cli.inputs import show_progress
from structce.cli.messages import FAILED, show_error
from structce.cli.options import FILE, format_option, print_table
from structce.errors import ExtractionError, StructceError
from structce.extraction import (
    PAGE_CLASS_METHODS,
    ContentTemplate,
    ParsedDocument,
    Template,
    load_template,
    save_template,
)
from structce.language import printable
from structce.page import site_of
from structce.rendering import check_markup, open_sources

_COLUMNS = 72
_DEFAULT_ROWS = 40  # rows of a table

_file_argument = click.argument("path", metavar="FILE", type=FILE)


@click.group("template")
def template_group() -> None:
    """Learn what the pages of a site share, inspect it, and extract by it.

    Menus, footers and teasers repeat from page to page; the text of an article does not. What is
    learnt from a few pages of a site serves all of them: structce extract PAGE --method
    template:FILE.
    """


@template_group.command(
    "learn", epilog="Example:  structce template learn pages/ --out post.template"
)
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--out", required=True, type=FILE, help="File for the template.")
@click.option(
    "--method",
    default="content-extractor",
    metavar="NAME",
    help=f"One of {', '.join(sorted(PAGE_CLASS_METHODS))}; also with parameters, as in "
    "'content-extractor max_df=2'.",
)
def learn_command(sources: tuple[str, ...], out: Path, method: str) -> None:
    """Learn the template of a site from its pages: files, folders, archives or addresses.

    Five to ten pages are enough, and two are needed. A page that cannot be read is left out; the
    command then exits with 1.
    """
    pages = _Pages(sources)
    template = PAGE_CLASS_METHODS.make(method).learn(pages)
    if not _is_template(template):
        raise ExtractionError(f"{method}: what it learns cannot be saved to a file")
    pages.save(template, out)


@template_group.command(
    "update", epilog="Example:  structce template update post.template new-pages/"
)
@_file_argument
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
def update_command(path: Path, sources: tuple[str, ...]) -> None:
    """Add pages to a template, as if it had been learnt from all at once.

    A page that the template was already learnt from counts once.
    """
    template = load_template(path)
    if not isinstance(template, ContentTemplate):
        raise ExtractionError(
            f"{path}: a template of {template.method} cannot be extended; learn it again from all "
            "pages"
        )
    pages = _Pages(sources)
    pages.save(template.update(pages), path)


@template_group.command("show", epilog="Example:  structce template show post.template --top 10")
@_file_argument
@click.option(
    "--top",
    type=click.IntRange(0),
    help=f"Maximum number of rows. Default: {_DEFAULT_ROWS} in a table, all in JSON.",
)
@format_option
def show_command(path: Path, top: int | None, form: str) -> None:
    """Show what a template has learnt: which blocks repeat, and on how many pages."""
    template = load_template(path)
    rows = list(template.rows())
    n_shown = len(rows) if top is None and form == "json" else _DEFAULT_ROWS if top is None else top
    click.echo(_summary(template, len(rows)), err=True)
    print_table(
        [_cells(row) for row in rows[:n_shown]] if form == "table" else rows[:n_shown], form
    )
    if form == "table" and len(rows) > n_shown:
        click.echo(f"and {len(rows) - n_shown:,} more; --top {len(rows)} shows all", err=True)


class _Pages:
    """Parsed documents of sources, read one by one; unreadable ones are reported."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = list(open_sources(sources))
        self._sites: set[str] = set()
        self._n_lost = 0

    def __iter__(self) -> Iterator[ParsedDocument]:
        for source in show_progress(self._sources, len(self._sources), waits=True):
            try:
                document = check_markup(source.read())
            except StructceError as error:
                self._n_lost += 1
                show_error(str(error))
                continue
            self._sites.add(site_of(document.url))
            yield ParsedDocument.of(document)

    def save(self, template: Template, path: Path) -> None:
        """Write the template, and report it."""
        if len(self._sites) > 1:
            named = ", ".join(sorted(site or "no address" for site in self._sites))
            click.echo(
                f"warning: a template is for one site; these pages are from {named}", err=True
            )
        save_template(template, path)
        click.echo(f"{path}: {_summary(template, len(template.rows()))}", err=True)
        if self._n_lost:
            raise FAILED


def _is_template(learnt: object) -> TypeGuard[Template]:
    return all(hasattr(learnt, name) for name in ("method", "n_pages", "state", "rows"))


def _summary(template: Template, n_rows: int) -> str:
    return f"{template.method}, learnt from {template.n_pages:,} pages, {n_rows:,} rows"


def _cells(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row whose texts fit into a terminal."""
    return {
        name: printable(value, _COLUMNS) if isinstance(value, str) else value
        for name, value in row.items()
    }
