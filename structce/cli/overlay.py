"""Overlays of ``structce label``: a picture of each page with its labels, HTML, and an index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from structce.article import Reading
from structce.cli.outputs import file_stem
from structce.errors import RenderError
from structce.io import write_all_atomic, write_atomic
from structce.page import Page
from structce.rendering import ChromiumRenderer, Document, Renderer
from structce.visualisation import OverlayLink, draw_labels, overlay_index, overlay_page, screenshot


class OverlayFolder:
    """Folder of overlays: a picture and an HTML page for each page, and an index of them.

    The renderer has a browser, and is opened before the first page.
    """

    def __init__(self, renderer: Renderer, folder: Path) -> None:
        self._renderer, self._folder = renderer, folder
        self._links: list[OverlayLink] = []

    def add(self, source: str, document: Document | Page, reading: Reading, number: int) -> str:
        """Write the overlay of a page, named by its number, and the index; return the error."""
        stem, labelling, error = file_stem(number, source), reading.labelling, ""
        try:
            self._draw(source, document, reading, self._folder / stem)
        except RenderError as problem:
            error = f"no picture: {problem}"
        foreground = labelling.label_set.foreground
        counts = Counter(name for name in labelling.labels if name in foreground)
        file, title = "" if error else f"{stem}.html", labelling.page.title
        self._links.append(OverlayLink(source, title, file, tuple(counts.items()), error))
        write_atomic(self._folder / "index.html", overlay_index(self._links).encode())
        return error

    def _draw(self, source: str, document: Document | Page, reading: Reading, path: Path) -> None:
        """Write picture and HTML page; raise a RenderError if the browser cannot draw the page."""
        labelling, renderer = reading.labelling, self._renderer
        if not isinstance(renderer, ChromiumRenderer):
            raise RenderError(f"{source}: the {renderer.name} renderer cannot draw pictures")
        if not isinstance(document, Document):
            raise RenderError(f"{source}: a snapshot contains no HTML; give the page itself")
        background, page = labelling.label_set.background, labelling.page
        names = [None if name == background else name for name in labelling.labels]
        labelled = draw_labels(renderer, document, page, names, labelling.confidence.tolist())
        bare = screenshot(renderer, document, page, names)
        overlay = overlay_page(reading, bare, source=source)
        files = {".png": labelled, ".html": overlay.encode()}
        write_all_atomic({path.with_name(path.name + end): data for end, data in files.items()})
