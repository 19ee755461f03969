"""Records of labelled pages and their writers, and tables that are written into Markdown files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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


RecordText = Callable[[PageRecord, Article | None], str | None]
"""What is written of one page, given what is known of it; None for nothing. It can be sent to other
processes, so that a worker has the text ready."""


class RecordWriter:
    """Writer of one text a page, each on lines of its own.

    Parameters
    ----------
    text
        Makes the text of a page, wherever.
    """

    def __init__(self, text: RecordText) -> None:
        self.text = text

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        """Write one record, or what this form has of the article; None where labelling failed."""
        self.write(self.text(record, article), str(record["source"]))

    def write(self, text: str | None, source: str) -> None:
        """Write what :attr:`text` gave of one source."""
        if text is not None:
            click.echo(text)

    def close(self) -> None:
        """Print what follows the last record."""


class _ArrayWriter(RecordWriter):
    """Writer of a JSON array, which is valid even without records."""

    opened = False

    def write(self, text: str | None, source: str) -> None:
        click.echo(("," if self.opened else "[") + (text or "null"))
        self.opened = True

    def close(self) -> None:
        click.echo("]" if self.opened else "[]")


class _TableWriter(RecordWriter):
    """Writer of a table with a line of names above."""

    def __init__(self, text: RecordText) -> None:
        super().__init__(text)
        click.echo(_csv_line(_COLUMNS), nl=False)

    def write(self, text: str | None, source: str) -> None:
        click.echo(text, nl=False)


class _DocumentWriter(RecordWriter):
    """Writer of one document, which is printed when it is known to be the only one.

    Raises
    ------
    UsageError
        At the second page, before anything is printed.
    """

    def __init__(self, text: RecordText, form: str) -> None:
        super().__init__(text)
        self._form = form
        self._document: str | None = None

    def write(self, text: str | None, source: str) -> None:
        if text is None:
            return
        if self._document is not None:
            raise click.UsageError(
                f"--format {self._form} prints one page; write several to files with --out DIR"
            )
        self._document = text

    def close(self) -> None:
        if self._document is not None:
            click.echo(self._document, nl=False)


class _FolderWriter(RecordWriter):
    """Writer of one file a page, whole or not at all.

    A file is called by the page's number and its source, as the pictures of ``--overlay`` are.
    """

    def __init__(self, text: RecordText, folder: Path, suffix: str) -> None:
        super().__init__(text)
        self._folder, self._suffix = folder, suffix
        self._n_sent = 0

    def write(self, text: str | None, source: str) -> None:
        name = f"{file_stem(self._n_sent, source)}{self._suffix}"
        self._n_sent += 1
        if text is not None:
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


_COLUMNS = ("source", "url", "title", "authors", "date", "text", "error")


def _csv_row(record: PageRecord, article: Article | None) -> str:
    fields: PageRecord = {}
    if article is not None:
        names = "; ".join(author.value for author in article.authors)
        fields = {"title": _value(article.title), "authors": names}
        fields |= {"date": _value(article.date)}
    known = {**record, **fields}
    return _csv_line([printable(str(known.get(name) or "")) for name in _COLUMNS])


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _record_line(record: PageRecord, _: Article | None) -> str:
    return json_line(record)


def _zyte_line(record: PageRecord, article: Article | None) -> str:
    """Return an object of Zyte's article schema on a line; an error has the keys of ours."""
    from structce.article import formats  # late: most commands write another form

    return json_line(record if article is None else formats.to_zyte(article))


def _text_lines(_: PageRecord, article: Article | None) -> str | None:
    """Return title, byline and text for people; errors are on standard error."""
    return None if article is None else _plain_text(article)


def _record_document(record: PageRecord, article: Article | None) -> str | None:
    return None if article is None else encode_json(record).decode()


def _formatted(name: str, _: PageRecord, article: Article | None) -> str | None:
    from structce.article import formats  # late: most commands write another form

    if article is None:
        return None
    text = getattr(formats, name)(article)
    return text if isinstance(text, str) else encode_json(text).decode()


@dataclass(frozen=True)
class _Document:
    """A form that gives one document a page: how its files end, and how it is written."""

    suffix: str
    text: RecordText


_DOCUMENTS: Mapping[str, _Document] = {
    "html": _Document(".html", partial(_formatted, "to_html")),
    "json": _Document(".json", _record_document),
    "markdown": _Document(".md", partial(_formatted, "to_markdown")),
    "tei": _Document(".xml", partial(_formatted, "to_tei")),
    "text": _Document(".txt", _text_lines),
    "zyte": _Document(".json", partial(_formatted, "to_zyte")),
}

_STREAMS: Mapping[str, tuple[type[RecordWriter], RecordText]] = {
    "jsonl": (RecordWriter, _record_line),
    "json": (_ArrayWriter, _record_line),
    "text": (RecordWriter, _text_lines),
    "csv": (_TableWriter, _csv_row),
    "zyte": (RecordWriter, _zyte_line),
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
        return _FolderWriter(_DOCUMENTS[form].text, folder, _DOCUMENTS[form].suffix)
    if form in _STREAMS:
        writer, text = _STREAMS[form]
        return writer(text)
    return _DocumentWriter(_DOCUMENTS[form].text, form)


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
