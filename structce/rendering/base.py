"""Interface of every renderer, its settings, and the limits that one page must keep."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import Protocol, Self

from structce.errors import RenderError
from structce.page import Page, Provenance
from structce.rendering.document import Document
from structce.rendering.html_rules import RULES

MAX_REGIONS = 20_000
"""Regions of one page; more is an error. Sixteen times the largest page of News600."""

VIEWPORT = (1280, 1024)
"""Window in CSS pixels: a common desktop size, for which news sites serve their full layout."""


class Renderer(Protocol):
    """Renders documents to pages; a context manager, since a browser may have to be closed."""

    name: str
    workers: int
    settings: Settings

    def submit(self, document: Document) -> Future[Page]:
        """Return the future page of a document; several may be under way at once.

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
        return self.submit(document).result()

    def provenance(self, document: Document) -> Provenance:
        """Return how a page of the document comes about, without rendering it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


@dataclass(frozen=True)
class Limits:
    """Resource limits of one page; a page beyond one is an error, and the others go on.

    The defaults lie far above what the largest news page needs, and low enough that no page can
    stop a run or fill a machine.

    Parameters
    ----------
    seconds
        In the browser, from loading to the last region; the browser is then killed.
    page_seconds
        For all else that is done with a page: rendering without a browser, labelling, reading.
    memory
        Megabytes (10^6 bytes) of all processes of the browser together; it is then killed.
    regions
        Regions of one page.
    requests
        Files that a page may ask for; further ones are not found.
    request_bytes
        Bytes of one such file; a larger one is not found.
    request_seconds
        For one such file from the network.
    total_bytes
        Bytes of all files of one page together; what comes after is not found.
    quiet
        Seconds without a request after which a page whose scripts run counts as loaded.
    """

    seconds: float = 20.0
    page_seconds: float = 30.0
    memory: int = 2_000
    regions: int = MAX_REGIONS
    requests: int = 400
    request_bytes: int = 10_000_000
    request_seconds: float = 10.0
    total_bytes: int = 60_000_000
    quiet: float = 0.5


@dataclass(frozen=True)
class Settings:
    """Settings of a renderer.

    Parameters
    ----------
    viewport
        Window in CSS pixels.
    scripts
        Whether scripts of pages run. Off: a page stands as its publisher served it.
    network
        Whether files of pages may come from the network. It is
        :class:`structce.rendering.NetworkReader` that reads documents so; this records that it did.
    """

    viewport: tuple[int, int] = VIEWPORT
    scripts: bool = False
    network: bool = False
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        """Return the settings in one line, as a snapshot keeps them."""
        width, height = self.viewport
        limits = asdict(self.limits)
        defaults = asdict(Limits())
        changed = [f"{key}={limits[key]:g}" for key in limits if limits[key] != defaults[key]]
        switches = {"scripts": self.scripts, "network": self.network}
        on = [f"{name}={'on' if is_on else 'off'}" for name, is_on in switches.items()]
        return " ".join([f"rules={RULES}", f"{width}x{height}", *on, *changed])


def too_many_regions(name: str, limit: int = MAX_REGIONS) -> RenderError:
    """Return the error for a page of more regions than the limit."""
    return RenderError(f"{name}: more than {limit:,} regions, which is the limit")
