"""Answers of a system to the pages of a data set, one JSON object per line.

One file contains the answers of one system on one data set in one view, named
``DATA_SET/VIEW/SYSTEM.jsonl``. ``SYSTEM.json`` beside it states the digest of the pages and the
version of the system; answers are reused while both are the same. A file without it was made
elsewhere (``ours-static``, by cross-validation) and is used as it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from structce.datasets import GoldPage
from structce.io import encode_json, write_atomic


@dataclass(frozen=True)
class Answer:
    """Answer of a system for one page.

    Parameters
    ----------
    date
        Calendar day, ISO 8601; empty where none is given.
    ms
        Processor time of the extraction, in milliseconds; NaN where it was not measured.
    error
        Why there is no answer; empty if there is one.
    """

    id: str
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    text: str = ""
    ms: float = float("nan")
    error: str = ""


@dataclass(frozen=True)
class AnswerFile:
    """File of the answers of one system on one data set in one view."""

    path: Path

    @property
    def _companion(self) -> Path:
        return self.path.with_suffix(".json")

    @property
    def is_own(self) -> bool:
        """Whether the file is, or will be, written by this program."""
        return self._companion.exists() or not self.path.exists()

    def read(self) -> dict[str, Answer]:
        """Return the answers by the ids of their pages; none if there is no file."""
        if not self.path.exists():
            return {}
        answers = (answer_of(json.loads(line)) for line in _whole_lines(self.path))
        return {answer.id: answer for answer in answers}

    def start(self, digest: str, version: str) -> dict[str, Answer]:
        """Return the answers that are still valid, and prepare the file for the others."""
        wanted = {"digest": digest, "version": version}
        record = json.loads(self._companion.read_bytes()) if self._companion.exists() else None
        if record == wanted:
            if self.path.exists():  # the next line must not join a truncated one
                lines = "".join(f"{line}\n" for line in _whole_lines(self.path))
                write_atomic(self.path, lines.encode())
            return self.read()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)
        write_atomic(self._companion, encode_json(wanted))
        return {}

    def append(self, answer: Answer) -> None:
        """Add one answer."""
        line = json.dumps(plain(answer), ensure_ascii=False)
        with self.path.open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(line + "\n")


def plain(answer: Answer) -> dict[str, object]:
    """Return an answer as JSON values, an unmeasured time as null."""
    values = asdict(answer)
    return values | {"ms": None if answer.ms != answer.ms else round(answer.ms, 3)}


def answer_of(values: dict[str, object]) -> Answer:
    """Return the answer from JSON values; an absent value is empty."""
    authors, ms = values.get("authors") or (), values.get("ms")
    return Answer(
        id=str(values["id"]),
        title=str(values.get("title") or ""),
        authors=tuple(map(str, authors if isinstance(authors, list | tuple) else (authors,))),
        date=str(values.get("date") or ""),
        text=str(values.get("text") or ""),
        ms=float(ms) if isinstance(ms, int | float) else float("nan"),
        error=str(values.get("error") or ""),
    )


def pages_digest(pages: Iterable[GoldPage]) -> str:
    """Return a digest of pages: their ids, addresses and bytes."""
    total = hashlib.sha256()
    for page in pages:
        data = hashlib.sha256(page.data).hexdigest()
        total.update(f"{page.id}\t{page.url}\t{page.content_type}\t{data}\n".encode())
    return total.hexdigest()


def _whole_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file; a truncated last line is left out."""
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        if line:
            yield line
