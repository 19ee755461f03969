"""Outputs of pages: standard output, one file for all, or one file per page in a folder.

A file for all pages is written whole or not at all. Interrupted work continues from its journal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import click
import msgspec

from structce.article import (
    COLUMNS,
    DOUBTFUL,
    Article,
    PageRecord,
    article_row,
    formats,
    parquet_bytes,
    printable,
)
from structce.cli.messages import FAILED, closing_line, show_error, show_message
from structce.cli.options import show_progress
from structce.errors import BulkError
from structce.extras import check_extras
from structce.io import (
    Journal,
    encode_json,
    json_line,
    lock_file,
    write_atomic,
    write_lines_atomic,
)

PageText = tuple[str | None, str, bool]
"""Text of a page, its error, and whether the page is tried again when work resumes."""


class PageFormat(msgspec.Struct, frozen=True):
    """Layout of files of pages.

    The first of its ``suffixes`` is the usual one. A file may contain one page only
    (``is_single``); there may be one file per page (``has_files``); values below ``least`` are left
    out. ``begin``, ``between`` and ``end`` stand around pages; a line names the source of each of
    several, if ``is_named``.
    """

    suffixes: tuple[str, ...]
    begin: str = ""
    between: str = ""
    end: str = ""
    is_single: bool = False
    has_files: bool = True
    has_spans: bool = False
    is_named: bool = False
    least: float = 0.0


FORMATS: Mapping[str, PageFormat] = {
    "csv": PageFormat((".csv",), ",".join(COLUMNS) + "\r\n", has_files=False, least=DOUBTFUL),
    "excel": PageFormat(
        (".csv",), "\ufeff" + ",".join(COLUMNS) + "\r\n", has_files=False, least=DOUBTFUL
    ),
    "html": PageFormat((".html", ".htm"), is_single=True),
    "json": PageFormat((".json",), "[", ",\n", "]\n", has_spans=True),
    "jsonl": PageFormat((".jsonl", ".ndjson"), has_files=False, has_spans=True),
    "markdown": PageFormat((".md",), between="\n", least=DOUBTFUL),
    "parquet": PageFormat((".parquet",), has_files=False, least=DOUBTFUL),
    "text": PageFormat((".txt",), is_named=True, least=DOUBTFUL),
}
"""Formats by name."""

SUFFIXES: Mapping[str, str] = {
    suffix: name for name in reversed([*FORMATS]) for suffix in FORMATS[name].suffixes
}
"""Format of a file by its suffix."""

CHOICES = (*FORMATS, "md", "txt")
"""Values of ``--format``: names of formats, and suffixes that differ from them."""

_WRITERS: Mapping[str, Callable[[Article], str]] = {
    "html": formats.to_html, "markdown": formats.to_markdown, "text": formats.to_text
}  # fmt: skip


def page_text(
    name: str, record: PageRecord, article: Article | None = None, *, is_file: bool = False
) -> str | None:
    """Return the text of a page in a format, or its whole file; None if a failed page has none.

    The article is None if the page could not be labelled; the record then contains the error.
    """
    if name in ("csv", "excel", "parquet"):
        row: dict[str, object] = {column: record.get(column) or None for column in COLUMNS}
        if article is not None:
            row = {**article_row(article), "url": record["url"] or None}
        row["source"] = record["source"]
        return json_line(row) if name == "parquet" else formats.to_csv_line(row.values())
    if name in _WRITERS:
        return None if article is None else _WRITERS[name](article)
    if is_file:
        return encode_json(record).decode()
    return json_line(record) + ("" if name == "json" else "\n")


class PageOutput:
    """Output to which the texts of the ``missing`` pages are written, in their order.

    It is standard output, one file for all pages, or a folder with one file per page, named after
    its number and source. Until all are done without an error, a hidden journal has the options
    and, for a file, the texts. Work that is resumed needs the sources and options that it began
    with, tries failed pages again, and skips pages whose files exist; a file without a journal
    ``is_complete``. Without ``is_named`` no line names a source.
    """

    def __init__(
        self, form: str, out: Path | None, sources: Sequence[str], options: Mapping[str, object],
        *, force: bool, resume: bool, is_named: bool = True,
    ) -> None:  # fmt: skip
        self._layout, self._sources, self._n_written = FORMATS[form], sources, 0
        self.out, self._is_file = out, out is not None and is_file_name(out)
        self._is_named = is_named and self._layout.is_named and len(sources) > 1
        self._check(form, resume=resume, force=force)
        self._journal: Journal | None = None
        self.is_complete = False
        if out is not None:
            name = f".{out.name if self._is_file else self._layout.suffixes[0]}.journal"
            path = out.with_name(name) if self._is_file else out / name
            self.is_complete = resume and self._is_file and out.exists() and not path.exists()
            if not self.is_complete:
                names = "\0".join(sources).encode(errors="surrogatepass")
                digest = hashlib.sha256(names).hexdigest()[:16]
                depends = {"form": form, **options, "sources": f"{len(sources):,} pages ({digest})"}
                self._journal = self._open_journal(path, depends, resume=resume, force=force)
        self.missing = [n for n in range(len(sources)) if not self._is_done(n, resume)]
        self.n_done = len(sources) - len(self.missing)
        self._numbers = iter(self.missing)

    def _check(self, form: str, *, resume: bool, force: bool) -> None:
        """Raise a usage error if the output cannot take the pages, or would overwrite a file."""
        out, layout, problem = self.out, self._layout, ""
        if form == "parquet":
            check_extras(["pyarrow"], "a Parquet file", "frames")
        if layout.is_single and (out is None or self._is_file) and len(self._sources) > 1:
            problem = f"--format {form} takes one page; write several to files with --out DIR"
        elif out is None:
            if resume or force:
                problem = "--resume and --force are for an --out; give --out, too"
            elif form == "parquet":
                problem = "--format parquet is for a file: give -o FILE.parquet"
        elif self._is_file:
            if out.exists() and not (force or resume):
                problem = f"{out} already exists; --force overwrites it, --resume continues it"
        elif not out.is_dir() and (out.suffix or out.exists()):
            suffixes = ", ".join(sorted(SUFFIXES))
            problem = f"--out {out}: expected a folder, or a file that ends with one of {suffixes}"
        elif not layout.has_files:
            problem = f"--out DIR is not for {form}; write it to one file: --out FILE"
        if problem:
            raise click.UsageError(problem)

    def _open_journal(
        self, path: Path, options: Mapping[str, object], *, resume: bool, force: bool
    ) -> Journal:
        """Return the journal of work that is resumed, or an empty one; none is lost by mistake."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            if not lock_file(file):
                raise click.UsageError(
                    f"{self.out}: another run is writing it; wait until it ends, or give another "
                    "--out"
                )
            if force or not (resume or self._is_file):
                file.truncate(0)
        try:
            journal = Journal(path, options).__enter__()
        except BulkError as error:
            if resume:
                raise click.UsageError(f"{error}; or start over with --force") from error
            path.write_bytes(b"")
            return Journal(path, options).__enter__()
        if journal.items and not (resume or force) and self._is_file:
            journal.__exit__()
            raise click.UsageError(
                f"{path} keeps {len(journal.items):,} pages of the same work; --resume continues "
                "it, --force starts over"
            )
        return journal

    def _is_done(self, number: int, resume: bool) -> bool:
        """Return whether a page was written by the work being resumed."""
        if self._journal is None or not self._is_file:
            return self.is_complete or (resume and self._page_file(number).exists())
        return str(number) in self._journal.items

    def _page_file(self, number: int) -> Path:
        stem = file_stem(self._sources[number])
        return (self.out or Path()) / f"{number:05d}-{stem}{self._layout.suffixes[0]}"

    def write(self, text: str | None, *, is_error: bool = False) -> None:
        """Write or keep the text of the next page; an error has no file of its own."""
        number = next(self._numbers)
        if self._is_file and self._journal is not None:
            self._journal.add(f"error {number}" if is_error else str(number), text)
        elif text is not None and self.out is None:
            click.echo(self._with_start(number, text), nl=False)
        elif text is not None and not is_error:
            write_atomic(self._page_file(number), text.encode())

    def _with_start(self, number: int, text: str) -> str:
        start = self._layout.between if self._n_written else self._layout.begin
        self._n_written += 1
        name = f"==> {printable(self._sources[number])} <==\n" if self._is_named else ""
        return start + name + text

    def close(self) -> None:
        """Write what stands after the last page; a file for all pages is written now."""
        if self._journal is None or self.out is None:
            click.echo(self._end(), nl=False)
            return
        items = self._journal.items
        found = ((n, items.get(f"{n}", items.get(f"error {n}"))) for n in range(len(self._sources)))
        texts = ((number, text) for number, text in found if text is not None)
        if self.out.suffix.lower() == ".parquet":
            write_atomic(self.out, parquet_bytes(json.loads(text) for _, text in texts))
        elif self._is_file:
            write_lines_atomic(self.out, self._pieces(texts))
        self.stop()
        if not any(f"error {n}" in items and str(n) not in items for n in self.missing):
            self._journal.path.unlink()

    def _end(self) -> str:
        return ("" if self._n_written else self._layout.begin) + self._layout.end

    def _pieces(self, texts: Iterable[tuple[int, str]]) -> Iterator[str]:
        for number, text in texts:
            yield self._with_start(number, text)
        yield self._end()

    def stop(self) -> str:
        """Close the journal; return where finished work is kept, empty for nowhere."""
        if self._journal is None:
            return ""
        with suppress(OSError):  # of a text that a full disk did not take
            self._journal.__exit__()
        return str(self._journal.path)


