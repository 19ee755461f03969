"""Labelled pages as records, and the forms in which they are printed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import click

from structce.article import FieldValue, read_article
from structce.errors import SourceError
from structce.io import write_atomic
from structce.labeller import Labelling

Record = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""


Spans = Mapping[str, tuple[int, int] | None]
"""Where regions stand in the source, by their addresses."""


def describe(labelling: Labelling, all_regions: bool) -> Record:
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
        "title": _field(article.title, spans),
        "authors": [_field(author, spans) for author in article.authors],
        "date": _field(article.date, spans),
        "text": article.text,
        "regions": regions,
    }


def _field(value: FieldValue | None, spans: Spans) -> Record | None:
    if value is None:
        return None
    return {
        "value": value.value,
        "confidence": round(value.confidence, 4),
        "xpath": value.xpath,
        "span": spans.get(value.xpath or ""),
    }


class Writer:
    """Prints records one by one; this one as one JSON object a line."""

    def send(self, record: Record) -> None:
        """Print one record."""
        click.echo(json.dumps(record, ensure_ascii=False))

    def close(self) -> None:
        """Print what stands after the last record."""


class _Array(Writer):
    """One JSON array; valid even if there is no record."""

    def __init__(self) -> None:
        self.opened = False

    def send(self, record: Record) -> None:
        click.echo(("," if self.opened else "[") + json.dumps(record, ensure_ascii=False))
        self.opened = True

    def close(self) -> None:
        click.echo("]" if self.opened else "[]")


class _Text(Writer):
    """Title, byline and text, as a person reads them."""

    def send(self, record: Record) -> None:
        if "error" in record:
            return  # said on standard error
        lines = [_value(record["title"])]
        byline = " · ".join(filter(None, [_names(record), _value(record["date"])]))
        lines += [byline, "", str(record["text"])]
        click.echo("\n".join(line for n, line in enumerate(lines) if line or n == 2) + "\n")


class _Csv(Writer):
    """One row a page."""

    columns = ("source", "url", "title", "authors", "date", "text", "error")

    def __init__(self) -> None:
        self._row(dict(zip(self.columns, self.columns, strict=True)))

    def send(self, record: Record) -> None:
        fields = {name: _value(record.get(name)) for name in ("title", "date")}
        self._row({**record, **fields, "authors": _names(record)})

    def _row(self, record: Record) -> None:
        line = io.StringIO()
        csv.writer(line).writerow([record.get(name, "") for name in self.columns])
        click.echo(line.getvalue(), nl=False)


def _value(field: object) -> str:
    return str(field["value"]) if isinstance(field, dict) else ""


def _names(record: Record) -> str:
    authors = record.get("authors")
    return "; ".join(_value(author) for author in authors) if isinstance(authors, list) else ""


WRITERS: dict[str, type[Writer]] = {"jsonl": Writer, "json": _Array, "text": _Text, "csv": _Csv}
"""Writers by the value of ``--format``."""


END = "<!-- end -->"
"""Line below the text."""


def write_between(path: Path, begin: str, text: str) -> None:
    """Put other text between the line ``begin`` and the line ``END`` of a file.

    Raises
    ------
    SourceError
        If the marks are not there, one each, in order; the file stays as it is.
    """
    start, found, rest = path.read_text("utf-8").partition(begin)
    _, end, after = rest.partition(END)
    if not found or not end or begin in rest or END in after:
        raise SourceError(f"{path}: expected one line {begin} and one line {END} below it")
    write_atomic(path, f"{start}{begin}\n\n{text}\n\n{END}{after}".encode())
