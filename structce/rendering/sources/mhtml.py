"""MHTML (RFC 2557): a page and the files around it in one file, as browsers save it.

The parts are served at the addresses that they were fetched from. Parts without one (Chrome names
frames and inline style sheets by ``cid:``, Word all files by ``file:``) are served at an address on
the host of the page, and ``cid:`` is rewritten to it, because browsers do not request ``cid:``
addresses. The page is not changed otherwise; character offsets refer to the rewritten HTML.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from urllib.parse import quote

from structce.addresses import join_address, split_address
from structce.errors import SourceError
from structce.rendering.base import Limits
from structce.rendering.document import (
    PLACEHOLDER_URL,
    Document,
    Resource,
    address_key,
    decode,
    is_url,
)

_CID = re.compile(rb"cid:([^\s\"'<>()\\]+)", re.IGNORECASE)
_HTML = ("text/html", "application/xhtml+xml")
_REWRITTEN = (*_HTML, "text/css")
"""Types of parts whose ``cid:`` addresses are rewritten, since they refer to other parts."""


@dataclass(frozen=True)
class MhtmlResources:
    """Parts of an MHTML file, by the addresses at which they are served."""

    base: str  # address at which the page is shown
    parts: Mapping[str, EmailMessage]  # by address_key
    aliases: Mapping[bytes, bytes]  # addresses of parts, by the text after "cid:"

    def get(self, url: str) -> Resource | None:
        """Return the part served at an address, or None."""
        part = self.parts.get(address_key(url))
        if part is None:
            return None
        data = self.content(part)
        if len(data) > Limits.request_bytes:
            return None
        # The type as the file writes it, since it may name the encoding.
        return Resource(data, _header(part, "Content-Type"))

    def content(self, part: EmailMessage) -> bytes:
        """Return the bytes of a part, its ``cid:`` addresses rewritten."""
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes):
            return b""
        if part.get_content_type() not in _REWRITTEN:
            return data
        return _CID.sub(lambda match: self.aliases.get(match[1], match[0]), data)


def read_mhtml(data: bytes, name: str) -> Document:
    """Return the page in an MHTML file; its other parts are the document's resources.

    SourceError if the file is not MHTML, or its page is not HTML; the message names it.
    """
    message, parts = _parts(data, name)
    root = _root(message, parts)
    if root is None:
        raise SourceError(f"{name}: no HTML among the {len(parts)} parts of the MHTML file")
    origin = _header(root, "Content-Location") or _header(message, "Snapshot-Content-Location")
    resources = _arrange(parts, root, origin)
    data = resources.content(root)
    url = origin if is_url(origin) else ""
    document = decode(data, name=name, url=url, content_type=_header(root, "Content-Type"))
    return replace(document, resources=resources)


def _parts(data: bytes, name: str) -> tuple[EmailMessage, Sequence[EmailMessage]]:
    """Return the message and its parts that contain bytes."""
    try:
        message = BytesParser(EmailMessage, policy=policy.default).parsebytes(data.lstrip())
        parts = [part for part in message.walk() if isinstance(part, EmailMessage)]
    except RecursionError as error:
        raise SourceError(f"{name}: the parts of the MHTML file nest too deep") from error
    if "content-type" not in message:
        raise SourceError(f"{name}: not an MHTML file: it does not begin with a MIME header")
    return message, [part for part in parts if not part.is_multipart()]


def _root(message: EmailMessage, parts: Sequence[EmailMessage]) -> EmailMessage | None:
    """Return the part that is the page: the one named in the header, or else the first HTML."""
    pages = [part for part in parts if part.get_content_type() in _HTML]
    start = _bare(str(message.get_param("start", "")))
    location = _header(message, "Snapshot-Content-Location")
    named = [part for part in pages if start and _bare(_header(part, "Content-ID")) == start]
    named += [part for part in pages if location and _header(part, "Content-Location") == location]
    return next(iter(named + pages), None)


def _arrange(parts: Sequence[EmailMessage], root: EmailMessage, origin: str) -> MhtmlResources:
    """Give every part a web address."""
    base = _served(origin) if origin else PLACEHOLDER_URL
    locations = [_location(part, base) for part in parts]
    times = Counter(map(address_key, locations))
    part_of: dict[str, EmailMessage] = {}
    aliases: dict[bytes, bytes] = {}
    for part, location in zip(parts, locations, strict=True):
        if part is root:
            continue
        if location:
            part_of.setdefault(address_key(location), part)
        if label := _label(part):
            # Frames without an address, or several with one, have the origin of the page.
            is_unique = location and times[address_key(location)] == 1
            alias = location if is_unique else join_address(base, f"/cid/{quote(label)}")
            part_of.setdefault(address_key(alias), part)
            aliases[label.encode()] = alias.encode()
    return MhtmlResources(base, part_of, aliases)


def _label(part: EmailMessage) -> str:
    """Return the text after ``cid:`` in addresses of a part; empty if it has no such name."""
    location = _header(part, "Content-Location")
    if location.lower().startswith("cid:"):  # Chrome's inline style sheets have nothing else
        return location[4:]
    return _bare(_header(part, "Content-ID"))


def _location(part: EmailMessage, base: str) -> str:
    """Return the web address that a part was fetched from; empty without one."""
    location = _header(part, "Content-Location")
    if not location or location.lower().startswith("cid:"):
        return ""
    return _served(join_address(base, location))


def _served(location: str) -> str:
    """Return the address at which a part is served, by its stated location."""
    if is_url(location):
        return location
    path = split_address(location).path or location
    return join_address(PLACEHOLDER_URL, quote(path.lstrip("/"), safe="/%"))


def _header(part: EmailMessage, name: str) -> str:
    """Return a header without its line folds; empty if it is missing."""
    value = str(part.get(name, ""))
    return value.strip() if name == "Content-Type" else "".join(value.split())


def _bare(label: str) -> str:
    return label.strip().removeprefix("<").removesuffix(">")
