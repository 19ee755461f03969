"""The outside of a snapshot: two lines that say what it is, then its columns, compressed.

::

    line 1    format, version, and the SHA-256 of all that follows, before compression
    line 2    what can be known without unpacking: renderer, regions, where the page came from
    the rest  the columns, as one zlib stream

The checksum is of the page, whatever zlib compressed it: two snapshots with one checksum hold one
page.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import asdict, dataclass

from structce.errors import CorpusError
from structce.page import Page, Provenance
from structce.snapshot.fields import Fields, damaged, to_line

FORMAT = "structce-page"
VERSION = 3

MAX_BYTES = 2**26
"""Columns of one page, unpacked; more is neither written nor read. Our choice: 67 MB hold the
largest HTML that is read three times over."""

_LEVEL = 6  # level 9 saves 1 % on the Fundus pages and takes three times as long
_GZIP = b"\x1f\x8b"  # how snapshots of versions 1 and 2 begin
_GZIP_WINDOW = 31  # as zlib calls gzip


@dataclass(frozen=True)
class Header:
    """What is known of a snapshot without its columns.

    Parameters
    ----------
    renderer
        Name of the renderer that made the page.
    n_regions
        Number of regions.
    provenance
        How the page came about.
    """

    renderer: str
    n_regions: int
    provenance: Provenance

    @classmethod
    def of(cls, page: Page) -> Header:
        """Return the header of a page."""
        return cls(page.renderer, len(page), page.provenance)


def wrap(header: Header, columns: bytes, name: str) -> bytes:
    """Return a snapshot.

    Raises
    ------
    CorpusError
        If there are more columns than a reader takes.
    """
    if len(columns) > MAX_BYTES:
        raise too_large(name)
    second = to_line(asdict(header))
    digest = hashlib.sha256(second + columns).hexdigest()
    first = to_line({"format": FORMAT, "version": VERSION, "sha256": digest})
    return first + second + zlib.compress(columns, _LEVEL)


def unwrap(data: bytes, name: str) -> tuple[Header, bytes]:
    """Return header and columns, compared with the checksum.

    Raises
    ------
    CorpusError
        If the bytes are damaged, or of another format or version; the message has the name.
    """
    digest, rest = _first_line(data, name)
    second, _, packed = rest.partition(b"\n")
    columns = _inflate(packed, name)
    if hashlib.sha256(second + b"\n" + columns).hexdigest() != digest:
        raise damaged(name, "the checksum is another")
    return _header(second, name), columns


def read_header(data: bytes, name: str) -> Header:
    """Return the header alone, without unpacking the columns or looking at the checksum.

    Raises
    ------
    CorpusError
        If this is no snapshot, or one of another version; the message has the name.
    """
    _, rest = _first_line(data, name)
    return _header(rest.partition(b"\n")[0], name)


def check_snapshot(data: bytes, name: str) -> Header:
    """Return the header after comparing the checksum: what was written is whole.

    Raises
    ------
    CorpusError
        If the bytes are damaged, or of another format or version; the message has the name.
    """
    header, _ = unwrap(data, name)
    return header


def too_large(name: str) -> CorpusError:
    """Return the error for a page that takes more memory than a reader gives it."""
    return CorpusError(f"{name}: the page is too large for a snapshot")


def _first_line(data: bytes, name: str) -> tuple[str, bytes]:
    """Return the checksum and what stands after the first line."""
    if data.startswith(_GZIP):
        line, rest = _inflate(data, name, _GZIP_WINDOW), b""
    else:
        line, _, rest = data.partition(b"\n")
    fields = Fields.of_line(line, name)
    found, version = fields.text("format"), fields.count("version")
    if (found, version) != (FORMAT, VERSION):
        raise CorpusError(
            f"{name}: format {found} version {version}; "
            f"this release reads {FORMAT} version {VERSION}"
        )
    return fields.text("sha256"), rest


def _inflate(packed: bytes, name: str, window: int = zlib.MAX_WBITS) -> bytes:
    """Return what a stream holds, and never unpack more than the limit."""
    machine = zlib.decompressobj(window)
    try:
        found = machine.decompress(packed, MAX_BYTES + 1)
    except zlib.error as error:
        raise damaged(name, error) from error
    if len(found) > MAX_BYTES:
        raise too_large(name)
    if not machine.eof:
        raise damaged(name, "it breaks off")
    if machine.unused_data:
        raise damaged(name, "something follows its end")
    return found


def _header(line: bytes, name: str) -> Header:
    fields = Fields.of_line(line, name)
    origin = fields.inner("provenance")
    provenance = Provenance(
        digest=origin.text("digest"),
        browser=origin.text("browser"),
        settings=origin.text("settings"),
    )
    return Header(fields.text("renderer"), fields.count("n_regions"), provenance)
