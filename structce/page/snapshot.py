"""Binary snapshots of pages: a header of two lines, then compressed columns with a checksum.

A snapshot contains everything that features see of a page, to the last bit, so that a page has the
same features on every machine.

::

    line 1    format, version, and the SHA-256 of everything that follows, before compression
    line 2    what is known without unpacking: renderer, regions, provenance
    the rest  one zlib stream: a line of strings, then all numbers as 32-bit columns

The checksum does not depend on the version of zlib: two snapshots with the same checksum contain
the same page. Input is not trusted: every field is validated, and sizes are limited.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from structce.arrays import Floats32, Integers32
from structce.errors import CorpusError, SourceError
from structce.page.metadata import Metadata
from structce.page.page import Elements, Page, Provenance, StyleColumn, Texts

SUFFIX = ".page"
"""File name suffix of snapshots."""

MAX_COLUMN_BYTES = 2**26
"""Maximum size of one page's columns in bytes, for writing and reading. 67 MB is three times the
largest HTML that is read."""

MAX_EXPANDED = 2**29
"""Maximum memory in bytes for a page's addresses and style columns, for writing and reading: five
times what 20,000 regions of ordinary pages take."""

MAX_FILE_BYTES = 2 * MAX_COLUMN_BYTES
"""Maximum size of a snapshot in bytes: what compression adds is far less."""

_FORMAT = "structce-page"
_VERSION = 4
_NUMBERS_OF_ELEMENTS = ("parent", "position", "n_siblings")  # columns, in this order
_LEVEL = 6  # level 9 saves 1 % on the Fundus pages and takes three times as long

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
_Numbers = NDArray[np.generic]
_T = TypeVar("_T")
_Key = TypeVar("_Key", bound=Hashable)


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
    writer = _ColumnWriter(name)
    strings = _pack_strings(page, writer)
    header = Header(page.renderer, len(page), page.provenance, source)
    table = np.concatenate(writer.columns).astype("<i4")
    # The lowest bytes of all numbers, then the next, and so on: most numbers are small, so that
    # three bytes of four are zero and compress to almost nothing.
    numbers = table.view(np.uint8).reshape(-1, 4).T.tobytes()
    return write_envelope(header, to_line(strings) + numbers, name)


def unpack_page(data: bytes, name: str) -> Page:
    """Return a page serialised by :func:`pack_page`, equal to the last bit.

    CorpusError, which contains the name, if the bytes are damaged, or of another format or version.
    """
    header, columns = read_envelope(data, name)
    line, _, table = columns.partition(b"\n")
    strings, reader = _decode(line, _Strings, name), _ColumnReader(table, name)
    page = _unpack_columns(header, strings, reader)
    _check_page(page, name)
    return page


def read_snapshot(path: str | os.PathLike[str]) -> Snapshot:
    """Return the page in a file made by ``structce render``, and what it was rendered from.

    SourceError if the file cannot be read, is damaged, or of another format or version.
    """
    name = os.fsdecode(path)
    try:
        data = Path(name).read_bytes()
        return Snapshot(unpack_page(data, name), read_header(data, name).source)
    except OSError as error:
        raise SourceError(f"{name}: {error.strerror}") from error
    except CorpusError as error:
        raise SourceError(str(error)) from error


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


def check_snapshot(data: bytes, name: str) -> Header:
    """Return the header after comparing the checksum; CorpusError if the snapshot is damaged."""
    return read_envelope(data, name)[0]


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
    """Return header and columns after comparing the checksum, as :func:`check_snapshot`."""
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

    ``tag``, ``attributes``, ``xpath`` and each style contain distinct values, to which columns of
    indices refer; a style of numbers is None.
    """

    url: str
    lang: str
    viewport: tuple[int, int]
    n_elements: _Count
    metadata: Metadata
    tag: Texts
    attributes: tuple[dict[str, str], ...]
    styles: dict[str, Texts | None]
    text: Texts
    xpath: Texts
    comments: Texts
    has_spans: bool
    has_joins: bool = False
    preformatted: tuple[tuple[_Count, str], ...] = ()


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
    if not stream.eof:
        raise _damaged(name, "it is cut off")
    if stream.unused_data:
        raise _damaged(name, "there is data after its end")
    return content


