"""A page with layout as a drawing: rectangles by kind and label, texts, tags and cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from markupsafe import escape
from numpy.typing import NDArray

from structce.experiments.telling.wireframes.bands import (
    Cut,
    Frame,
    Place,
    cuts_of,
    drawable_of,
    frame_of,
)
from structce.experiments.telling.wireframes.kinds import Judged, Kind, counted, shown_colour
from structce.experiments.telling.wireframes.runs import tags_of
from structce.experiments.telling.wireframes.tags import Tag

MAX_REGIONS = 600
"""Rectangles of a drawing; our choice, a page of the news has some 250 in all."""

WIDE, NARROW = 12.0, 20.0
"""Size of the type of tags, in units, where there is room and on a telephone."""

TEXT_BYTES = 16_000
"""UTF-8 bytes of the texts in the rectangles."""

LINE = 9.0  # units from line to line of a text; its type is 8 units
LETTER = 3.5  # units of a narrow letter: what does not fit is clipped all the same


@dataclass(frozen=True)
class Rectangles:
    """All rectangles of one kind and one pair of labels, as the path of an SVG."""

    kind: Kind
    name: str
    colour: str
    path: str


@dataclass(frozen=True)
class Words:
    """A text and the rectangle that it is clipped to, in units."""

    place: Place
    text: str
    is_soft: bool


@dataclass(frozen=True)
class Drawing:
    """What is drawn of a page.

    Parameters
    ----------
    wide, narrow
        Tags where there is room, and on a telephone.
    drawn
        Regions that have a rectangle.
    notes
        What was left out, one sentence each.
    """

    height: float
    rectangles: tuple[Rectangles, ...]
    words: tuple[Words, ...]
    wide: tuple[Tag, ...]
    narrow: tuple[Tag, ...]
    cuts: tuple[Cut, ...]
    drawn: frozenset[int]
    notes: tuple[str, ...]


def drawing_of(judged: Judged, n_regions: int = MAX_REGIONS) -> Drawing | None:
    """Return the drawing of a page; None where it would show no marked region.

    Parameters
    ----------
    n_regions
        At most so many have a rectangle.
    """
    if not judged.page.has_layout or not judged.marked:
        return None
    drawable = drawable_of(judged)
    frame = frame_of(judged, drawable)
    if frame is None:
        return None
    shown = dict(_shown(judged, frame, drawable))
    kept = dict(list(shown.items())[:n_regions])
    cuts = cuts_of(frame, judged, drawable, shown)
    stripes = [cut.y for cut in cuts]
    wide = tags_of(judged, kept, WIDE, frame.height, stripes, is_sparse=False)
    return Drawing(
        height=round(frame.height, 1),
        rectangles=tuple(_rectangles(judged, kept)),
        words=tuple(_words(judged, kept)),
        wide=wide,
        narrow=tags_of(judged, kept, NARROW, frame.height, stripes, is_sparse=True),
        cuts=cuts,
        drawn=frozenset(kept),
        notes=tuple(_notes(judged, shown, kept, wide)),
    )


def _shown(
    judged: Judged, frame: Frame, drawable: NDArray[np.bool_]
) -> Iterator[tuple[int, Place]]:
    """Yield the regions of which enough shows, what matters most first, and their places."""
    is_marked = set(judged.marked)
    for i in judged.ordered:
        box = judged.page.boxes[i].tolist()
        if drawable[i] and (i not in is_marked or frame.shows(box)):
            place = frame.place(box)
            if place is not None:
                yield i, place


def path_of(places: Sequence[Place]) -> str:
    """Return rectangles as the path of an SVG, none thinner than a unit.

    >>> path_of([Place(1, 2, 30.04, 0.2)])
    'M1 2h30v1h-30z'
    """
    parts = []
    for place in places:
        sides = (place.x, place.y, max(place.width, 1), max(place.height, 1))
        x, y, width, height = (f"{round(side, 1):.6g}" for side in sides)
        parts.append(f"M{x} {y}h{width}v{height}h-{width}z")
    return "".join(parts)


def _rectangles(judged: Judged, kept: Mapping[int, Place]) -> Iterator[Rectangles]:
    """Yield the rectangles, those that matter most last, so that they lie on top."""
    is_marked = set(judged.marked)

    def key(i: int) -> tuple[Kind, str, str]:
        if i not in is_marked:
            return "background", "", ""
        return judged.kinds[i], judged.gold[i], judged.predicted[i]

    rank = {"background": 0, "right": 1, "unknown": 2, "wrong": 3}
    rows = sorted(kept, key=lambda i: (rank[key(i)[0]], *key(i)))
    for (kind, _, predicted), run in groupby(rows, key=key):
        group = list(run)
        name = "" if kind == "background" else judged.pair(group[0])
        yield Rectangles(kind, name, shown_colour(predicted), path_of([kept[i] for i in group]))


def _words(judged: Judged, kept: Mapping[int, Place]) -> Iterator[Words]:
    """Yield texts, as many as the bytes allow, none over another."""
    left, before, is_marked = TEXT_BYTES, list[Place](), set(judged.marked)
    for i, box in kept.items():
        n_lines, per_line = int(box.height / LINE + 0.25), int((box.width - 2) / LETTER)
        if n_lines < 1 or per_line < 4 or any(_overlaps(box, other) for other in before):
            continue
        text = judged.words(i, min(n_lines * per_line, 600))
        left -= len(str(escape(text)).encode()) + 80
        if left < 0:
            return
        before.append(box)
        place = Place(round(box.x + 1, 1), round(box.y, 1), round(box.width - 2), n_lines * LINE)
        yield Words(place, text, i not in is_marked)


def _overlaps(one: Place, other: Place) -> bool:
    """Return whether two rectangles share more than their edges."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 1 and down > 1


def _notes(
    judged: Judged, shown: Mapping[int, Place], kept: Mapping[int, Place], tags: Sequence[Tag]
) -> Iterator[str]:
    """Yield what was left out, one sentence each."""
    marked = [i for i in judged.marked if i not in kept]
    n_wrong = sum(judged.kinds[i] == "wrong" for i in marked)
    if marked:
        wrong = f", {n_wrong:,} of them wrong" if n_wrong else ""
        yield f"Not in the picture: {counted(len(marked), 'labelled region')}{wrong}."
    if lost := len(shown) - len(kept) - sum(i in shown for i in marked):
        yield f"Not drawn: {counted(lost, 'region')} of the background."
    n_drawn = sum(judged.kinds[i] == "wrong" for i in kept)
    if lost := n_drawn - sum(tag.n_regions for tag in tags if tag.is_wrong):
        yield f"Without a tag, for want of room: {counted(lost, 'wrong region')}."
