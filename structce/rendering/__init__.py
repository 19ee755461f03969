"""Source to page: documents are read, rendered with or without a browser, and kept."""

from structce.rendering.base import Renderer
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document, decode
from structce.rendering.static import StaticRenderer

__all__ = ["ChromiumRenderer", "Document", "Renderer", "StaticRenderer", "decode"]
