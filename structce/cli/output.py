"""Records of labelled pages and their writers, and tables that are written into Markdown files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from structce.article import Article, FieldValue, article_record, printable
from structce.errors import SourceError
from structce.io import encode_json, json_line, write_atomic
from structce.labeller import Labelling

PageRecord = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""


def labelling_record(
    labelling: Labelling, article: Article, *, all_regions: bool = False, has_blocks: bool = False
) -> PageRecord:
    """Return the article and the regions of a labelled page as JSON values.

    Parameters
    ----------
    all_regions
        Whether the regions of the background are listed, too.
    has_blocks
        Whether the blocks of the article's body are listed.
    """
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
    return {**article_record(article, has_blocks=has_blocks), "regions": regions}


class RecordWriter:
    """Writer of records, one JSON object a line."""

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        """Print one record, or what this form has of the article; None where labelling failed."""
        click.echo(json_line(record))

    def close(self) -> None:
        """Print what follows the last record."""


class _ArrayWriter(RecordWriter):
    """Writer of a JSON array, which is valid even without records."""

    def __init__(self) -> None:
        self.opened = False

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        click.echo(("," if self.opened else "[") + json_line(record))
        self.opened = True

    def close(self) -> None:
        click.echo("]" if self.opened else "[]")


class _TextWriter(RecordWriter):
    """Writer of title, byline and text for people; errors are on standard error."""

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        if article is not None:
            click.echo(_plain_text(article))


class _CsvWriter(RecordWriter):
    """Writer of CSV, one row a page."""

    columns = ("source", "url", "title", "authors", "date", "text", "error")

    def __init__(self) -> None:
        self._row(dict(zip(self.columns, self.columns, strict=True)))

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        fields: PageRecord = {}
        if article is not None:
            names = "; ".join(author.value for author in article.authors)
            fields = {"title": _value(article.title), "authors": names}
            fields |= {"date": _value(article.date)}
        self._row({**record, **fields})

    def _row(self, record: PageRecord) -> None:
        line = io.StringIO()
        cells = (record.get(name) or "" for name in self.columns)
        csv.writer(line).writerow([printable(str(cell)) for cell in cells])
        click.echo(line.getvalue(), nl=False)


class _ZyteWriter(RecordWriter):
    """Writer of objects of Zyte's article schema, one a line; an error has the keys of ours."""

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        from structce.article import formats  # late: most commands write another form

        click.echo(json_line(record if article is None else formats.to_zyte(article)))


class _DocumentWriter(RecordWriter):
    """Writer of one document, which is printed when it is known to be the only one.

    Raises
    ------
    UsageError
        At the second page, before anything is printed.
    """

    def __init__(self, form: str) -> None:
        self._form = form
        self._document: str | None = None

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        if article is None:
            return
        if self._document is not None:
            raise click.UsageError(
                f"--format {self._form} prints one page; write several to files with --out DIR"
            )
        self._document = _DOCUMENTS[self._form].write(record, article)

    def close(self) -> None:
        if self._document is not None:
            click.echo(self._document, nl=False)


class _FolderWriter(RecordWriter):
    """Writer of one file a page, whole or not at all.

    A file is called by the page's number and its source, as the pictures of ``--overlay`` are.
    """

    def __init__(self, form: str, folder: Path) -> None:
        self._document = _DOCUMENTS[form]
        self._folder = folder
        self._n_sent = 0

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        name = f"{file_stem(self._n_sent, str(record['source']))}{self._document.suffix}"
        self._n_sent += 1
        if article is not None:
            text = self._document.write(record, article)
            write_atomic(self._folder / name, text.encode())


def file_stem(number: int, source: str) -> str:
    """Return the stem of the name of a file about a source."""
    stem = Path(source).name.split(".html")[0].split(".htm")[0]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:60] or "page"
    return f"{number:05d}-{name}"


def _value(field: FieldValue | None) -> str:
    return "" if field is None else field.value


def _plain_text(article: Article) -> str:
    """Return title, byline and text, an empty line between."""
    names = "; ".join(author.value for author in article.authors)
    byline = " · ".join(filter(None, [names, _value(article.date)]))
    head = [line for line in (_value(article.title), byline) if line]
    return printable("\n".join([*head, "", article.text, ""]))


@dataclass(frozen=True)
class _Document:
    """A form that gives one document a page: how its files end, and how it is written."""

    suffix: str
    write: Callable[[PageRecord, Article], str]


def _formatted(name: str) -> Callable[[PageRecord, Article], str]:
    def write(_: PageRecord, article: Article) -> str:
        from structce.article import formats  # late: most commands write another form

        text = getattr(formats, name)(article)
        return text if isinstance(text, str) else encode_json(text).decode()

    return write


_DOCUMENTS: Mapping[str, _Document] = {
    "html": _Document(".html", _formatted("to_html")),
    "json": _Document(".json", lambda record, _: encode_json(record).decode()),
    "markdown": _Document(".md", _formatted("to_markdown")),
    "tei": _Document(".xml", _formatted("to_tei")),
    "text": _Document(".txt", lambda _, article: _plain_text(article)),
    "zyte": _Document(".json", _formatted("to_zyte")),
}

_STREAMS: Mapping[str, type[RecordWriter]] = {
    "jsonl": RecordWriter,
    "json": _ArrayWriter,
    "text": _TextWriter,
    "csv": _CsvWriter,
    "zyte": _ZyteWriter,
}

FORMATS = tuple(sorted({*_DOCUMENTS, *_STREAMS}))
"""Values of ``--format``."""


def open_writer(form: str, folder: Path | None = None) -> RecordWriter:
    """Return the writer of a form: to standard output, or to one file a page in a folder.

    Raises
    ------
    UsageError
        If the form is one of lines, which belong into one file.
    """
    if folder is not None:
        if form not in _DOCUMENTS:
            raise click.UsageError(
                f"--out DIR is for {', '.join(_DOCUMENTS)}; send {form} to a file with > FILE"
            )
        return _FolderWriter(form, folder)
    stream = _STREAMS.get(form)
    return _DocumentWriter(form) if stream is None else stream()


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
