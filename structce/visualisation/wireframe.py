"""A page with layout as a drawing: rectangles by kind and label, texts, tags and cuts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import escape

from structce.arrays import Flags
from structce.labels import UNKNOWN
from structce.language import printable
from structce.page import Page
from structce.visualisation.base import render_template
from structce.visualisation.wireframe_layout import (
    Cut,
    LabelComparison,
    Outcome,
    Rectangle,
    VisibleBands,
    count_noun,
    cut_stripes,
    display_colour,
    display_name,
    drawable_regions,
    visible_bands,
)
from structce.visualisation.wireframe_tags import Tag, region_tags

MAX_RECTANGLES = 600
"""Rectangles of a drawing; our choice, a page of the news has some 250 in all."""

WIDE, NARROW = 12.0, 20.0
"""Size of the type of tags, in units, where there is room and on a telephone."""

TEXT_BYTES = 16_000
"""UTF-8 bytes of the texts in the rectangles."""

_LINE_HEIGHT = 9.0  # units from line to line of a text; its type is 8 units
_LETTER_WIDTH = 3.5  # units of a narrow letter: what does not fit is clipped all the same


@dataclass(frozen=True)
class RectangleGroup:
    """All rectangles of one kind and one pair of labels, as the path of an SVG."""

    kind: Outcome
    name: str
    colour: str
    path: str


@dataclass(frozen=True)
class ClippedText:
    """A text and the rectangle that it is clipped to, in units."""

    place: Rectangle
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
    rectangles: tuple[RectangleGroup, ...]
    words: tuple[ClippedText, ...]
    wide: tuple[Tag, ...]
    narrow: tuple[Tag, ...]
    cuts: tuple[Cut, ...]
    drawn: frozenset[int]
    notes: tuple[str, ...]


def page_drawing(judged: LabelComparison, n_regions: int = MAX_RECTANGLES) -> Drawing | None:
    """Return the drawing of a page; None where it would show no marked region.

    Parameters
    ----------
    n_regions
        At most so many have a rectangle.
    """
    if not judged.page.has_layout or not judged.marked:
        return None
    drawable = drawable_regions(judged)
    frame = visible_bands(judged, drawable)
    if frame is None:
        return None
    shown = dict(_shown(judged, frame, drawable))
    kept = dict(list(shown.items())[:n_regions])
    cuts = cut_stripes(frame, judged, drawable, shown)
    stripes = [cut.y for cut in cuts]
    wide = region_tags(judged, kept, WIDE, frame.height, stripes, is_sparse=False)
    return Drawing(
        height=round(frame.height, 1),
        rectangles=tuple(_rectangles(judged, kept)),
        words=tuple(_words(judged, kept)),
        wide=wide,
        narrow=region_tags(judged, kept, NARROW, frame.height, stripes, is_sparse=True),
        cuts=cuts,
        drawn=frozenset(kept),
        notes=tuple(_notes(judged, shown, kept, wide)),
    )


def _shown(
    judged: LabelComparison, frame: VisibleBands, drawable: Flags
) -> Iterator[tuple[int, Rectangle]]:
    """Yield the regions of which enough shows, what matters most first, and their places."""
    is_marked = set(judged.marked)
    for i in judged.ordered:
        box = judged.page.boxes[i].tolist()
        if drawable[i] and (i not in is_marked or frame.shows(box)):
            place = frame.place(box)
            if place is not None:
                yield i, place


def svg_path(places: Sequence[Rectangle]) -> str:
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


def _rectangles(judged: LabelComparison, kept: Mapping[int, Rectangle]) -> Iterator[RectangleGroup]:
    """Yield the rectangles, those that matter most last, so that they lie on top."""
    is_marked = set(judged.marked)

    def key(i: int) -> tuple[Outcome, str, str]:
        if i not in is_marked:
            return "background", "", ""
        return judged.kinds[i], judged.gold[i], judged.predicted[i]

    rank = {"background": 0, "right": 1, "unknown": 2, "wrong": 3}
    rows = sorted(kept, key=lambda i: (rank[key(i)[0]], *key(i)))
    for (kind, _, predicted), run in groupby(rows, key=key):
        group = list(run)
        name = "" if kind == "background" else judged.pair(group[0])
        yield RectangleGroup(
            kind, name, display_colour(predicted), svg_path([kept[i] for i in group])
        )


def _words(judged: LabelComparison, kept: Mapping[int, Rectangle]) -> Iterator[ClippedText]:
    """Yield texts, as many as the bytes allow, none over another."""
    left, before, is_marked = TEXT_BYTES, list[Rectangle](), set(judged.marked)
    for i, box in kept.items():
        n_lines, per_line = (
            int(box.height / _LINE_HEIGHT + 0.25),
            int((box.width - 2) / _LETTER_WIDTH),
        )
        if n_lines < 1 or per_line < 4 or any(_overlaps(box, other) for other in before):
            continue
        text = judged.words(i, min(n_lines * per_line, 600))
        left -= len(str(escape(text)).encode()) + 80
        if left < 0:
            return
        before.append(box)
        place = Rectangle(
            round(box.x + 1, 1), round(box.y, 1), round(box.width - 2), n_lines * _LINE_HEIGHT
        )
        yield ClippedText(place, text, i not in is_marked)


def _overlaps(one: Rectangle, other: Rectangle) -> bool:
    """Return whether two rectangles share more than their edges."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 1 and down > 1


