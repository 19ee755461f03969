"""Files, folders, addresses and standard input: one stream of sources."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from structce.errors import SourceError
from structce.rendering.document import MAX_BYTES, Document, decode

SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
"""Files of a folder that are taken for pages."""

_TIMEOUT = 20.0  # seconds for connecting, and between two pieces of an answer
_AGENT = "structce"


@dataclass(frozen=True)
class Source:
    """A place that a page can be read from: a path, an address, or ``-`` for standard input."""

    name: str

    def read(self) -> Document:
        """Return the document.

        Raises
        ------
        SourceError
            If it cannot be read, is too large, or is no HTML; the message names the source.
        """
        if self.name == "-":
            return decode(sys.stdin.buffer.read(MAX_BYTES + 1), name="standard input")
        if is_url(self.name):
            return _fetch(self.name)
        return _read_file(Path(self.name))


def is_url(name: str) -> bool:
    """Return whether a source is named by an address."""
    return name.startswith(("http://", "https://"))


def open_sources(names: Iterable[str]) -> Iterator[Source]:
    """Yield one source a page; a folder gives its HTML files, sorted, with those below it.

    Raises
    ------
    SourceError
        If a folder holds no page.
    """
    for name in names:
        path = Path(name)
        if name == "-" or is_url(name) or not path.is_dir():
            yield Source(name)
            continue
        files = sorted(p for p in path.rglob("*") if p.is_file() and p.name.endswith(SUFFIXES))
        if not files:
            raise SourceError(f"{name}: the folder holds no page ({', '.join(SUFFIXES)})")
        for file in files:
            yield Source(str(file))


def _read_file(path: Path) -> Document:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceError(f"{path}: {size:,} bytes; at most {MAX_BYTES:,} are read")
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = _inflate(data)
    except (OSError, zlib.error, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SourceError(f"{path}: {reason}") from error
    return decode(data, name=str(path))


def _inflate(data: bytes) -> bytes:
    """Return what gzip data holds, one byte more than allowed at most."""
    with gzip.open(io.BytesIO(data)) as file:
        return file.read(MAX_BYTES + 1)


def _fetch(url: str) -> Document:
    try:
        with httpx.stream(
            "GET", url, follow_redirects=True, timeout=_TIMEOUT, headers={"User-Agent": _AGENT}
        ) as answer:
            answer.raise_for_status()
            data = bytearray()
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > MAX_BYTES:
                    raise SourceError(f"{url}: over {MAX_BYTES:,} bytes, which is the limit")
            content_type = answer.headers.get("content-type", "")
            return decode(bytes(data), name=url, url=str(answer.url), content_type=content_type)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SourceError(f"{url}: {error or type(error).__name__}") from error
