"""Outputs of pages: standard output, one file for all, or one file per page in a folder.

A file for all pages is written whole or not at all. Interrupted work continues from its journal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import click

from structce.article import parquet_bytes
from structce.cli.inputs import show_progress
from structce.cli.messages import FAILED, closing_line, show_error, show_message
from structce.cli.page_formats import FORMATS, SUFFIXES, PageFormat
from structce.errors import BulkError
from structce.io import Journal, lock_file, write_atomic, write_lines_atomic

PageText = tuple[str, str | None, str, bool]
"""Source of a page, its text, its error, and whether the page is tried again when work resumes."""


class PageOutput:
    """Standard output, to which the texts of the ``missing`` pages are written in their order."""

    def __init__(self, layout: PageFormat, sources: Sequence[str]) -> None:
        self._layout, self._sources, self._n_written = layout, sources, 0
        self.missing = [n for n in range(len(sources)) if not self._is_done(n)]
        self.n_done = len(sources) - len(self.missing)
        self._numbers = iter(self.missing)

    def _is_done(self, number: int) -> bool:
        """Return whether a page was written by the work being resumed."""
        return False

    def write(self, text: str | None, *, is_error: bool = False) -> None:
        """Write the text of the next page; None if it has no text."""
        number = next(self._numbers)
        if text is not None:
            click.echo(self._with_start(number, text), nl=False)

    def _with_start(self, number: int, text: str) -> str:
        """Return a text after what stands before it."""
        self._n_written += 1
        source, is_alone = self._sources[number], len(self._sources) == 1
        return self._layout.before(self._n_written - 1, source, is_alone=is_alone) + text

    def close(self) -> None:
        """Write what stands after the last page."""
        click.echo(self._layout.after(self._n_written), nl=False)

    def stop(self) -> str:
        """Return where finished work is kept after an interruption; empty for nowhere."""
        return ""


class FileOutput(PageOutput):
    """One file for all pages, or one per page in a folder, named after its number and source.

    Until all are done, a hidden journal has the options and, for a file, the texts. Work that is
    resumed tries failed pages again, and skips pages whose files exist.
    """

    def __init__(
        self,
        layout: PageFormat,
        sources: Sequence[str],
        out: Path,
        options: Mapping[str, object],
        *,
        resume: bool,
    ) -> None:
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
        digest = hashlib.sha256("\0".join(sources).encode(errors="surrogatepass")).hexdigest()
        try:
            self._journal = Journal(path, {**options, "sources": digest}).__enter__()
        except BulkError as error:
            raise click.UsageError(f"{error}; or start over without --resume") from error
        super().__init__(layout, sources)

    def _is_done(self, number: int) -> bool:
        if self._is_file:
            return str(number) in self._journal.items
        return self._is_resumed and self._page_file(number).exists()

    def write(self, text: str | None, *, is_error: bool = False) -> None:
        """Keep the text of the next page, or write its file; an error has no file."""
        number = next(self._numbers)
        if self._is_file:
            self._journal.add(f"error {number}" if is_error else str(number), text)
        elif text is not None and not is_error:
            write_atomic(self._page_file(number), text.encode())

    def _page_file(self, number: int) -> Path:
        return self._out / f"{file_stem(number, self._sources[number])}{self._layout.suffixes[0]}"

    def close(self) -> None:
        """Write the file for all pages, and remove the journal."""
        if self._out.suffix.lower() == ".parquet":
            write_atomic(self._out, parquet_bytes(json.loads(text) for _, text in self._texts()))
        elif self._is_file:
            write_lines_atomic(self._out, self._pieces())
        self.stop()
        self._journal.path.unlink()

    def _pieces(self) -> Iterator[str]:
        for number, text in self._texts():
            yield self._with_start(number, text)
        yield self._layout.after(self._n_written)

    def _texts(self) -> Iterator[tuple[int, str]]:
        for number in range(len(self._sources)):
            text = self._journal.items.get(str(number), self._journal.items.get(f"error {number}"))
            if text is not None:
                yield number, text

    def stop(self) -> str:
        """Close the journal; return where it is."""
        with suppress(OSError):  # of a text that a full disk did not take
            self._journal.__exit__()
        return str(self._journal.path)


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
    sources: Sequence[str],
    options: Mapping[str, object],
    *,
    force: bool,
    resume: bool,
    is_named: bool = True,
) -> PageOutput:
    """Return the output of pages in a format; a usage error if it cannot take them.

    Work is resumed only with the sources and options that it began with, on which the texts depend.
    Without ``is_named`` no line names a source.
    """
    layout, problem = FORMATS[name], ""
    is_file = out is None or is_file_name(out)
    if layout.is_single and is_file and len(sources) > 1:
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
    layout = layout._replace(is_named=is_named and layout.is_named)
    if out is None:
        return PageOutput(layout, sources)
    return FileOutput(layout, sources, out, {"form": name, **options}, resume=resume)


def write_pages(
    pages: Iterable[PageText],
    output: PageOutput,
    *,
    is_quiet: bool = False,
    is_verbose: bool = False,
) -> None:
    """Write the texts of the missing pages, and report errors; exit with 1 if any page failed."""
    n_failed, n_written, n_pages, start = 0, 0, len(output.missing), perf_counter()
    if output.n_done and not is_quiet:
        show_message(f"{output.n_done:,} pages are already done")
    if not is_quiet:
        pages = show_progress(pages, n_pages, waits=isinstance(output, FileOutput))
    try:
        for source, text, error, is_error in pages:
            output.write(text, is_error=is_error)
            n_failed += bool(error)
            n_written += 1
            if error and not is_quiet:
                show_error(error)
            elif is_verbose:
                show_message(f"{n_written}/{n_pages} {perf_counter() - start:.1f} s {source}")
        output.close()
    except BaseException:  # an interruption or a full disk, too
        if (place := output.stop()) and not is_quiet:
            kept = f"stopped: {n_written:,} of {n_pages:,} pages were done, and are kept in {place}"
            show_message(f"{kept}; run the same command with --resume to continue")
        raise
    if n_pages + output.n_done > 1 and not is_quiet:
        show_message(closing_line(n_written, n_failed, perf_counter() - start))
    if n_failed:
        raise FAILED
