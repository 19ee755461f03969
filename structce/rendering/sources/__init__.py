"""Files, folders, archives, addresses and standard input: one stream of sources."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NoReturn

import httpx

from structce.errors import SourceError
from structce.rendering.base import is_url
from structce.rendering.document import MAX_BYTES, Document, decode
from structce.rendering.sources.files import (
    PAGE_SUFFIXES,
    FolderFiles,
    MirrorResources,
    ZipFiles,
    max_bytes,
    pages_among,
    paths_below,
    read_bytes,
    read_saved,
)
from structce.rendering.sources.files import SUFFIXES as ZIP_SUFFIXES
from structce.rendering.sources.warc import SUFFIXES as WARC_SUFFIXES
from structce.rendering.sources.warc import WarcFile

_TIMEOUT = 20.0  # seconds for connecting, and between two pieces of an answer
_AGENT = "structce"


@dataclass(frozen=True)
class Source:
    """A place that a page can be read from.

    Parameters
    ----------
    name
        A path, an address, a place in an archive, or ``-`` for standard input.
    reader
        How to read it; None where the name alone tells.
    """

    name: str
    reader: Callable[[], Document] | None = field(default=None, compare=False, repr=False)

    def read(self) -> Document:
        """Return the document, with the files around it where there are any.

        Raises
        ------
        SourceError
            If it cannot be read, is too large, or is no HTML; the message names the source.
        """
        if self.reader is not None:
            return self.reader()
        if self.name == "-":
            return decode(sys.stdin.buffer.read(MAX_BYTES + 1), name="standard input")
        if is_url(self.name):
            return _fetch(self.name)
        path = Path(self.name)
        return _read_file(FolderFiles(path.parent), path.name)


def open_sources(names: Iterable[str]) -> Iterator[Source]:
    """Yield one source a page, in the order of the names.

    A folder gives its pages, sorted, with those in folders below it; a ZIP archive does, too. A
    WARC archive gives the answers that are HTML, in the order of the file. What cannot be listed
    (an empty folder, a broken archive) is a source of its own whose ``read`` raises, so that the
    other names are not held up.

    Raises
    ------
    MissingExtraError
        If a name is a WARC archive and the extra ``warc`` is not installed.
    """
    for name in names:
        path, small = Path(name), name.lower()
        if name == "-" or is_url(name):
            yield Source(name)
        elif path.is_dir():
            yield from _open_folder(path)
        elif small.endswith(ZIP_SUFFIXES):
            yield from _open_zip(path)
        elif small.endswith(WARC_SUFFIXES):
            yield from _open_warc(path)
        else:
            yield Source(name)


def _open_folder(folder: Path) -> Iterator[Source]:
    files = FolderFiles(folder)
    try:
        pages = pages_among(paths_below(folder))
    except OSError as error:
        yield _failed(str(folder), f"the folder cannot be listed: {error}")
        return
    if not pages:
        yield _failed(str(folder), f"the folder holds no page ({', '.join(PAGE_SUFFIXES)})")
    for page in pages:
        yield Source(str(folder / page), partial(_read_file, files, page))


def _read_file(files: FolderFiles, page: str) -> Document:
    path = files.root / page
    return read_saved(read_bytes(path), str(path), MirrorResources(files, page))


def _open_zip(path: Path) -> Iterator[Source]:
    try:
        files = ZipFiles(path)
    except SourceError as error:
        yield _failed(str(path), str(error).removeprefix(f"{path}: "))
        return
    pages = pages_among(files.paths())
    if not pages:
        yield _failed(str(path), f"the archive holds no page ({', '.join(PAGE_SUFFIXES)})")
    for page in pages:
        yield Source(f"{path}/{page}", partial(_read_member, files, page))


def _read_member(files: ZipFiles, page: str) -> Document:
    data = files.take(page, max_bytes(page))
    return read_saved(data, f"{files.path}/{page}", MirrorResources(files, page))


def _open_warc(path: Path) -> Iterator[Source]:
    archive = WarcFile(path)
    n_pages = 0
    try:
        for record in archive.pages():
            n_pages += 1
            yield Source(f"{path}#{record.number}", partial(archive.read, record))
    except SourceError as error:
        yield _failed(str(path), str(error).removeprefix(f"{path}: "))
    else:
        if not n_pages:
            yield _failed(str(path), "the archive holds no HTML that was answered with status 200")


def _failed(name: str, message: str) -> Source:
    """Return a source that is nothing but an error."""

    def fail() -> NoReturn:
        raise SourceError(f"{name}: {message}")

    return Source(name, fail)


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
