"""Overlays of ``structce label``: a picture of each page with its labels, HTML, and an index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from structce.article import read_labelling
from structce.cli.outputs import file_stem
from structce.errors import RenderError
from structce.io import write_all_atomic, write_atomic
from structce.labelling import Labelling
from structce.rendering import ChromiumRenderer, Renderer, RenderResult
from structce.visualisation import OverlayLink, draw_labels, overlay_index, overlay_page, screenshot


class OverlayFolder:
    """Folder of overlays: a picture and an HTML page for each page, and an index of them.

    The renderer has a browser, and is opened before the first page.
    """

    def __init__(self, renderer: Renderer, folder: Path) -> None:
        self._renderer, self._folder = renderer, folder
        self._links: list[OverlayLink] = []

    def add(self, result: RenderResult, labelling: Labelling, number: int) -> str:
        """Write the overlay of a page, named by its number, and the index; return the error."""
        stem, error = file_stem(number, result.source), ""
        try:
            self._draw(result, labelling, self._folder / stem)
        except RenderError as problem:
            error = f"no picture: {problem}"
        labels = read_labelling(labelling).labelling.labels
        counts = Counter(name for name in labels if name in labelling.label_set.foreground)
        file, title = "" if error else f"{stem}.html", labelling.page.title
        link = OverlayLink(result.source, title, file, tuple(counts.items()), error)
        self._links.append(link)
        write_atomic(self._folder / "index.html", overlay_index(self._links).encode())
        return error

    def _draw(self, result: RenderResult, labelling: Labelling, path: Path) -> None:
        """Write picture and HTML page; raise a RenderError if the browser cannot draw the page."""
        renderer, page, document = self._renderer, labelling.page, result.document
        if not isinstance(renderer, ChromiumRenderer):
            raise RenderError(f"{result.source}: the {renderer.name} renderer cannot draw pictures")
        if not document.html:
            raise RenderError(f"{result.source}: a snapshot contains no HTML; give the page itself")
        reading = read_labelling(labelling)
        labels, background = reading.labelling.labels, labelling.label_set.background
        names = [None if name == background else name for name in labels]
        confidence = reading.labelling.confidence.tolist()
        labelled = draw_labels(renderer, document, page, names, confidence)
        bare = screenshot(renderer, document, page, names)
        overlay = overlay_page(
            labelling, bare, title=page.title, source=result.source, reading=reading
        )
        files = {".png": labelled, ".html": overlay.encode()}
        write_all_atomic({path.with_name(path.name + end): data for end, data in files.items()})
