"""Writers of pages: to standard output, to one file for all, or to one file per page in a folder.

A file for all pages is written whole or not at all. Until then, finished pages are kept in a
journal beside it, one line per page, from which interrupted work continues.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import click

from structce.article import Article, PageRecord
from structce.cli.output import file_stem
from structce.cli.page_forms import DOCUMENTS, SUFFIXES, PageForm, form_of_lines
from structce.io import json_line, lock_file, write_atomic, write_lines_atomic

_JOURNAL = ".part"


class PageWriter:
    """Writer of pages to standard output.

    Parameters
    ----------
    n_pages
        Number of expected pages, as far as it is known.
    """

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
    """Writer of a single page, which is printed once it is known to be the only one.

    Raises
    ------
    UsageError
        At the second page, before anything is printed.
    """

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

    A file is named after the page's number and source, like the pictures of ``--overlay``.

    Parameters
    ----------
    is_resumed
        Whether pages whose files exist are skipped.
    """

    def __init__(self, form: PageForm, folder: Path, *, is_resumed: bool = False) -> None:
        super().__init__(form)
        self._folder, self._is_resumed = folder, is_resumed
        self._n_sent, self._n_asked = 0, 0
        self._names: dict[str, list[Path]] = {}

    def knows(self, source: str) -> bool:
        """Return whether the file of a page exists; call it for the pages in their order."""
        path = self._folder / f"{file_stem(self._n_asked, source)}{self._form.suffix}"
        self._n_asked += 1
        if self._is_resumed and path.exists():
            return True
        self._names.setdefault(source, []).append(path)
        return False

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Write the file of a page; no file if labelling failed."""
        path = self._names[source].pop(0)
        if text is not None:
            write_atomic(path, text.encode())

    def close(self) -> None:
        """Do nothing: all files are complete."""

    def stop(self) -> str:
        """Return the folder."""
        return str(self._folder)


class FileWriter(PageWriter):
    """Writer of one file for all pages.

    Parameters
    ----------
    name
        Name of the form.
    settings
        Settings that the texts depend on; work with other settings is not continued.
    is_resumed
        Whether pages in the journal are skipped; failed pages are tried again.

    Raises
    ------
    UsageError
        If the journal was written with other settings.
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
            self._file.truncate(0)
            self._file.write(head.encode() + b"\n")

    def _read(self, head: str) -> None:
        """Read the offsets of the pages in the journal; drop everything from a damaged line on."""
        with self._journal.open("rb+") as file:
            if file.readline().decode("utf-8", "replace").rstrip("\n") != head:
                raise click.UsageError(
                    f"{self._path}: the interrupted work had other options; give the same ones "
                    "again, or leave out --resume to start over"
                )
            place = file.tell()
            for line in file:
                entry = _entry(line)
                if entry is None:
                    file.truncate(place)
                    if line.endswith(b"\n"):  # otherwise it was cut off by an interruption
                        damage = f"{self._journal}: damaged after {len(self._places):,} pages"
                        click.echo(f"warning: {damage}; the rest is done again", err=True)
                    break
                key, is_error = entry
                if is_error:
                    self._places.pop(key, None)
                else:
                    self._places[key] = place
                place += len(line)

    def knows(self, source: str) -> bool:
        """Return whether the journal contains a page; call it for the pages in their order."""
        self._asked[source] += 1
        key = _key(source, self._asked[source])
        self._order.append(key)
        if key not in self._places:
            self._waiting.setdefault(source, []).append(key)
        return key in self._places

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Keep the text of a page in the journal."""
        key = self._waiting[source].pop(0)
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
        self._file.close()
        return str(self._journal)

    def _pieces(self) -> Iterator[str]:
        n_pages = 0
        is_one = len(self._order) == 1
        for source, text in self._texts():
            yield self._form.before(n_pages, source, is_one=is_one) + text
            n_pages += 1
            if self._form.is_single and n_pages > 1:
                raise click.UsageError(
                    f"a file of --format {self._name} holds one page; write several to files with "
                    "--out DIR"
                )
        yield self._form.behind(n_pages)

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield source and text of the pages, in the order in which they were asked for."""
        with self._journal.open("rb") as file:
            for key in self._order:
                if key in self._places:
                    file.seek(self._places[key])
                    _, text, _ = json.loads(file.readline())
                    if text is not None:
                        yield key.partition(" ")[2], text


def _entry(line: bytes) -> tuple[str, bool] | None:
    """Return the key of a page in a line of a journal, and whether it failed; None if damaged."""
    try:
        key, text, is_error = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    is_whole = line.endswith(b"\n") and isinstance(key, str) and isinstance(text, str | None)
    return (key, bool(is_error)) if is_whole else None


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock a journal against other runs until the file is closed, where the system can.

    Raises
    ------
    UsageError
        If another run has locked it.
    """
    if not lock_file(file):
        file.close()
        raise click.UsageError(
            f"{path}: another run is writing it; wait until it ends, or give another --out"
        )


def _key(source: str, number: int) -> str:
    """Return the key of a page in a journal: a source may be given twice."""
    return f"{number} {source}"


def open_writer(form: str, n_pages: int = 1) -> PageWriter:
    """Return the writer of a form to standard output.

    Raises
    ------
    UsageError
        If the form is not text.
    """
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
    """Refuse a file whose suffix contradicts the requested form.

    Raises
    ------
    UsageError
        If the suffix belongs to another form.
    """
    usual = SUFFIXES[path.suffix.lower()]
    if usual != form and not (form == "zyte" and usual in ("json", "jsonl")):
        raise click.UsageError(
            f"--out {path} names a file of {usual}, but --format is {form}; leave out --format, "
            "or change the name"
        )


def open_path_writer(
    path: Path, form: str, *, settings: Mapping[str, object], is_resumed: bool = False
) -> PageWriter:
    """Return the writer of a form to a file, or to a folder.

    Raises
    ------
    UsageError
        If a folder is given for a form of lines, which belong in one file.
    """
    if is_file_name(path):
        check_name(path, form)
        return FileWriter(form_of_lines(form), path, form, settings=settings, is_resumed=is_resumed)
    if path.suffix and not path.is_dir() and path.suffix.lower() not in SUFFIXES:
        suffixes = ", ".join(sorted(SUFFIXES))
        raise click.UsageError(
            f"--out {path}: expected a folder, or a file that ends with one of {suffixes}"
        )
    if form not in DOCUMENTS:
        raise click.UsageError(
            f"--out DIR is for {', '.join(DOCUMENTS)}; write {form} to one file: --out FILE"
        )
    return FolderWriter(DOCUMENTS[form], path, is_resumed=is_resumed)
