"""Where the public data sets can be fetched, and why some cannot.

An address is given only where a reader understands the archive as its publisher packs it. All
name a commit, so that everybody who fetches gets the same files. The bytes of such archives are
not promised to stay the same, though, which is why no digest is noted.
"""

from __future__ import annotations

import hashlib
import lzma
import re
import tomllib
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from structce.datasets.base import DataSetReader
from structce.errors import SourceError
from structce.rendering import Download, DownloadLimits

MAX_UNPACKED = 20_000_000_000
"""Bytes that the files of an archive may unpack to: ten times the largest download, so that what is
made to fill a disk is refused."""

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    NotImplementedError,
)


@dataclass(frozen=True)
class Archive:
    """An archive of a data set, as its publisher packs it.

    Parameters
    ----------
    address
        Of a zip archive.
    digest
        SHA-256, 64 hexadecimal digits; empty where the publisher may change the bytes.
    note
        What the archive holds beside the data set, or differently, in one line.
    """

    address: str
    digest: str = ""
    note: str = ""


@cache
def archives() -> Mapping[str, Archive]:
    """Return the archives that can be fetched, by the name of their reader."""
    return {
        name: Archive(
            f"https://codeload.github.com/{row['repository']}/zip/{row['commit']}",
            note=row.get("note", ""),
        )
        for name, row in _tables()["archives"].items()
    }


def missing_archives() -> Mapping[str, str]:
    """Return why there is no archive of the other data sets, by the name of their reader."""
    return _tables()["missing"]


@cache
def _tables() -> Mapping[str, dict[str, Any]]:
    file = resources.files(__package__) / "archives.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def archive_of(reader: DataSetReader) -> Archive | None:
    """Return where a data set can be fetched; None where it cannot."""
    if reader.archive:
        return Archive(reader.archive, reader.digest)
    return archives().get(reader.name)


@dataclass(frozen=True)
class LocalArchive:
    """An archive on disk.

    Parameters
    ----------
    digest
        SHA-256, 64 hexadecimal digits in lower case.
    n_bytes
        Size of the file.
    n_resumed
        Bytes that an earlier, interrupted download had brought.
    was_there
        Whether the file was there before, so that nothing was fetched.
    """

    path: Path
    digest: str
    n_bytes: int
    n_resumed: int = 0
    was_there: bool = False


def fetch_archive(
    address: str, path: Path, *, digest: str = "", limits: DownloadLimits | None = None
) -> LocalArchive:
    """Bring a zip archive from an address to a file, and return what came.

    The file takes its name when all of it is there and was checked. Where the download is
    interrupted, and the server lets one go on, a part stays beside it for the next call; see
    :class:`structce.rendering.Download`. A file that is there already is
    checked and kept. The archive is never unpacked: readers of data sets read it as it is.

    Parameters
    ----------
    digest
        SHA-256 that the archive must have; with an empty one the checksums inside the archive are
        all that it is checked by.
    limits
        What the download may take; the usual limits if not given.

    Raises
    ------
    SourceError
        If the address gives no zip archive, too large a one, or another than the digest says; if
        it leads to an unencrypted address; if the file cannot be written. The message says what
        to do next.
    """
    if digest and not _DIGEST.fullmatch(digest):
        raise SourceError(f"{digest!r} is no SHA-256; expected 64 hexadecimal digits")
    digest = digest.lower()
    try:
        if path.exists():
            found = _check(path, str(path), digest, " is there already and", "move it away")
            return LocalArchive(path, found, path.stat().st_size, was_there=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        download = Download(address, path, limits or DownloadLimits())
        n_resumed = download.load()
        try:
            part = download.part
            found = _check(part, address, digest, ": the archive", "it was not kept")
            fetched = LocalArchive(path, found, part.stat().st_size, n_resumed)
            part.replace(path)
        finally:  # what is wrong would be as wrong the next time
            download.clear()
        return fetched
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _check(path: Path, name: str, digest: str, what: str, outcome: str) -> str:
    """Return the SHA-256 of an archive, which was read as a whole to find damage on the way.

    Raises
    ------
    SourceError
        If it has another digest than expected, is no zip archive, would fill the disk, or a file
        in it has another checksum.
    """
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if digest not in ("", found):
        raise SourceError(f"{name}{what} has SHA-256 {found}, not {digest}; {outcome}")
    try:
        with zipfile.ZipFile(path) as archive:
            n_bytes = sum(member.file_size for member in archive.infolist())
            if n_bytes > MAX_UNPACKED:
                raise SourceError(f"{name}: unpacks to {n_bytes:,} bytes; expected a data set")
            bad = archive.testzip()
    except _DAMAGE as error:
        raise SourceError(f"{name}: expected a zip archive: {error}") from error
    if bad is not None:
        raise SourceError(f"{name}: {bad!r} in the archive is damaged")
    return found
