"""JSON objects of a snapshot: written in one line, and trusted in nothing when read."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Floats32, Integers32
from structce.errors import CorpusError
from structce.metadata import Metadata
from structce.page import Elements, Page, Provenance, StyleColumn, Texts

_LARGEST = 2**31 - 1


def to_line(value: Mapping[str, object]) -> bytes:
    """Return a JSON object in one line. Halves of surrogate pairs stay: pages hold some."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", errors="surrogatepass")


def damaged(name: str, reason: object) -> CorpusError:
    """Return the error for a snapshot that cannot be read."""
    return CorpusError(f"{name}: damaged snapshot: {reason}; render the page again")


class Fields:
    """The fields of a JSON object, each of the type that is asked for.

    Parameters
    ----------
    values
        The object.
    name
        How messages call the snapshot.
    """

    def __init__(self, values: Mapping[str, object], name: str) -> None:
        self.values = values
        self.name = name

    @classmethod
    def of_line(cls, line: bytes, name: str) -> Fields:
        """Return the object that :func:`to_line` wrote.

        Raises
        ------
        CorpusError
            If it is none; the message has the name.
        """
        try:
            value = json.loads(line.decode("utf-8", errors="surrogatepass"))
        except (ValueError, RecursionError) as error:
            raise damaged(name, error) from error
        if not isinstance(value, dict):
            raise damaged(name, "no JSON object where one should stand")
        return cls(value, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def error(self, key: str, expected: str) -> CorpusError:
        """Return the error for a field that is missing or of another type."""
        return damaged(self.name, f"{key!r} is not {expected}")

    def has(self, key: str) -> bool:
        """Return a truth value."""
        value = self.values.get(key)
        if not isinstance(value, bool):
            raise self.error(key, "true or false")
        return value

    def count(self, key: str) -> int:
        """Return a whole number, not negative."""
        value = self.values.get(key)
        if type(value) is not int or not 0 <= value <= _LARGEST:
            raise self.error(key, "a count")
        return value

    def text(self, key: str) -> str:
        """Return a string."""
        value = self.values.get(key)
        if not isinstance(value, str):
            raise self.error(key, "a string")
        return value

    def entries(self, key: str) -> list[Any]:
        """Return a list of anything."""
        value = self.values.get(key)
        if not isinstance(value, list):
            raise self.error(key, "a list")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings."""
        found = self.entries(key)
        if set(map(type, found)) - {str}:
            raise self.error(key, "a list of strings")
        return tuple(found)

    def objects(self, key: str) -> tuple[dict[str, Any], ...]:
        """Return a list of objects that hold anything."""
        found = self.entries(key)
        if set(map(type, found)) - {dict}:
            raise self.error(key, "a list of objects")
        return tuple(found)

    def text_objects(self, key: str) -> tuple[dict[str, str], ...]:
        """Return a list of objects that hold strings."""
        found = self.objects(key)
        if {type(value) for row in found for value in row.values()} - {str}:
            raise self.error(key, "a list of objects that hold strings")
        return found

    def inner(self, key: str) -> Fields:
        """Return the fields of an object."""
        value = self.values.get(key)
        if not isinstance(value, dict):
            raise self.error(key, "an object")
        return Fields(value, self.name)

    def all_lists(self) -> dict[str, tuple[str, ...]]:
        """Return all fields, which must be lists of strings."""
        return {key: self.texts(key) for key in self.values}


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


MAX_EXPANDED = 2**29
"""Bytes that a page's addresses and style columns take in memory; more is neither written nor
read. Our choice: five times what 20,000 regions of ordinary pages take."""

Entry = TypeVar("Entry")
Key = TypeVar("Key", bound=Hashable)
Numbers = NDArray[np.generic]


class Writer:
    """Gathers columns of 32-bit numbers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._columns: list[Integers32] = []

    def integers(self, values: Sequence[int] | Numbers) -> None:
        """Add a column of integers."""
        given = np.asarray(values)
        kept = given.astype(np.int32)
        if not np.array_equal(kept, given):
            raise self._inexact(kept)
        self._columns.append(kept)

    def floats(self, values: Numbers) -> None:
        """Add a column of floats, by their bits."""
        with np.errstate(over="ignore"):  # said below
            kept = values.astype(np.float32)
        if not np.array_equal(kept, values, equal_nan=True):
            raise self._inexact(kept)
        # NaN has many patterns of bits, and machines differ in which they make.
        kept[np.isnan(kept)] = np.nan
        self._columns.append(kept.view(np.int32))

    def distinct(self, values: Iterable[Key]) -> list[Key]:
        """Add a column of indices; return the distinct values, in order of their first rows."""
        known: dict[Key, int] = {}
        self.integers([known.setdefault(value, len(known)) for value in values])
        return list(known)

    def _inexact(self, kept: Numbers) -> CorpusError:
        return CorpusError(f"{self.name}: the page has numbers that {kept.dtype} does not hold")

    def to_bytes(self) -> bytes:
        """Return all columns: the lowest bytes of all numbers, then the next, and so on.

        Most numbers are small, so that three bytes of four are zero, and compress to nothing.
        """
        table = np.concatenate(self._columns).astype("<i4")
        return table.view(np.uint8).reshape(-1, 4).T.tobytes()


class Reader:
    """Hands out the columns that a :class:`Writer` gathered, in the same order."""

    def __init__(self, data: bytes, name: str) -> None:
        if len(data) % 4:
            raise damaged(name, "half a number at the end of its columns")
        self.name = name
        rows = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(4, -1).T)
        self._table = rows.view("<i4").reshape(-1).astype(np.int32)
        self._place = 0
        self._spent = 0

    def spend(self, n_bytes: int) -> None:
        """Raise an error when what is unpacked so far takes too much memory."""
        self._spent += n_bytes
        if self._spent > MAX_EXPANDED:
            raise too_large(self.name)

    def integers(self, n: int) -> Integers32:
        """Return the next ``n`` numbers."""
        column = self._table[self._place : self._place + n]
        if len(column) != n:
            raise damaged(self.name, "a column is missing")
        self._place += n
        return column

    def floats(self, n: int) -> Floats32:
        """Return the next ``n`` floats."""
        return self.integers(n).view(np.float32)

    def indices(self, n: int, n_values: int) -> Integers32:
        """Return the next ``n`` numbers, which must be below ``n_values``."""
        column = self.integers(n)
        if n and not 0 <= column.min() <= column.max() < n_values:
            raise damaged(self.name, "a column points at nothing")
        return column

    def distinct(self, n: int, values: Sequence[Entry]) -> tuple[Entry, ...]:
        """Return the values that the next ``n`` numbers point at."""
        return tuple(values[i] for i in self.indices(n, len(values)).tolist())

    def strings(self, n: int, values: Sequence[str]) -> NDArray[np.str_]:
        """Return the strings that the next ``n`` numbers point at, as an array."""
        indices = self.indices(n, len(values))
        self.spend(4 * (n + len(values)) * max(map(len, values), default=0))
        return np.array(values, dtype=np.str_)[indices]

    def addresses(self, n: int, rests: Sequence[str]) -> Texts:
        """Return ``n`` addresses, which :func:`shorten` shortened."""
        shared = self.integers(n).tolist()
        addresses, steps = [], [""]
        for k, rest in zip(shared, self.distinct(n, rests), strict=True):
            if not 0 <= k <= len(steps):
                raise damaged(self.name, "an address shares more steps than there are")
            steps = [*steps[:k], *rest.split("/")]
            addresses.append("/".join(steps))
            self.spend(len(addresses[-1]))
        return tuple(addresses)

    def close(self) -> None:
        """Raise an error unless all columns were handed out."""
        if self._place != len(self._table):
            raise damaged(self.name, "more columns than a page has")