def file_stem(source: str) -> str:
    """Return a name for a file about a source, of letters, digits, ``-`` and ``_``."""
    stem = Path(source).name.split(".html")[0].split(".htm")[0]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)
    return name.encode()[:60].decode(errors="ignore") or "page"  # systems limit a name's bytes


def is_file_name(path: Path) -> bool:
    """Return whether an output path names one file for all pages, not a folder."""
    return not path.is_dir() and path.suffix.lower() in SUFFIXES


def format_of(out: Path | None, choice: str | None, *, default: str) -> str:
    """Return the format of an output: the one that is asked for, or that of its suffix."""
    name = SUFFIXES.get(f".{choice}", choice) if choice not in FORMATS else choice
    if out is None or not is_file_name(out):
        return name or (default if out is None else "json")
    usual = SUFFIXES[out.suffix.lower()]
    if name not in (None, usual) and (name, usual) != ("excel", "csv"):
        raise click.UsageError(
            f"--out {out} names a file of {usual}, but --format is {name}; leave out --format, "
            "or change the name"
        )
    return name or usual


def write_pages(pages: Iterable[PageText], output: PageOutput) -> None:
    """Write the texts of the missing pages, and report errors; exit with 1 if any page failed."""
    if output.is_complete:
        show_message(f"nothing to do: {output.out} is finished; --force makes it again")
        return
    n_failed, n_written, n_pages, start = 0, 0, len(output.missing), perf_counter()
    if output.n_done:
        show_message(f"{output.n_done:,} pages are already done")
    try:
        for text, error, is_error in show_progress(pages, n_pages, waits=output.out is not None):
            output.write(text, is_error=is_error)
            n_failed += bool(error)
            n_written += 1
            if error:
                show_error(error)
        output.close()
    except BaseException:  # an interruption or a full disk, too
        if place := output.stop():
            kept = f"stopped: {n_written:,} of {n_pages:,} pages were done, and are kept in {place}"
            show_message(f"{kept}; run the same command with --resume to continue")
        raise
    if n_pages + output.n_done > 1:
        again = "; --resume tries them again" if n_failed and output.out is not None else ""
        show_message(closing_line(n_written, n_failed, perf_counter() - start) + again)
    if n_failed:
        raise FAILED
