"""MHTML (RFC 2557): a page and the files around it in one file, as browsers save it.

The parts are served at the addresses that they were fetched from. Parts without one (Chrome names
frames and inline style sheets by ``cid:``, Word all files by ``file:``) are served at an address on
the host of the page, and ``cid:`` is rewritten to it, because browsers do not request ``cid:``
addresses. The page is not changed otherwise; character offsets refer to the rewritten HTML.

Python's own parser of messages takes minutes for headers made to that end; the one here reads every
byte of a file a bounded number of times.
"""

from __future__ import annotations

import binascii
import quopri
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from msgspec.structs import replace

from structce.addresses import join_address, split_address
from structce.errors import SourceError
from structce.patterns import lazy_pattern
from structce.rendering.base import DEFAULT_LIMITS
from structce.rendering.document import (
    PLACEHOLDER_URL,
    Document,
    Resource,
    ResourceLookup,
    address_key,
    decode,
    is_url,
)

MAX_HEAD = 100_000  # bytes of the headers of one part
MAX_PARTS = 10_000  # of one file
MAX_NESTING = 20  # of parts in parts; browsers write one level

_MAX_HEADER = 10_000  # characters of one header; addresses are shorter
_HEAD_END = lazy_pattern(rb"(?:\A|\r?\n)\r?\n")
_FOLD = lazy_pattern(r"\r?\n(?=[ \t])")
_PARAMETER = lazy_pattern(r';\s*+([\w-]++)\s*+=\s*+(?:"([^"]*+)|([^\s;"]++))')
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_CID = lazy_pattern(rb"cid:([^\s\"'<>()\\]+)", re.IGNORECASE)
_HTML = ("text/html", "application/xhtml+xml")
_REWRITTEN = (*_HTML, "text/css")
"""Types of parts whose ``cid:`` addresses are rewritten, since they refer to other parts."""


class _Part:
    """A part of the file: its headers by lower-case names, and its body as transferred."""

    def __init__(self, data: bytes) -> None:
        end = _HEAD_END.search(data, 0, MAX_HEAD)
        self.body = data[end.end() :] if end else b""
        self.headers: dict[str, str] = {}
        head = data[: end.start() if end else MAX_HEAD].decode("utf-8", errors="replace")
        for line in _FOLD.sub("", head).splitlines():
            name, _, value = line.partition(":")
            self.headers.setdefault(name.strip().lower(), value.strip()[:_MAX_HEADER])
        self.content_type = self.headers.get("content-type", "")
        self.kind = self.content_type.partition(";")[0].strip().lower()

    def address(self, name: str) -> str:
        """Return a header that is an address or a label, without spaces and line folds."""
        return "".join(self.headers.get(name, "").split())

    def parameter(self, name: str) -> str:
        """Return a parameter of the content type; empty if it is missing."""
        parameters = _PARAMETER.findall(self.content_type)
        return next((a or b for key, a, b in parameters if key.lower() == name), "")

    def content(self) -> bytes:
        """Return the body as it was before it was encoded for the transfer."""
        coding = self.headers.get("content-transfer-encoding", "").lower()
        if coding == "base64":
            letters = _NO_BASE64.sub(b"", self.body)
            letters = letters[:-1] if len(letters) % 4 == 1 else letters
            return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
        return quopri.decodestring(self.body) if coding == "quoted-printable" else self.body