def shorten(addresses: Texts) -> tuple[list[int], list[str]]:
    """Return what each address adds to the one before.

    Returns
    -------
    number of steps shared with the address before, and the other steps; never all are shared
    """
    shared, rests, before = [], [], [""]
    for address in addresses:
        steps = address.split("/")
        pairs = enumerate(zip(before, steps[:-1], strict=False))
        n = next((i for i, (a, b) in pairs if a != b), min(len(before), len(steps) - 1))
        shared.append(n)
        rests.append("/".join(steps[n:]))
        before = steps
    return shared, rests


def check_page(page: Page, name: str) -> None:
    """Raise an error unless the columns of a page fit together.

    Written and read pages are checked alike, so that what was written can be read.

    Raises
    ------
    CorpusError
        If columns differ in length, point at nothing, or take too much memory.
    """
    claims = {**_shapes(page), "display": _has_display(page)}
    if all(claims.values()):  # what follows would fail on other shapes
        claims |= _ranges(page)
    if wrong := [key for key, holds in claims.items() if not holds]:
        raise CorpusError(f"{name}: a page whose columns do not fit together: {', '.join(wrong)}")
    styles = sum(column.nbytes for column in page.elements.styles.values())
    # A reader holds distinct strings and rows at once: at most twice what the rows take.
    if 2 * styles + sum(map(len, page.xpath)) > MAX_EXPANDED:
        raise too_large(name)


