"""Page picture: a screenshot of a page with labels or values drawn over its regions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structce.labels import label_colour
from structce.page import Page
from structce.rendering import MAX_PICTURE, ChromiumRenderer, Document
from structce.visualisation.base import confidence_label, has_area, read_asset

ABOVE, BELOW = (
    "{} pixels of the page above are not shown",
    "{} pixels of the page below are not shown",
)
"""Written at the edges of a picture that is cut."""

_NOTE = 22  # pixels of a note at an edge
_ROOM = 60  # pixels above the first region of a picture that does not begin with the page


class Highlight(NamedTuple):
    """Frame, tint and tag that are drawn over one region.

    The text is on the tag, the colour ``#rrggbb``, the tint an opacity from 0 to 1. A tag inside
    the frame is small, so that tags of dense regions do not hide each other.
    """

    text: str
    colour: str = "#000000"
    tint: float = 0.08
    is_inside: bool = False


def draw_labels(
    renderer: ChromiumRenderer,
    document: Document,
    page: Page,
    names: Sequence[str | None],
    confidence: Sequence[float] | None = None,
) -> bytes:
    """Return a PNG picture of a page with a frame around every named region.

    See :func:`draw_highlights`. A confidence in [0, 1] per region is written beside its name.
    """
    texts = [""] * len(names)
    if confidence is not None:
        texts = [f" {confidence_label(probability)}" for probability in confidence]
    marks = [
        None if name is None else Highlight(name + text, label_colour(name))
        for name, text in zip(names, texts, strict=True)
    ]
    return draw_highlights(renderer, document, page, marks, names)


def screenshot(
    renderer: ChromiumRenderer, document: Document, page: Page, names: Sequence[str | None]
) -> bytes:
    """Return the picture of :func:`draw_labels` for the same names, without frames and tags."""
    return draw_highlights(renderer, document, page, [None] * len(page), names)


def draw_highlights(
    renderer: ChromiumRenderer,
    document: Document,
    page: Page,
    marks: Sequence[Highlight | None],
    names: Sequence[str | None] | None = None,
) -> bytes:
    """Return a PNG picture of a page with a mark over every region that has one.

    A page that exceeds the largest picture is cut to where most names are, see
    :func:`picture_top`, with a note on the picture.

    Parameters
    ----------
    renderer
        An open renderer, the one that made the page.
    marks
        One per region; None draws nothing, and so does a region without area.
    names
        Names of the regions to show; by default the texts of the marks.

    Raises
    ------
    RenderError
        If the browser fails.
    """
    if names is None:
        names = [None if mark is None else mark.text for mark in marks]
    drawn = [
        {
            "box": box.tolist(),
            "name": mark.text,
            "colour": mark.colour,
            "tint": round(255 * mark.tint),
            "inside": mark.is_inside,
        }
        for box, mark, is_visible in zip(page.boxes, marks, has_area(page), strict=True)
        if mark is not None and is_visible
    ]
    texts = {"above": ABOVE, "below": BELOW}
    size = {"top": picture_top(page, names), "height": MAX_PICTURE, "room": _NOTE}
    argument = json.dumps({"marks": drawn, **size, **texts})
    return renderer.picture(document, read_asset("page_picture.js"), argument)


def picture_top(page: Page, names: Sequence[str | None]) -> int:
    """Return the top of the picture of a page, in CSS pixels from the page's top.

    Mostly 0. Where a named region ends below ``MAX_PICTURE`` and a picture that begins further
    down holds more: a little above the first region of the picture that holds most, on a tie the
    highest. All names weigh the same, so that a title is not lost for two more paragraphs. Regions
    without name or area do not count.
    """
    named = np.array([name is not None for name in names], dtype=bool) & has_area(page)
    tops, bottoms = page.boxes[named, 1], page.boxes[named, 1] + page.boxes[named, 3]
    if not named.any() or bottoms.max() <= MAX_PICTURE:
        return 0
    shown = [names[i] for i in np.flatnonzero(named).tolist()]
    counts = Counter(shown)
    weights = np.array([1 / counts[name] for name in shown])
    starts = [0, *sorted(int(top) - _ROOM for top in tops if top > _ROOM)]
    contained = [
        weights[(tops >= (start + _NOTE if start else 0)) & (bottoms <= start + MAX_PICTURE)].sum()
        for start in starts
    ]
    return starts[int(np.argmax(np.round(contained, 9)))]
