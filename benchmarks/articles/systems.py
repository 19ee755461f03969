"""Systems of the leaderboard: their outputs, availability, and processes."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import dateparser
import psutil

from benchmarks.articles.answers import Answer
from benchmarks.articles.html_text import text_of_html
from structce.errors import StructceError
from structce.language import PARENTHESES, language_code, strip_byline_prefix

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
_BETWEEN_NAMES = re.compile(
    r"[,;|&/、·•\n]|\s(?:and|und|et|y|e|en|och|og|ja|i|и|ve|و|with|mit|avec|con|com|met)\s"
)
_NOT_A_NAME = re.compile(r"\d|@|://|(?:\w+\s+){6}")
_PATIENCE = 6
"""Wall-clock time that a page may take on a busy machine, in units of its processor time."""

WARM_UP = {
    "html": "<html lang=en><title>A day</title><body><h1>A day</h1><p>By Ann Lee, 3 May 2024</p>"
    + "<p>The river rose in the night, and by the morning it stood in the fields.</p>" * 9,
    "url": "https://warm-up.example/2024/05/03/a-day",
    "lang": "en",
}
"""Page that every process reads first, so that late imports are not timed."""


@dataclass(frozen=True)
class System:
    """A system, its fields and its package.

    Parameters
    ----------
    fields
        Those of ``title``, ``authors``, ``date`` and ``text`` that it gives.
    package
        In Python or, if ``is_node``, in Node; empty for answers that were made elsewhere.
    is_apart
        Whether it runs under the Python that ``PEERS_PYTHON`` names.
    """

    name: str
    fields: tuple[str, ...]
    package: str = ""
    is_node: bool = False
    is_ours: bool = False
    is_apart: bool = False


SHIPPED = "ours-shipped"
ALL_FIELDS = ("title", "authors", "date", "text")

SYSTEMS = {
    system.name: system
    for system in (
        System("trafilatura", ALL_FIELDS, "trafilatura"),
        System("rs-trafilatura", ALL_FIELDS, "rs-trafilatura", is_apart=True),
        System("newspaper4k", ALL_FIELDS, "newspaper4k"),
        System("htmldate", ("date",), "htmldate"),
        System("readability-lxml", ("title", "text"), "readability-lxml"),
        System("resiliparse", ("text",), "resiliparse"),
        System("goose3", ALL_FIELDS, "goose3"),
        System("justext", ("text",), "justext"),
        System("boilerpy3", ("title", "text"), "boilerpy3"),
        System("readability.js", ALL_FIELDS, "@mozilla/readability", is_node=True),
        System("defuddle", ALL_FIELDS, "defuddle", is_node=True),
        System("ours-static", ALL_FIELDS, is_ours=True),
        System("ours-chromium", ALL_FIELDS, is_ours=True),
        System(SHIPPED, ALL_FIELDS, "structce", is_ours=True),
    )
}
"""Systems by name, in the order of tables; ``SHIPPED`` counts for its time only."""


class UnavailableError(Exception):
    """A system cannot be run here; the message says why."""


def system_version(system: System, node_modules: Path | None) -> str:
    """Return name and version of a system's package.

    Raises
    ------
    UnavailableError
        If it is not installed, or its answers are made elsewhere.
    """
    if not system.package:
        raise UnavailableError("its answers are made separately and put into the folder")
    if system.is_apart:
        return _version_apart(system.package)
    if not system.is_node:
        try:
            return f"{system.package} {version(system.package)}"
        except PackageNotFoundError:
            raise UnavailableError(f"{system.package} is not installed") from None
    if shutil.which("node") is None:
        raise UnavailableError("node was not found")
    file = (node_modules or Path()) / system.package / "package.json"
    if node_modules is None or not file.exists():
        raise UnavailableError(f"{system.package} is not in the folder of --node-modules")
    return f"{system.package} {json.loads(file.read_bytes())['version']}"


def _version_apart(package: str) -> str:
    """Return name and version of a package of the other Python."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    try:
        done = subprocess.run(
            [os.environ["PEERS_PYTHON"], "-c", code], capture_output=True, check=True, text=True
        )
    except (KeyError, OSError, subprocess.CalledProcessError):
        raise UnavailableError(f"PEERS_PYTHON names no Python with {package}") from None
    return f"{package} {done.stdout.strip()}"


