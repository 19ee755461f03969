"""Writers of pages: to standard output, to one file for all, or to one file per page in a folder.

A file for all pages is written whole or not at all. Until then, finished pages are kept in a
journal beside it, one line per page, from which interrupted work continues.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, get_args

import click

from structce.article import Article, Favour, PageRecord, printable
from structce.cli.messages import file_stem
from structce.io import (
    encode_json,
    file_errors,
    json_line,
    lock_file,
    write_atomic,
    write_lines_atomic,
)

_JOURNAL = ".part"


class PageWriter:
    """Writer of pages to standard output, given the number of expected pages if it is known."""

    def __init__(self, form: PageForm, n_pages: int = 1) -> None:
        self.text = form.text
        self._form, self._n_pages, self._n_written = form, n_pages, 0

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        """Write one record, or the form's text of the article; None if labelling failed."""
        self.write(self.text(record, article), str(record["source"]), is_error=article is None)

    def knows(self, source: str) -> bool:
        """Return whether a page was written by the work being resumed; such a page is skipped."""
        return False

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Write the text of one source, as made by :attr:`text`."""
        if text is not None:
            before = self._form.before(self._n_written, source, is_one=self._n_pages == 1)
            click.echo(before + text, nl=False)
            self._n_written += 1

    def close(self) -> None:
        """Write the text after the last page."""
        click.echo(self._form.behind(self._n_written), nl=False)

    def stop(self) -> str:
        """Return where finished work is kept after an interruption; empty for nowhere."""
        return ""


class SingleWriter(PageWriter):
    """Writer of a single page; a second one is a usage error before anything is printed."""

    def __init__(self, form: PageForm, name: str) -> None:
        super().__init__(form)
        self._name, self._held = name, ""

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Hold the page until :meth:`close`."""
        if text is None:
            return
        if self._held:
            raise click.UsageError(
                f"--format {self._name} prints one page; write several to files with --out DIR"
            )
        self._held = text

    def close(self) -> None:
        """Print the page."""
        click.echo(self._held, nl=False)


class FolderWriter(PageWriter):
    """Writer of one file per page, each whole or not at all.

    A file is named after the page's number and source, like the pictures of ``--overlay``. Pages
    whose files exist are skipped by work that is resumed. Until the work is done, a journal in the
    folder has the settings and the source of each file: work with others is not continued.
    """

    def __init__(
        self,
        form: PageForm,
        folder: Path,
        name: str,
        *,
        settings: Mapping[str, object],
        is_resumed: bool = False,
    ) -> None:
        super().__init__(form)
        self._folder, self._is_resumed = folder, is_resumed
        self._n_asked = 0
        self._names: dict[str, list[Path]] = {}
        self._journal = folder / f".pages{form.suffix}{_JOURNAL}"
        self._file: BinaryIO | None = None
        self._head = json_line({"form": name, **settings}).encode()
        self._sources = self._read() if is_resumed and self._journal.exists() else {}

    def _read(self) -> dict[str, str]:
        """Return the source of each file in the journal; damaged lines are left out."""
        head, *lines = self._journal.read_bytes().split(b"\n")
        if head and head != self._head:
            raise _other_options(self._folder)
        entries = filter(None, (_entry(line + b"\n") for line in lines))
        return {name: source for name, source, _ in entries if source is not None}

    def knows(self, source: str) -> bool:
        """Return whether the file of a page exists; call it for the pages in their order."""
        path = self._folder / f"{file_stem(self._n_asked, source)}{self._form.suffix}"
        self._n_asked += 1
        if self._is_resumed and path.exists():
            if (known := self._sources.get(path.name, source)) != source:
                raise click.UsageError(
                    f"{path} is of {known}, and would now be of {source}: the interrupted work had "
                    "other pages; give the same ones again, or another --out"
                )
            return True
        self._names.setdefault(source, []).append(path)
        return False

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Write the file of a page; no file if labelling failed."""
        path = self._names[source].pop(0)
        if text is not None:
            with file_errors(path):
                self._note(path.name, source)
            write_atomic(path, text.encode())

    def _note(self, name: str, source: str) -> None:
        """Add a file to the journal, before it is written."""
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = self._journal.open("ab")
            _lock(self._file, self._folder)
            if not self._sources:
                self._file.truncate(0)
                self._file.write(self._head + b"\n")
        self._file.write(json_line([name, source, False]).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Remove the journal: all files are complete."""
        self.stop()
        if self._file is not None or self._is_resumed:
            self._journal.unlink(missing_ok=True)

    def stop(self) -> str:
        """Return the folder."""
        if self._file is not None:
            with suppress(OSError):  # of a line that a full disk did not take
                self._file.close()
        return str(self._folder)


