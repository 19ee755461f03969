"""What every renderer offers, and how white space in a region's text is read."""

from __future__ import annotations

import re
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import Protocol, Self
from urllib.parse import unquote, urlsplit

from structce.errors import RenderError
from structce.page import Page, Provenance
from structce.rendering.document import Document

SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Characters that make no mark, as the inside of a character class of a regular expression."""

SHAPELESS = "\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
"""Characters without a shape of their own, in the same form: soft hyphens, joiners, directions."""

MAX_REGIONS = 20_000
"""Regions of one page; more is an error. Our choice, sixteen times the largest page of News600."""

MAX_FRAMES = 3
"""Documents in frames in documents in frames: how deep they are followed; our choice."""

RUNNING = 80
"""Characters that make a ``p`` element running text, where a page hides its text; our choice."""

MAX_COMMENTS = 2_000
"""Comments of one page; more are left out. Our choice."""

MAX_COMMENT = 200
"""Characters of a comment; the rest is cut off. Our choice: some hold whole parts of a page."""

BODY = "/html[1]/body["
"""How addresses begin inside ``body``, where comments are read."""

_SPACES = re.compile(f"[{SPACES}]+")
_MARK = re.compile(f"[^{SPACES}{SHAPELESS}]")
_NO_COMMENT = re.compile(r"(?:<!)?\[(?:if\b|endif\])|\?", re.IGNORECASE)


def collapse(text: str) -> str:
    """Return the text with every run of white space as one space, none at the ends."""
    return _SPACES.sub(" ", text).strip(" ")


def has_mark(text: str) -> bool:
    """Return whether the text holds a character that can be seen."""
    return _MARK.search(text) is not None


def clean_comment(text: str) -> str:
    """Return a comment as a page keeps it; empty for one that is left out.

    Left out are those that speak to old browsers (``[if IE]``), and processing instructions
    (``<?php``), which only some parsers take for comments.
    """
    collapsed = collapse(text)
    return "" if _NO_COMMENT.match(collapsed) else collapsed[:MAX_COMMENT]


def too_many_regions(name: str, limit: int = MAX_REGIONS) -> RenderError:
    """Return the error for a page of more regions than the limit."""
    return RenderError(f"{name}: more than {limit:,} regions, which is the limit")


class Renderer(Protocol):
    """Turns documents into pages; used as a context manager, since a browser may stand behind."""

    name: str
    workers: int

    def submit(self, document: Document) -> Future[Page]:
        """Return the page that a document will give; several may be under way at once.

        The future raises what :meth:`render` raises.
        """
        ...

    def render(self, document: Document) -> Page:
        """Return the page.

        Raises
        ------
        RenderError
            If the page cannot be rendered within the limits; the message names the page.
        """
        ...

    def provenance(self, document: Document) -> Provenance:
        """Return how a page of the document comes about, without rendering it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


RULES = 3
"""Version of the rules by which a node is a region; raised whenever they change."""

VIEWPORT = (1280, 1024)
"""Window in CSS pixels: a common desktop size, our choice."""


@dataclass(frozen=True)
class Limits:
    """What one page may take; beyond it the page is an error, and the others go on.

    The defaults are our choice: far above what the largest news page needs, low enough that no
    page can stop a run or fill a machine.

    Parameters
    ----------
    seconds
        In the browser, from loading to the last region; the browser is then killed.
    memory
        Megabytes (10^6 bytes) of all processes of the browser together; it is then killed.
    regions
        Regions of one page.
    requests
        Files that a page may ask for; further ones are not there.
    request_bytes
        Bytes of one such file; a larger one is not there.
    request_seconds
        For one such file from the network.
    total_bytes
        Bytes of all files of one page together; what comes after is not there.
    quiet
        Seconds without a request after which a page whose scripts run has all that it wants.
    """

    seconds: float = 20.0
    memory: int = 2_000
    regions: int = MAX_REGIONS
    requests: int = 400
    request_bytes: int = 10_000_000
    request_seconds: float = 10.0
    total_bytes: int = 60_000_000
    quiet: float = 0.5


@dataclass(frozen=True)
class Settings:
    """How a browser shows pages.

    Parameters
    ----------
    viewport
        Window in CSS pixels.
    scripts
        Whether scripts of pages run. Off: a page stands as its publisher served it.
    network
        Whether files of pages may come from the network; it is :class:`Network` that reads
        documents so, and this says that it did.
    """

    viewport: tuple[int, int] = VIEWPORT
    scripts: bool = False
    network: bool = False
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        """Return the settings in one line, as a snapshot keeps them."""
        width, height = self.viewport
        limits = asdict(self.limits)
        usual = asdict(Limits())
        changed = [f"{key}={limits[key]:g}" for key in limits if limits[key] != usual[key]]
        switches = {"scripts": self.scripts, "network": self.network}
        on = [f"{name}={'on' if is_on else 'off'}" for name, is_on in switches.items()]
        return " ".join([f"rules={RULES}", f"{width}x{height}", *on, *changed])


_DEFAULT_PORTS = (":80", ":443")


def is_url(name: str) -> bool:
    """Return whether a name is an address of the web."""
    return name.startswith(("http://", "https://"))


def address_key(url: str) -> str:
    """Return what two spellings of one address have in common; never raises.

    Without scheme, fragment, user, default port and percent-encoding: a browser spells an address
    in its own way, and a crawl that met a file at ``http`` has what a page asks for at ``https``.
    """
    try:
        parts = urlsplit(url.strip("<> \t\r\n"))  # Wget 1.x put addresses into angle brackets
    except ValueError:
        return url
    host = parts.netloc.rpartition("@")[2].lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return f"{host}{unquote(parts.path) or '/'}{query}"
