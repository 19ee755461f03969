"""Formats of files of pages: the text of one page, and what stands between two."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from structce import article as articles
from structce.article import COLUMNS, DOUBTFUL, Article, Part, formats, printable
from structce.io import encode_json, json_line


class PageFormat(NamedTuple):
    """Layout of files of pages.

    The first of its ``suffixes`` is the usual one. A file may contain one page only
    (``is_single``); there may be one file per page (``has_files``); parts may be left out
    (``is_marked_up``), and values below ``least`` are. ``begin``, ``between`` and ``end`` stand
    around pages; a line names the source of each of several, if ``is_named``.
    """

    suffixes: tuple[str, ...]
    begin: str = ""
    between: str = ""
    end: str = ""
    is_single: bool = False
    has_files: bool = True
    is_marked_up: bool = False
    has_spans: bool = False
    is_named: bool = False
    least: float = 0.0

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
    record: articles.PageRecord,
    article: Article | None = None,
    *,
    is_file: bool = False,
    left_out: Collection[Part] = (),
) -> str | None:
    """Return the text of a page in a format, or its whole file; None if a failed page has none.

    The article is None if the page could not be labelled; the record then contains the error.
    """
    if name in ("csv", "parquet"):
        row: dict[str, object] = {column: record.get(column) or None for column in COLUMNS}
        if article is not None:
            row = {**articles.article_row(article), "url": record["url"] or None}
        row["source"] = record["source"]
        return formats.to_csv_line(row.values()) if name == "csv" else json_line(row)
    if FORMATS[name].is_marked_up:
        write = getattr(formats, f"to_{name}")
        return None if article is None else str(write(article, left_out=left_out))
    if name == "text":
        return None if article is None else formats.to_text(article)
    value = formats.to_zyte(article) if name == "zyte" and article is not None else record
    if is_file:
        return encode_json(value).decode()
    return json_line(value) + ("" if name == "json" else "\n")


FORMATS: Mapping[str, PageFormat] = {
    "csv": PageFormat((".csv",), formats.to_csv_line(COLUMNS), has_files=False, least=DOUBTFUL),
    "html": PageFormat((".html", ".htm"), is_single=True, is_marked_up=True),
    "json": PageFormat((".json",), "[", ",\n", "]\n", has_spans=True),
    "jsonl": PageFormat((".jsonl", ".ndjson"), has_files=False, has_spans=True),
    "markdown": PageFormat((".md",), between="\n", is_marked_up=True, least=DOUBTFUL),
    "parquet": PageFormat((".parquet",), has_files=False, least=DOUBTFUL),
    "tei": PageFormat((".xml",), is_single=True, is_marked_up=True),
    "text": PageFormat((".txt",), is_named=True, least=DOUBTFUL),
    "zyte": PageFormat((".json",)),
}
"""Formats by name."""

SUFFIXES: Mapping[str, str] = {
    suffix: name for name in reversed([*FORMATS]) for suffix in FORMATS[name].suffixes
}
"""Format of a file by its suffix."""

CHOICES = (*FORMATS, "md", "txt")
"""Values of ``--format``: names of formats, and suffixes that differ from them."""