class FileWriter(PageWriter):
    """Writer of one file for all pages.

    Work with other settings, on which the texts depend, is not continued. Work that is resumed
    skips the pages in the journal, and tries failed pages again.
    """

    def __init__(
        self,
        form: PageForm,
        path: Path,
        name: str,
        *,
        settings: Mapping[str, object],
        is_resumed: bool = False,
    ) -> None:
        super().__init__(form)
        self._path, self._name = path, name
        self._journal = path.with_name(f".{path.name}{_JOURNAL}")
        self._order: list[str] = []  # keys of all pages
        self._asked: Counter[str] = Counter()
        self._waiting: dict[str, list[str]] = {}  # keys of pages still to be written, by source
        self._places: dict[str, int] = {}  # offset of each page in the journal
        self._n_texts = 0  # written by this run
        head = json_line({"form": name, **settings})
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = self._journal.open("ab")
        _lock(self._file, path)
        if is_resumed and self._file.tell():
            try:
                self._read(head)
            except click.UsageError:
                self._file.close()
                raise
            self._file.seek(0, os.SEEK_END)
        if not self._places:
            self._file.seek(0)  # places are counted from here
            self._file.truncate()
            self._file.write(head.encode() + b"\n")

    def _read(self, head: str) -> None:
        """Read the offsets of the pages in the journal; drop everything from a damaged line on."""
        with self._journal.open("rb+") as file:
            if file.readline().decode("utf-8", "replace").rstrip("\n") != head:
                raise _other_options(self._path)
            place = file.tell()
            for line in file:
                entry = _entry(line)
                if entry is None:
                    file.truncate(place)
                    if line.endswith(b"\n"):  # otherwise it was cut off by an interruption
                        damage = f"{self._journal}: damaged after {len(self._places):,} pages"
                        click.echo(f"warning: {damage}; the rest is done again", err=True)
                    break
                key, _, is_error = entry
                if is_error:
                    self._places.pop(key, None)
                else:
                    self._places[key] = place
                place += len(line)

    def knows(self, source: str) -> bool:
        """Return whether the journal contains a page; call it for the pages in their order."""
        self._asked[source] += 1
        key = f"{self._asked[source]} {source}"  # a source may be given twice
        self._order.append(key)
        if key not in self._places:
            self._waiting.setdefault(source, []).append(key)
        return key in self._places

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Keep the text of a page in the journal.

        A second page for a file that can contain only one is a usage error at once, not when all
        pages are done.
        """
        self._n_texts += text is not None
        if self._form.is_single and self._n_texts > 1:
            self._file.close()
            self._journal.unlink()
            raise self._too_many()
        key = self._waiting[source].pop(0)
        with file_errors(self._path):
            self._places[key] = self._file.tell()
            self._file.write(json_line([key, text, is_error]).encode() + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Write the file, and remove the journal."""
        self._file.close()
        if self._name == "parquet":
            from structce.article import parquet_bytes

            write_atomic(self._path, parquet_bytes(map(json.loads, (t for _, t in self._texts()))))
        else:
            write_lines_atomic(self._path, self._pieces())
        self._journal.unlink()

    def stop(self) -> str:
        """Return the journal."""
        with suppress(OSError):  # of a page that a full disk did not take
            self._file.close()
        return str(self._journal)

    def _pieces(self) -> Iterator[str]:
        n_pages = 0
        is_one = len(self._order) == 1
        for source, text in self._texts():
            yield self._form.before(n_pages, source, is_one=is_one) + text
            n_pages += 1
            if self._form.is_single and n_pages > 1:
                raise self._too_many()
        yield self._form.behind(n_pages)

    def _too_many(self) -> click.UsageError:
        return click.UsageError(
            f"a file of --format {self._name} contains one page; write several files with --out DIR"
        )

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield source and text of the pages, in the order in which they were asked for."""
        with self._journal.open("rb") as file:
            for key in self._order:
                if key in self._places:
                    file.seek(self._places[key])
                    _, text, _ = json.loads(file.readline())
                    if text is not None:
                        yield key.partition(" ")[2], text


def _other_options(path: Path) -> click.UsageError:
    return click.UsageError(
        f"{path}: the interrupted work had other options; give the same ones again, or leave out "
        "--resume to start over"
    )


def _entry(line: bytes) -> tuple[str, str | None, bool] | None:
    """Return a line of a journal: key and text of a page, and whether it failed.

    None if the line is damaged.
    """
    try:
        key, text, is_error = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    is_whole = line.endswith(b"\n") and isinstance(key, str) and isinstance(text, str | None)
    return (key, text, bool(is_error)) if is_whole else None


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock a journal against other runs until the file is closed, where the system can."""
    if not lock_file(file):
        file.close()
        raise click.UsageError(
            f"{path}: another run is writing it; wait until it ends, or give another --out"
        )