def _notes(
    judged: LabelComparison,
    shown: Mapping[int, Rectangle],
    kept: Mapping[int, Rectangle],
    tags: Sequence[Tag],
) -> Iterator[str]:
    """Yield what was left out, one sentence each."""
    marked = [i for i in judged.marked if i not in kept]
    n_wrong = sum(judged.kinds[i] == "wrong" for i in marked)
    if marked:
        wrong = f", {n_wrong:,} of them wrong" if n_wrong else ""
        yield f"Not in the picture: {count_noun(len(marked), 'labelled region')}{wrong}."
    if lost := len(shown) - len(kept) - sum(i in shown for i in marked):
        yield f"Not drawn: {count_noun(lost, 'region')} of the background."
    n_drawn = sum(judged.kinds[i] == "wrong" for i in kept)
    if lost := n_drawn - sum(tag.n_regions for tag in tags if tag.is_wrong):
        yield f"Without a tag, for want of room: {count_noun(lost, 'wrong region')}."


TEXT, FIRST_WORDS = 120, 60
"""Columns of a wrong region's text, and of the first region of a run; our choice."""

_MAX_LINES = 300
"""Wrong regions that are told below a drawing; our choice, more do not fit anyway."""

MARK_UP = 60  # bytes around the texts of a line, at most


@dataclass(frozen=True)
class ListLine:
    """A region, or a run of regions with the same labels, in words.

    Parameters
    ----------
    name
        The label, or ``gold → predicted``.
    note
        How many regions if more than one, or that one is not in the picture.
    """

    kind: Outcome
    name: str
    note: str
    words: str

    @property
    def n_bytes(self) -> int:
        """About how long it is as mark-up, in UTF-8."""
        return MARK_UP + sum(
            len(str(escape(text)).encode()) for text in (self.name, self.note, self.words)
        )


def list_lines(judged: LabelComparison) -> tuple[ListLine, ...]:
    """Return a page as lines in reading order; empty for a page without regions.

    Each wrong region is a line; regions one after the other that are right, or of unknown gold
    label, and have the same labels are one line together.
    """
    rows = range(len(judged.kinds))
    runs = groupby(rows, key=lambda i: (judged.kinds[i], judged.gold[i], judged.predicted[i]))
    return tuple(line for (kind, _, _), run in runs for line in _lines(judged, kind, list(run)))


def wrong_lines(judged: LabelComparison, drawn: frozenset[int]) -> tuple[ListLine, ...]:
    """Return the first wrong regions as lines, those outside the drawing with a note."""
    return tuple(
        _line(judged, i, "" if i in drawn else "not in the picture")
        for i in judged.rows("wrong")[:_MAX_LINES]
    )