def _shapes(page: Page) -> dict[str, bool]:
    """Return of each column whether it has one row an element, region or comment."""
    n, elements = len(page), page.elements
    rows = (len(elements),)
    return {
        "xpath": len(page.xpath) == n,
        "element": page.element.shape == (n,),
        "breaks": page.breaks.shape == (n,),
        "boxes": page.boxes.shape == (n, 4),
        "spans": page.spans is None or page.spans.shape == (n, 2),
        "comment_places": page.comment_places.shape == (len(page.comments),),
        "attributes": len(elements.attributes) == len(elements),
        "parent": elements.parent.shape == rows,
        "position": elements.position.shape == rows,
        "n_siblings": elements.n_siblings.shape == rows,
        **{f"style {key}": column.shape == rows for key, column in elements.styles.items()},
    }


def _has_display(page: Page) -> bool:
    column = page.elements.styles.get("display")  # which blocks are made of
    return column is not None and column.dtype.kind == "U"


def _ranges(page: Page) -> dict[str, bool]:
    """Return of each column that points somewhere whether there is something."""
    elements, places = page.elements, page.comment_places
    parents_first = (elements.parent >= -1) & (elements.parent < np.arange(len(elements)))
    steps = np.diff(places, prepend=0, append=len(page))
    claims = {
        "parent": bool(parents_first.all()),
        "element": bool(((page.element >= 0) & (page.element < len(elements))).all()),
        "comment_places": bool((steps >= 0).all()),
    }
    if page.spans is not None:
        start, end = page.spans.T
        claims["spans"] = bool(((start >= -1) & (start <= end)).all())
    return claims


def pack_page(page: Page) -> bytes:
    """Return a page as bytes: the same page gives the same bytes, with the same zlib.

    Raises
    ------
    CorpusError
        If the columns do not fit together, or the page is too large; the message has its address.
    """
    name = page.url or "page"
    check_page(page, name)
    writer = Writer(name)
    strings: dict[str, object] = {
        "url": page.url,
        "lang": page.lang,
        "viewport": list(page.viewport),
        "n_elements": len(page.elements),
        "metadata": _pack_metadata(page.metadata),
        **_pack_elements(page.elements, writer),
        **_pack_regions(page, writer),
    }
    return wrap(Header.of(page), to_line(strings) + writer.to_bytes(), name)


def unpack_page(data: bytes, name: str) -> Page:
    """Return the page that :func:`pack_page` packed, equal to the last bit.

    Raises
    ------
    CorpusError
        If the bytes are damaged, or of another format or version; the message has the name.
    """
    header, columns = unwrap(data, name)
    line, _, table = columns.partition(b"\n")
    fields, reader = Fields.of_line(line, name), Reader(table, name)
    elements = _unpack_elements(fields, reader)
    page = _unpack_regions(fields, reader, header, elements)
    reader.close()
    check_page(page, name)
    return page


