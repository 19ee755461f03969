"""Overlays of ``structce label``: the picture of a page with its labels, an HTML page, an index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from structce.article import Reading, read_labelling
from structce.cli.output import file_stem
from structce.errors import RenderError
from structce.io import write_atomic
from structce.labeller import Labelling
from structce.rendering import ChromiumRenderer, Renderer, RenderResult
from structce.visualisation import (
    OverlayLink,
    draw_labels,
    overlay_index,
    overlay_page,
    screenshot,
)

INDEX = "index.html"
"""Name of the page that leads to the others of a folder."""


class OverlayFolder:
    """Folder of overlays: a picture and an HTML page of each page, and an index of them.

    Parameters
    ----------
    renderer
        The one with a browser, opened before the first page.
    """

    def __init__(self, renderer: Renderer, folder: Path) -> None:
        self._renderer, self._folder = renderer, folder
        self._links: list[OverlayLink] = []

    def add(self, one: RenderResult, labelling: Labelling, number: int) -> str:
        """Write the overlay of a page, and the index; return why there is none, or nothing.

        Parameters
        ----------
        number
            Of the page, for the names of the files.
        """
        stem = file_stem(number, one.source)
        reading = read_labelling(labelling)
        labels = reading.labelling.labels
        found = Counter(name for name in labels if name in labelling.label_set.foreground)
        error = ""
        try:
            self._draw(one, reading, labelling, self._folder / stem)
        except RenderError as problem:
            error = f"no picture: {problem}"
        file, counts = "" if error else f"{stem}.html", tuple(found.items())
        self._links.append(OverlayLink(one.source, labelling.page.title, file, counts, error))
        write_atomic(self._folder / INDEX, overlay_index(self._links).encode())
        return error

    def _draw(
        self, one: RenderResult, reading: Reading, model_labelling: Labelling, path: Path
    ) -> None:
        """Write picture and HTML page; a RenderError says that the browser does not draw it."""
        labelling, article = reading.labelling, reading.article
        background, renderer = labelling.label_set.background, self._renderer
        names = [None if name == background else name for name in labelling.labels]
        page, document = labelling.page, one.document
        if not isinstance(renderer, ChromiumRenderer):
            raise RenderError(f"{one.source}: the {renderer.name} renderer draws no pictures")
        if not document.html:
            raise RenderError(f"{one.source}: a snapshot holds no HTML; give the page itself")
        labelled = draw_labels(renderer, document, page, names, labelling.confidence.tolist())
        bare = screenshot(renderer, document, page, names)
        shown = overlay_page(
            labelling,
            bare,
            title=page.title,
            source=one.source,
            article=article,
            model_labelling=model_labelling,
        )
        write_atomic(path.with_name(f"{path.name}.png"), labelled)
        write_atomic(path.with_name(f"{path.name}.html"), shown.encode())