def open_writer(form: str, n_pages: int = 1) -> PageWriter:
    """Return the writer of a form to standard output, which is for text only."""
    if form == "parquet":
        raise click.UsageError("--format parquet is for a file: give -o FILE.parquet")
    page_form = form_of_lines(form)
    return SingleWriter(page_form, form) if page_form.is_single else PageWriter(page_form, n_pages)


def is_file_name(path: Path) -> bool:
    """Return whether an output path names one file for all pages, not a folder."""
    return not path.is_dir() and path.suffix.lower() in SUFFIXES


def form_of_path(path: Path, requested: str | None) -> str:
    """Return the form of an output path: the requested one, or the one of its suffix."""
    return requested or (SUFFIXES[path.suffix.lower()] if is_file_name(path) else "json")


def check_name(path: Path, form: str) -> None:
    """Refuse a file whose suffix belongs to another form than the requested one."""
    usual = SUFFIXES[path.suffix.lower()]
    if usual != form and not (form == "zyte" and usual in ("json", "jsonl")):
        raise click.UsageError(
            f"--out {path} names a file of {usual}, but --format is {form}; leave out --format, "
            "or change the name"
        )


def open_path_writer(
    path: Path, form: str, *, settings: Mapping[str, object], is_resumed: bool = False
) -> PageWriter:
    """Return the writer of a form to a file, or to a folder if it has one document per page."""
    if is_file_name(path):
        check_name(path, form)
        return FileWriter(form_of_lines(form), path, form, settings=settings, is_resumed=is_resumed)
    if not path.is_dir() and (path.suffix or path.exists()):
        suffixes = ", ".join(sorted(SUFFIXES))
        raise click.UsageError(
            f"--out {path}: expected a folder, or a file that ends with one of {suffixes}"
        )
    if form not in DOCUMENTS:
        raise click.UsageError(
            f"--out DIR is for {', '.join(DOCUMENTS)}; write {form} to one file: --out FILE"
        )
    return FolderWriter(DOCUMENTS[form], path, form, settings=settings, is_resumed=is_resumed)


RecordText = Callable[..., str | None]
"""Function that returns the text of one page, given its record and article; None for no text. Forms
of marked-up text take ``left_out``, the parts to leave out. It can be sent to other processes, so
that a worker prepares the text."""

context_option = click.option(
    "--context",
    is_flag=True,
    help="Also read whether the article is for subscribers, its next page, comments, "
    "and the items of a listing (json, jsonl).",
)

favour_option = click.option(
    "--favour",
    type=click.Choice(get_args(Favour)),
    default="balance",
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
        return f"{start}==> {printable(source)} <==\n" if self.is_named and not is_one else start

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


def _formatted(name: str, _: PageRecord, article: Article | None, **options: object) -> str | None:
    from structce.article import formats  # late: most commands write another form

    if article is None:
        return None
    text = getattr(formats, name)(article, **options)
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
    return f"'{text}" if _FORMULA.match(text) else text


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _json_row(record: PageRecord, article: Article | None) -> str:
    return json_line(dict(_cells(record, article)))


_FORMULA = re.compile("[\\s\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\\-@＝＋－＠]")
"""Beginning of a formula in spreadsheets (OWASP, CSV injection), also behind direction marks."""

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

MARKED_UP = frozenset({"markdown", "html", "tei"})
"""Forms of which parts can be left out."""

WITH_SPANS = frozenset({"json", "jsonl"})
"""Forms with the positions of values in the source, which are not computed for the others."""

WITHOUT_DOUBT = frozenset({"csv", "parquet", "text", "markdown"})
"""Forms without confidences, from which doubtful values are left out unless asked for."""

FORMATS = tuple(sorted({*LINES, *DOCUMENTS}))
"""Values of ``--format``."""


def form_of_lines(name: str) -> PageForm:
    """Return a form for one stream or file with all pages."""
    form = LINES[name]
    if name == "csv":
        from structce.article import COLUMNS

        form = replace(form, begin=_csv_line(COLUMNS))
    return form
