"""Binary snapshots of pages: a header of two lines, then compressed columns with a checksum.

A snapshot contains everything that features see of a page, to the last bit, so that a page has the
same features on every machine.

::

    line 1    format, version, and the SHA-256 of everything that follows, before compression
    line 2    what is known without unpacking: renderer, regions, provenance
    the rest  one zlib stream: a line of strings as JSON, then all numbers as 32-bit columns

The checksum does not depend on the version of zlib: two snapshots with the same checksum contain
the same page. Input is not trusted: every field is validated, and sizes are limited.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from structce.arrays import Integers32
from structce.errors import CorpusError, SourceError
from structce.page.metadata import Metadata
from structce.page.page import Elements, Page, Provenance, StyleColumn, Texts

SUFFIX = ".page"
"""File name suffix of snapshots."""

MAX_COLUMN_BYTES = 2**26
"""Maximum size of one page's columns in bytes, for writing and reading. 67 MB is three times the
largest HTML that is read."""

MAX_STYLE_BYTES = 2**29
"""Maximum memory in bytes for a page's style columns, for writing and reading: a single long value
makes a column of strings wide."""

MAX_FILE_BYTES = 2 * MAX_COLUMN_BYTES
"""Maximum size of a snapshot in bytes: what compression adds is far less."""

_FORMAT = "structce-page"
_VERSION = 5
_LEVEL = 6  # level 9 saves 1 % on the Fundus pages and takes three times as long

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
_Numbers = NDArray[np.generic]
_T = TypeVar("_T")


class Header(msgspec.Struct, frozen=True):
    """Header of a snapshot, which can be read without its columns.

    ``source`` is what the page was rendered from, as the user named it: a path, an address, a place
    in an archive. Pages of a corpus have an id instead.
    """

    renderer: str
    n_regions: _Count
    provenance: Provenance
    source: str = ""


class Snapshot(NamedTuple):
    """A rendered page, and what it was rendered from."""

    page: Page
    source: str  # empty if not recorded


def pack_page(page: Page, source: str = "") -> bytes:
    """Serialise a page: the same page gives the same bytes, given the same version of zlib.

    ``source`` is what it was rendered from. CorpusError, which names its address, if the columns
    do not fit together, or the page is too large.
    """
    name = page.url or "page"
    _check_page(page, name)
    elements, metadata = page.elements, page.metadata
    styles = sorted(elements.styles.items())
    strings = _Strings(
        url=page.url,
        lang=page.lang,
        viewport=page.viewport,
        metadata=replace(
            metadata,
            meta=dict(sorted(metadata.meta.items())),
            microdata=dict(sorted(metadata.microdata.items())),
        ),
        tag=elements.tag,
        attributes=tuple(map(dict, elements.attributes)),
        styles={
            key: tuple(column.tolist()) if _is_text(column) else None for key, column in styles
        },
        text=page.text,
        xpath=page.xpath,
        comments=page.comments,
        has_spans=page.spans is not None,
        has_joins=page.joins is not None,
        preformatted=tuple(sorted(page.preformatted.items())),
    )
    integers: list[_Numbers]
    integers = [elements.parent, elements.position, elements.n_siblings, page.element, page.breaks]
    integers += [page.comment_places, *(() if page.spans is None else page.spans.T)]
    integers += () if page.joins is None else (page.joins,)
    floats = [*page.boxes.T, *(column for _, column in styles if not _is_text(column))]
    columns = [_exact(column, np.int32, name) for column in integers]
    columns += [_exact(column, np.float32, name) for column in floats]
    # The lowest bytes of all numbers, then the next, and so on: most numbers are small, so that
    # three bytes of four are zero and compress to almost nothing.
    table = np.concatenate(columns).astype("<i4").view(np.uint8).reshape(-1, 4).T.tobytes()
    header = Header(page.renderer, len(page), replace(page.provenance), source)  # with its digest
    return write_envelope(header, to_line(strings) + table, name)


def _is_text(column: StyleColumn) -> bool:
    return column.dtype.kind == "U"


def _exact(column: _Numbers, kind: type[np.int32 | np.float32], name: str) -> Integers32:
    """Return numbers as 32-bit patterns; CorpusError if they are not represented exactly."""
    with np.errstate(over="ignore"):
        result = column.astype(kind)
    if not np.array_equal(result, column, equal_nan=kind is np.float32):
        number = np.dtype(kind)
        raise CorpusError(f"{name}: the page has numbers that {number} cannot represent exactly")
    if kind is np.float32:
        result[np.isnan(result)] = np.nan  # has many bit patterns, and machines differ in them
    return result.view(np.int32)


def unpack_page(data: bytes, name: str) -> Page:
    """Return a page serialised by :func:`pack_page`, equal to the last bit.

    CorpusError, which contains the name, if the bytes are damaged, or of another format or version.
    """
    header, columns = read_envelope(data, name)
    line, _, table = columns.partition(b"\n")
    strings = _decode(line, _Strings, name)
    n_bytes = sum(4 * len(v) * max(map(len, v), default=0) for v in strings.styles.values() if v)
    if n_bytes > MAX_STYLE_BYTES:
        raise _too_large(name)
    numbers = _read_columns(table, header.n_regions, strings, name)
    parent, position, n_siblings, element, breaks, places = (next(numbers) for _ in range(6))
    page = Page(
        url=strings.url,
        lang=strings.lang,
        renderer=header.renderer,
        viewport=strings.viewport,
        metadata=strings.metadata,
        text=strings.text,
        element=element,
        breaks=breaks,
        xpath=strings.xpath,
        comments=strings.comments,
        comment_places=places,
        spans=np.column_stack([next(numbers), next(numbers)]) if strings.has_spans else None,
        joins=next(numbers).astype(bool) if strings.has_joins else None,
        boxes=np.column_stack([next(numbers).view(np.float32) for _ in range(4)]),
        preformatted=dict(strings.preformatted),
        provenance=header.provenance,
        elements=Elements(
            tag=tuple(map(sys.intern, strings.tag)),
            attributes=strings.attributes,
            parent=parent,
            position=position,
            n_siblings=n_siblings,
            styles={
                key: next(numbers).view(np.float32) if values is None else np.array(values, "U")
                for key, values in strings.styles.items()
            },
        ),
    )
    _check_page(page, name)
    return page


def _read_columns(table: bytes, n: int, strings: _Strings, name: str) -> Iterator[Integers32]:
    """Return the columns of numbers; CorpusError if there are not exactly as many numbers."""
    n_elements, n_numeric = len(strings.tag), list(strings.styles.values()).count(None)
    n_of_regions = 2 * strings.has_spans + strings.has_joins + 4  # after the comments
    lengths = [n_elements] * 3 + [n, n, len(strings.comments)] + [n] * n_of_regions
    lengths += [n_elements] * n_numeric
    if len(table) != 4 * sum(lengths):
        raise _damaged(name, f"expected {sum(lengths):,} numbers, got {len(table) / 4:,g}")
    rows = np.ascontiguousarray(np.frombuffer(table, np.uint8).reshape(4, -1).T)
    numbers = rows.view("<i4").reshape(-1).astype(np.int32)
    return iter(np.split(numbers, np.cumsum(lengths)[:-1]))


def read_snapshot(path: str | os.PathLike[str]) -> Snapshot:
    """Return the page in a file made by ``structce render``, and what it was rendered from.

    SourceError if the file cannot be read, is damaged, or of another format or version.
    """
    name = os.fsdecode(path)
    try:
        data = Path(name).read_bytes()
        return Snapshot(unpack_page(data, name), read_header(data, name).source)
    except (OSError, CorpusError) as error:
        reason = f"{name}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise SourceError(reason) from error


def original_source(name: str) -> str:
    """Return what a snapshot was rendered from; the name of anything else unchanged."""
    if not name.endswith(SUFFIX):
        return name
    try:
        with Path(name).open("rb") as file:
            return read_header(file.readline() + file.readline(), name).source or name
    except (OSError, CorpusError):
        return name


def read_header(data: bytes, name: str) -> Header:
    """Return the header alone, without unpacking the columns or comparing the checksum.

    CorpusError if this is not a snapshot, or of an unsupported version.
    """
    _, rest = _read_first_line(data, name)
    return _decode(rest.partition(b"\n")[0], Header, name)


def write_envelope(header: Header, columns: bytes, name: str) -> bytes:
    """Return the snapshot of a header and columns; CorpusError if a reader would not accept it."""
    if len(columns) > MAX_COLUMN_BYTES:
        raise _too_large(name)
    values: dict[str, object] = msgspec.to_builtins(header)
    if not header.source:  # as in releases without sources: corpora keep their bytes
        del values["source"]
    second = to_line(values)
    digest = hashlib.sha256(second + columns).hexdigest()
    first = to_line({"format": _FORMAT, "version": _VERSION, "sha256": digest})
    return first + second + zlib.compress(columns, _LEVEL)


def read_envelope(data: bytes, name: str) -> tuple[Header, bytes]:
    """Return header and columns after comparing the checksum; CorpusError if damaged."""
    digest, rest = _read_first_line(data, name)
    second, _, packed = rest.partition(b"\n")
    columns = _inflate(packed, name)
    if hashlib.sha256(second + b"\n" + columns).hexdigest() != digest:
        raise _damaged(name, "the checksum does not match")
    return _decode(second, Header, name), columns


def to_line(value: object) -> bytes:
    """Return an object as one line of JSON. Lone surrogates are kept: some pages contain them."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=msgspec.to_builtins)
    return (text + "\n").encode("utf-8", errors="surrogatepass")