def read_mhtml(data: bytes, name: str) -> Document:
    """Return the page in an MHTML file; its other parts are the document's resources.

    SourceError if the file is not MHTML, its page is not HTML, or it exceeds a limit; the message
    names it.
    """
    message = _Part(data.lstrip())
    if not message.content_type:
        raise SourceError(f"{name}: not an MHTML file: it does not begin with a MIME header")
    parts = []
    for part in _leaves(message, name):
        parts.append(part)
        if len(parts) > MAX_PARTS:
            raise SourceError(f"{name}: over {MAX_PARTS:,} parts, which is the limit")
    root = _root(message, parts)
    if root is None:
        raise SourceError(f"{name}: no HTML among the {len(parts)} parts of the MHTML file")
    origin = root.address("content-location") or message.address("snapshot-content-location")
    base, part_of, aliases = _arrange(parts, root, origin)

    def content(part: _Part) -> bytes:
        """Return the bytes of a part, its ``cid:`` addresses rewritten."""
        data = part.content()
        if part.kind not in _REWRITTEN:
            return data
        return _CID.sub(lambda match: aliases.get(match[1], match[0]), data)

    def find(url: str) -> Resource | None:
        part = part_of.get(address_key(url))
        data = b"" if part is None else content(part)
        if part is None or len(data) > DEFAULT_LIMITS.request_bytes:
            return None
        return Resource(data, part.content_type)

    url = origin if is_url(origin) else ""
    document = decode(content(root), name=name, url=url, content_type=root.content_type)
    return replace(document, resources=ResourceLookup(base, find))


def _leaves(part: _Part, name: str, depth: int = 0) -> Iterator[_Part]:
    """Yield the parts of a part that contain no others; itself if it has none."""
    boundary = part.parameter("boundary")
    if not part.kind.startswith("multipart/") or not boundary:
        yield part
        return
    if depth == MAX_NESTING:
        raise SourceError(f"{name}: the parts of the MHTML file nest too deep")
    mark = re.escape(boundary.encode("utf-8", errors="replace"))
    _, *pieces = re.split(rb"(?:\A|\r?\n)--" + mark + rb"(?=[ \t\r\n]|--|\Z)", part.body)
    for piece in pieces:
        if not piece.startswith(b"--"):  # the end of all
            yield from _leaves(_Part(piece.lstrip(b" \t").removeprefix(b"\r")[1:]), name, depth + 1)


def _root(message: _Part, parts: Sequence[_Part]) -> _Part | None:
    """Return the part that is the page: the one named in the header, or else the first HTML."""
    pages = [part for part in parts if part.kind in _HTML]
    start = _bare(message.parameter("start"))
    location = message.address("snapshot-content-location")
    named = [part for part in pages if start and _bare(part.address("content-id")) == start]
    named += [part for part in pages if location and part.address("content-location") == location]
    return next(iter(named + pages), None)


def _arrange(
    parts: Sequence[_Part], root: _Part, origin: str
) -> tuple[str, Mapping[str, _Part], Mapping[bytes, bytes]]:
    """Return the address of the page, its parts by address, and addresses by name after ``cid:``.

    Every part is given a web address.
    """
    base = _served(origin) if origin else PLACEHOLDER_URL
    part_of: dict[str, _Part] = {}
    aliases: dict[bytes, bytes] = {}
    locations = []
    for part in parts:
        address = part.address("content-location")
        # Chrome's inline style sheets have no other name than the address.
        is_cid = address.lower().startswith("cid:")
        location = _served(join_address(base, address)) if address and not is_cid else ""
        label = address[4:] if is_cid else _bare(part.address("content-id"))
        locations.append((part, location, label))
    times = Counter(address_key(location) for _, location, _ in locations)
    for part, location, label in locations:
        if part is root:
            continue
        if location:
            part_of.setdefault(address_key(location), part)
        if label:
            # Frames without an address, or several with one, have the origin of the page.
            is_unique = location and times[address_key(location)] == 1
            alias = location if is_unique else join_address(base, f"/cid/{quote(label)}")
            part_of.setdefault(address_key(alias), part)
            aliases[label.encode(errors="replace")] = alias.encode(errors="replace")
    return base, part_of, aliases


def _served(location: str) -> str:
    """Return the address at which a part is served, by its stated location."""
    if is_url(location):
        return location
    path = split_address(location).path or location
    return join_address(PLACEHOLDER_URL, quote(path.lstrip("/"), safe="/%"))


def _bare(label: str) -> str:
    return label.strip().removeprefix("<").removesuffix(">")
