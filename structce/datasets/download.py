"""Where the public data sets can be fetched, and why some cannot.

An address is given only where a reader understands the archive as its publisher packs it. All
name a commit, so that everybody who fetches gets the same files. The bytes of such archives are
not promised to stay the same, though, which is why no digest is noted.
"""

from __future__ import annotations

import hashlib
import lzma
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from structce.datasets.base import DataSetReader
from structce.errors import SourceError
from structce.rendering import Download, DownloadLimits

MAX_UNPACKED = 20_000_000_000
"""Bytes that the files of an archive may unpack to: ten times the largest download, so that what is
made to fill a disk is refused."""

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError),
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


def _at_commit(repository: str, commit: str, note: str = "") -> Archive:
    return Archive(f"https://codeload.github.com/{repository}/zip/{commit}", note=note)


ARCHIVES: Mapping[str, Archive] = {
    "article-extraction-benchmark": _at_commit(
        "scrapinghub/article-extraction-benchmark",
        "4a3bc979f76c0df73cb95fe272e2fc1b96f9f010",
        "also holds the outputs of other extractors",
    ),
    "big9": _at_commit("MSVCode/ir-research-data", "cbb428cea48e1392496a6542b610fb422a436b52"),
    "cleaneval": _at_commit(
        "j-szulc/html-cleaning-dataset-merged",
        "46e01a04b47051838a228bf23631430b2c9de375",
        "a collection of several data sets; only the folders cleaneval-* are read",
    ),
    "cleanportaleval": _at_commit(
        "ppke-nlpg/CleanPortalEval", "517726d64d8ded8846bf27ae2808853b1cd0ffe8"
    ),
    "crf-article-extractor": _at_commit(
        "feryandi/CRF-Article-Extractor", "b97903f200e879e8b24d10381ee4262dc0f5ff80"
    ),
    "htmldate": _at_commit(
        "adbar/htmldate",
        "b8952828329abaeeb3be21387b526f2be614ce67",
        "a program with its tests; many pages are those of the data set trafilatura",
    ),
    "newspaper4k": _at_commit(
        "AndyTheFactory/newspaper4k",
        "540bff3e8344cb8291c4829fafd98860f30d9692",
        "a program with its tests; only pages with a file of values are read",
    ),
    "readability": _at_commit("mozilla/readability", "ab4027a8b37669745016869a37a504727992b2ba"),
    "trafilatura": _at_commit(
        "adbar/trafilatura",
        "e90b0ef51ab026fdb905fb6c5b3c84dd3d784fd5",
        "a program with its tests",
    ),
    "wcxb": _at_commit(
        "Murrough-Foley/web-content-extraction-benchmark",
        "c039d5ee9f5a3a984a0e167e63aacd04e76e78a9",
        "139 pages of test are in dev, too",
    ),
}
"""Archives by the name of their reader."""

WITHOUT: Mapping[str, str] = {
    "dragnet": "its pages and its texts are published as two packed archives; unpack them into "
    "the folders HTML and Corrected",
    "fundus": "the list gold_map.json, of which values belong to which page, is not published",
    "googletrends-2017": "no archive of it is known to us; its pages are read from a folder "
    "prepared_html",
    "gottron": "a test package is written by yourself, or by 'structce corpus convert'",
    "l3s-gn1": "it is one folder of a program's repository, L3S-GN1-20100130203947-00001, which is "
    "to be given alone",
    "news600": "it is not published; ask its authors",
    "semantic-blocks": "it is published as two archives; unpack them into the folders "
    "dataset-popular and dataset-random",
    "swde": "it is published packed, a file a subject; unpack them side by side",
}
"""Why there is no archive of the other data sets, by the name of their reader."""


def archive_of(reader: DataSetReader) -> Archive | None:
    """Return where a data set can be fetched; None where it cannot."""
    if reader.archive:
        return Archive(reader.archive, reader.digest)
    return ARCHIVES.get(reader.name)


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
    try:
        if path.exists():
            return _present(path, digest.lower())
        path.parent.mkdir(parents=True, exist_ok=True)
        return _brought(Download(address, path, limits or DownloadLimits()), path, digest.lower())
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _present(path: Path, digest: str) -> LocalArchive:
    found = _digest(path)
    if digest not in ("", found):
        raise SourceError(
            f"{path} is there already and has SHA-256 {found}, not {digest}; move it away"
        )
    _check_zip(path, str(path))
    return LocalArchive(path, found, path.stat().st_size, was_there=True)


def _brought(download: Download, path: Path, digest: str) -> LocalArchive:
    n_resumed = download.load()
    try:
        found = _digest(download.part)
        if digest not in ("", found):
            raise SourceError(
                f"{download.address}: the archive has SHA-256 {found}, not {digest}; "
                "it was not kept"
            )
        _check_zip(download.part, download.address)
        fetched = LocalArchive(path, found, download.part.stat().st_size, n_resumed)
        download.part.replace(path)
    finally:  # what is wrong would be as wrong the next time
        download.clear()
    return fetched


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_zip(path: Path, name: str) -> None:
    """Read all of an archive, so that one that was damaged on the way shows now.

    Raises
    ------
    SourceError
        If it is no zip archive, would fill the disk, or a file in it has another checksum.
    """
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
