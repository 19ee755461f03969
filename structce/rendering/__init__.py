"""Rendering: read sources as documents, and render them to pages with or without a browser.

The modules for the browser, for downloads and for WARC archives are imported on first use: asyncio,
psutil and HTTPX take 0.2 s, and rendering a file without a browser needs none of them.
"""

from typing import TYPE_CHECKING

from structce.extras import check_import_name
from structce.lazy_import import lazy_names
from structce.rendering.base import Limits, Renderer, Settings
from structce.rendering.document import (
    MAX_PAGE_BYTES,
    Document,
    Resource,
    Resources,
    check_markup,
    decode,
    is_url,
)
from structce.rendering.html_rules import UNSEEN, collapse
from structce.rendering.html_scanner import Markup, OpenElements, scan_pieces
from structce.rendering.renderers import (
    RENDERERS,
    Loader,
    RenderResult,
    render_all,
    start_renderer,
    submit_ahead,
    with_bar,
)
from structce.rendering.source_spans import with_spans
from structce.rendering.sources import (
    PAGE_SUFFIXES,
    WARC_SUFFIXES,
    Files,
    FolderFiles,
    MirrorResources,
    NetworkReader,
    Source,
    ZipFiles,
    open_sources,
    paths_below,
)
from structce.rendering.static import StaticRenderer
from structce.rendering.static.parser import TEXT, children, parse

if TYPE_CHECKING:
    from structce.rendering.chromium import MAX_PICTURE, ChromiumRenderer
    from structce.rendering.chromium.__main__ import browser_command
    from structce.rendering.chromium.discovery import is_root, search_browser
    from structce.rendering.network.http import (
        DownloadLimits,
        NetworkResources,
        ProxyAnswer,
        ProxyClient,
        download,
    )
    from structce.rendering.sources.warc import WarcEntry, WarcFile

check_import_name(__name__)

_HOMES = {
    name: f"structce.rendering.{module}"
    for module, names in {
        "chromium": "MAX_PICTURE ChromiumRenderer",
        "chromium.__main__": "browser_command",
        "chromium.discovery": "is_root search_browser",
        "network.http": "DownloadLimits NetworkResources ProxyAnswer ProxyClient download",
        "sources.warc": "WarcEntry WarcFile",
    }.items()
    for name in names.split()
}

__all__ = [
    "MAX_PAGE_BYTES", "MAX_PICTURE", "PAGE_SUFFIXES", "RENDERERS",
    "TEXT", "UNSEEN", "WARC_SUFFIXES", "ChromiumRenderer", "Document", "DownloadLimits",
    "Files", "FolderFiles", "Limits", "Loader", "Markup", "MirrorResources", "NetworkReader",
    "NetworkResources", "OpenElements", "ProxyAnswer", "ProxyClient", "RenderResult", "Renderer",
    "Resource", "Resources", "Settings", "Source", "StaticRenderer", "WarcEntry", "WarcFile",
    "ZipFiles", "browser_command", "check_markup", "children", "collapse", "decode",
    "download", "is_root", "is_url", "open_sources", "parse", "paths_below",
    "render_all", "scan_pieces", "search_browser", "start_renderer",
    "submit_ahead", "with_bar", "with_spans",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
