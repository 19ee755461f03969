"""Writers of pages: to standard output, to one file for all, or to a folder with a file each.

A file for all is written whole or not at all. Until it is, what is done stands in a journal beside
it, a line a page, from which interrupted work goes on.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import click

from structce.article import Article
from structce.cli.output import file_stem
from structce.cli.page_forms import DOCUMENTS, SUFFIXES, PageForm, form_of_lines
from structce.io import json_line, lock_file, write_atomic, write_lines_atomic
from structce.page_record import PageRecord

_JOURNAL = ".part"


class PageWriter:
    """Writer of pages to standard output.

    Parameters
    ----------
    n_pages
        Pages that are to come, so far as it is known.
    """

    def __init__(self, form: PageForm, n_pages: int = 1) -> None:
        self.text = form.text
        self._form, self._n_pages, self._n_written = form, n_pages, 0

    def send(self, record: PageRecord, article: Article | None = None) -> None:
        """Write one record, or what the form has of the article; None where labelling failed."""
        self.write(self.text(record, article), str(record["source"]), is_error=article is None)

    def knows(self, source: str) -> bool:
        """Return whether a page was written in work that is gone on with; it is passed over."""
        return False

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Write what :attr:`text` gave of one source."""
        if text is not None:
            before = self._form.before(self._n_written, source, is_one=self._n_pages == 1)
            click.echo(before + text, nl=False)
            self._n_written += 1

    def close(self) -> None:
        """Write what stands behind the last page."""
        click.echo(self._form.behind(self._n_written), nl=False)

    def stop(self) -> str:
        """Return where the work that was done is kept, after an interruption; empty for nowhere."""
        return ""


class SingleWriter(PageWriter):
    """Writer of the form of a single page, which is printed when it is known to be the only one.

    Raises
    ------
    UsageError
        At the second page, before anything is printed.
    """

    def __init__(self, form: PageForm, name: str) -> None:
        super().__init__(form)
        self._name, self._held = name, ""

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Hold the page; see the class."""
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
    """Writer of one file a page, whole or not at all.

    A file is called by the page's number and its source, as the pictures of ``--overlay`` are.

    Parameters
    ----------
    is_resumed
        Whether pages whose files are there are passed over.
    """

    def __init__(self, form: PageForm, folder: Path, *, is_resumed: bool = False) -> None:
        super().__init__(form)
        self._folder, self._is_resumed = folder, is_resumed
        self._n_sent, self._n_asked = 0, 0
        self._names: dict[str, list[Path]] = {}

    def knows(self, source: str) -> bool:
        """Return whether the file of a page is there; pages are asked for in their order."""
        path = self._folder / f"{file_stem(self._n_asked, source)}{self._form.suffix}"
        self._n_asked += 1
        if self._is_resumed and path.exists():
            return True
        self._names.setdefault(source, []).append(path)
        return False

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Write the file of a page; none where labelling failed."""
        path = self._names[source].pop(0)
        if text is not None:
            write_atomic(path, text.encode())

    def close(self) -> None:
        """Do nothing: all files are whole."""

    def stop(self) -> str:
        """Return the folder."""
        return str(self._folder)


