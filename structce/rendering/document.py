"""Documents: decode raw bytes to HTML text; the files around a page; keys of addresses."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, Protocol, runtime_checkable
from urllib.parse import unquote

import msgspec
import webencodings

from structce.addresses import split_address
from structce.errors import SourceError
from structce.patterns import lazy_pattern

PLACEHOLDER_URL = "http://page.invalid/"
"""Address used for a page without one; no host under ``invalid`` exists (RFC 2606)."""

MAX_PAGE_BYTES = 20_000_000
"""Maximum size of a page in bytes: some eighty times the median news page."""

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # must precede UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
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
_META_CHARSET = lazy_pattern(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)

_HEADER_CHARSET = lazy_pattern(r"(?:^|;)\s*charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
"""Parameter ``charset`` of Content-Type; browsers ignore ``charset*=``, as used in mail."""

_STAND_INS = {"x-user-defined": "cp1252", "replacement": "", "gbk": "gb18030"}
"""Replacements for encodings that Python lacks: the HTML standard reads the first as windows-1252
in pages, and the last as its superset; the second is never decoded by the standard, and is left to
the detector."""

_LEGACY = tuple(
    """
    cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2 iso8859_5 iso8859_7
    iso8859_15 koi8_r koi8_u cp874 shift_jis cp932 euc_jp iso2022_jp gb18030 big5 euc_kr cp949
    """.split()
)  # encodings of the HTML standard used by old pages, by their Python names
_CENTRAL_EUROPEAN = ("cp1250", "iso8859_2")  # whose letters are symbols in cp1252, as superscripts

_IN_WORD = lazy_pattern(
    "(?<=[^\\W\\d_])[\x80-\x9f\xa1-\xb3\xb5\xb6\xb8-\xbf\xd7\xf7\ufffd]+(?=[^\\W\\d_])"
)
"""Symbols inside words, where another encoding has letters."""

# Bytes per unit, and which of them contains an ASCII character.
_WIDE = {"utf-32-le": (4, 0), "utf-32-be": (4, 3), "utf-16-le": (2, 0), "utf-16-be": (2, 1)}
_BEGINNING = lazy_pattern(r"\s*<[!/?a-z]", re.IGNORECASE)  # of markup
_FEW_ZEROS, _MOST_ZEROS = 0.05, 0.5  # shares of zeros in that byte and the others of ASCII markup
# Control characters that no text contains; ISO-2022 has escapes.
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
_MOST_CONTROLS = 0.02  # maximum share of them in text; random bytes have a tenth
_UNDECLARED = 10  # valid characters per invalid byte for undeclared text to count as UTF-8
_LEAST_ODD = 3  # symbols inside words that are evidence against an encoding
_DETECTED = 200_000  # bytes given to the detector
_BEYOND_ASCII = lazy_pattern("[^\0-\x7f]")
_CHAOS_MARGIN = 0.1  # of charset-normalizer's measure of mess, 0 to 1, to count as equally good
_DEFAULT_PORTS = (":80", ":443")
_PRESCAN = 4096  # the HTML standard looks at 1,024 bytes; publishers exceed it


class Document(msgspec.Struct, frozen=True, dict=True):
    """One HTML document as text."""

    html: str
    url: str = ""  # address of the page, if known
    name: str = "<string>"  # in messages: a path, an address or a place in an archive
    encoding: str = "utf-8"
    # The files that the page refers to; None if none are available.
    resources: Resources | None = None

    @cached_property
    def utf8(self) -> bytes:
        """The HTML in UTF-8; lone surrogates become question marks."""
        return self.html.encode("utf-8", errors="replace")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the HTML in UTF-8, as 64 hexadecimal digits."""
        return hashlib.sha256(self.utf8).hexdigest()


class Resource(NamedTuple):
    """One file that a page requested."""

    data: bytes
    content_type: str = ""  # as in HTTP; empty to let the browser guess
    status: int = 200  # of HTTP; 404 is also a response
    rules: tuple[tuple[str, str], ...] = ()  # headers that restrict what a browser does with it


