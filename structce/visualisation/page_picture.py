"""Page picture: a screenshot of a page with labels drawn over its regions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import numpy as np

from structce.labels import label_colour
from structce.page import Page
from structce.rendering import MAX_PICTURE, ChromiumRenderer, Document
from structce.visualisation.base import has_area, read_asset

ABOVE, BELOW = (
    "{} pixels of the page above are not shown",
    "{} pixels of the page below are not shown",
)
"""Written at the edges of a picture that is cut."""

_NOTE = 22  # pixels of a note at an edge
_ROOM = 60  # pixels above the first region of a picture that does not begin with the page


def draw_labels(
    renderer: ChromiumRenderer,
    document: Document,
    page: Page,
    names: Sequence[str | None],
    confidence: Sequence[float] | None = None,
) -> bytes:
    """Return a PNG picture of a page with a frame around every named region that has an area.

    A page that exceeds the largest picture is cut to where most names are, see
    :func:`picture_top`, with a note on the picture.

    Parameters
    ----------
    renderer
        An open renderer, the one that made the page.
    names
        One per region; None draws nothing.
    confidence
        In [0, 1], one per region; written beside the names.

    Raises
    ------
    RenderError
        If the browser fails.
    """
    marks = []
    for i in np.flatnonzero(has_area(page)).tolist():
        if (name := names[i]) is not None:
            text = name if confidence is None else f"{name} {confidence_label(confidence[i])}"
            mark = {"box": page.boxes[i].tolist(), "name": text, "colour": label_colour(name)}
            marks.append(mark)
    size = {"top": picture_top(page, names), "height": MAX_PICTURE, "room": _NOTE}
    argument = json.dumps({"marks": marks, **size, "above": ABOVE, "below": BELOW})
    return renderer.picture(document, read_asset("page_picture.js"), argument)


def confidence_label(confidence: float) -> str:
    """Return a probability in per cent, ``98 %``; 100 % only if no doubt is left."""
    return f"{confidence if confidence == 1 else min(confidence, 0.994):.0%}".replace("%", " %")


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