class FileWriter(PageWriter):
    """Writer of one file for all pages.

    Parameters
    ----------
    name
        Of the form.
    settings
        What the texts depend on; work that was done with others is not gone on with.
    is_resumed
        Whether pages of the journal are passed over; those that failed are tried again.

    Raises
    ------
    UsageError
        If the journal is of other settings.
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
        self._waiting: dict[str, list[str]] = {}  # keys of pages to be written, by source
        self._places: dict[str, int] = {}  # of what is kept of each page, in the journal
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
        """Read where the pages of the journal stand; from a damaged line on all is taken away."""
        with self._journal.open("rb+") as file:
            if file.readline().decode("utf-8", "replace").rstrip("\n") != head:
                raise click.UsageError(
                    f"{self._path}: the work that was interrupted had other options; give the "
                    "same again, or leave out --resume to begin anew"
                )
            place = file.tell()
            for line in file:
                entry = _entry(line)
                if entry is None:
                    file.truncate(place)
                    if line.endswith(b"\n"):  # else it was cut off, as by an interruption
                        damage = f"{self._journal}: damaged after {len(self._places):,} pages"
                        click.echo(f"warning: {damage}; the rest is done anew", err=True)
                    break
                key, is_error = entry
                if is_error:
                    self._places.pop(key, None)
                else:
                    self._places[key] = place
                place += len(line)

    def knows(self, source: str) -> bool:
        """Return whether a page stands in the journal; pages are asked for in their order."""
        self._asked[source] += 1
        key = _key(source, self._asked[source])
        self._order.append(key)
        if key not in self._places:
            self._waiting.setdefault(source, []).append(key)
        return key in self._places

    def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
        """Keep what is written of a page in the journal."""
        key = self._waiting[source].pop(0)
        self._places[key] = self._file.tell()
        self._file.write(json_line([key, text, is_error]).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Write the file, and remove the journal."""
        self._file.close()
        if self._name == "parquet":
            from structce.frame import parquet_bytes  # late: other forms need no tables

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
    """Return the key of a page in a line of a journal, and whether it failed; None for damage."""
    try:
        key, text, is_error = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    is_whole = line.endswith(b"\n") and isinstance(key, str) and isinstance(text, str | None)
    return (key, bool(is_error)) if is_whole else None


def _lock(file: BinaryIO, path: Path) -> None:
    """Keep other runs from a journal until the file is closed, where the system can.

    Raises
    ------
    UsageError
        If another run has it.
    """
    if not lock_file(file):
        file.close()
        raise click.UsageError(
            f"{path}: another run is writing it; wait until it ends, or give another --out"
        )


def _key(source: str, number: int) -> str:
    """Return what a journal calls a page: a source may be given twice."""
    return f"{number} {source}"


def open_writer(form: str, n_pages: int = 1) -> PageWriter:
    """Return the writer of a form to standard output.

    Raises
    ------
    UsageError
        If the form is none of text.
    """
    if form == "parquet":
        raise click.UsageError("--format parquet is for a file: give -o FILE.parquet")
    found = form_of_lines(form)
    return SingleWriter(found, form) if found.is_single else PageWriter(found, n_pages)


def is_file_name(path: Path) -> bool:
    """Return whether a path given for output names one file for all pages, not a folder."""
    return not path.is_dir() and path.suffix.lower() in SUFFIXES


def form_of_path(path: Path, asked: str | None) -> str:
    """Return the form of what is written to a path: as asked, or by the end of its name."""
    return asked or (SUFFIXES[path.suffix.lower()] if is_file_name(path) else "json")


def check_name(path: Path, form: str) -> None:
    """Refuse a file whose name says another form than the one that is asked for.

    Raises
    ------
    UsageError
        If so.
    """
    usual = SUFFIXES[path.suffix.lower()]
    if usual != form and not (form == "zyte" and usual in ("json", "jsonl")):
        raise click.UsageError(
            f"--out {path} names a file of {usual}, --format says {form}; give one of them, or "
            "another name"
        )


def open_path_writer(
    path: Path, form: str, *, settings: Mapping[str, object], is_resumed: bool = False
) -> PageWriter:
    """Return the writer of a form to a file, or to a folder.

    Raises
    ------
    UsageError
        If a folder is meant, and the form is one of lines, which belong into one file.
    """
    if is_file_name(path):
        check_name(path, form)
        return FileWriter(form_of_lines(form), path, form, settings=settings, is_resumed=is_resumed)
    if path.suffix and not path.is_dir() and path.suffix.lower() not in SUFFIXES:
        known = ", ".join(sorted(SUFFIXES))
        raise click.UsageError(f"--out {path}: a folder, or a file that ends with one of {known}")
    if form not in DOCUMENTS:
        raise click.UsageError(
            f"--out DIR is for {', '.join(DOCUMENTS)}; write {form} to one file: --out FILE"
        )
    return FolderWriter(DOCUMENTS[form], path, is_resumed=is_resumed)
