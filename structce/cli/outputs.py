"""Outputs of pages: standard output, one file for all, or one file per page in a folder.

A file for all pages is written whole or not at all. Interrupted work continues from its journal.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import click

from structce.article import parquet_bytes
from structce.cli.messages import closing_line, show_error, show_message
from structce.cli.page_formats import FORMATS, SUFFIXES, PageFormat
from structce.errors import BulkError
from structce.io import Journal, lock_file, write_atomic, write_lines_atomic

PageText = tuple[str, str | None, str, bool]
"""Source of a page, its text, its error, and whether the page is tried again when work resumes."""


class PageOutput:
    """Standard output. First ask :meth:`is_done` for every page, then write them in that order."""

    def __init__(self, layout: PageFormat) -> None:
        self._layout = layout
        self._sources: list[str] = []  # of all pages
        self._waiting: deque[int] = deque()  # numbers of the pages still to be written
        self._n_written = 0

    def is_done(self, source: str) -> bool:
        """Return whether a page was written by the work being resumed; such a page is skipped."""
        self._waiting.append(len(self._sources))
        self._sources.append(source)
        return False

    def write(self, text: str | None, *, is_error: bool = False) -> None:
        """Write the text of the next page; None if it has no text."""
        source = self._sources[self._waiting.popleft()]
        if text is not None:
            click.echo(self._with_start(source, text), nl=False)

    def _with_start(self, source: str, text: str) -> str:
        """Return the text of the next page after what stands before it."""
        self._n_written += 1
        is_alone = len(self._sources) == 1
        return self._layout.before(self._n_written - 1, source, is_alone=is_alone) + text

    def close(self) -> None:
        """Write what stands after the last page."""
        click.echo(self._layout.after(self._n_written), nl=False)

    def stop(self) -> str:
        """Return where finished work is kept after an interruption; empty for nowhere."""
        return ""


class FileOutput(PageOutput):
    """One file for all pages, or one per page in a folder, named after its number and source.

    Until all are done, a hidden journal has source and text of each finished page. Work that is
    resumed tries failed pages again, and skips pages whose files exist.
    """

    def __init__(
        self, layout: PageFormat, out: Path, options: Mapping[str, object], *, resume: bool
    ) -> None:
        super().__init__(layout)
        self._out, self._is_file, self._is_resumed = out, is_file_name(out), resume
        name = f".{out.name if self._is_file else layout.suffixes[0]}.journal"
        path = out.with_name(name) if self._is_file else out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            if not lock_file(file):
                raise click.UsageError(
                    f"{out}: another run is writing it; wait until it ends, or give another --out"
                )
            if not resume:
                file.truncate(0)
        try:
            self._journal = Journal(path, options).__enter__()
        except BulkError as error:
            raise click.UsageError(f"{error}; or start over without --resume") from error

    def is_done(self, source: str) -> bool:
        """Return whether the text of a page is kept, or its file exists."""
        number = len(self._sources)
        known, text = self._journal.items.get(str(number), (source, None))
        is_done = text is not None
        if not self._is_file:
            is_done = self._is_resumed and self._page_file(number, source).exists()
        if is_done and known != source:
            self.stop()
            raise click.UsageError(
                f"{self._out}: page {number} is of {known}, and would now be of {source}: the "
                "interrupted work had other pages; give the same ones again, or another --out"
            )
        super().is_done(source)
        if is_done:
            self._waiting.pop()
        return is_done

    def write(self, text: str | None, *, is_error: bool = False) -> None:
        """Keep the text of the next page, or write its file; an error has no file."""
        number = self._waiting.popleft()
        source = self._sources[number]
        if self._is_file:
            key = f"error {number}" if is_error else str(number)
            self._journal.add(key, [source, text])
        elif text is not None and not is_error:
            self._journal.add(str(number), [source, ""])
            write_atomic(self._page_file(number, source), text.encode())

    def _page_file(self, number: int, source: str) -> Path:
        return self._out / f"{file_stem(number, source)}{self._layout.suffixes[0]}"

    def close(self) -> None:
        """Write the file for all pages, and remove the journal."""
        if self._out.suffix.lower() == ".parquet":
            rows = (json.loads(text) for _, text in self._kept())
            write_atomic(self._out, parquet_bytes(rows))
        elif self._is_file:
            write_lines_atomic(self._out, self._pieces())
        self.stop()
        self._journal.path.unlink()

    def stop(self) -> str:
        """Close the journal; return where it is."""
        with suppress(OSError):  # of a text that a full disk did not take
            self._journal.__exit__()
        return str(self._journal.path)

    def _pieces(self) -> Iterator[str]:
        for source, text in self._kept():
            yield self._with_start(source, text)
        yield self._layout.after(self._n_written)

    def _kept(self) -> Iterator[tuple[str, str]]:
        """Yield source and text of the pages, in the order in which they were asked for."""
        items = self._journal.items
        for number in range(len(self._sources)):
            source, text = items.get(str(number)) or items[f"error {number}"]
            if text is not None:
                yield source, text


def file_stem(number: int, source: str) -> str:
    """Return the stem of the name of a file for a source."""
    stem = Path(source).name.split(".html")[0].split(".htm")[0]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)
    name = name.encode()[:60].decode(errors="ignore") or "page"  # systems limit a name's bytes
    return f"{number:05d}-{name}"


def is_file_name(path: Path) -> bool:
    """Return whether an output path names one file for all pages, not a folder."""
    return not path.is_dir() and path.suffix.lower() in SUFFIXES


def format_of(out: Path | None, choice: str | None, *, default: str) -> str:
    """Return the format of an output: the one that is asked for, or that of its suffix."""
    name = SUFFIXES.get(f".{choice}", choice) if choice not in FORMATS else choice
    if out is None or not is_file_name(out):
        return name or (default if out is None else "json")
    usual = SUFFIXES[out.suffix.lower()]
    if name not in (None, usual) and not (name == "zyte" and usual in ("json", "jsonl")):
        raise click.UsageError(
            f"--out {out} names a file of {usual}, but --format is {name}; leave out --format, "
            "or change the name"
        )
    return name or usual


def open_output(
    name: str,
    out: Path | None,
    n_pages: int,
    options: Mapping[str, object],
    *,
    force: bool,
    resume: bool,
    is_named: bool = True,
) -> PageOutput:
    """Return the output of pages in a format; a usage error if it cannot take them.

    Work is resumed only with the options that it began with, on which the texts depend. Without
    ``is_named`` no line names a source.
    """
    layout, problem = FORMATS[name], ""
    layout = layout._replace(is_named=is_named and layout.is_named)
    is_file = out is None or is_file_name(out)
    if layout.is_single and is_file and n_pages > 1:
        problem = f"--format {name} takes one page; write several to files with --out DIR"
    elif out is None:
        if resume or force:
            problem = "--resume and --force are for an --out; give --out, too"
        elif name == "parquet":
            problem = "--format parquet is for a file: give -o FILE.parquet"
    elif is_file:
        if out.exists() and not (force or resume):
            problem = f"{out} already exists; --force overwrites it"
    elif not out.is_dir() and (out.suffix or out.exists()):
        suffixes = ", ".join(sorted(SUFFIXES))
        problem = f"--out {out}: expected a folder, or a file that ends with one of {suffixes}"
    elif not layout.has_files:
        problem = f"--out DIR is not for {name}; write it to one file: --out FILE"
    if problem:
        raise click.UsageError(problem)
    if out is None:
        return PageOutput(layout)
    return FileOutput(layout, out, {"form": name, **options}, resume=resume)


def write_pages(
    pages: Iterable[PageText],
    output: PageOutput,
    n_pages: int,
    *,
    is_quiet: bool = False,
    is_verbose: bool = False,
) -> bool:
    """Write the text of each page, and report errors; return whether any page failed."""
    n_failed, n_done, start = 0, 0, perf_counter()
    try:
        for source, text, error, is_error in pages:
            output.write(text, is_error=is_error)
            n_failed += bool(error)
            n_done += 1
            if error and not is_quiet:
                show_error(error)
            elif is_verbose:
                show_message(f"{n_done}/{n_pages} {perf_counter() - start:.1f} s {source}")
        output.close()
    except BaseException:  # an interruption or a full disk, too
        if (place := output.stop()) and not is_quiet:
            message = f"stopped: {n_done:,} of {n_pages:,} pages were done, and are kept in {place}"
            show_message(f"{message}; run the same command with --resume to continue")
        raise
    if n_pages > 1 and not is_quiet:
        show_message(closing_line(n_done, n_failed, perf_counter() - start))
    return n_failed > 0
