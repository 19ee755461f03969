"""Records of labelled pages and their writers, and tables that are written into Markdown files."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import click

from structce.article import FieldValue, read_article
from structce.errors import SourceError
from structce.io import json_line, write_atomic
from structce.labeller import Labelling

PageRecord = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""


_SpanByXPath = Mapping[str, tuple[int, int] | None]
"""Spans of regions in the source, by XPath."""


def labelling_record(labelling: Labelling, all_regions: bool) -> PageRecord:
    """Return the fields and regions of a labelled page as JSON values."""
    article = read_article(labelling)
    background = labelling.label_set.background
    regions = [
        {
            "index": region.index,
            "label": name,
            "confidence": round(float(confidence), 4),
            "text": region.text,
            "xpath": region.xpath,
            "span": region.span,
            "box": region.box and [round(value, 2) for value in region.box],
        }
        for region, name, confidence in zip(
            labelling.page, labelling.labels, labelling.confidence, strict=True
        )
        if all_regions or name != background
    ]
    spans = {region.xpath: region.span for region in labelling.page}
    return {
        "title": _field_record(article.title, spans),
        "authors": [_field_record(author, spans) for author in article.authors],
        "date": _field_record(article.date, spans),
        "text": article.text,
        "regions": regions,
    }


def _field_record(value: FieldValue | None, spans: _SpanByXPath) -> PageRecord | None:
    if value is None:
        return None
    return {
        "value": value.value,
        "confidence": round(value.confidence, 4),
        "xpath": value.xpath,
        "span": spans.get(value.xpath or ""),
    }


class RecordWriter:
    """Writer of records, one JSON object a line."""

    def send(self, record: PageRecord) -> None:
        """Print one record."""
        click.echo(json_line(record))

    def close(self) -> None:
        """Print what follows the last record."""


class _ArrayWriter(RecordWriter):
    """Writer of a JSON array, which is valid even without records."""

    def __init__(self) -> None:
        self.opened = False

    def send(self, record: PageRecord) -> None:
        click.echo(("," if self.opened else "[") + json_line(record))
        self.opened = True

    def close(self) -> None:
        click.echo("]" if self.opened else "[]")


class _TextWriter(RecordWriter):
    """Writer of title, byline and text for people."""

    def send(self, record: PageRecord) -> None:
        if "error" in record:
            return  # errors are on standard error
        lines = [_field_text(record["title"])]
        byline = " · ".join(filter(None, [_author_names(record), _field_text(record["date"])]))
        lines += [byline, "", str(record["text"])]
        click.echo("\n".join(line for n, line in enumerate(lines) if line or n == 2) + "\n")


class _CsvWriter(RecordWriter):
    """Writer of CSV, one row a page."""

    columns = ("source", "url", "title", "authors", "date", "text", "error")

    def __init__(self) -> None:
        self._row(dict(zip(self.columns, self.columns, strict=True)))

    def send(self, record: PageRecord) -> None:
        fields = {name: _field_text(record.get(name)) for name in ("title", "date")}
        self._row({**record, **fields, "authors": _author_names(record)})

    def _row(self, record: PageRecord) -> None:
        line = io.StringIO()
        csv.writer(line).writerow([record.get(name, "") for name in self.columns])
        click.echo(line.getvalue(), nl=False)


def _field_text(field: object) -> str:
    return str(field["value"]) if isinstance(field, dict) else ""


def _author_names(record: PageRecord) -> str:
    authors = record.get("authors")
    return "; ".join(_field_text(author) for author in authors) if isinstance(authors, list) else ""


WRITERS: dict[str, type[RecordWriter]] = {
    "jsonl": RecordWriter,
    "json": _ArrayWriter,
    "text": _TextWriter,
    "csv": _CsvWriter,
}
"""Writers by the value of ``--format``."""


TABLE_END = "<!-- end -->"
"""Line of a Markdown file that ends generated tables."""


def write_between(path: Path | None, begin: str, text: str) -> None:
    """Replace the text between the line ``begin`` and the line ``TABLE_END`` of a file.

    Without a file the text is printed.

    Raises
    ------
    SourceError
        If the marks are not there, one each, in order; the file stays as it is.
    """
    if path is None:
        click.echo(text)
        return
    start, found, rest = path.read_text("utf-8").partition(begin)
    _, end, after = rest.partition(TABLE_END)
    if not found or not end or begin in rest or TABLE_END in after:
        raise SourceError(f"{path}: expected one line {begin} and one line {TABLE_END} below it")
    write_atomic(path, f"{start}{begin}\n\n{text}\n\n{TABLE_END}{after}".encode())
