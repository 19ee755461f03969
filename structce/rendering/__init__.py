"""Source to page: documents are read, rendered with or without a browser, and kept."""

from structce.rendering.base import Renderer
from structce.rendering.choice import RENDERERS, start_renderer
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document, decode
from structce.rendering.sources import Source, open_sources
from structce.rendering.static import StaticRenderer

__all__ = [
    "RENDERERS",
    "ChromiumRenderer",
    "Document",
    "Renderer",
    "Source",
    "StaticRenderer",
    "decode",
    "open_sources",
    "start_renderer",
]
