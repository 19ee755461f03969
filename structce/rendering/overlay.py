"""Labels and values drawn over the picture of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document

COLOURS: Mapping[str, str] = {
    "Advertisement": "#8a8a8a",
    "Author": "#1b7f4d",
    "Caption": "#a3681a",
    "Date": "#7a3fb0",
    "Multimedia": "#0e7c86",
    "Paragraph": "#2b5fc0",
    "Subtitle": "#c2477f",
    "Title": "#c8321e",
}
"""Frame and tag of each label of the news; others are drawn in black."""


@dataclass(frozen=True)
class Mark:
    """What is drawn over one region: a frame, a tint and a tag.

    Parameters
    ----------
    text
        Written on the tag.
    colour
        Of frame, tint and tag: ``#rrggbb``.
    tint
        How much the tint covers, from 0 to 1.
    is_inside
        Whether the tag is small and inside the frame, so that tags of dense regions do not hide
        each other.
    """

    text: str
    colour: str = "#000000"
    tint: float = 0.08
    is_inside: bool = False


def draw(
    renderer: ChromiumRenderer, document: Document, page: Page, names: Sequence[str | None]
) -> bytes:
    """Return a PNG picture of the whole page with a frame around every named region.

    Parameters
    ----------
    renderer
        An open renderer, the one that made the page.
    names
        One a region; None draws nothing.
    """
    marks = [None if name is None else Mark(name, COLOURS.get(name, "#000000")) for name in names]
    return draw_marks(renderer, document, page, marks)


def draw_marks(
    renderer: ChromiumRenderer, document: Document, page: Page, marks: Sequence[Mark | None]
) -> bytes:
    """Return a PNG picture of the whole page with a mark over every region that has one.

    Parameters
    ----------
    renderer
        An open renderer, the one that made the page.
    marks
        One a region; None draws nothing, and so does a region without area.
    """
    drawn = [
        {
            "box": [float(value) for value in box],
            "name": mark.text,
            "colour": mark.colour,
            "tint": round(255 * mark.tint),
            "inside": mark.is_inside,
        }
        for box, mark in zip(page.boxes, marks, strict=True)
        if mark is not None and box[2] > 0 and box[3] > 0
    ]
    script = (resources.files("structce.rendering") / "overlay.js").read_text("utf-8")
    with renderer.show(document) as tab:
        tab.evaluate(script, json.dumps(drawn))
        return tab.screenshot(full_page=True, timeout=renderer.timeout * 1000)
