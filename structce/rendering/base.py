"""What renderers share: their interface, settings and limits, and the builder of their pages."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, MutableSequence
from concurrent.futures import Future
from functools import partial
from typing import Protocol, Self

import msgspec
import numpy as np
from msgspec.structs import asdict

from structce.arrays import Flags
from structce.errors import RenderError
from structce.page import Elements, Metadata, Page, Provenance, StyleColumn
from structce.rendering.document import Document
from structce.rendering.html_rules import MAX_COMMENTS, RULES, clean_comment

MAX_REGIONS = 20_000  # regions of a page, sixteen times the largest in News600; more are an error
VIEWPORT = (1280, 1024)  # CSS pixels: a common desktop, for which sites serve their full layout


class Renderer(Protocol):
    """Renders documents to pages; a context manager, since a browser may have to be closed."""

    name: str
    workers: int
    settings: Settings

    def submit(self, document: Document) -> Future[Page]:
        """Return the future page of a document; it raises what :meth:`render` raises."""
        ...

    def render(self, document: Document) -> Page:
        """Return the page; RenderError if it cannot be rendered within the limits."""
        return self.submit(document).result()

    def provenance(self, document: Document) -> Provenance:
        """Return the provenance that the document's page will have, without rendering it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Limits(msgspec.Struct, frozen=True):
    """Resource limits of one page; a page that exceeds one is an error, and the run continues.

    The defaults are far above the needs of the largest news page. Times are in seconds. Files that
    a page requests beyond a limit are reported to it as not found; a browser beyond its time or
    memory is killed.
    """

    seconds: float = 20.0  # in the browser, from loading to the last region
    page_seconds: float = 30.0  # all other work: rendering without a browser, labelling, reading
    memory: int = 2_000  # megabytes (10^6 bytes) of all browser processes together
    regions: int = MAX_REGIONS
    requests: int = 400  # files that a page may request
    request_bytes: int = 10_000_000  # size of one such file
    request_seconds: float = 10.0  # for one such file from the network
    total_bytes: int = 60_000_000  # size of all files of one page
    quiet: float = 0.5  # without a request, after which a page whose scripts run counts as loaded


DEFAULT_LIMITS = Limits()


class Settings(msgspec.Struct, frozen=True):
    """Settings of a renderer."""

    viewport: tuple[int, int] = VIEWPORT  # window in CSS pixels
    scripts: bool = False  # of pages run; if not, a page is rendered as its publisher served it
    network: bool = False  # files of pages may come from it; this only records the fact
    limits: Limits = DEFAULT_LIMITS

    def __str__(self) -> str:
        """Return the settings on one line, as stored in a snapshot."""
        width, height = self.viewport
        limits, defaults = asdict(self.limits), asdict(DEFAULT_LIMITS)
        changed = [f"{key}={limits[key]:g}" for key in limits if limits[key] != defaults[key]]
        switches = {"scripts": self.scripts, "network": self.network}
        on = [f"{name}={'on' if is_on else 'off'}" for name, is_on in switches.items()]
        return " ".join([f"rules={RULES}", f"{width}x{height}", *on, *changed])


def too_many_regions(name: str, limit: int = MAX_REGIONS) -> RenderError:
    """Return the error for a page with more regions than the limit."""
    return RenderError(f"{name}: more than {limit:,} regions, which is the limit")


Numbers = MutableSequence[int]
_numbers = partial(array, "i")


class PageBuilder(msgspec.Struct):
    """Columns of a page during the walk over it: elements first, then regions.

    Only elements above a region are kept, so an element is added when its first region is reached.
    Without layout ``boxes`` stays empty.
    """

    tag: list[str] = msgspec.field(default_factory=list)
    parent: Numbers = msgspec.field(default_factory=_numbers)
    attributes: list[Mapping[str, str]] = msgspec.field(default_factory=list)
    position: Numbers = msgspec.field(default_factory=_numbers)
    n_siblings: Numbers = msgspec.field(default_factory=_numbers)
    text: list[str] = msgspec.field(default_factory=list)
    element: Numbers = msgspec.field(default_factory=_numbers)
    xpath: list[str] = msgspec.field(default_factory=list)
    breaks: Numbers = msgspec.field(default_factory=_numbers)
    joins: Numbers = msgspec.field(default_factory=_numbers)
    preformatted: list[tuple[int, str]] = msgspec.field(default_factory=list)
    boxes: list[tuple[float, float, float, float]] = msgspec.field(default_factory=list)
    comments: list[str] = msgspec.field(default_factory=list)
    comment_places: list[int] = msgspec.field(default_factory=list)

    def page(
        self,
        *,
        document: Document,
        lang: str,
        renderer: str,
        viewport: tuple[int, int],
        metadata: Metadata,
        styles: Mapping[str, StyleColumn],
        provenance: Provenance,
        is_block: Flags | None = None,  # of the elements, if known without the styles
    ) -> Page:
        """Return the page of a document with these rows; see :class:`Page` for the parameters."""
        cleaned = list(map(clean_comment, self.comments))
        kept = [k for k, comment in enumerate(cleaned) if comment][:MAX_COMMENTS]
        boxes = self.boxes or np.full((len(self.text), 4), np.nan, dtype=np.float32)
        elements = Elements(
            tag=tuple(self.tag),
            parent=np.array(self.parent, dtype=np.int32),
            attributes=tuple(self.attributes),
            position=np.array(self.position, dtype=np.int32),
            n_siblings=np.array(self.n_siblings, dtype=np.int32),
            styles=styles,
        )
        if is_block is not None:
            elements.__dict__["is_block"] = is_block
        return Page(
            url=document.url,
            lang=lang,
            renderer=renderer,
            viewport=viewport,
            metadata=metadata,
            elements=elements,
            text=tuple(self.text),
            element=np.array(self.element, dtype=np.int32),
            xpath=tuple(self.xpath),
            breaks=np.array(self.breaks, dtype=np.int32),
            boxes=np.asarray(boxes, dtype=np.float32).reshape(-1, 4),
            comments=tuple([cleaned[k] for k in kept]),
            comment_places=np.array([self.comment_places[k] for k in kept], dtype=np.int32),
            joins=np.array(self.joins, dtype=bool),
            preformatted=dict(self.preformatted),
            provenance=provenance,
        )
