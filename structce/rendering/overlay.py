"""Labels drawn over the picture of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
    boxes = [
        {"box": [float(value) for value in box], "name": name, "colour": COLOURS.get(name, "#000")}
        for box, name in zip(page.boxes, names, strict=True)
        if name is not None and box[2] > 0 and box[3] > 0
    ]
    script = (resources.files("structce.rendering") / "overlay.js").read_text("utf-8")
    with renderer.show(document) as tab:
        tab.evaluate(script, json.dumps(boxes))
        return tab.screenshot(full_page=True, timeout=renderer.timeout * 1000)
