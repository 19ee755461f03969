"""Tags of a wireframe: runs of regions that share a tag, and places without overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import Floats
from structce.language import display_width as columns_of
from structce.visualisation.wireframe_layout import (
    CUT_HEIGHT,
    SHEET_WIDTH,
    LabelComparison,
    Rectangle,
    display_colour,
)

_N_STEPS = 24
"""How far a tag may move from what it names, in heights of a tag each way."""

_MAX_HIDDEN = 0.4
"""Share of a tag that may lie over labelled regions, unless it names a wrong one."""

_NARROW, _BROAD = frozenset("iljtfrI.,:;'|!()[] "), frozenset("mwMW@%→×")

_MAX_TAGS = 100
"""Tags of a drawing: more find no room and make the file long."""

_MAX_GAP = 24.0  # units between wrong regions that share a tag
_TAG_EVERY = {"wrong": 150.0, "right": 500.0, "unknown": 500.0}  # units of a run with one tag


@dataclass(frozen=True)
class TagRequest:
    """Rectangle of the drawing that should have a tag; that of a wrong region must have one."""

    text: str
    place: Rectangle
    colour: str
    is_wrong: bool
    n_regions: int = 1


@dataclass(frozen=True)
class Tag:
    """Placed tag; `line` leads to its rectangle if that is not beside it."""

    text: str
    place: Rectangle
    colour: str
    is_wrong: bool
    n_regions: int
    line: tuple[float, float, float, float] | None


def region_tags(
    comparison: LabelComparison,
    kept: Mapping[int, Rectangle],
    size: float,
    height: float,
    stripes: Sequence[float],
    *,
    is_sparse: bool,
) -> tuple[Tag, ...]:
    """Return the tags of a drawing, those of wrong regions first.

    Parameters
    ----------
    kept
        Regions that are drawn, and their places.
    size
        Of the type, in units.
    height
        Of the drawing, in units.
    stripes
        Where the cuts begin, in units, from the top down.
    is_sparse
        Whether only the first run of each label has a tag, wrong ones apart.
    """
    runs = _runs(comparison, kept, stripes)
    if is_sparse:
        runs = _first_runs(comparison, runs)
    wanted = sorted(
        (_tag_request(comparison, kept, run) for run in runs), key=lambda one: not one.is_wrong
    )
    marked = [kept[i] for i in comparison.marked if i in kept]
    return place_tags(wanted[:_MAX_TAGS], size, height, stripes=stripes, avoid=marked)


def _tag_request(
    comparison: LabelComparison, kept: Mapping[int, Rectangle], run: Sequence[int]
) -> TagRequest:
    first = run[0]
    outcome, _, predicted = comparison.kind(first)
    text = comparison.caption(first) + (f" ×{len(run)}" if len(run) > 1 else "")
    colour = "" if outcome == "unknown" else display_colour(predicted)
    return TagRequest(text, kept[first], colour, outcome == "wrong", len(run))


def _runs(
    comparison: LabelComparison, kept: Mapping[int, Rectangle], stripes: Sequence[float]
) -> Iterator[list[int]]:
    """Yield marked regions that share a tag: neighbours with the same labels, near each other."""
    run: list[int] = []
    for i in (i for i in comparison.marked if i in kept):
        if run and not _shares_tag(comparison, kept, run, i, stripes):
            yield run
            run = []
        run.append(i)
    if run:
        yield run


def _first_runs(comparison: LabelComparison, runs: Iterable[list[int]]) -> Iterator[list[int]]:
    """Yield the runs of wrong regions, and the first one of each other label."""
    named = set()
    for run in runs:
        name = comparison.caption(run[0])
        if comparison.outcomes[run[0]] == "wrong" or name not in named:
            yield run
        named.add(name)


def _shares_tag(
    comparison: LabelComparison,
    kept: Mapping[int, Rectangle],
    run: Sequence[int],
    i: int,
    stripes: Sequence[float],
) -> bool:
    """Return whether a region continues a run: same labels, no cut between, not far away."""
    first, last, box = kept[run[0]], kept[run[-1]], kept[i]
    outcome = comparison.outcomes[i]
    if comparison.kind(i) != comparison.kind(run[0]):
        return False
    is_cut = bisect_right(stripes, first.y) != bisect_right(stripes, box.y)
    is_next = outcome != "wrong" or abs(box.y - last.y) < last.height + _MAX_GAP
    return not is_cut and is_next and abs(box.y - first.y) <= _TAG_EVERY[outcome]


def place_tags(
    wanted: Sequence[TagRequest],
    size: float,
    height: float,
    *,
    stripes: Sequence[float] = (),
    avoid: Sequence[Rectangle] = (),
) -> tuple[Tag, ...]:
    """Return the tags that find a place, in the order in which they are wanted.

    Each stands inside the drawing, over no tag before it and over no stripe, where it covers
    least of what it shall avoid; on a tie the first of: right of what it names, above, below,
    left, inside. That of a wrong one moves away until it finds a place, and gets a line; others
    are left out where they would hide much.

    Parameters
    ----------
    size
        Of the type, in units.
    height
        Of the drawing, in units.
    stripes
        Where the cuts begin, in units.
    """
    taken = [Rectangle(0, y, SHEET_WIDTH, CUT_HEIGHT) for y in stripes]
    avoided = np.array(avoid, dtype=np.float64).reshape(-1, 4)
    tags = []
    for one in wanted:
        room = Rectangle(0, 0, round(text_width(one.text, size) + 8, 1), round(1.25 * size, 1))
        found = _best(one, room, height, np.array(taken, dtype=np.float64).reshape(-1, 4), avoided)
        if found is not None:
            taken.append(found.place)
            tags.append(found)
    return tuple(tags)


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text in usual fonts, in the unit of the font size."""
    each = (
        0.36 if one in _NARROW else 0.88 if one in _BROAD else 0.68 if one.isupper() else 0.57
        for one in text
    )
    return size * (sum(each) + 0.5 * (columns_of(text) - len(text)))


