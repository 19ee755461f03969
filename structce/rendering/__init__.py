"""Source to page: documents are read, rendered with or without a browser, and kept."""

from structce.rendering.base import Renderer
from structce.rendering.choice import RENDERERS, start_renderer
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document, decode
from structce.rendering.resources import Resource, Resources
from structce.rendering.settings import Limits, Settings
from structce.rendering.sources import Source, open_sources
from structce.rendering.spans import with_spans
from structce.rendering.static import StaticRenderer
from structce.rendering.stream import Rendered, render_all, render_with_bar

__all__ = [
    "RENDERERS",
    "ChromiumRenderer",
    "Document",
    "Limits",
    "Rendered",
    "Renderer",
    "Resource",
    "Resources",
    "Settings",
    "Source",
    "StaticRenderer",
    "decode",
    "open_sources",
    "render_all",
    "render_with_bar",
    "start_renderer",
    "with_spans",
]
