"""Resumable download of one large file over HTTP.

If the server identifies versions by a strong ``ETag`` (RFC 9110, section 8.8.1), an interrupted
download continues with the rest of that version the next time.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import httpx
from tqdm import tqdm

from structce.errors import RequestError, SourceError
from structce.io import encode_json, write_atomic
from structce.numbers import whole_number
from structce.patterns import lazy_pattern
from structce.rendering.network.http import HttpClient, StreamedResponse, describe_status
from structce.rendering.network.ssrf_guard import AddressPolicy

MAX_DOWNLOAD = 2_000_000_000  # bytes of the largest file, so that no disk is filled unnoticed
MAX_SECONDS = 7200.0  # for one file; what has arrived is kept, and the next call continues

_STEP = 60.0  # seconds without a byte after which a connection counts as lost
_OK, _PARTIAL, _NO_RANGE = 200, 206, 416
_RANGE = lazy_pattern(r"bytes (\d+)-\d+/(?:\d+|\*)")
_AGAIN = "run the same command again"


@dataclass(frozen=True)
class DownloadLimits:
    """Limits of a download."""

    max_bytes: int = MAX_DOWNLOAD
    seconds: float = MAX_SECONDS  # from the first request to the last byte
    allows_http: bool = False  # unencrypted addresses, such as those of a server on this machine
    shows_bar: bool = True  # on standard error, if that is a terminal


class Download:
    """Download of an address to ``.NAME.part`` beside a file.

    ``.NAME.part.json`` records the version of the part, if the server identifies versions.
    """

    def __init__(self, address: str, path: Path, limits: DownloadLimits) -> None:
        self.address = address
        self.part = path.with_name(f".{path.name}.part")
        self._name = path.name
        self._version_file = path.with_name(f".{path.name}.part.json")
        self._limits = limits

    def load(self) -> int:
        """Fetch the whole file, and return how many of its bytes an earlier call had fetched.

        SourceError if the server answers with an error or too large a file, or redirects to an
        address that may not be fetched.
        """
        is_whole = False
        try:
            n_resumed = self._load()
            is_whole = True
        except RequestError as error:
            raise SourceError(f"{self.address}: {error}; {self._next_step()}") from error
        except SourceError as error:
            raise SourceError(f"{self.address}: {error}") from error
        finally:
            if not is_whole and not self._version_file.exists():  # nothing to go on from
                self.part.unlink(missing_ok=True)
        return n_resumed

    def clear(self) -> None:
        """Remove both files."""
        self.part.unlink(missing_ok=True)
        self._version_file.unlink(missing_ok=True)

    def _load(self) -> int:
        start, tag = self._read_version()
        headers = [("Accept-Encoding", "identity")]  # the digest is that of the bytes as published
        if start:  # the rest of this version after the part
            headers += [("Range", f"bytes={start}-"), ("If-Range", tag)]
        try:
            base = httpx.URL(self.address)
        except (httpx.InvalidURL, ValueError) as error:
            raise SourceError(f"not an address: {error}") from error
        policy = AddressPolicy(base, is_named=True, https_only=not self._limits.allows_http)
        seconds = self._limits.seconds
        with (
            closing(HttpClient(policy)) as client,
            client.get(self.address, headers, seconds=seconds, step=_STEP) as response,
        ):
            content_range = response.headers.get("content-range", "")
            if start and response.status == _NO_RANGE and content_range == f"bytes */{start}":
                return start  # the server has as many bytes as the part
            start = self._check(response, start, tag)
            self._write_version(response)
            with self.part.open("ab" if start else "wb") as file:
                self._copy(response, file, start)
        return start

    def _read_version(self) -> tuple[int, str]:
        """Return size and version of the part that an earlier call left; (0, "") without one."""
        try:
            version = json.loads(self._version_file.read_bytes())
            if version["address"] == self.address:
                return self.part.stat().st_size, str(version["etag"])
        except (OSError, ValueError, KeyError, TypeError):
            self._forget()
        return 0, ""

    def _write_version(self, response: StreamedResponse) -> None:
        """Record the version of the part, if the server identifies versions."""
        tag = response.headers.get("etag", "")
        if tag.startswith('"'):  # a weak one, W/"...", does not promise the same bytes
            write_atomic(self._version_file, encode_json({"address": self.address, "etag": tag}))
        elif response.status == _OK:
            self._forget()

    def _forget(self) -> None:
        """Make the next call begin from the start."""
        self._version_file.unlink(missing_ok=True)

    def _check(self, response: StreamedResponse, start: int, tag: str) -> int:
        """Return the position of a response's first byte in the file.

        SourceError if it is an error, compressed, too large, or not the requested range.
        """
        if response.status not in (_OK, _PARTIAL):
            if response.status == _NO_RANGE:
                self._forget()
            raise RequestError(f"HTTP {describe_status(response.status)}")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise SourceError("compressed again, which was not requested")
        begins = 0
        if response.status == _PARTIAL:
            match = _RANGE.fullmatch(response.headers.get("content-range", ""))
            first = whole_number(match[1]) if match else None
            if first is None or first != start or response.headers.get("etag", tag) != tag:
                self._forget()
                raise SourceError(f"sent a different part from the one requested; {_AGAIN}")
            begins = first
        self._check_size(begins + _length(response))
        return begins

    def _copy(self, response: StreamedResponse, file: BinaryIO, n_bytes: int) -> None:
        length = _length(response)
        with tqdm(
            desc=self._name,
            initial=n_bytes,
            total=n_bytes + length if length else None,
            unit="B",
            unit_scale=True,
            disable=None if self._limits.shows_bar else True,
            file=sys.stderr,
        ) as bar:
            for piece in response.body:
                n_bytes += len(piece)
                self._check_size(n_bytes)
                file.write(piece)
                bar.update(len(piece))

    def _check_size(self, n_bytes: int) -> None:
        if n_bytes > self._limits.max_bytes:
            self._forget()
            raise SourceError(f"{n_bytes:,} bytes or more; the limit is {self._limits.max_bytes:,}")

    def _next_step(self) -> str:
        if self._version_file.exists() and self.part.exists():
            return f"{_AGAIN} to go on after {self.part.stat().st_size:,} bytes"
        return f"{_AGAIN} later, or fetch it with a browser"


def _length(response: StreamedResponse) -> int:
    """Return the number of bytes that a response announces; 0 if it does not."""
    return whole_number(response.headers.get("content-length", "")) or 0
