"""Output forms for pages: the text of one page, and the separators between pages."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import get_args

import click

from structce.article import Article, Favour, PageRecord, printable
from structce.io import encode_json, json_line

RecordText = Callable[[PageRecord, Article | None], str | None]
"""Function that returns the text of one page, given its record and article; None for no text. It
can be sent to other processes, so that a worker prepares the text."""

favour_option = click.option(
    "--favour",
    type=click.Choice(get_args(Favour)),
    default="balance",
    show_default=True,
    help="Keep in the text only what surely belongs to it (precision), or all that may (recall).",
)


@dataclass(frozen=True)
class PageForm:
    """Form of the output for pages.

    Parameters
    ----------
    text
        Function that makes the text of a page, in any process.
    suffix
        Suffix of a file with a single page; empty for forms without such files.
    begin, between, end
        Text before the first page, between two pages, and after the last.
    is_named
        Whether a line with the name of its source precedes each of several pages.
    is_single
        Whether a file holds one page only.
    """

    text: RecordText
    suffix: str = ""
    begin: str = ""
    between: str = ""
    end: str = ""
    is_named: bool = False
    is_single: bool = False

    def before(self, number: int, source: str, *, is_one: bool) -> str:
        """Return the text before a page, the first being number 0."""
        start = self.begin if number == 0 else self.between
        return f"{start}==> {source} <==\n" if self.is_named and not is_one else start

    def behind(self, n_pages: int) -> str:
        """Return the text after the last of ``n_pages`` pages."""
        return self.end if n_pages else f"{self.begin}{self.end}"


def _line(record: PageRecord, _: Article | None) -> str:
    return json_line(record) + "\n"


def _array_item(record: PageRecord, _: Article | None) -> str:
    return json_line(record)


def _document(record: PageRecord, article: Article | None) -> str | None:
    return None if article is None else encode_json(record).decode()


def _zyte_line(record: PageRecord, article: Article | None) -> str:
    """Return an object of Zyte's article schema on one line; an error has our own keys."""
    from structce.article import formats  # late: most commands write another form

    return json_line(record if article is None else formats.to_zyte(article)) + "\n"


def _plain_text(_: PageRecord, article: Article | None) -> str | None:
    """Return title, byline and text, separated by an empty line; None for an error."""
    if article is None:
        return None
    names = "; ".join(author.value for author in article.authors)
    byline = " · ".join(filter(None, [names, article.date.value if article.date else ""]))
    head = [line for line in (article.title.value if article.title else "", byline) if line]
    return printable("\n".join([*head, "", article.text, ""])) + "\n"


def _formatted(name: str, _: PageRecord, article: Article | None) -> str | None:
    from structce.article import formats  # late: most commands write another form

    if article is None:
        return None
    text = getattr(formats, name)(article)
    return text if isinstance(text, str) else encode_json(text).decode()


def _cells(record: PageRecord, article: Article | None) -> Mapping[str, object]:
    """Return the cells of a page, by the columns of the table of articles."""
    from structce.article import COLUMNS, article_row

    known = {name: record[name] for name in COLUMNS if record.get(name) and article is None}
    row = dict.fromkeys(COLUMNS) if article is None else article_row(article)
    return {**row, **known, "source": record.get("source"), "url": record.get("url") or None}


def _csv_row(record: PageRecord, article: Article | None) -> str:
    return _csv_line([_cell(value) for value in _cells(record, article).values()])


def _cell(value: object) -> str:
    """Return a value as a cell; the items of a list are joined by semicolons.

    A text that spreadsheets take for a formula gets a leading apostrophe, as they write it.
    """
    if isinstance(value, list):
        return _inert("; ".join(_item(item) for item in value))
    return _item(value) if isinstance(value, float) else _inert(_item(value))


def _item(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else printable(str(value or ""))


def _inert(text: str) -> str:
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _csv_head() -> str:
    from structce.article import COLUMNS

    return _csv_line(COLUMNS)


def _json_row(record: PageRecord, article: Article | None) -> str:
    return json_line(dict(_cells(record, article)))


_FORMULA = tuple("=+-@")
"""First characters of a formula in spreadsheets (OWASP, CSV injection)."""

LINES: Mapping[str, PageForm] = {
    "jsonl": PageForm(_line),
    "json": PageForm(_array_item, begin="[", between=",\n", end="]\n"),
    "text": PageForm(_plain_text, is_named=True),
    "csv": PageForm(_csv_row),
    "zyte": PageForm(_zyte_line),
    "parquet": PageForm(_json_row),
    "markdown": PageForm(partial(_formatted, "to_markdown"), between="\n"),
    "html": PageForm(partial(_formatted, "to_html"), is_single=True),
    "tei": PageForm(partial(_formatted, "to_tei"), is_single=True),
}
"""Forms for one stream or file with all pages."""

DOCUMENTS: Mapping[str, PageForm] = {
    "html": PageForm(partial(_formatted, "to_html"), ".html"),
    "json": PageForm(_document, ".json"),
    "markdown": PageForm(partial(_formatted, "to_markdown"), ".md"),
    "tei": PageForm(partial(_formatted, "to_tei"), ".xml"),
    "text": PageForm(_plain_text, ".txt"),
    "zyte": PageForm(partial(_formatted, "to_zyte"), ".json"),
}
"""Forms for one file per page."""

SUFFIXES: Mapping[str, str] = {
    ".csv": "csv",
    ".htm": "html",
    ".html": "html",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".txt": "text",
    ".xml": "tei",
}
"""Form of a file by its suffix."""

WITH_SPANS = frozenset({"json", "jsonl"})
"""Forms with the positions of values in the source, which are not computed for the others."""

FORMATS = tuple(sorted({*LINES, *DOCUMENTS}))
"""Values of ``--format``."""


def form_of_lines(name: str) -> PageForm:
    """Return a form for one stream or file with all pages."""
    form = LINES[name]
    if name != "csv":
        return form
    return PageForm(form.text, begin=_csv_head())