def fit_lines(
    lines: Sequence[ListLine], n_bytes: int, n_wrong: int
) -> tuple[tuple[ListLine, ...], str]:
    """Return the lines that fit into so many bytes, wrong ones first, and what was left out.

    The lines keep their order; what was left out is empty if nothing was.

    Parameters
    ----------
    n_wrong
        Wrong regions of the page, whether among the lines or not.
    """
    left = n_bytes
    kept = set()
    by_worth = sorted(range(len(lines)), key=lambda n: (lines[n].kind != "wrong", n))
    for n in by_worth:
        left -= lines[n].n_bytes
        if left < 0:
            break
        kept.add(n)
    n_lost = n_wrong - sum(lines[n].kind == "wrong" for n in kept)
    n_others = sum(line.kind != "wrong" for n, line in enumerate(lines) if n not in kept)
    parts = []
    if n_lost:
        parts.append(count_noun(n_lost, "wrong region"))
    if n_others:
        parts.append(count_noun(n_others, "other line"))
    note = f"Left out for length: {' and '.join(parts)}." if parts else ""
    return tuple(line for n, line in enumerate(lines) if n in kept), note


def _lines(judged: LabelComparison, kind: Outcome, run: list[int]) -> Iterator[ListLine]:
    if kind == "wrong":
        yield from (_line(judged, i, "") for i in run)
    elif kind == "background":
        name, regions = judged.pair(run[0]), count_noun(len(run), "region")
        yield ListLine(kind, "", f"… {regions} of {name}, right", "")
    else:
        yield _line(judged, run[0], count_noun(len(run), "region") if len(run) > 1 else "")


def _line(judged: LabelComparison, i: int, note: str) -> ListLine:
    kind = judged.kinds[i]
    words = judged.words(i, TEXT if kind == "wrong" else FIRST_WORDS)
    return ListLine(kind, judged.pair(i), note, words)


MAX_FIGURE_BYTES = 60_000
"""UTF-8 bytes of a page in all; our choice, so that a report of ten pages opens at once."""

LIST_BYTES, DETAIL_BYTES = 56_000, 14_000
"""UTF-8 bytes of the lines of a page without a drawing, and of those below one."""


def draw_wireframe(
    page: Page, gold: Sequence[str], predicted: Sequence[str], background: str, *, id: str
) -> str:
    """Return a ``figure`` that shows which regions of a page were labelled right.

    With layout a drawing of the page, cut to the bands with labels, and its wrong regions as a
    list; without, or where no region with a label has an area, the whole page as a list in reading
    order. At most ``MAX_BYTES`` long; what was cut or left out is said. A region whose gold label
    is unknown is neither right nor wrong.

    Parameters
    ----------
    gold, predicted
        One label each a region; :data:`structce.labels.UNKNOWN` where nobody knows it.
    background
        The label that subsumes every region nobody asked for.
    id
        Begins the identifiers inside; no other drawing of the same file may have it.

    Raises
    ------
    LabelError
        If there are not as many labels as regions.
    """
    judged = LabelComparison(page, gold, predicted, background)
    n_regions = MAX_RECTANGLES
    while True:
        markup = _figure(judged, page_drawing(judged, n_regions), id)
        if len(markup.encode()) <= MAX_FIGURE_BYTES or n_regions < 2:
            return markup
        n_regions = 3 * n_regions // 4


def wireframe_legend(labels: Sequence[str]) -> str:
    """Return what the drawings mean, as a list.

    Parameters
    ----------
    labels
        Those that drawings show, without the background; one that is unknown is passed over.
    """
    names = [(display_name(label), display_colour(label)) for label in labels if label != UNKNOWN]
    return render_template("wireframe_legend.html", labels=names).strip()


def _figure(judged: LabelComparison, drawing: Drawing | None, id: str) -> str:
    n_wrong = len(judged.rows("wrong"))
    if drawing is None:
        lines, left_out = fit_lines(list_lines(judged), LIST_BYTES, n_wrong)
    else:
        lines, left_out = fit_lines(wrong_lines(judged, drawing.drawn), DETAIL_BYTES, n_wrong)
    title = printable(judged.page.title[:400], 80).strip() or "a page without a title"
    return render_template(
        "wireframe.html",
        id=re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", id),
        title=f"Labels of {title}",
        description=_said(judged, drawing),
        drawing=drawing,
        lines=lines,
        left_out=left_out,
        summary=f"{count_noun(n_wrong, 'wrong region')} in words",
        path_of=svg_path,
    ).strip()


