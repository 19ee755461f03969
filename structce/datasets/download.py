"""Download of the archives of public data sets, by the one checked client of the package."""

from __future__ import annotations

import hashlib
import lzma
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from structce.errors import SourceError
from structce.rendering import DownloadLimits, download

MAX_UNPACKED = 20_000_000_000
"""Maximum unpacked size of an archive's files in bytes: ten times the largest download, so that an
archive made to fill the disk is rejected."""

_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError,
)  # fmt: skip


@dataclass(frozen=True)
class LocalArchive:
    """An archive on disk, with its SHA-256 in lower case.

    ``was_there`` states that the file existed before, so that nothing was downloaded.
    """

    path: Path
    digest: str
    n_bytes: int
    was_there: bool = False


def fetch_archive(
    address: str, path: Path, *, digest: str = "", limits: DownloadLimits | None = None
) -> LocalArchive:
    """Download a zip archive to a file, and return the archive.

    The file gets its name once it is complete and checked; a file that exists already is checked
    and kept. Without a ``digest``, the SHA-256 that the archive must have, only the checksums
    inside the archive are checked.

    Raises SourceError, which says what to do next, if the address does not return a zip archive, or
    one that is too large or has another digest; if it redirects to an unencrypted address; or if
    the file cannot be written.
    """
    digest = digest.lower()
    try:
        if path.exists():
            sha256 = _check(path, str(path), digest, " is there already and", "move it away")
            return LocalArchive(path, sha256, path.stat().st_size, was_there=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        try:
            download(address, part, limits or DownloadLimits(), name=path.name)
            sha256 = _check(part, address, digest, ": the archive", "it was not kept")
            fetched = LocalArchive(path, sha256, part.stat().st_size)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
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
