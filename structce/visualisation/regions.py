"""Region page: the regions of a labelled page as HTML, and where its gold values were found.

A corpus keeps no pictures of its pages. If the layout is known, the texts are drawn in place;
otherwise they follow one another, block by block. The file loads nothing and runs no script.
Everything from the page is escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from structce.corpus import LabelledPage, matches_by_region, region_words
from structce.gold import Match
from structce.labels import UNKNOWN, allowed_names, label_colour
from structce.page import Page
from structce.visualisation.base import has_area, render_template

_MAX_TEXT = 2_000
"""Characters of a region in the file: a page of few huge regions stays a small file."""

_MOST_PIXELS = 200_000  # no region is further from the page's corner
_ONE_LINE = 1.9  # boxes of fewer font sizes in height hold one line
_SERIFS = re.compile(r"times|georgia|roman|garamond|(?<!sans)[- ]serif|^serif", re.IGNORECASE)


def region_page(
    labelled: LabelledPage, chosen: Sequence[Match] | None = None, *, background: str = "None"
) -> str:
    """Return an HTML page that shows the regions of a page with their labels.

    Parameters
    ----------
    chosen
        Matches that are drawn and listed; all labels and all matches if not given.
    background
        Label that is not drawn.
    """
    page = labelled.page
    matches = labelled.matches if chosen is None else chosen
    sets = map(allowed_names, labelled.labels)
    marked = {i for i, names in enumerate(sets) if names and background not in names}
    if chosen is not None:
        marked = {i for match in chosen for i in match.regions}
    rivals = {i for match in matches for i in match.rivals}  # match a value equally well
    matches_of, starts = matches_by_region(matches), np.diff(page.blocks, prepend=-1) > 0
    pieces = []
    for i, piece in _pieces(page):
        by = [f"; {m.field} by {m.method}, score {m.score:.2f}" for m in matches_of.get(i, ())]
        label = labelled.labels[i]
        piece |= {
            "index": i,
            "label": "unknown" if label == UNKNOWN else label,
            "colour": label_colour(label),
            "tip": "".join([f"region {i}: {label}", *by]),
            "is_marked": i in marked,
            "is_rival": i in rivals,
            "begins": bool(starts[i]),
        }
        pieces.append(piece)
    width, height = _size(page)
    return render_template(
        "regions.html",
        labelled=labelled,
        title=page.title or labelled.id,
        pieces=pieces,
        matches=matches,
        colours={match.field: label_colour(match.field) for match in matches},
        counts=Counter(match.state for match in matches),
        has_layout=page.has_layout,
        width=width,
        height=height,
    )


def text_layout_page(page: Page) -> str:
    """Return an HTML page of the texts of a page, each in its place; nothing is drawn over it."""
    width, height = _size(page)
    pieces = [piece for _, piece in _pieces(page)]
    return render_template("regions_text_layout.html", pieces=pieces, width=width, height=height)


def _size(page: Page) -> tuple[int, int]:
    """Return width and height that contain all regions, in CSS pixels; (0, 0) without layout."""
    boxes = page.boxes[has_area(page)]
    if not len(boxes):
        return 0, 0
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0).tolist()
    wide = max(page.viewport[0], min(right, 2 * page.viewport[0]))
    return round(wide), round(min(bottom, _MOST_PIXELS))


def _pieces(page: Page) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the regions that are drawn, each with its text and style."""
    shown = has_area(page) if page.has_layout else np.ones(len(page), dtype=bool)
    for i in np.flatnonzero(shown).tolist():
        yield (
            i,
            {
                "text": region_words(page, i)[:_MAX_TEXT] or f"[{page.tag[i]}]",
                "is_media": bool(page.is_media[i]),
                "style": "; ".join(f"{name}: {value}" for name, value in _style(page, i).items()),
            },
        )


def _style(page: Page, i: int) -> Mapping[str, str]:
    """Return position and style of a region's text; only our own words, never the page's."""
    size = float(np.clip(np.nan_to_num(page.styles["font-size"][i], nan=16.0), 4.0, 96.0))
    style = {"font-size": f"{size:.3g}px"}
    if _is_bold(str(page.styles["font-weight"][i])):
        style["font-weight"] = "700"
    if not page.has_layout:
        return style
    if _SERIFS.search(str(page.styles["font-family"][i])):
        style["font-family"] = '"Times New Roman", "Liberation Serif", serif'
    sides = np.clip(page.boxes[i], -_MOST_PIXELS, _MOST_PIXELS).tolist()
    if sides[3] < _ONE_LINE * size:  # our fonts are not the page's: let it run out, not be cut
        style["white-space"] = "nowrap"
    names = ("left", "top", "width", "height")
    return style | {name: f"{value:.1f}px" for name, value in zip(names, sides, strict=True)}


def _is_bold(weight: str) -> bool:
    try:
        return float(weight) >= 600
    except ValueError:
        return weight in ("bold", "bolder")
