"""Commands and published texts as extractors: systems in any language, measured like our own."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from threading import Event, Thread
from time import monotonic, sleep, time
from typing import IO

import psutil

from structce.errors import ExtractionError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import SCHEMES, text_of_html
from structce.rendering import MAX_PAGE_BYTES

SECONDS = 60.0
"""Time limit of a command for a page, in seconds."""

_MARK = "STRUCTCE_COMMAND"
"""Environment variable that identifies the processes started by a command."""

_INTERVAL = 0.02  # seconds between checks whether a command has ended
_CLOSE_SECONDS = 5.0  # for reading the rest of a pipe whose writers have ended
_KILL_SECONDS = 1.0  # for finding and ending the processes that a command has left behind
_CLOCK_STEP = 2.0  # seconds by which a process may seem older than it is
_PIECE = 1 << 16  # bytes that are read at once
_SHOWN = 200  # characters of a command's messages that are quoted in ours


@dataclass(frozen=True)
class Command:
    """Command that reads HTML in UTF-8 on standard input and writes the text to standard output.

    Its time includes starting it. The address of the page is in the variable ``PAGE_URL``.

    Parameters
    ----------
    arguments
        Program and arguments, without a shell.
    seconds
        Time limit for one page, after which it is killed with the processes that it started.
    is_html
        Whether it writes HTML, whose text is extracted.
    environment
        Environment variables in addition to those of this process.
    """

    arguments: Sequence[str]
    seconds: float = SECONDS
    is_html: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.arguments:
            raise ExtractionError("command: expected a program after the colon")

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the output of the command.

        Raises ExtractionError if there is no such command, or it fails, takes too long, or writes
        too much.
        """
        output = self._output(document).decode("utf-8", errors="replace")
        if self.is_html:
            output = text_of_html(output)
        return Extraction(output.strip())

    def _output(self, document: ParsedDocument) -> bytes:
        where = f"{document.name}: {self.arguments[0]}"
        mark = uuid.uuid4().hex  # inherited by all processes that it starts
        known = {"PAGE_URL": document.url, _MARK: mark}
        with tempfile.TemporaryFile() as source:
            source.write(document.utf8)
            source.seek(0)
            try:
                process = subprocess.Popen(
                    self.arguments,
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={**os.environ, **self.environment, **known},
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                raise ExtractionError(f"{where}: not started: {error}") from error
            return _read(process, mark, self.seconds, where)


def _read(process: subprocess.Popen[bytes], mark: str, seconds: float, where: str) -> bytes:
    """Return the output of a process until it ends; kill everything that it has started."""
    if process.stdout is None or process.stderr is None:
        raise ExtractionError(f"{where}: not started")
    is_over = Event()
    output = _Pipe(process.stdout, MAX_PAGE_BYTES, is_over)
    errors = _Pipe(process.stderr, _SHOWN)
    started, end = time(), monotonic() + seconds
    try:
        while process.poll() is None and not is_over.is_set() and monotonic() < end:
            is_over.wait(min(_INTERVAL, max(end - monotonic(), 0)))
        is_late = process.poll() is None and not is_over.is_set()
    finally:
        _kill(process, mark, started)
        output.close()
        errors.close()
    if is_over.is_set():
        raise ExtractionError(f"{where}: wrote more than {MAX_PAGE_BYTES:,} bytes")
    if is_late:
        raise ExtractionError(f"{where}: took more than {seconds:g} s")
    if process.returncode:
        message = bytes(errors.data).decode("utf-8", errors="replace").strip()
        raise ExtractionError(f"{where}: exited with status {process.returncode}: {message}")
    return bytes(output.data)


class _Pipe:
    """Thread that reads a pipe to its end and keeps the first bytes."""

    def __init__(self, file: IO[bytes], limit: int, is_over: Event | None = None) -> None:
        self.data = bytearray()
        self._file, self._limit, self._is_over = file, limit, is_over
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for the end, which is near once all writers have ended."""
        self._thread.join(_CLOSE_SECONDS)
        if not self._thread.is_alive():
            self._file.close()

    def _read(self) -> None:
        while piece := self._file.read1(_PIECE):  # type: ignore[attr-defined]
            self.data += piece[: self._limit - len(self.data)]
            if len(self.data) >= self._limit and self._is_over is not None:
                self._is_over.set()


def _kill(process: subprocess.Popen[bytes], mark: str, started: float) -> None:
    """Kill a process with its group and, where possible, processes that have left the group."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    end = monotonic() + _KILL_SECONDS
    while not _kill_marked(mark, started) and monotonic() < end:
        sleep(_INTERVAL)


def _kill_marked(mark: str, started: float) -> bool:
    """Kill the young processes that bear a mark; return whether none of them can be left.

    A process that is just being replaced by another program shows no environment for a moment.
    """
    killed: list[psutil.Process] = []
    is_hidden = False
    for candidate in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if candidate.create_time() < started - _CLOCK_STEP:
                continue
            environment = candidate.environ()
            if environment.get(_MARK) == mark:
                candidate.kill()
                killed.append(candidate)
            is_hidden = is_hidden or not environment
    psutil.wait_procs(killed, timeout=_KILL_SECONDS)
    return not killed and not is_hidden


@dataclass(frozen=True)
class PublishedTexts:
    """Published texts, looked up by the name of the document.

    A name matches with or without its folders and its extension: the text of ``html/12.html.gz`` is
    that of a document named ``12``.
    """

    texts: Mapping[str, str]

    @classmethod
    def read(cls, path: str | Path) -> PublishedTexts:
        """Read the texts of a file.

        The file has one JSON object per line with ``file`` and ``text``, or is one JSON object that
        maps names to texts or to objects with ``articleBody`` or ``text``.

        Raises ExtractionError if it cannot be read, or has another form.
        """
        try:
            content = Path(path).read_text("utf-8")
            return cls(dict(_named_texts(content)))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ExtractionError(f"{path}: not a file of texts: {error!r}"[:500]) from error

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the published text of a document; raises ExtractionError if there is none."""
        for name in _spellings(document.name):
            if name in self._by_spelling:
                return Extraction(self._by_spelling[name])
        raise ExtractionError(f"{document.name}: there is no published text of this document")

    @cached_property
    def _by_spelling(self) -> Mapping[str, str]:
        return {name: text for key, text in self.texts.items() for name in _spellings(key)}


def _named_texts(content: str) -> Iterator[tuple[str, str]]:
    try:
        named = json.loads(content)
    except ValueError:
        rows = [json.loads(line) for line in content.split("\n") if line.strip()]
        yield from ((str(row["file"]), str(row["text"])) for row in rows)
        return
    if "file" in named and "text" in named:
        named = {named["file"]: named}
    for name, entry in named.items():
        text = entry if isinstance(entry, str) else entry.get("articleBody", entry.get("text"))
        yield str(name), str(text or "")


def _spellings(name: str) -> list[str]:
    """Return the spellings of a document's name, the most specific first."""
    last = PurePosixPath(name.replace("\\", "/")).name
    stem = last.removesuffix(".gz").removesuffix(".html").removesuffix(".htm")
    return [name, last, stem]


def _command(text: str) -> Command:
    try:
        return Command(tuple(shlex.split(text)))
    except ValueError as error:
        raise ExtractionError(f"command: {error}: {text!r}") from error


SCHEMES["command"] = _command
SCHEMES["texts"] = PublishedTexts.read
