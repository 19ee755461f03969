"""WARC archives (ISO 28500): pages and files read from their records."""

from __future__ import annotations

import mmap
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec.structs import replace

from structce.addresses import join_address
from structce.errors import SourceError
from structce.extras import load_extra
from structce.numbers import whole_number
from structce.rendering.base import DEFAULT_LIMITS
from structce.rendering.document import (
    MAX_PAGE_BYTES,
    Document,
    Resource,
    ResourceLookup,
    address_key,
    decode,
    is_url,
)

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

MAX_CODINGS = 4  # of one response; each takes the memory of a decompressor

_RESOURCE_TYPE = "WARC-Resource-Type"
"""Header by which Browsertrix Crawler distinguishes pages from their resources."""

_MEMBER, _VERSION = b"\x1f\x8b\x08", b"WARC/1."  # how a gzip member and a record begin
_HTML = ("text/html", "application/xhtml+xml")
_CODINGS = ("all", "content", "transfer", "none")
"""HTTP codings to undo, tried in turn: some crawlers undo them but keep the headers."""

_MAX_REDIRECTS = 10


@dataclass(frozen=True)
class WarcEntry:
    """Entry of a WARC file: position and kind of a recorded response."""

    number: int  # of the record, from 1, over records of all kinds
    offset: int  # in the file, in bytes
    url: str = ""
    status: int = 0
    is_page: bool = False  # HTML with status 200, and not marked as part of another page
    error: str = ""  # reason why the record cannot be read