def _best(
    one: TagRequest, room: Rectangle, height: float, taken: Floats, avoided: Floats
) -> Tag | None:
    """Return the best free place beside what is named, or for a wrong one the nearest further."""
    if room.width > SHEET_WIDTH or room.height > height:
        return None
    beside = np.array([_inside(spot, room, height) for spot in _beside(one.place, room)])
    free = beside[_covered_area(beside, taken) == 0]
    covered = np.round(_covered_area(free, avoided), 3)
    if len(free) and (one.is_wrong or covered.min() <= _MAX_HIDDEN * room.width * room.height):
        place = Rectangle(*free[int(np.argmin(covered))].tolist())
        return Tag(one.text, place, one.colour, one.is_wrong, one.n_regions, None)
    if not one.is_wrong:
        return None
    further = np.array([_inside(spot, room, height) for spot in _further(one.place, room)])
    free = further[_covered_area(further, taken) == 0]
    if not len(free):
        return None
    place = Rectangle(*free[0].tolist())
    return Tag(one.text, place, one.colour, one.is_wrong, one.n_regions, _line(place, one.place))


def _beside(box: Rectangle, room: Rectangle) -> Iterator[tuple[float, float]]:
    right, bottom = box.x + box.width, box.y + box.height
    level = box.y - max(0.0, (room.height - box.height) / 2)
    yield right + 3, level
    yield right - room.width, box.y - room.height
    yield box.x, box.y - room.height
    yield right - room.width, bottom
    yield box.x, bottom
    yield box.x - room.width - 3, level
    yield right - room.width, level
    yield box.x, level


def _further(box: Rectangle, room: Rectangle) -> Iterator[tuple[float, float]]:
    right = box.x + box.width
    for step in range(1, _N_STEPS + 1):
        for y in (box.y + step * room.height, box.y - step * room.height):
            for x in (right + 12, right - room.width, box.x, SHEET_WIDTH):
                yield x, y


def _inside(spot: tuple[float, float], room: Rectangle, height: float) -> Rectangle:
    """Return the place nearest to a spot that is inside the drawing."""
    x = min(max(spot[0], 1.0), SHEET_WIDTH - room.width - 1)
    y = min(max(spot[1], 1.0), max(height - room.height - 1, 0.0))
    return Rectangle(max(x, 0.0), y, room.width, room.height)


def _covered_area(places: Floats, others: Floats) -> Floats:
    """Return the area of others that each place covers, shape (n_places,)."""
    start = np.maximum(places[:, None, :2], others[None, :, :2])
    ends, other_ends = places[:, :2] + places[:, 2:], others[:, :2] + others[:, 2:]
    sides = np.maximum(np.minimum(ends[:, None], other_ends[None]) - start, 0)
    return np.asarray(sides.prod(axis=2).sum(axis=1), dtype=np.float64)


def _line(tag: Rectangle, box: Rectangle) -> tuple[float, float, float, float]:
    """Return the shortest straight line from a tag to a rectangle."""
    x = min(max(tag.x + tag.width / 2, box.x), box.x + box.width)
    y = min(max(tag.y + tag.height / 2, box.y), box.y + box.height)
    return min(max(x, tag.x), tag.x + tag.width), min(max(y, tag.y), tag.y + tag.height), x, y
