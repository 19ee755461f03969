"""Download of public data sets: their archives, and why some cannot be downloaded.

An archive is listed only if a reader understands it as its publisher packs it. All addresses name
a commit, so that every download contains the same files. The bytes of such archives are not
guaranteed to stay the same, though, which is why no digest is recorded.
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
"""Maximum unpacked size of an archive's files in bytes: ten times the largest download, so that an
archive made to fill the disk is rejected."""

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError,
)  # fmt: skip


@dataclass(frozen=True)
class Archive:
    """A zip archive of a data set, as its publisher packs it.

    ``digest`` is its SHA-256, 64 hexadecimal digits, or empty if the publisher may change the
    bytes. ``note`` states on one line what the archive contains besides the data set.
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
    """Return why the other data sets have no archive, by the name of their reader."""
    return _tables()["missing"]


@cache
def _tables() -> Mapping[str, dict[str, Any]]:
    file = resources.files(__package__) / "archives.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def archive_of(reader: DataSetReader) -> Archive | None:
    """Return the archive of a data set; None if it cannot be downloaded."""
    if reader.archive:
        return Archive(reader.archive, reader.digest)
    return archives().get(reader.name)


@dataclass(frozen=True)
class LocalArchive:
    """An archive on disk.

    ``digest`` is its SHA-256, 64 hexadecimal digits in lower case. ``n_resumed`` is the number of
    bytes taken over from an earlier, interrupted download; ``was_there`` states that the file
    existed before, so that nothing was downloaded.
    """

    path: Path
    digest: str
    n_bytes: int
    n_resumed: int = 0
    was_there: bool = False


def fetch_archive(
    address: str, path: Path, *, digest: str = "", limits: DownloadLimits | None = None
) -> LocalArchive:
    """Download a zip archive to a file, and return the archive.

    The file gets its name once it is complete and checked. If the download is interrupted, and the
    server supports resuming, a partial file stays beside it for the next call; see
    :class:`structce.rendering.Download`. A file that exists already is checked and kept. The
    archive is never unpacked: readers of data sets read it as it is.

    ``digest`` is the SHA-256 that the archive must have; if it is empty, only the checksums inside
    the archive are checked. Raises SourceError, which says what to do next, if the address does not
    return a zip archive, or one that is too large or has another digest; if it redirects to an
    unencrypted address; or if the file cannot be written.
    """
    if digest and not _DIGEST.fullmatch(digest):
        raise SourceError(f"{digest!r} is not a SHA-256; expected 64 hexadecimal digits")
    digest = digest.lower()
    try:
        if path.exists():
            sha256 = _check(path, str(path), digest, " is there already and", "move it away")
            return LocalArchive(path, sha256, path.stat().st_size, was_there=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        download = Download(address, path, limits or DownloadLimits())
        n_resumed = download.load()
        try:
            part = download.part
            sha256 = _check(part, address, digest, ": the archive", "it was not kept")
            fetched = LocalArchive(path, sha256, part.stat().st_size, n_resumed)
            part.replace(path)
        finally:  # a complete but wrong part would be as wrong the next time
            download.clear()
        return fetched
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _check(path: Path, name: str, digest: str, what: str, outcome: str) -> str:
    """Return the SHA-256 of an archive after reading all of it to detect damage.

    Raises SourceError if its digest is not the expected one, it is not a zip archive, it would fill
    the disk, or the checksum of a file in it does not match.
    """
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if digest not in ("", sha256):
        raise SourceError(f"{name}{what} has SHA-256 {sha256}, not {digest}; {outcome}")
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
    return sha256
