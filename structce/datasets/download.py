"""Where the public data sets can be fetched, and why some cannot.

An address is given only where a reader understands the archive as its publisher packs it. All
name a commit, so that everybody who fetches gets the same files. The bytes of such archives are
not promised to stay the same, though, which is why no digest is noted.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import httpx
from tqdm import tqdm

from structce.datasets.base import Reader
from structce.errors import SourceError
from structce.io import to_json, write_whole
from structce.version import __version__


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


def archive_of(reader: Reader) -> Archive | None:
    """Return where a data set can be fetched; None where it cannot."""
    if reader.archive:
        return Archive(reader.archive, reader.digest)
    return ARCHIVES.get(reader.name)


MAX_BYTES = 2_000_000_000
"""Largest archive that is fetched unless the user allows more; our choice."""

MAX_REDIRECTS = 5
"""Redirects from one address; more are an error. Our choice."""

SECONDS = 7200.0
"""Longest time for one archive; our choice. What came is kept, and the next call goes on."""

_WAITS = httpx.Timeout(60.0, connect=20.0)  # seconds between two pieces; our choice
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OK, _PARTIAL, _NO_RANGE = 200, 206, 416
_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")
_AGAIN = "run the same command again"


@dataclass(frozen=True)
class Rules:
    """What a download may take.

    Parameters
    ----------
    most
        Bytes of the archive.
    seconds
        From the first request to the last byte.
    allows_http
        Whether unencrypted addresses may be asked, such as a server on this machine.
    shows_bar
        Whether a bar shows on standard error, if that is a terminal.
    """

    most: int = MAX_BYTES
    seconds: float = SECONDS
    allows_http: bool = False
    shows_bar: bool = True


class Download:
    """Brings the bytes of an address to ``.NAME.part`` beside a file.

    Where the server tells versions apart by a strong ``ETag`` (RFC 9110, section 8.8.1),
    ``.NAME.part.json`` notes which one the part is of. If the download is interrupted, the next
    one asks for the rest of that version.
    """

    def __init__(self, address: str, path: Path, rules: Rules) -> None:
        self.address = address
        self.part = path.with_name(f".{path.name}.part")
        self._name = path.name
        self._told = path.with_name(f".{path.name}.part.json")
        self._rules = rules

    def load(self) -> int:
        """Bring all of it, and return how many of its bytes an earlier call had brought.

        Raises
        ------
        SourceError
            If the address gives no archive or too large a one, or leads to an unencrypted one.
        """
        is_whole = False
        try:
            n_resumed = self._load()
            is_whole = True
        except httpx.HTTPError as error:
            why = str(error) or type(error).__name__
            raise SourceError(f"{self.address}: {why}; {self._next_step()}") from error
        except (httpx.InvalidURL, ValueError) as error:
            raise SourceError(f"{self.address}: no address: {error}") from error
        finally:
            if not is_whole and not self._told.exists():  # nothing to go on from
                self.part.unlink(missing_ok=True)
        return n_resumed

    def clear(self) -> None:
        """Leave nothing behind."""
        self.part.unlink(missing_ok=True)
        self._told.unlink(missing_ok=True)

    def _load(self) -> int:
        end = monotonic() + self._rules.seconds
        start, tag = self._left_off()
        headers = {
            "User-Agent": f"structce/{__version__}",
            "Accept-Encoding": "identity",  # the digest is that of the bytes as published
        }
        if start:
            headers |= {"Range": f"bytes={start}-", "If-Range": tag}
        with httpx.Client(timeout=_WAITS) as client, self._open(client, headers) as answer:
            if _is_all_there(answer, start):
                return start
            start = self._start_of(answer, start, tag)
            self._note(answer)
            with self.part.open("ab" if start else "wb") as file:
                self._copy(answer, file, start, end)
        return start

    def _left_off(self) -> tuple[int, str]:
        """Return size and version of the part that an earlier call left; (0, "") without one."""
        try:
            told = json.loads(self._told.read_bytes())
            if told["address"] == self.address:
                return self.part.stat().st_size, str(told["etag"])
        except (OSError, ValueError, KeyError, TypeError):
            self._forget()
        return 0, ""

    @contextmanager
    def _open(self, client: httpx.Client, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """Open the answer behind all redirects."""
        url = httpx.URL(self.address)
        for _ in range(MAX_REDIRECTS + 1):
            self._check_scheme(url)
            with client.stream("GET", url, headers=headers) as answer:
                location = answer.headers.get("Location")
                if answer.status_code not in _REDIRECTS or not location:
                    yield answer
                    return
                url = url.join(location)
        raise SourceError(f"{self.address}: more than {MAX_REDIRECTS} redirects")

    def _check_scheme(self, url: httpx.URL) -> None:
        allowed = {"https", "http"} if self._rules.allows_http else {"https"}
        if url.scheme not in allowed or not url.host:
            raise SourceError(
                f"{self.address}: leads to {url}; expected an address that begins with https://"
            )

    def _start_of(self, answer: httpx.Response, start: int, tag: str) -> int:
        """Return at which byte an answer begins.

        Raises
        ------
        SourceError
            If it is an error, packed, too large, or another stretch than was asked for.
        """
        if answer.status_code not in (_OK, _PARTIAL):
            if answer.status_code == _NO_RANGE:
                self._forget()
            why = f"HTTP {answer.status_code} {answer.reason_phrase}".strip()
            raise SourceError(f"{self.address}: {why}; {self._next_step()}")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise SourceError(f"{self.address}: packed once more, which was not asked for")
        begins = 0
        if answer.status_code == _PARTIAL:
            found = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
            begins = int(found[1]) if found else -1
            if begins != start or answer.headers.get("ETag", tag) != tag:
                self._forget()
                raise SourceError(f"{self.address}: gives another part than asked for; {_AGAIN}")
        self._check_size(begins + _length(answer))
        return begins

    def _note(self, answer: httpx.Response) -> None:
        """Note of which version the part is, if the server tells versions apart."""
        tag = answer.headers.get("ETag", "")
        if tag.startswith('"'):  # a weak one, W/"...", does not promise the same bytes
            write_whole(self._told, to_json({"address": self.address, "etag": tag}))
        elif answer.status_code == _OK:
            self._forget()

    def _forget(self) -> None:
        """See to it that the next call begins anew; the part goes when it is closed."""
        self._told.unlink(missing_ok=True)

    def _copy(self, answer: httpx.Response, file: BinaryIO, start: int, end: float) -> None:
        bar = tqdm(
            desc=self._name,
            initial=start,
            total=start + _length(answer) if _length(answer) else None,
            unit="B",
            unit_scale=True,
            disable=None if self._rules.shows_bar else True,
            file=sys.stderr,
        )
        n_bytes = start
        with bar:
            for piece in answer.iter_raw():
                n_bytes += len(piece)
                self._check_size(n_bytes)
                if monotonic() > end:
                    raise httpx.ReadTimeout(f"not whole within {self._rules.seconds:g} seconds")
                file.write(piece)
                bar.update(len(piece))

    def _check_size(self, n_bytes: int) -> None:
        if n_bytes > self._rules.most:
            self._forget()
            raise SourceError(
                f"{self.address}: {n_bytes:,} bytes or more; the limit is {self._rules.most:,}"
            )

    def _next_step(self) -> str:
        if self._told.exists() and self.part.exists():
            return f"{_AGAIN} to go on after {self.part.stat().st_size:,} bytes"
        return f"{_AGAIN} later, or fetch it with a browser"


def _length(answer: httpx.Response) -> int:
    """Return how many bytes an answer announces; 0 where it does not."""
    text = answer.headers.get("Content-Length", "")
    return int(text) if text.isdecimal() else 0


def _is_all_there(answer: httpx.Response, start: int) -> bool:
    """Return whether nothing is left to bring: the server has as many bytes as the part."""
    told = answer.headers.get("Content-Range", "")
    return start > 0 and answer.status_code == _NO_RANGE and told == f"bytes */{start}"


MAX_UNPACKED = 20_000_000_000
"""Most bytes that the files of an archive may come to; our choice."""

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError),
    NotImplementedError,
)


@dataclass(frozen=True)
class Fetched:
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
    address: str, path: Path, *, digest: str = "", rules: Rules | None = None
) -> Fetched:
    """Bring a zip archive from an address to a file, and return what came.

    The file takes its name when all of it is there and was checked. Where the download is
    interrupted, and the server lets one go on, a part stays beside it for the next call; see
    :class:`structce.datasets.download.Download`. A file that is there already is
    checked and kept. The archive is never unpacked: readers of data sets read it as it is.

    Parameters
    ----------
    digest
        SHA-256 that the archive must have; with an empty one the checksums inside the archive are
        all that it is checked by.
    rules
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
        return _brought(Download(address, path, rules or Rules()), path, digest.lower())
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _present(path: Path, digest: str) -> Fetched:
    found = _digest(path)
    if digest not in ("", found):
        raise SourceError(
            f"{path} is there already and has SHA-256 {found}, not {digest}; move it away"
        )
    _check_zip(path, str(path))
    return Fetched(path, found, path.stat().st_size, was_there=True)


def _brought(download: Download, path: Path, digest: str) -> Fetched:
    n_resumed = download.load()
    try:
        found = _digest(download.part)
        if digest not in ("", found):
            raise SourceError(
                f"{download.address}: the archive has SHA-256 {found}, not {digest}; "
                "it was not kept"
            )
        _check_zip(download.part, download.address)
        fetched = Fetched(path, found, download.part.stat().st_size, n_resumed)
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