def _pack_strings(page: Page, writer: _ColumnWriter) -> _Strings:
    """Return a page's strings, and pass its numbers to the writer in the order of reading."""
    elements, metadata = page.elements, page.metadata
    tags = writer.distinct(elements.tag)
    attributes = writer.distinct(tuple(row.items()) for row in elements.attributes)
    for name in _NUMBERS_OF_ELEMENTS:
        writer.integers(getattr(elements, name))
    styles = {name: writer.style(column) for name, column in sorted(elements.styles.items())}
    writer.integers(page.element)
    writer.integers(page.breaks)
    addresses = writer.addresses(page.xpath)
    for box in page.boxes.T:
        writer.floats(box)
    writer.integers(page.comment_places)
    for positions in () if page.spans is None else page.spans.T:
        writer.integers(positions)
    if page.joins is not None:
        writer.integers(page.joins)
    return _Strings(
        url=page.url,
        lang=page.lang,
        viewport=page.viewport,
        n_elements=len(elements),
        metadata=replace(
            metadata,
            meta=dict(sorted(metadata.meta.items())),
            microdata=dict(sorted(metadata.microdata.items())),
        ),
        tag=tags,
        attributes=tuple(dict(row) for row in attributes),
        styles=styles,
        text=page.text,
        xpath=addresses,
        comments=page.comments,
        has_spans=page.spans is not None,
        has_joins=page.joins is not None,
        preformatted=tuple(sorted(page.preformatted.items())),
    )


def _unpack_columns(header: Header, strings: _Strings, reader: _ColumnReader) -> Page:
    n, n_elements = header.n_regions, strings.n_elements
    if len(strings.text) != n:
        raise _damaged(reader.name, f"'text' is not one string for each of {n} regions")
    elements = Elements(
        tag=reader.distinct(n_elements, strings.tag),
        attributes=reader.distinct(n_elements, strings.attributes),
        **{name: reader.integers(n_elements) for name in _NUMBERS_OF_ELEMENTS},
        styles={name: reader.style(n_elements, values) for name, values in strings.styles.items()},
    )
    page = Page(
        url=strings.url,
        lang=strings.lang,
        renderer=header.renderer,
        viewport=strings.viewport,
        metadata=strings.metadata,
        elements=elements,
        text=strings.text,
        element=reader.integers(n),
        breaks=reader.integers(n),
        xpath=reader.addresses(n, strings.xpath),
        boxes=np.column_stack([reader.integers(n).view(np.float32) for _ in range(4)]),
        comments=strings.comments,
        comment_places=reader.integers(len(strings.comments)),
        spans=np.column_stack([reader.integers(n), reader.integers(n)])
        if strings.has_spans
        else None,
        joins=reader.integers(n).astype(bool) if strings.has_joins else None,
        preformatted=dict(strings.preformatted),
        provenance=header.provenance,
    )
    reader.close()
    return page


class _ColumnWriter:
    """Collects columns of 32-bit numbers, and returns the strings to which indices refer."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.columns: list[Integers32] = []

    def integers(self, values: Sequence[int] | _Numbers) -> None:
        """Add a column of integers."""
        array = np.asarray(values)
        self._add(array.astype(np.int32), array)

    def floats(self, values: _Numbers) -> None:
        """Add a column of floats, as their bit patterns."""
        with np.errstate(over="ignore"):  # an error when it is added
            column = values.astype(np.float32)
        # NaN has many bit patterns, and machines differ in which they produce.
        column[np.isnan(column)] = np.nan
        self._add(column, values)

    def distinct(self, values: Iterable[_Key]) -> tuple[_Key, ...]:
        """Add a column of indices; return the distinct values, in order of first occurrence."""
        indices: dict[_Key, int] = {}
        self.integers([indices.setdefault(value, len(indices)) for value in values])
        return tuple(indices)

    def style(self, column: StyleColumn) -> tuple[str, ...] | None:
        """Add a style's column; return its distinct strings, or None for a numeric style."""
        if column.dtype.kind == "U":
            return self.distinct(column.tolist())
        self.floats(column)
        return None

    def addresses(self, addresses: Texts) -> tuple[str, ...]:
        """Add each address as its difference from the one before, which usually shares most steps.

        The first column is the number of shared steps, the second refers to the remaining ones.
        """
        shared, rests, before = [], [], [""]
        for address in addresses:
            steps = address.split("/")
            pairs = enumerate(zip(before, steps[:-1], strict=False))
            n = next((i for i, (a, b) in pairs if a != b), min(len(before), len(steps) - 1))
            shared.append(n)
            rests.append("/".join(steps[n:]))
            before = steps
        self.integers(shared)
        return self.distinct(rests)

    def _add(self, column: Integers32 | Floats32, values: _Numbers) -> None:
        if not np.array_equal(column, values, equal_nan=column.dtype.kind == "f"):
            raise CorpusError(
                f"{self.name}: the page has numbers that {column.dtype} cannot represent exactly"
            )
        self.columns.append(column.view(np.int32))


