"""Commands and published texts as extractors: systems in any language, measured like our own."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from threading import Thread

from structce.errors import ExtractionError
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.plain import Plain
from structce.extraction.registry import SCHEMES
from structce.extraction.result import Extraction
from structce.rendering import MAX_PAGE_BYTES

SECONDS = 60.0
"""Time that a command has for a page."""

_SHOWN = 200  # characters of a command's messages in ours


@dataclass(frozen=True)
class Command:
    """Command that reads HTML in UTF-8 on standard input and writes the text to standard output.

    Its time holds that of its start. The address of the page is in the variable ``PAGE_URL``.

    Parameters
    ----------
    arguments
        Program and arguments; no shell reads them.
    seconds
        Time for one page; then it is killed, with the processes that it started.
    is_html
        Whether it writes HTML, whose text is taken.
    environment
        Variables besides those of this process.
    """

    arguments: Sequence[str]
    seconds: float = SECONDS
    is_html: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.arguments:
            raise ExtractionError("command: expected a program after the colon")

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return what the command writes.

        Raises
        ------
        ExtractionError
            If there is no such command, it fails, takes too long, or writes too much.
        """
        output = self._output(document).decode("utf-8", errors="replace")
        if self.is_html:
            output = text_of_html(output)
        return Extraction(output.strip())

    def _output(self, document: ParsedDocument) -> bytes:
        where = f"{document.name}: {self.arguments[0]}"
        environment = {**os.environ, **self.environment, "PAGE_URL": document.url}
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as errors:
            source.write(document.utf8)
            source.seek(0)
            try:
                process = subprocess.Popen(
                    self.arguments,
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                raise ExtractionError(f"{where}: not started: {error}") from error
            try:
                output = _read(process, self.seconds, where)
            finally:
                _kill(process)
            if process.returncode:
                errors.seek(0)
                message = errors.read(_SHOWN).decode("utf-8", errors="replace").strip()
                raise ExtractionError(f"{where}: ended with {process.returncode}: {message}")
        return output


def _read(process: subprocess.Popen[bytes], seconds: float, where: str) -> bytes:
    """Return all that a process writes until it ends."""
    pieces: list[bytes] = []

    def read() -> None:
        if process.stdout is not None:
            pieces.append(process.stdout.read(MAX_PAGE_BYTES + 1))

    reader = Thread(target=read, daemon=True)
    reader.start()
    reader.join(seconds)
    if reader.is_alive():
        raise ExtractionError(f"{where}: more than {seconds:g} s")
    if len(pieces[0]) > MAX_PAGE_BYTES:
        raise ExtractionError(f"{where}: wrote more than {MAX_PAGE_BYTES:,} bytes")
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise ExtractionError(f"{where}: more than {seconds:g} s") from error
    return pieces[0]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process, and those of its group where the system has groups."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def text_of_html(html: str) -> str:
    """Return the text that a piece of HTML shows."""
    return Plain().extract(ParsedDocument(html)).text


@dataclass(frozen=True)
class PublishedTexts:
    """Texts that somebody published, found by the name of the document.

    A name matches with or without its folders and its ending: the text of ``html/12.html.gz`` is
    that of a document called ``12``.

    Parameters
    ----------
    texts
        By the name of the page.
    """

    texts: Mapping[str, str]

    @classmethod
    def read(cls, path: str | Path) -> PublishedTexts:
        """Return the texts of a file.

        The file has one JSON object a line with ``file`` and ``text``, or is one JSON object of
        names with texts or with objects that have ``articleBody`` or ``text``.

        Raises
        ------
        ExtractionError
            If it cannot be read, or has another form.
        """
        try:
            content = Path(path).read_text("utf-8")
            return cls(dict(_named_texts(content)))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ExtractionError(f"{path}: no published texts: {error!r}"[:500]) from error

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the text that is published of a document.

        Raises
        ------
        ExtractionError
            If there is none.
        """
        for name in _spellings(document.name):
            if name in self._by_spelling:
                return Extraction(self._by_spelling[name])
        raise ExtractionError(f"{document.name}: no text is published of it")

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
    for name, found in named.items():
        text = found if isinstance(found, str) else found.get("articleBody", found.get("text"))
        yield str(name), str(text or "")


def _spellings(name: str) -> list[str]:
    """Return the spellings of a document's name, the most particular first."""
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
