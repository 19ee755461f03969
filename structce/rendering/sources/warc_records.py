"""Records of a WARC file: found one after another, and read again by their offsets."""

from __future__ import annotations

import gzip
import mmap
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from structce.errors import SourceError
from structce.extras import load_extra
from structce.rendering.document import Resource

if TYPE_CHECKING:
    from types import ModuleType

    from fastwarc.warc import WarcRecord

RESOURCE_TYPE = "WARC-Resource-Type"
"""Header that distinguishes pages from their resources; Browsertrix Crawler writes it, too."""

_MEMBER = b"\x1f\x8b\x08"  # how a gzip member begins
_VERSION = b"WARC/1."  # how a record begins
_HTML = ("text/html", "application/xhtml+xml")
_Coding = Literal["all", "content", "transfer", "none"]
_CODINGS: tuple[_Coding, ...] = ("all", "content", "transfer", "none")
"""HTTP codings to undo, tried in turn: some crawlers undo them but keep the headers."""

MAX_CODINGS = 4  # of one response; each takes the memory of a decompressor
_PIECE = 1 << 16  # bytes unpacked at a time


@dataclass(frozen=True)
class WarcEntry:
    """Entry of a WARC file: position and kind of a recorded response.

    Parameters
    ----------
    number
        Number of the record, from 1, over records of all kinds.
    offset
        Position in the file, in bytes.
    refers_to
        Address whose earlier record contains the content; empty if this one does.
    is_page
        Whether it is HTML with status 200, and not marked as part of another page.
    error
        Reason why a record cannot be read; empty for a readable record.
    """

    number: int
    offset: int
    url: str = ""
    status: int = 0
    refers_to: str = ""
    is_page: bool = False
    error: str = ""


def load_fastwarc(path: Path) -> ModuleType:
    """Return the module that reads records; if it is missing, the error names the path."""
    return load_extra("fastwarc.warc", f"{path}: a WARC archive", "warc")


def scan_entries(path: Path) -> Iterator[WarcEntry]:
    """Yield the responses in a file; a damaged record becomes an entry with an error.

    After damage the file is searched for the next readable record. SourceError if the file cannot
    be read, or is not a WARC file.
    """
    fastwarc = load_fastwarc(path)
    with _opened(path) as file:
        mark = _mark(file)
        if not mark:
            raise SourceError(f"{path}: not a WARC file: it does not begin with 'WARC/1'")
        offset, number = 0, 0
        while offset >= 0:
            entry = WarcEntry(number, offset)
            for entry in _entries_until_damage(fastwarc, file, offset, number):
                if entry.url or entry.error:
                    yield entry
            number = entry.number
            if not entry.error:
                if mark == _MEMBER and not _is_whole(file, entry.offset):
                    error = f"damaged after byte {entry.offset:,}: cut off"
                    yield WarcEntry(number + 1, entry.offset, error=error)
                return
            offset = _next_offset(fastwarc, file, mark, entry.offset + 1)


def read_response(path: Path, offset: int, limit: int) -> tuple[Resource, str]:
    """Return the response at an offset, and the address it redirects to; empty if none.

    SourceError if it cannot be read, or exceeds the limit after decoding.
    """
    fastwarc = load_fastwarc(path)
    failure: OSError | None = None
    with _opened(path) as file:
        is_packed = _mark(file) == _MEMBER
        file.seek(offset)
        if is_packed and file.read(len(_MEMBER)) != _MEMBER:
            raise SourceError(
                f"{path}: compressed as a whole, not record by record; decompress it first (gunzip)"
            )
        for coding in _CODINGS:
            try:
                _check_codings(_parsed_record(fastwarc, file, offset, "none"))
                record = _parsed_record(fastwarc, file, offset, coding)
                data = record.reader.read(limit + 1)
            except OSError as error:
                failure = failure or error
                continue
            if len(data) > limit:
                raise SourceError(f"{path}: over {limit:,} bytes, which is the limit")
            headers = record.http_headers
            kind, status = headers.get("Content-Type") or "", headers.status_code or 0
            return Resource(data, kind, status), headers.get("Location") or ""
    raise SourceError(f"{path}: the record at byte {offset:,} is damaged: {failure}")


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error