def _decode(line: bytes, kind: type[_T], name: str) -> _T:
    """Return a value encoded by :func:`to_line`, validated; msgspec alone rejects surrogates."""
    try:
        return msgspec.convert(json.loads(line.decode("utf-8", errors="surrogatepass")), kind)
    except (ValueError, RecursionError) as error:  # msgspec.ValidationError is a ValueError
        raise _damaged(name, error) from error


def _damaged(name: str, reason: object) -> CorpusError:
    return CorpusError(f"{name}: damaged snapshot: {reason}; render the page again")


def _too_large(name: str) -> CorpusError:
    return CorpusError(f"{name}: the page is too large for a snapshot")


class _FirstLine(msgspec.Struct):
    format: str
    version: _Count
    sha256: str


class _Strings(msgspec.Struct):
    """The line of strings before the numbers of a page; its fields define the format on disk.

    A style of numbers is None.
    """

    url: str
    lang: str
    viewport: tuple[int, int]
    metadata: Metadata
    tag: Texts
    attributes: tuple[dict[str, str], ...]
    styles: dict[str, Texts | None]
    text: Texts
    xpath: Texts
    comments: Texts
    has_spans: bool
    has_joins: bool
    preformatted: tuple[tuple[_Count, str], ...]


def _read_first_line(data: bytes, name: str) -> tuple[str, bytes]:
    """Return the checksum and the bytes after the first line."""
    line, _, rest = data.partition(b"\n")
    first = _decode(line, _FirstLine, name)
    if (first.format, first.version) != (_FORMAT, _VERSION):
        raise CorpusError(
            f"{name}: format {first.format} version {first.version}; this release reads {_FORMAT} "
            f"version {_VERSION}: render the page again"
        )
    return first.sha256, rest


