"""A page to the bytes of a snapshot, and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from structce.metadata import Metadata
from structce.page import Elements, Integers, Page, StyleColumn
from structce.snapshot.checks import check_page
from structce.snapshot.columns import Reader, Writer, shorten
from structce.snapshot.envelope import Header, unwrap, wrap
from structce.snapshot.fields import Fields, to_line


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


def _spans(reader: Reader, n: int) -> Integers:
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