def _mark(file: BinaryIO) -> bytes:
    """Return the bytes that every record of a file begins with; empty if it is not a WARC file."""
    file.seek(0)
    head = file.read(len(_VERSION))
    return next((mark for mark in (_MEMBER, _VERSION) if head.startswith(mark)), b"")


def _entries_until_damage(
    fastwarc: ModuleType, file: BinaryIO, offset: int, number: int
) -> Iterator[WarcEntry]:
    """Yield the records from an offset on, up to the first damaged one, which has an error.

    A record is yielded after all of it was read, so that damage inside it is known.
    """
    is_inside = False
    try:
        file.seek(offset)
        # Not to be decoded here: FastWARC 2.0 loses its way after a coding that it cannot undo.
        for record in fastwarc.ArchiveIterator(file, parse_http=False):
            number, offset, is_inside = number + 1, record.stream_pos, True
            entry = _entry_of(fastwarc, record, number)
            has_length = (record.headers.get("Content-Length") or "").strip().isdigit()
            if not has_length or record.consume() < record.content_length:
                raise OSError("the file ends inside the record")  # FastWARC 2.0 lets it pass
            is_inside = False
            yield entry
    except OSError as error:
        reason = f"damaged after byte {offset:,}: {error}"
        yield WarcEntry(number if is_inside else number + 1, offset, error=reason)


def _is_whole(file: BinaryIO, offset: int) -> bool:
    """Return whether the last gzip member of a file is complete and nothing follows it.

    FastWARC 2.0 mistakes a member that is cut off in its first bytes for the end of the file.
    """
    file.seek(offset)
    if file.read(len(_MEMBER)) != _MEMBER:
        return True  # packed as a whole
    file.seek(offset)
    try:
        with gzip.GzipFile(fileobj=file) as members:
            while members.read(_PIECE):
                pass
    except (OSError, EOFError, zlib.error):
        return False
    return True


def _entry_of(fastwarc: ModuleType, record: WarcRecord, number: int) -> WarcEntry:
    """Return the entry of a record; without an address if it is not a web server's response."""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    kinds = fastwarc.WarcRecordType
    if record.record_type not in (kinds.response, kinds.revisit) or not record.is_http:
        return WarcEntry(number, record.stream_pos)
    record.parse_http()
    status = record.http_headers.status_code or 0
    kind = record.http_content_type or record.headers.get("WARC-Identified-Payload-Type") or ""
    refers_to = ""
    if record.record_type == kinds.revisit:
        refers_to = record.headers.get("WARC-Refers-To-Target-URI") or url
    is_document = record.headers.get(RESOURCE_TYPE, "document") == "document"
    is_page = status == 200 and kind.lower() in _HTML and is_document and not refers_to
    return WarcEntry(number, record.stream_pos, url, status, refers_to, is_page)


def _next_offset(fastwarc: ModuleType, file: BinaryIO, mark: bytes, start: int) -> int:
    """Return the offset of the next record with a valid beginning; -1 without one."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        while (offset := content.find(mark, start)) >= 0:
            file.seek(offset)
            try:
                if next(iter(fastwarc.ArchiveIterator(file, parse_http=False)), None) is not None:
                    break
            except OSError:
                pass
            start = offset + 1
        return offset


def _parsed_record(
    fastwarc: ModuleType, file: BinaryIO, offset: int, coding: _Coding
) -> WarcRecord:
    """Return the record at an offset, with the headers of HTTP parsed."""
    file.seek(offset)
    records = fastwarc.ArchiveIterator(file, parse_http=False)
    record: WarcRecord | None = next(iter(records), None)
    if record is None:
        raise OSError("the file ends here")
    record.parse_http(auto_decode=coding)
    return record


def _check_codings(record: WarcRecord) -> None:
    names = ("content-encoding", "transfer-encoding")
    values = [v for name, v in record.http_headers.items() if name.lower() in names]
    n_codings = sum(value.count(",") + 1 for value in values)
    if n_codings > MAX_CODINGS:
        raise SourceError(f"compressed {n_codings:,} times; expected at most {MAX_CODINGS}")
