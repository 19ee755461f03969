"""Formats of files of pages: the text of one page, and what stands between two."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from structce.article import COLUMNS, Article, PageRecord, Part, article_row, formats, printable
from structce.io import encode_json, json_line

_FORMULA = tuple("=+-@")
"""First characters of a formula in spreadsheets (OWASP, CSV injection)."""


class PageFormat(NamedTuple):
    """Layout of a file of pages.

    ``suffixes`` are those of its files, the usual one first. A file may contain one page only
    (``is_single``), and there may be one file per page (``has_files``). ``begin``, ``between`` and
    ``end`` stand around pages; a line names the source of each of several, if ``is_named``.
    """

    suffixes: tuple[str, ...]
    is_single: bool = False
    has_files: bool = True
    begin: str = ""
    between: str = ""
    end: str = ""
    is_named: bool = False

    def before(self, number: int, source: str, *, is_alone: bool) -> str:
        """Return the text before a page, the first being number 0."""
        start = self.between if number else self.begin
        is_named = self.is_named and not is_alone
        return f"{start}==> {printable(source)} <==\n" if is_named else start

    def after(self, n_pages: int) -> str:
        """Return the text after the last of ``n_pages`` pages."""
        return self.end if n_pages else f"{self.begin}{self.end}"


def page_text(
    name: str,
    record: PageRecord,
    article: Article | None = None,
    *,
    is_file: bool = False,
    left_out: Collection[Part] = (),
) -> str | None:
    """Return the text of a page in a format; None if a page that failed has none.

    The article is None if the page could not be labelled; the record then contains the error. The
    text may be a whole file (``is_file``). Parts are left out of marked-up text only.
    """
    if name in ("csv", "parquet"):
        row = _table_row(record, article)
        return _csv_line(row.values()) if name == "csv" else json_line(row)
    if article is None and name in WITHOUT_ERRORS:
        return None
    if name in MARKED_UP:
        return str(getattr(formats, f"to_{name}")(article, left_out=left_out))
    if name == "text" and article is not None:
        return formats.to_text(article)
    value = formats.to_zyte(article) if name == "zyte" and article is not None else record
    if is_file:
        return encode_json(value).decode()
    return json_line(value) + ("" if name == "json" else "\n")


def _table_row(record: PageRecord, article: Article | None) -> dict[str, object]:
    """Return the cells of a page, by the columns of the table of articles."""
    row = {name: record.get(name) or None for name in COLUMNS}
    if article is not None:
        row = {**article_row(article), "url": record["url"] or None}
    return {**row, "source": record["source"]}


def _csv_line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(map(csv_cell, cells))
    return line.getvalue()


def csv_cell(value: object) -> str:
    """Return a value as a cell; the items of a list are joined by semicolons.

    A text that spreadsheets take for a formula gets a leading apostrophe, as they write it.
    """
    if isinstance(value, float):
        return f"{value:.4f}"
    items = value if isinstance(value, list) else [value or ""]
    text = "; ".join(f"{x:.4f}" if isinstance(x, float) else printable(str(x)) for x in items)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


FORMATS: Mapping[str, PageFormat] = {
    "csv": PageFormat((".csv",), has_files=False, begin=_csv_line(COLUMNS)),
    "html": PageFormat((".html", ".htm"), is_single=True),
    "json": PageFormat((".json",), begin="[", between=",\n", end="]\n"),
    "jsonl": PageFormat((".jsonl", ".ndjson"), has_files=False),
    "markdown": PageFormat((".md",), between="\n"),
    "parquet": PageFormat((".parquet",), has_files=False),
    "tei": PageFormat((".xml",), is_single=True),
    "text": PageFormat((".txt",), is_named=True),
    "zyte": PageFormat((".json",)),
}
"""Formats by the name that ``--format`` takes."""

SUFFIXES: Mapping[str, str] = {
    suffix: name for name in reversed([*FORMATS]) for suffix in FORMATS[name].suffixes
}
"""Format of a file by its suffix."""

CHOICES = (*FORMATS, "md", "txt")
"""Values of ``--format``: names of formats, and suffixes that differ from them."""

MARKED_UP = frozenset({"markdown", "html", "tei"})
"""Formats of which parts can be left out."""

WITH_SPANS = frozenset({"json", "jsonl"})
"""Formats with the positions of values in the source, which are not computed for the others."""

WITHOUT_ERRORS = MARKED_UP | {"text"}
"""Formats in which a page that failed has no text."""

WITHOUT_DOUBT = frozenset({"csv", "parquet", "text", "markdown"})
"""Formats without confidences, from which doubtful values are left out unless asked for."""


def format_name(choice: str) -> str:
    """Return the name of a format, given its name or its suffix."""
    return choice if choice in FORMATS else SUFFIXES[f".{choice}"]
