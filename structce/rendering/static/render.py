"""Rendering of one document without a browser, in this process."""

from __future__ import annotations

from dataclasses import replace

from selectolax.lexbor import LexborNode

from structce.page import Page, Provenance, read_metadata
from structce.rendering.base import Settings
from structce.rendering.document import Document
from structce.rendering.html_scanner import without_empty_elements
from structce.rendering.page_builder import PageBuilder
from structce.rendering.static.parser import parse
from structce.rendering.static.traversal import collect_regions
from structce.rendering.static.user_agent_styles import default_styles
from structce.runtime import without_collection

RENDERER_NAME = "static"
"""Name of the renderer."""

NO_WINDOW = (0, 0)
"""Viewport of a page without layout."""


@without_collection
def render_static(document: Document, settings: Settings) -> Page:
    """Render a document in this process.

    Raises
    ------
    RenderError
        If it cannot be parsed, or has more regions than the limit allows.
    """
    root, builder = _walk(document, settings)
    if not any(builder.text) and (html := without_empty_elements(document.html)) != document.html:
        as_xml = _walk(replace(document, html=html), settings)
        root, builder = as_xml if any(as_xml[1].text) else (root, builder)
    metadata = read_metadata(root)
    return builder.page(
        document=document,
        lang=root.attributes.get("lang") or root.attributes.get("xml:lang") or "",
        renderer=RENDERER_NAME,
        viewport=NO_WINDOW,
        metadata=metadata,
        styles=default_styles(builder.tag, builder.parent),
        provenance=provenance_of(document, settings),
    )


def _walk(document: Document, settings: Settings) -> tuple[LexborNode, PageBuilder]:
    root = parse(document)
    return root, collect_regions(root, document.name, settings)


def provenance_of(document: Document, settings: Settings) -> Provenance:
    """Return the provenance of the document's page."""
    return Provenance(document.digest, settings=str(replace(settings, viewport=NO_WINDOW)))