class WarcFile:
    """A WARC file to read from; may be read from several threads at once.

    Only the positions of the responses are kept in memory, about 300 bytes each.
    MissingExtraError if FastWARC is not installed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fastwarc = load_extra("fastwarc.warc", f"{path}: a WARC archive", "warc")
        self._lock = threading.Lock()
        self._places: dict[str, tuple[int, bool]] | None = None  # offset, whether with status 200

    def pages(self) -> Iterator[WarcEntry]:
        """Yield the responses that are pages, and damaged records, in the order of the file.

        After damage the file is searched for the next readable record. SourceError if the file
        cannot be read, or is not a WARC file.
        """
        places: dict[str, tuple[int, bool]] = {}
        for entry in self._entries():
            if entry.url:
                # The first response to an address, unless it failed and a later one did not: with
                # its scheme left out, a redirect from "http" has the address of its target.
                key, is_good = address_key(entry.url), entry.status == 200
                if key not in places or (is_good and not places[key][1]):
                    places[key] = entry.offset, is_good
            if entry.is_page or entry.error:
                yield entry
        self._places = places

    def read(self, entry: WarcEntry) -> Document:
        """Return a page.

        SourceError if the record is damaged, too large, or not HTML; the message names its number.
        """
        name = f"{self.path}#{entry.number}"
        if entry.error:
            raise SourceError(f"{name}: {entry.error}")
        try:
            response, _ = self._response(entry.offset, MAX_PAGE_BYTES)
        except SourceError as error:
            raise SourceError(f"{name}: {error}") from error
        url = entry.url if is_url(entry.url) else ""
        document = decode(response.data, name=name, url=url, content_type=response.content_type)
        return replace(document, resources=ResourceLookup(url, self.find)) if url else document

    def find(self, url: str) -> Resource | None:
        """Return the response to an address, redirects followed; None if it cannot be read."""
        with suppress(SourceError, ValueError):  # damaged, too large, a redirect to nonsense
            return self._find(url)
        return None

    def _find(self, url: str) -> Resource | None:
        with self._lock:  # the file is indexed at most once
            while self._places is None:
                deque(self.pages(), maxlen=0)
        for _ in range(_MAX_REDIRECTS + 1):
            place = self._places.get(address_key(url))
            if place is None:
                return None
            response, location = self._response(place[0], DEFAULT_LIMITS.request_bytes)
            if not (300 <= response.status < 400):
                return response
            if not location:
                return None  # 304: the file does not contain the crawler's earlier copy
            url = join_address(url, location)
        return None

    def _opened(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise SourceError(f"{self.path}: {error.strerror}") from error

    def _entries(self) -> Iterator[WarcEntry]:
        """Yield the responses in the file; a damaged record becomes an entry with an error."""
        with self._opened() as file:
            mark = _mark(file)
            if not mark:
                raise SourceError(f"{self.path}: not a WARC file: it does not begin with 'WARC/1'")
            offset, number = 0, 0
            while offset >= 0:
                entry = WarcEntry(number, offset)
                for entry in self._entries_until_damage(file, offset, number):
                    if entry.url or entry.error:
                        yield entry
                number = entry.number
                if not entry.error:
                    return
                offset = self._next_offset(file, mark, entry.offset + 1)

    def _records(self, file: BinaryIO, offset: int) -> Iterator[WarcRecord]:
        file.seek(offset)
        # Not to be decoded here: FastWARC 2.0 loses its way after a coding that it cannot undo.
        records: Iterator[WarcRecord] = iter(self._fastwarc.ArchiveIterator(file, parse_http=False))
        return records

    def _entries_until_damage(
        self, file: BinaryIO, offset: int, number: int
    ) -> Iterator[WarcEntry]:
        """Yield the records from an offset on, up to the first damaged one, which has an error.

        A record is yielded after all of it was read, so that damage inside it is known.
        """
        is_inside = False
        try:
            for record in self._records(file, offset):
                number, offset, is_inside = number + 1, record.stream_pos, True
                entry = self._entry_of(record, number)
                length = whole_number((record.headers.get("Content-Length") or "").strip())
                if length is None or record.consume() < record.content_length:
                    raise OSError("the file ends inside the record")  # FastWARC 2.0 lets it pass
                is_inside = False
                yield entry
        except OSError as error:
            reason = f"damaged after byte {offset:,}: {error}"
            yield WarcEntry(number if is_inside else number + 1, offset, error=reason)

    def _entry_of(self, record: WarcRecord, number: int) -> WarcEntry:
        """Return the entry of a record; without an address unless it is a server's response."""
        url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
        if record.record_type != self._fastwarc.WarcRecordType.response or not record.is_http:
            return WarcEntry(number, record.stream_pos)
        record.parse_http()
        status = record.http_headers.status_code or 0
        kind = record.http_content_type or record.headers.get("WARC-Identified-Payload-Type") or ""
        is_document = record.headers.get(_RESOURCE_TYPE, "document") == "document"
        is_page = status == 200 and kind.lower() in _HTML and is_document
        return WarcEntry(number, record.stream_pos, url, status, is_page)

    def _next_offset(self, file: BinaryIO, mark: bytes, start: int) -> int:
        """Return the offset of the next record with a valid beginning; -1 without one."""
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            while (offset := content.find(mark, start)) >= 0:
                try:
                    if next(self._records(file, offset), None) is not None:
                        break
                except OSError:
                    pass
                start = offset + 1
            return offset

    def _response(self, offset: int, limit: int) -> tuple[Resource, str]:
        """Return the response at an offset, and the address it redirects to; empty if none.

        SourceError if it cannot be read, or exceeds the limit after decoding.
        """
        failure: OSError | None = None
        with self._opened() as file:
            is_packed = _mark(file) == _MEMBER
            file.seek(offset)
            if is_packed and file.read(len(_MEMBER)) != _MEMBER:
                next_step = "record by record; decompress it first (gunzip)"
                raise SourceError(f"{self.path}: compressed as a whole, not {next_step}")
            for coding in _CODINGS:
                try:
                    _check_codings(self._parsed(file, offset, "none"))
                    record = self._parsed(file, offset, coding)
                    data = record.reader.read(limit + 1)
                except OSError as error:
                    failure = failure or error
                    continue
                if len(data) > limit:
                    raise SourceError(f"{self.path}: over {limit:,} bytes, which is the limit")
                headers = record.http_headers
                kind, status = headers.get("Content-Type") or "", headers.status_code or 0
                return Resource(data, kind, status), headers.get("Location") or ""
        raise SourceError(f"{self.path}: the record at byte {offset:,} is damaged: {failure}")

    def _parsed(self, file: BinaryIO, offset: int, coding: str) -> WarcRecord:
        record = next(self._records(file, offset), None)
        if record is None:
            raise OSError("the file ends here")
        record.parse_http(auto_decode=coding)  # type: ignore[arg-type]  # one of its literals
        return record


def _mark(file: BinaryIO) -> bytes:
    """Return the bytes that every record of a file begins with; empty if it is not a WARC file."""
    file.seek(0)
    head = file.read(len(_VERSION))
    return next((mark for mark in (_MEMBER, _VERSION) if head.startswith(mark)), b"")


def _check_codings(record: WarcRecord) -> None:
    names = ("content-encoding", "transfer-encoding")
    values = [v for name, v in record.http_headers.items() if name.lower() in names]
    n_codings = sum(value.count(",") + 1 for value in values)
    if n_codings > MAX_CODINGS:
        raise SourceError(f"compressed {n_codings:,} times; expected at most {MAX_CODINGS}")
