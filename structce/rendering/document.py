"""Raw bytes to HTML text: what is a page at all, and in which encoding."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from email.message import Message

import charset_normalizer
import webencodings

from structce.errors import SourceError

MAX_BYTES = 20_000_000
"""Largest page that is read; our choice, some eighty times the median news page."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"RIFF", "a RIFF container"),
)
_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_PRESCAN = 4096  # the HTML standard looks at 1,024 bytes; publishers exceed it


@dataclass(frozen=True)
class Document:
    """One HTML document as text.

    Parameters
    ----------
    html
        The source, decoded.
    url
        Address of the page, or an empty string.
    name
        How messages call the page: a path, an address or a place in an archive.
    encoding
        Encoding that the source was decoded from.
    """

    html: str
    url: str = ""
    name: str = "<string>"
    encoding: str = "utf-8"


def decode(data: bytes, *, name: str, url: str = "", content_type: str = "") -> Document:
    """Return the document that the bytes hold.

    The encoding is that of the byte order mark; else of the Content-Type header; else of a
    ``meta`` element; else UTF-8 if the bytes are valid UTF-8; else what a detector says. A
    declared encoding that does not fit the bytes is passed over for the detector.

    Raises
    ------
    SourceError
        If there are no bytes, too many, or they are not text.
    """
    _refuse(data, name)
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            text = data[len(bom) :].decode(encoding, errors="replace")
            return Document(text, url, name, encoding)
    for encoding in _declared(data, content_type):
        try:
            return Document(data.decode(encoding), url, name, encoding)
        except UnicodeDecodeError:
            continue
    return _detect(data, name, url)


def _refuse(data: bytes, name: str) -> None:
    if not data.strip():
        raise SourceError(f"{name}: the page is empty ({len(data)} bytes)")
    if len(data) > MAX_BYTES:
        raise SourceError(f"{name}: {len(data):,} bytes; at most {MAX_BYTES:,} are read")
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise SourceError(f"{name}: this is {what}, expected HTML")
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not utf16 and data[:_PRESCAN].count(0) > len(data[:_PRESCAN]) // 20:
        raise SourceError(f"{name}: this is binary data, expected HTML")


def _declared(data: bytes, content_type: str) -> list[str]:
    """Return the encodings that the page claims, then UTF-8, as Python codec names."""
    message = Message()
    message["content-type"] = content_type
    labels = [message.get_content_charset() or ""]
    if found := _META_CHARSET.search(data[:_PRESCAN]):
        labels.append(found.group(1).decode("ascii", errors="ignore"))
    known = [webencodings.lookup(label) for label in labels if label]
    names = [entry.codec_info.name for entry in known if entry is not None]
    # A meta element that can be read as ASCII cannot stand in a UTF-16 page (HTML standard).
    names = ["utf-8" if name.startswith("utf-16") else name for name in names]
    return [*dict.fromkeys(names), "utf-8"]


def _detect(data: bytes, name: str, url: str) -> Document:
    best = charset_normalizer.from_bytes(data[:200_000]).best()
    encoding = best.encoding if best is not None else "windows-1252"
    return Document(data.decode(encoding, errors="replace"), url, name, encoding)