def start_runner(system: System, limit: float, node_modules: Path | None) -> Runner:
    """Return what runs a system; its process starts with the first page."""
    ours = (sys.executable, "-m", "benchmarks.articles.worker", system.name)
    node = ("node", str(HERE / "node" / "worker.mjs"), system.name)
    apart = (os.environ.get("PEERS_PYTHON", ""), str(HERE / "apart.py"))
    command = node if system.is_node else apart if system.is_apart else ours
    return Runner(command, limit, {"NODE_MODULES": str(node_modules or "")})


@dataclass
class Runner:
    """A process of one system, restarted after each page that takes too long.

    Parameters
    ----------
    command
        Starts a process that answers JSON requests, one per line.
    limit
        Processor time that a page may take, in seconds.
    environment
        Variables of the process besides those of this one.
    """

    command: Sequence[str]
    limit: float
    environment: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _rest: bytes = field(default=b"", init=False)

    def ask(self, id: str, html: str, url: str, lang: str) -> Answer:
        """Return the answer to one page; an error where it raises, hangs or dies."""
        request = {"html": html, "url": url, "lang": lang}
        try:
            if self._process is None:
                self._start()
            return answer_from(id, lang, self._send(request))
        except (TimeoutError, OSError, EOFError) as error:
            self.close()
            return Answer(id, error=f"{type(error).__name__}: {error}"[:300])

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream:
                    stream.close()
            self._process, self._rest = None, b""

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env={**os.environ, **_ONE_THREAD, **self.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._send(WARM_UP, slack=60)

    def _send(self, request: Mapping[str, str], slack: float = 0) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdin is None:
            raise OSError("the process is gone")
        used, start = _processor_seconds(process.pid), time.monotonic()
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        limit = self.limit + slack
        while (line := self._line(process)) is None:
            is_late = _processor_seconds(process.pid) - used > limit
            if is_late or time.monotonic() - start > _PATIENCE * limit:
                raise TimeoutError(f"more than {limit:g} s")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """Return the next line, or None if it is not there within a second."""
        stream = process.stdout
        if stream is None or not select.select([stream], [], [], 1)[0]:
            return None
        piece = os.read(stream.fileno(), 1 << 20)
        if not piece:
            raise EOFError("the process died")
        line, end, rest = (self._rest + piece).partition(b"\n")
        self._rest = rest if end else line
        return line if end else None


def _processor_seconds(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def answer_from(id: str, lang: str, reply: Mapping[str, Any]) -> Answer:
    """Convert the reply of a process to an answer: names split, the date as a day, HTML as text."""
    authors = reply.get("authors") or names_in(str(reply.get("byline") or ""), lang)
    text = str(reply.get("text") or "")
    error = str(reply.get("error") or "")
    try:
        text = text or text_of_html(str(reply.get("html") or ""))
    except StructceError as problem:
        error = error or str(problem)
    return Answer(
        id,
        title=" ".join(str(reply.get("title") or "").split()),
        authors=tuple(name for author in authors if (name := " ".join(str(author).split()))),
        date=as_day(reply.get("date")),
        text=text,
        ms=float(reply["ms"]),
        error=error,
    )


def names_in(byline: str, lang: str) -> tuple[str, ...]:
    """Return the names of a byline, for systems that give it as one text.

    It is split at marks and words for "and"; parts with a digit or an address are not names.
    """
    line = strip_byline_prefix(PARENTHESES.sub("", byline).strip(), language_code(lang))
    parts = [part.strip(" .:-–—") for part in _BETWEEN_NAMES.split(line)]
    return tuple(dict.fromkeys(part for part in parts if part and not _NOT_A_NAME.search(part)))


def as_day(value: object) -> str:
    """Return the calendar day of a moment as it is written, ISO 8601; empty if it is not a date."""
    text = str(value or "").strip()
    if match := _ISO_DAY.match(text):
        return match[0]
    whole = {"REQUIRE_PARTS": ["year", "month", "day"], "PARSERS": ["absolute-time"]}
    moment = dateparser.parse(text, settings=whole) if text else None
    return moment.date().isoformat() if moment else ""
