"""A document to a page without a browser: the tree, what it says of itself, and its regions."""

from __future__ import annotations

from dataclasses import replace

from structce.page import Page, Provenance
from structce.rendering.document import Document
from structce.rendering.metadata import read_metadata
from structce.rendering.settings import Settings
from structce.rendering.static.default_styles import default_styles
from structce.rendering.static.tree import parse
from structce.rendering.static.walk import read_columns

NAME = "static"
"""How the renderer is called."""

NO_WINDOW = (0, 0)
"""Viewport of a page without layout."""


def read_page(document: Document, settings: Settings) -> Page:
    """Return the page of a document.

    Raises
    ------
    RenderError
        If it is beyond the parser, or holds more regions than the limit allows.
    """
    root = parse(document)
    metadata = read_metadata(root)
    columns = read_columns(root, document.name, settings)
    return columns.page(
        document=document,
        lang=root.attributes.get("lang") or root.attributes.get("xml:lang") or "",
        renderer=NAME,
        viewport=NO_WINDOW,
        metadata=metadata,
        styles=default_styles(columns.tag, columns.parent),
        provenance=origin_of(document, settings),
    )


def origin_of(document: Document, settings: Settings) -> Provenance:
    """Return how a page of the document comes about."""
    return Provenance(document.digest, settings=str(replace(settings, viewport=NO_WINDOW)))
