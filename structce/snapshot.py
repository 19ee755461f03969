"""A page on disk: its columns as compressed JSON, with the format's version.

A snapshot holds everything that features see in a page, so that a page described on one machine
is described the same on every other. What other pages of its site hold (``Page.site``) is not part
of it: the same page stands beside other pages in another corpus.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np

from structce.errors import CorpusError
from structce.files import compress, to_json
from structce.metadata import Metadata
from structce.page import Elements, Page, StyleColumn

FORMAT = "structce-page"
VERSION = 2

_ELEMENT_INTEGERS = ("parent", "position", "n_siblings")
_PAGE_INTEGERS = ("element", "breaks", "comment_places")


def pack_page(page: Page) -> bytes:
    """Return a page as bytes; the same page gives the same bytes."""
    elements = page.elements
    value = {
        "format": FORMAT,
        "version": VERSION,
        "url": page.url,
        "lang": page.lang,
        "renderer": page.renderer,
        "viewport": page.viewport,
        "metadata": {f.name: _plain(getattr(page.metadata, f.name)) for f in fields(Metadata)},
        "tag": elements.tag,
        "attributes": [dict(row) for row in elements.attributes],
        **{name: getattr(elements, name).tolist() for name in _ELEMENT_INTEGERS},
        "styles": {name: _pack_column(column) for name, column in elements.styles.items()},
        "text": page.text,
        "xpath": page.xpath,
        **{name: getattr(page, name).tolist() for name in _PAGE_INTEGERS},
        "boxes": _numbers(page.boxes),
        "comments": page.comments,
    }
    return compress(to_json(value, indent=None))


def unpack_page(data: bytes, name: str) -> Page:
    """Return the page that :func:`pack_page` packed.

    Raises
    ------
    CorpusError
        If the bytes are damaged, or of another format or version; the message has the name.
    """
    try:
        value = json.loads(gzip.decompress(data))
        if (value["format"], value["version"]) != (FORMAT, VERSION):
            raise CorpusError(
                f"{name}: format {value['format']} version {value['version']}; "
                f"this release reads {FORMAT} version {VERSION}"
            )
        return _page(value)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{name}: damaged snapshot: {error}") from error


def _page(value: dict[str, list[str]]) -> Page:
    metadata: Mapping[str, list[str]] = value["metadata"]  # type: ignore[assignment]
    styles: Mapping[str, Sequence[object]] = value["styles"]  # type: ignore[assignment]
    elements = Elements(
        tag=tuple(value["tag"]),
        attributes=tuple(value["attributes"]),  # type: ignore[arg-type]
        **{name: np.array(value[name], dtype=np.int32) for name in _ELEMENT_INTEGERS},
        styles={name: _unpack_column(column) for name, column in styles.items()},
    )
    width, height = value["viewport"]
    return Page(
        url=str(value["url"]),
        lang=str(value["lang"]),
        renderer=str(value["renderer"]),
        viewport=(int(width), int(height)),
        metadata=_metadata(metadata),
        elements=elements,
        text=tuple(value["text"]),
        xpath=tuple(value["xpath"]),
        **{name: np.array(value[name], dtype=np.int32) for name in _PAGE_INTEGERS},
        boxes=np.array(value["boxes"], dtype=np.float32).reshape(-1, 4),
        comments=tuple(value["comments"]),
        site=None,
    )


def _metadata(value: Mapping[str, list[str]]) -> Metadata:
    meta: Mapping[str, list[str]] = value["meta"]  # type: ignore[assignment]
    microdata: Mapping[str, list[str]] = value.get("microdata", {})  # type: ignore[assignment]
    return Metadata(
        title=str(value["title"]),
        meta={name: tuple(contents) for name, contents in meta.items()},
        json_ld=tuple(value["json_ld"]),  # type: ignore[arg-type]
        times=tuple(value["times"]),
        microdata={name: tuple(contents) for name, contents in microdata.items()},
    )


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def _pack_column(column: StyleColumn) -> list[object]:
    """Return a column as numbers, or as [distinct strings, indices]."""
    if column.dtype.kind != "U":
        return ["f", _numbers(column)]
    names, indices = np.unique(column, return_inverse=True)
    return ["s", names.tolist(), indices.tolist()]


def _unpack_column(packed: Sequence[object]) -> StyleColumn:
    if packed[0] == "f":
        return np.array(packed[1], dtype=np.float32)
    names, indices = np.array(packed[1], dtype=np.str_), np.array(packed[2], dtype=np.int64)
    return names[indices] if len(names) else names


def _numbers(values: StyleColumn) -> list[object]:
    """Return numbers as JSON has them: null for NaN."""
    nested = np.round(values.astype(np.float64), 3).astype(object)
    nested[np.isnan(values.astype(np.float64))] = None
    return list(nested.tolist())