@runtime_checkable
class Resources(Protocol):
    """The files around one page, by their addresses.

    ``base`` is the address at which the page itself is shown: the browser resolves relative
    addresses in the page and its style sheets against it.
    """

    @property
    def base(self) -> str:
        """Absolute address of the page: ``http`` or ``https``."""
        ...

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None if it is not available.

        Called from several threads at once. Never raises: unreadable files count as missing.
        """
        ...


class ResourceLookup(msgspec.Struct, frozen=True):
    """Resources that a function finds by their addresses."""

    base: str
    get: Callable[[str], Resource | None]


def decode(data: bytes, *, name: str, url: str = "", content_type: str = "") -> Document:
    """Decode the bytes of a page to a document.

    The encoding is that of the byte order mark; UTF-16 or UTF-32 if every other byte is zero, or
    three of four; else UTF-8 if the bytes are valid UTF-8 and not only ASCII, whatever is declared,
    since text in another encoding hardly ever is; else that of the Content-Type header; else of a
    ``meta`` element; else the one found by a detector. Bytes that are invalid in a declared
    encoding become U+FFFD, as in browsers, unless they outnumber the valid characters beyond ASCII:
    then the declaration is taken as wrong, and the detector decides.

    SourceError if there are no bytes, too many, or they are not text.
    """
    _refuse(data, name)
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            text = data[len(bom) :].decode(encoding, errors="replace")
            return Document(text, url, name, encoding)
    if wide := _wide_encoding(data):
        text = data.decode(wide, errors="replace")
        if "<" in text:
            return Document(text, url, name, wide)
    n_controls = len(data) - len(data.translate(None, _CONTROLS))
    head = data[:_PRESCAN]
    if head.count(0) > len(head) // 20 or n_controls > max(_MOST_CONTROLS * len(data), 32):
        raise SourceError(f"{name}: this is binary data, expected HTML")
    declared = _declared(data, content_type)
    for encoding in (*declared, "utf-8") if data.isascii() else ("utf-8", *declared):
        try:
            document = Document(data.decode(encoding), url, name, encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8":
            document.__dict__["utf8"] = bytes(data)  # what it would be encoded to
        return document
    for encoding in (*declared, "utf-8"):
        text = data.decode(encoding, errors="replace")
        n_invalid = text.count("\ufffd")
        n_valid = len(_BEYOND_ASCII.findall(text)) - n_invalid
        if n_valid > n_invalid * (1 if encoding in declared else _UNDECLARED):
            return Document(text, url, name, encoding)
    return _detect(data, name, url)


def _wide_encoding(data: bytes) -> str:
    """Return the wide encoding of text without a mark, by its markup or its zeros; else empty."""
    head = data[:_PRESCAN]
    for encoding, (width, position) in _WIDE.items():
        if _BEGINNING.match(head.decode(encoding, errors="replace")):
            return encoding
        units = len(head) // width
        zeros = [head[i::width].count(0) for i in range(width)]
        others = [n for i, n in enumerate(zeros) if i != position]
        if units and zeros[position] <= _FEW_ZEROS * units and min(others) >= _MOST_ZEROS * units:
            return encoding
    return ""


def _refuse(data: bytes, name: str) -> None:
    if not data.strip():
        raise SourceError(f"{name}: the page is empty ({len(data)} bytes)")
    if len(data) > MAX_PAGE_BYTES:
        raise SourceError(f"{name}: {len(data):,} bytes; at most {MAX_PAGE_BYTES:,} are read")
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            raise SourceError(f"{name}: this is {kind}, expected HTML")


def _declared(data: bytes, content_type: str) -> list[str]:
    """Return the encodings that a page declares, as Python codec names."""
    labels = _HEADER_CHARSET.findall(content_type)[:1]
    if match := _META_CHARSET.search(data[:_PRESCAN]):
        labels.append(match.group(1).decode("ascii", errors="ignore"))
    encodings = [webencodings.lookup(label) for label in labels if label]
    names = [
        _STAND_INS.get(encoding.name, encoding.codec_info.name)
        for encoding in encodings
        if encoding is not None
    ]
    # A meta element that can be read as ASCII cannot be in a UTF-16 page (HTML standard).
    names = ["utf-8" if name.startswith("utf-16") else name for name in names]
    return list(dict.fromkeys(name for name in names if name))


def _detect(data: bytes, name: str, url: str) -> Document:
    import charset_normalizer  # late: it takes 10 ms, and few documents need a guess

    matches = list(charset_normalizer.from_bytes(data[:_DETECTED], cp_isolation=list(_LEGACY)))
    likely = [m for m in matches if m.chaos <= matches[0].chaos + _CHAOS_MARGIN]
    # Among about equally likely encodings, prefer the most common legacy encoding of the web.
    common = next((m for m in likely if "cp1252" in m.could_be_from_charset), None)
    encoding = "cp1252" if common or not likely else likely[0].encoding
    if encoding == "cp1252":
        n_odd: dict[str, int] = {}
        for candidate in ("cp1252", *_CENTRAL_EUROPEAN):
            text = data[:_DETECTED].decode(candidate, errors="replace")
            n_odd[candidate] = len(_IN_WORD.findall(text))
        best = min(n_odd, key=n_odd.__getitem__)
        encoding = best if n_odd["cp1252"] >= _LEAST_ODD + 2 * n_odd[best] else encoding
    return Document(data.decode(encoding, errors="replace"), url, name, encoding)


def is_url(name: str) -> bool:
    """Return whether a name is an HTTP address."""
    return name.startswith(("http://", "https://"))


def address_key(url: str) -> str:
    """Return a key shared by all spellings of one address; never raises.

    It omits scheme, fragment, user, default port and percent-encoding: browsers spell addresses in
    their own way, and a crawl may have at ``http`` the file that a page requests at ``https``.
    """
    parts = split_address(url.strip("<> \t\r\n"))  # Wget 1.x put addresses into angle brackets
    if not parts.netloc and not parts.path:
        return url
    host = parts.netloc.rpartition("@")[2].lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return f"{host}{unquote(parts.path) or '/'}{query}"


def check_markup(document: Document) -> Document:
    """Return a document unchanged; SourceError if it is text without a single tag.

    An empty article would mislead.
    """
    if "<" not in document.html:
        raise SourceError(f"{document.name}: contains no markup; expected HTML")
    return document