class _ColumnReader:
    """Returns the columns that a :class:`_ColumnWriter` collected, in the same order."""

    def __init__(self, data: bytes, name: str) -> None:
        if len(data) % 4:
            raise _damaged(name, "the last number of its columns is incomplete")
        self.name = name
        rows = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(4, -1).T)
        self._table = rows.view("<i4").reshape(-1).astype(np.int32)
        self._position = 0
        self._n_expanded = 0

    def integers(self, n: int) -> Integers32:
        column = self._table[self._position : self._position + n]
        if len(column) != n:
            raise _damaged(self.name, "a column is missing")
        self._position += n
        return column

    def distinct(self, n: int, values: Sequence[_T]) -> tuple[_T, ...]:
        """Return the values to which the next ``n`` numbers refer."""
        return tuple(values[i] for i in self._indices(n, len(values)).tolist())

    def style(self, n: int, values: Sequence[str] | None) -> StyleColumn:
        """Return a style's next ``n`` numbers, or the strings to which they refer."""
        if values is None:
            return self.integers(n).view(np.float32)
        indices = self._indices(n, len(values))
        self._expand(4 * (n + len(values)) * max(map(len, values), default=0))
        return np.array(values, dtype=np.str_)[indices]

    def addresses(self, n: int, rests: Sequence[str]) -> Texts:
        """Return ``n`` addresses, assembled from shared and remaining steps."""
        shared = self.integers(n).tolist()
        addresses, steps = [], [""]
        for k, rest in zip(shared, self.distinct(n, rests), strict=True):
            if not 0 <= k <= len(steps):
                raise _damaged(self.name, "an address shares more steps than there are")
            steps = [*steps[:k], *rest.split("/")]
            addresses.append("/".join(steps))
            self._expand(len(addresses[-1]))
        return tuple(addresses)

    def _indices(self, n: int, n_values: int) -> Integers32:
        """Return the next ``n`` numbers, which must be below ``n_values``."""
        column = self.integers(n)
        if n and not 0 <= column.min() <= column.max() < n_values:
            raise _damaged(self.name, "an index in a column is out of range")
        return column

    def _expand(self, n_bytes: int) -> None:
        """Raise an error if the data unpacked so far take too much memory."""
        self._n_expanded += n_bytes
        if self._n_expanded > MAX_EXPANDED:
            raise _too_large(self.name)

    def close(self) -> None:
        """Raise an error unless all columns have been read."""
        if self._position != len(self._table):
            raise _damaged(self.name, "more columns than a page has")


def _check_page(page: Page, name: str) -> None:
    """Raise CorpusError unless the columns of a page fit together and are not too large.

    Pages are checked in the same way before writing and after reading, so that whatever was
    written can be read.
    """
    misfits = _misshapen(page) or _out_of_range(page)  # checks of ranges need matching shapes
    if misfits:
        raise CorpusError(f"{name}: columns of the page do not fit together: {', '.join(misfits)}")
    styles = sum(column.nbytes for column in page.elements.styles.values())
    # A reader keeps distinct strings and rows in memory: at most twice the size of the rows.
    if 2 * styles + sum(map(len, page.xpath)) > MAX_EXPANDED:
        raise _too_large(name)


def _misshapen(page: Page) -> list[str]:
    """Return the names of the columns without one row per element, region or comment."""
    n, elements, n_elements = len(page), page.elements, len(page.elements)
    columns: list[tuple[str, _Numbers | None, tuple[int, ...]]] = [
        *((key, getattr(page, key), (n,)) for key in ("element", "breaks", "joins")),
        ("boxes", page.boxes, (n, 4)),
        ("spans", page.spans, (n, 2)),
        ("comment_places", page.comment_places, (len(page.comments),)),
        *((key, getattr(elements, key), (n_elements,)) for key in _NUMBERS_OF_ELEMENTS),
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
