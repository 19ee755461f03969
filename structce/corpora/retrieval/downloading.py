"""Bytes from an address to a part of a file, which a later call goes on with."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import httpx
from tqdm import tqdm

from structce import __version__
from structce.errors import SourceError
from structce.files import to_json, write_whole

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
