"""Pages that were saved to a folder, with the files around them."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from structce.errors import SourceError
from structce.rendering.addresses import is_url
from structce.rendering.document import MAX_BYTES, Document, decode
from structce.rendering.resources import Resources
from structce.rendering.settings import Limits
from structce.rendering.sources.mhtml import SUFFIXES as MHTML_SUFFIXES
from structce.rendering.sources.mhtml import read_mhtml

SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", *MHTML_SUFFIXES)
"""Files of a folder or archive that are taken for pages, in small letters."""

_FILES = "_files"
"""What browsers add to a page's name, to name the folder with its files."""

_SAVED_FROM = re.compile(
    r"<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)(\S+?)\s*(?:-->|\s)"
)
"""What Chrome, Edge, Internet Explorer and SingleFile write at the head of what they save."""

_HEAD = 4_096  # characters in which such a comment must begin; our choice


@dataclass(frozen=True)
class FolderFiles:
    """The regular files below a folder; symbolic links that lead out of it are not followed.

    Parameters
    ----------
    root
        The folder.
    limit
        Bytes of a file; a larger one is not there.
    """

    root: Path
    limit: int = Limits.request_bytes

    def read(self, path: str) -> bytes | None:
        """Return a file, or None."""
        try:
            found = self._inside(path)
            if found is None or not found.is_file() or found.stat().st_size > self.limit:
                return None
            return found.read_bytes()
        except (OSError, ValueError):  # unreadable, a loop of links, a name that cannot be
            return None

    def has_folder(self, path: str) -> bool:
        """Return whether there is such a folder."""
        try:
            found = self._inside(path)
            return found is not None and found.is_dir()
        except (OSError, ValueError):
            return False

    def _inside(self, path: str) -> Path | None:
        found = (self.root / path).resolve()
        return found if found.is_relative_to(self.root.resolve()) else None


def is_page(path: str) -> bool:
    """Return whether a file is taken for a page by its name."""
    name = path.rpartition("/")[2]
    return path.lower().endswith(SUFFIXES) and not name.startswith("._")  # macOS puts these beside


def pages_among(paths: Iterable[str]) -> list[str]:
    """Return the pages among the paths of a tree, sorted.

    The frames of a saved page, in the folder beside it (``news.html``, ``news_files/``), belong to
    it and are no pages of their own.
    """
    pages = sorted(path for path in paths if is_page(path))
    owners = {_stem(path) + _FILES for path in pages}
    return [path for path in pages if not _is_below(path, owners)]


def _stem(path: str) -> str:
    longest_first = sorted(SUFFIXES, key=len, reverse=True)
    ending = next(ending for ending in longest_first if path.lower().endswith(ending))
    return path[: -len(ending)]


def _is_below(path: str, folders: Collection[str]) -> bool:
    return any(str(folder) in folders for folder in PurePosixPath(path).parents)


def paths_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, as paths relative to it, with slashes."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


def max_bytes(path: str) -> int:
    """Return how large the file of a page may be; an MHTML file holds more than the page."""
    return Limits.total_bytes if path.lower().endswith(MHTML_SUFFIXES) else MAX_BYTES


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a page's file.

    Raises
    ------
    SourceError
        If it cannot be read, or is too large.
    """
    limit = max_bytes(path.name)
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SourceError(f"{path}: {reason}") from error
    if len(data) > limit:
        raise SourceError(f"{path}: over {limit:,} bytes, which is the limit")
    return data


def read_saved(data: bytes, name: str, resources: Resources | None) -> Document:
    """Return the document that a file holds; its name tells how.

    Raises
    ------
    SourceError
        If it is damaged, too large, or no HTML.
    """
    if name.lower().endswith(MHTML_SUFFIXES):
        return read_mhtml(data, name)
    if name.lower().endswith(".gz"):
        data = _inflate(data, name)
    document = decode(data, name=name)
    return replace(document, url=saved_from(document.html), resources=resources)


def saved_from(html: str) -> str:
    """Return the address that a page says it was saved from; empty if it says none."""
    found = _SAVED_FROM.search(html, 0, _HEAD)
    return found.group(1) if found and is_url(found.group(1)) else ""


def _inflate(data: bytes, name: str) -> bytes:
    """Return what gzip data holds, one byte more than allowed at most."""
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, zlib.error, EOFError) as error:
        raise SourceError(f"{name}: {error}") from error