def _inflate(packed: bytes, name: str) -> bytes:
    """Return the content of a compressed stream, without unpacking more than the limit."""
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(packed, MAX_COLUMN_BYTES + 1)
    except zlib.error as error:
        raise _damaged(name, error) from error
    if len(content) > MAX_COLUMN_BYTES:
        raise _too_large(name)
    if not stream.eof or stream.unused_data:
        raise _damaged(name, "there is data after its end" if stream.eof else "it is cut off")
    return content


def _check_page(page: Page, name: str) -> None:
    """Raise CorpusError unless the columns of a page, written or read, fit together."""
    misfits = _misshapen(page) or _out_of_range(page)  # checks of ranges need matching shapes
    if misfits:
        raise CorpusError(f"{name}: columns of the page do not fit together: {', '.join(misfits)}")
    if sum(column.nbytes for column in page.elements.styles.values()) > MAX_STYLE_BYTES:
        raise _too_large(name)


def _misshapen(page: Page) -> list[str]:
    """Return the names of the columns without one row per element, region or comment."""
    n, elements, n_elements = len(page), page.elements, len(page.elements)
    columns: list[tuple[str, _Numbers | None, tuple[int, ...]]] = [
        *((key, getattr(page, key), (n,)) for key in ("element", "breaks", "joins")),
        ("boxes", page.boxes, (n, 4)),
        ("spans", page.spans, (n, 2)),
        ("comment_places", page.comment_places, (len(page.comments),)),
        *((k, getattr(elements, k), (n_elements,)) for k in ("parent", "position", "n_siblings")),
        *((f"style {key}", column, (n_elements,)) for key, column in elements.styles.items()),
    ]
    display = elements.styles.get("display")  # determines the boundaries of blocks
    claims = {
        "xpath": len(page.xpath) == n,
        "preformatted": all(0 <= i < n for i in page.preformatted),
        "attributes": len(elements.attributes) == n_elements,
        "display": display is not None and display.dtype.kind == "U",
    } | {key: column is None or column.shape == shape for key, column, shape in columns}
    return [key for key, is_true in claims.items() if not is_true]


def _out_of_range(page: Page) -> list[str]:
    """Return the names of the columns with an index out of range."""
    parent, n_elements = page.elements.parent, len(page.elements)
    steps = np.diff(page.comment_places, prepend=0, append=len(page))
    start, end = np.zeros((2, 0)) if page.spans is None else page.spans.T
    claims = {
        "parent": (parent >= -1) & (parent < np.arange(n_elements)),
        "element": (page.element >= 0) & (page.element < n_elements),
        "comment_places": steps >= 0,
        "spans": (start >= -1) & (start <= end),
    }
    return [name for name, rows in claims.items() if not rows.all()]
