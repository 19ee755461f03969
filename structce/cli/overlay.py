"""Overlays of ``structce label``: the picture of a page with its labels, and an HTML page of it."""

from __future__ import annotations

from pathlib import Path

from structce.cli.output import file_stem
from structce.errors import RenderError
from structce.io import write_atomic
from structce.labeller import Labelling
from structce.rendering import ChromiumRenderer, Renderer, RenderResult
from structce.visualisation import draw_labels, overlay_page, screenshot


def write_overlay(
    renderer: Renderer, one: RenderResult, labelling: Labelling, folder: Path, number: int
) -> None:
    """Write the picture of a page and its explanation in HTML.

    Parameters
    ----------
    renderer
        The one with a browser, opened.
    number
        Of the page, for the names of the files.

    Raises
    ------
    RenderError
        If the browser does not draw it, or there is no HTML to draw.
    """
    path = folder / file_stem(number, one.source)
    background = labelling.label_set.background
    names = [None if name == background else name for name in labelling.labels]
    page, document = labelling.page, one.document
    if not isinstance(renderer, ChromiumRenderer):
        raise RenderError(f"{one.source}: the {renderer.name} renderer draws no pictures")
    if not document.html:
        raise RenderError(f"{one.source}: a snapshot holds no HTML; give the page itself")
    labelled = draw_labels(renderer, document, page, names, labelling.confidence.tolist())
    bare = screenshot(renderer, document, page, names)
    shown = overlay_page(labelling, bare, title=page.title, source=one.source)
    write_atomic(path.with_name(f"{path.name}.png"), labelled)
    write_atomic(path.with_name(f"{path.name}.html"), shown.encode())