def _pack_elements(elements: Elements, writer: Writer) -> dict[str, object]:
    tags = writer.distinct(elements.tag)
    attributes = writer.distinct(tuple(row.items()) for row in elements.attributes)
    writer.integers(elements.parent)
    writer.integers(elements.position)
    writer.integers(elements.n_siblings)
    return {
        "tag": tags,
        "attributes": [dict(row) for row in attributes],
        "styles": {
            name: _pack_style(column, writer) for name, column in sorted(elements.styles.items())
        },
    }


def _unpack_elements(fields: Fields, reader: Reader) -> Elements:
    n = fields.count("n_elements")
    styles = fields.inner("styles")
    return Elements(
        tag=reader.distinct(n, fields.texts("tag")),
        attributes=reader.distinct(n, fields.text_objects("attributes")),
        parent=reader.integers(n),
        position=reader.integers(n),
        n_siblings=reader.integers(n),
        styles={name: _unpack_style(styles, name, n, reader) for name in styles},
    )


def _pack_style(column: StyleColumn, writer: Writer) -> list[str] | None:
    """Return the distinct strings of a column; None for a column of numbers."""
    if column.dtype.kind == "U":
        return writer.distinct(column.tolist())
    writer.floats(column)
    return None


def _unpack_style(styles: Fields, name: str, n: int, reader: Reader) -> StyleColumn:
    if styles.values[name] is None:
        return reader.floats(n)
    return reader.strings(n, styles.texts(name))


def _pack_regions(page: Page, writer: Writer) -> dict[str, object]:
    shared, rests = shorten(page.xpath)
    writer.integers(page.element)
    writer.integers(page.breaks)
    writer.integers(shared)
    addresses = writer.distinct(rests)
    for box in page.boxes.T:
        writer.floats(box)
    writer.integers(page.comment_places)
    if page.spans is not None:
        for places in page.spans.T:
            writer.integers(places)
    return {
        "text": page.text,
        "xpath": addresses,
        "comments": page.comments,
        "has_spans": page.spans is not None,
    }


def _unpack_regions(fields: Fields, reader: Reader, header: Header, elements: Elements) -> Page:
    n, comments = header.n_regions, fields.texts("comments")
    return Page(
        url=fields.text("url"),
        lang=fields.text("lang"),
        renderer=header.renderer,
        viewport=_viewport(fields),
        metadata=_unpack_metadata(fields.inner("metadata")),
        elements=elements,
        text=_texts(fields, n),
        element=reader.integers(n),
        breaks=reader.integers(n),
        xpath=reader.addresses(n, fields.texts("xpath")),
        boxes=np.column_stack([reader.floats(n) for _ in range(4)]),
        comments=comments,
        comment_places=reader.integers(len(comments)),
        spans=_spans(reader, n) if fields.has("has_spans") else None,
        provenance=header.provenance,
    )


def _texts(fields: Fields, n: int) -> tuple[str, ...]:
    texts = fields.texts("text")
    if len(texts) != n:
        raise fields.error("text", f"one string for each of {n} regions")
    return texts


def _spans(reader: Reader, n: int) -> Integers32:
    return np.column_stack([reader.integers(n), reader.integers(n)])


def _viewport(fields: Fields) -> tuple[int, int]:
    match fields.entries("viewport"):
        case [int(width), int(height)]:
            return width, height
    raise fields.error("viewport", "two whole numbers")


def _pack_metadata(metadata: Metadata) -> dict[str, object]:
    return {
        "title": metadata.title,
        "meta": _sorted(metadata.meta),
        "json_ld": [dict(item) for item in metadata.json_ld],
        "times": metadata.times,
        "microdata": _sorted(metadata.microdata),
    }


def _unpack_metadata(fields: Fields) -> Metadata:
    return Metadata(
        title=fields.text("title"),
        meta=fields.inner("meta").all_lists(),
        json_ld=fields.objects("json_ld"),
        times=fields.texts("times"),
        microdata=fields.inner("microdata").all_lists(),
    )


def _sorted(lists: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return dict(sorted(lists.items()))


__all__ = [
    "FORMAT",
    "SUFFIX",
    "VERSION",
    "Header",
    "check_snapshot",
    "pack_page",
    "read_header",
    "unpack_page",
]

SUFFIX = ".page"
"""How names of snapshots end."""