def _said(judged: LabelComparison, drawing: Drawing | None) -> str:
    notes = () if drawing is None else drawing.notes
    return " ".join([judged.description, *notes])


WIREFRAME_CSS = """\
.wireframe { container-type: inline-size; margin: .8rem 0; max-width: 47.5rem; }
.wireframe svg { display: block; width: 100%; max-width: none; height: auto; margin: 0; }
.wf-sheet { fill: var(--paper); stroke: var(--line); stroke-width: 2; }
.wf-background { fill: none; stroke: var(--soft); stroke-opacity: .4; }
.wf-right { fill-opacity: .2; stroke-width: 1.5; }
.wf-unknown { fill: var(--tint); stroke: var(--soft); stroke-width: 1.5;
              stroke-dasharray: 1.5 3; stroke-linecap: round; }
.wf-wrong { fill: var(--bad); fill-opacity: .1; stroke: var(--bad); stroke-width: 2.5;
            stroke-dasharray: 7 4; }
.wf-cut { fill: var(--tint); stroke: var(--soft); stroke-dasharray: 2 4; }
.wireframe foreignObject { overflow: hidden; color: var(--ink); font-size: 8px; line-height: 9px;
                           unicode-bidi: plaintext; }
.wireframe foreignObject.wf-soft { color: var(--soft); }
.wireframe svg text { font-size: 12px; font-weight: 500; fill: #fff; }
.wireframe svg .wf-on-bad text { fill: var(--paper); }
.wireframe svg .wf-cut-text { fill: var(--soft); text-anchor: middle; font-size: 12px; }
.wf-tag:not([fill]) { fill: #5b6b76; }
.wf-bad { fill: var(--bad); stroke: var(--paper); }
.wf-line { stroke: var(--bad); stroke-width: 1.5; fill: none; }
.wf-narrow { display: none; }
@container (max-width: 32rem) {
  .wf-wide { display: none; }
  .wf-narrow { display: inline; }
  .wireframe svg .wf-wrong { stroke-width: 4; }
  .wireframe svg text, .wireframe svg .wf-cut-text { font-size: 20px; }
}
.wf-note { color: var(--soft); font-size: .85rem; margin: .3rem 0; }
.wireframe summary { font-size: .93rem; }
.wf-lines { list-style: none; margin: .4rem 0; padding: 0; font-size: .88rem; line-height: 1.45; }
.wf-lines li { padding: .15rem .6rem; margin: 2px 0; border-left: 4px solid var(--line);
               overflow: hidden; overflow-wrap: anywhere; }
.wf-lines i { font-style: normal; color: var(--soft); margin-right: .3rem; }
.wf-lines b { font-weight: 600; margin-right: .3rem; }
.wf-lines .wf-right { border-left-color: var(--good); }
.wf-lines .wf-wrong { border-left: 4px dashed var(--bad); background: var(--tint); }
.wf-lines .wf-wrong b { color: var(--bad); }
.wf-lines .wf-unknown { color: var(--soft); border-left-style: dotted; }
.wf-lines .wf-background { color: var(--soft); }
.wf-legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0;
             margin: .6rem 0; font-size: .88rem; }
.wf-legend svg { display: inline-block; width: 1.4rem; height: .9rem; margin: 0 .2rem 0 0;
                 vertical-align: -.1rem; }
@media (prefers-color-scheme: dark) {
  .wf-right { filter: brightness(1.5); }
  .wf-lines .wf-right { filter: none; }
}
@media print { .wireframe { break-inside: avoid; } }
"""
"""For :func:`structce.visualisation.wireframe.draw_wireframe` and its legend.

It asks for the variables ``--paper``, ``--ink``, ``--soft``, ``--line``, ``--tint``, ``--good`` and
``--bad`` of the page around it.
"""
