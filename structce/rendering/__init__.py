"""Source to page: documents are read, rendered with or without a browser, and kept."""

from structce.rendering.base import Limits, Renderer, Settings, is_url
from structce.rendering.batch import Read, Rendered, render_all, render_with_bar
from structce.rendering.choice import RENDERERS, has_browser, start_renderer
from structce.rendering.chromium import MAX_PICTURE, ChromiumRenderer
from structce.rendering.chromium.discovery import is_root, search
from structce.rendering.document import MAX_BYTES, Document, Resource, Resources, decode
from structce.rendering.html_rules import UNSEEN
from structce.rendering.network import Network
from structce.rendering.source_spans import with_spans
from structce.rendering.sources import Source, open_sources
from structce.rendering.sources.files import (
    Files,
    FolderFiles,
    MirrorResources,
    ZipFiles,
    paths_below,
)
from structce.rendering.sources.warc import WarcWriter
from structce.rendering.static import StaticRenderer
from structce.rendering.static.parser import TEXT, children, parse

__all__ = [
    "MAX_BYTES",
    "MAX_PICTURE",
    "RENDERERS",
    "TEXT",
    "UNSEEN",
    "ChromiumRenderer",
    "Document",
    "Files",
    "FolderFiles",
    "Limits",
    "MirrorResources",
    "Network",
    "Read",
    "Rendered",
    "Renderer",
    "Resource",
    "Resources",
    "Settings",
    "Source",
    "StaticRenderer",
    "WarcWriter",
    "ZipFiles",
    "children",
    "decode",
    "has_browser",
    "is_root",
    "is_url",
    "open_sources",
    "parse",
    "paths_below",
    "render_all",
    "render_with_bar",
    "search",
    "start_renderer",
    "with_spans",
]
