"""WARC archives (ISO 28500): pages and files read from their records, and a writer of them."""

from __future__ import annotations

import gzip
import io
import threading
import uuid
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from structce.addresses import join_address
from structce.errors import SourceError
from structce.rendering.base import Limits
from structce.rendering.document import (
    MAX_PAGE_BYTES,
    Document,
    Resource,
    address_key,
    decode,
    is_url,
)
from structce.rendering.sources.warc_records import (
    RESOURCE_TYPE,
    WarcEntry,
    load_fastwarc,
    read_response,
    scan_entries,
)

_MAX_REDIRECTS = 10
_PHRASES = {int(status): status.phrase for status in HTTPStatus}
_OF_TRANSFER = ("content-encoding", "content-length", "content-type", "transfer-encoding")
"""Headers that describe the bytes as they were sent, not as they are stored here."""


class WarcFile:
    """A WARC file to read from; may be read from several threads at once.

    Only the positions of the responses are kept in memory, about 250 bytes each.
    MissingExtraError if FastWARC is not installed.
    """

    def __init__(self, path: Path) -> None:
        load_fastwarc(path)
        self.path = path
        self._lock = threading.Lock()
        self._offsets: dict[str, int] | None = None

    def pages(self) -> Iterator[WarcEntry]:
        """Yield the responses that are pages, and damaged records, in the order of the file.

        SourceError if the file cannot be read, or is not a WARC file.
        """
        offsets: dict[str, int] = {}
        failed: set[str] = set()
        for entry in scan_entries(self.path):
            if entry.url:
                _index(entry, offsets, failed)
            if entry.is_page or entry.error:
                yield entry
        self._offsets = offsets

    def read(self, entry: WarcEntry) -> Document:
        """Return a page.

        SourceError if the record is damaged, too large, or not HTML; the message names its number.
        """
        name = f"{self.path}#{entry.number}"
        if entry.error:
            raise SourceError(f"{name}: {entry.error}")
        try:
            response, _ = read_response(self.path, entry.offset, MAX_PAGE_BYTES)
        except SourceError as error:
            raise SourceError(f"{name}: {error}") from error
        url = entry.url if is_url(entry.url) else ""
        document = decode(response.data, name=name, url=url, content_type=response.content_type)
        return replace(document, resources=WarcResources(self, url)) if url else document

    def find(self, url: str) -> Resource | None:
        """Return the response to an address, redirects followed; None if it is not archived."""
        with self._lock:  # the file is indexed at most once
            while self._offsets is None:
                deque(self.pages(), maxlen=0)
        for _ in range(_MAX_REDIRECTS + 1):
            offset = self._offsets.get(address_key(url))
            if offset is None:
                return None
            response, location = read_response(self.path, offset, Limits.request_bytes)
            if not (300 <= response.status < 400):
                return response
            if not location:
                return None  # 304: the file does not contain the crawler's earlier copy
            url = join_address(url, location)
        return None


@dataclass(frozen=True)
class WarcResources:
    """Files of a page: the other responses in its WARC file."""

    file: WarcFile
    base: str

    def get(self, url: str) -> Resource | None:
        """Return the response to an address, or None."""
        try:
            return self.file.find(url)
        except (SourceError, ValueError):  # damaged, too large, a redirect to nonsense
            return None


def _index(entry: WarcEntry, offsets: dict[str, int], failed: set[str]) -> None:
    """Index a response by its address, unless an earlier one that did not fail has it.

    Without its scheme, a redirect from ``http`` to ``https`` has the address of its target.
    """
    key = address_key(entry.url)
    offset = offsets.get(address_key(entry.refers_to)) if entry.refers_to else entry.offset
    if offset is None or (key in offsets and key not in failed):
        return
    if entry.status == 200:
        offsets[key] = offset
        failed.discard(key)
    elif key not in offsets:
        offsets[key] = offset
        failed.add(key)


class WarcWriter:
    """Writer of a WARC file with one gzip member per record; a context manager.

    The file gets its name only when it is complete: after an error there is no new file, and an
    older one stays. Records may be added from several threads at once. MissingExtraError if
    FastWARC is not installed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
        self._file: BinaryIO | None = None
        self._lock = threading.Lock()
        self._fastwarc = load_fastwarc(path)

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._part.open("xb")
        content = b"software: structce\r\nformat: WARC File Format 1.1\r\n"
        self._write("warcinfo", {"Content-Type": "application/warc-fields"}, content)
        return self

    def add(
        self,
        url: str,
        resource: Resource,
        *,
        headers: Mapping[str, str] | None = None,
        is_page: bool = True,
    ) -> None:
        """Add the response to a request.

        Parameters
        ----------
        url
            Absolute address of the request.
        headers
            HTTP headers, such as ``Location`` of a redirect. Those on encoding or length of the
            bytes are ignored, because the bytes are stored as in ``resource``.
        is_page
            Whether it may be a page of its own; False for frames and files of another page.
        """
        kind = "document" if is_page else "other"
        names = {"WARC-Target-URI": _one_line(url), RESOURCE_TYPE: kind}
        self._write("response", names, _http_message(resource, headers or {}))

    def _write(self, kind: str, headers: Mapping[str, str], content: bytes) -> None:
        record = self._fastwarc.WarcRecord()
        record.init_headers(getattr(self._fastwarc.WarcRecordType, kind))
        record.is_http = kind == "response"
        for name, value in headers.items():
            record.headers[name] = value
        record.set_bytes_content(content)
        buffer = io.BytesIO()
        record.write(buffer)
        member = gzip.compress(buffer.getvalue(), compresslevel=6)
        with self._lock:
            if self._file is None:
                raise ValueError(f"{self.path}: not open; use 'with WarcWriter(...) as archive'")
            self._file.write(member)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
        if kind is None:
            self._part.replace(self.path)
        else:
            self._part.unlink(missing_ok=True)


def _http_message(resource: Resource, headers: Mapping[str, str]) -> bytes:
    """Return a response in the form of HTTP."""
    fields = {name: value for name, value in headers.items() if name.lower() not in _OF_TRANSFER}
    if resource.content_type:
        fields["Content-Type"] = resource.content_type
    fields["Content-Length"] = str(len(resource.data))
    phrase = _PHRASES.get(resource.status, "Unknown")  # servers make up statuses of their own
    lines = [f"HTTP/1.1 {resource.status} {phrase}"]
    lines += [f"{_one_line(name)}: {_one_line(value)}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode("utf-8") + resource.data


def _one_line(text: str) -> str:
    return " ".join(text.split())
