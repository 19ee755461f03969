"""Wireframe of a labelled page for reports: a drawing if there is layout, or else a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from markupsafe import escape

from structce.arrays import Flags
from structce.labels import is_exact_label
from structce.language import printable
from structce.page import Page
from structce.visualisation.base import read_asset, render_template
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

MAX_FIGURE_BYTES = 60_000
"""UTF-8 bytes of a page in all, so that a report of ten pages opens at once."""

_LIST_BYTES, _DETAIL_BYTES = 56_000, 14_000
"""UTF-8 bytes of the lines of a page without a drawing, and of those below one."""

_TEXT_BYTES = 16_000
"""UTF-8 bytes of the texts in the rectangles."""

_MAX_RECTANGLES = 600
"""Rectangles of a drawing; a page of the news has some 250 regions in all."""

_MAX_LINES = 300
"""Wrong regions that are listed below a drawing; more do not fit into its bytes anyway."""

_WIDE, _NARROW = 12.0, 20.0
"""Size of the type of tags, in units, where there is room and on a telephone."""

_TEXT_COLUMNS, _FIRST_COLUMNS = 120, 60
"""Columns of a wrong region's text, and of that of the first region of a run."""

_LINE_HEIGHT = 9.0  # units from line to line of a text; its type is 8 units
_LETTER_WIDTH = 3.5  # units of a narrow letter: what does not fit is clipped all the same
_LEAST_FOLDED = 3  # lines of one mistake in a row, of which one is shown and the others folded
_MARK_UP = 75  # bytes around the texts of a line, at most, a line's share of a folding included


def draw_wireframe(
    page: Page, gold: Sequence[str], predicted: Sequence[str], background: str, *, id: str
) -> str:
    """Return a ``figure`` that shows which regions of a page were labelled correctly.

    With layout a drawing of the page, cut to the bands with labels, and its wrong regions as a
    list; without, or where no region with a label has an area, the whole page as a list in reading
    order. At most `MAX_FIGURE_BYTES` long; notes say what was cut or left out. A region whose gold
    label is unknown is neither right nor wrong.

    Parameters
    ----------
    gold, predicted
        One label each per region; :data:`structce.labels.UNKNOWN` if it is not known.
    background
        Label of all regions without a label of interest.
    id
        Prefix of the identifiers inside; unique among the drawings of a file.

    Raises
    ------
    LabelError
        If the number of labels is not that of regions.
    """
    comparison = LabelComparison(page, gold, predicted, background)
    n_regions = _MAX_RECTANGLES
    while True:
        markup = _figure(comparison, page_drawing(comparison, n_regions), id)
        if len(markup.encode()) <= MAX_FIGURE_BYTES or n_regions < 2:
            return markup
        n_regions = 3 * n_regions // 4


def wireframe_legend(labels: Sequence[str]) -> str:
    """Return the legend of the drawings, as a list.

    Parameters
    ----------
    labels
        Labels in the drawings, without the background; unknown ones are skipped.
    """
    names = [
        (display_name(label), display_colour(label)) for label in labels if is_exact_label(label)
    ]
    return render_template("wireframe_legend.html", labels=names).strip()


def wireframe_css() -> str:
    """Return the style sheet of drawings and of their legend.

    It uses the variables ``--paper``, ``--ink``, ``--soft``, ``--line``, ``--tint``,
    ``--good`` and ``--bad`` of the page around them.
    """
    return read_asset("wireframe.css")


def _figure(comparison: LabelComparison, drawing: Drawing | None, id: str) -> str:
    n_wrong = len(comparison.regions("wrong"))
    if drawing is None:
        lines, left_out = fit_lines(list_lines(comparison), _LIST_BYTES, n_wrong)
    else:
        lines, left_out = fit_lines(wrong_lines(comparison, drawing.drawn), _DETAIL_BYTES, n_wrong)
    title = printable(comparison.page.title[:400], 80).strip() or "a page without a title"
    return render_template(
        "wireframe.html",
        id=re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", id),
        title=f"Labels of {title}",
        description=" ".join([comparison.description, *(drawing.notes if drawing else ())]),
        drawing=drawing,
        lines=tuple(fold_lines(lines)),
        left_out=left_out,
        summary=f"{count_noun(n_wrong, 'wrong region')} in words",
        path_of=svg_path,
    ).strip()


@dataclass(frozen=True)
class Drawing:
    """Content of the drawing of a page.

    Parameters
    ----------
    rectangles
        Those of one outcome and one pair of labels together, as the path of an SVG.
    words
        Texts, each clipped to its place.
    wide, narrow
        Tags on wide screens, and on telephones.
    drawn
        Regions with a rectangle.
    notes
        What was left out, one sentence each.
    """

    height: float
    rectangles: list[dict[str, str]]
    words: list[dict[str, object]]
    wide: tuple[Tag, ...]
    narrow: tuple[Tag, ...]
    cuts: tuple[Cut, ...]
    drawn: frozenset[int]
    notes: tuple[str, ...]


def page_drawing(comparison: LabelComparison, n_regions: int = _MAX_RECTANGLES) -> Drawing | None:
    """Return the drawing of a page; None if it would show no marked region.

    Parameters
    ----------
    n_regions
        Maximum number of regions with a rectangle.
    """
    if not comparison.page.has_layout or not comparison.marked:
        return None
    drawable = drawable_regions(comparison)
    bands = visible_bands(comparison, drawable)
    if bands is None:
        return None
    shown = dict(_shown_regions(comparison, bands, drawable))
    kept = dict(list(shown.items())[:n_regions])
    cuts = cut_stripes(bands, comparison, drawable, shown)
    stripes = [cut.y for cut in cuts]
    wide = region_tags(comparison, kept, _WIDE, bands.height, stripes, is_sparse=False)
    return Drawing(
        height=round(bands.height, 1),
        rectangles=list(_rectangles(comparison, kept)),
        words=list(_words(comparison, kept)),
        wide=wide,
        narrow=region_tags(comparison, kept, _NARROW, bands.height, stripes, is_sparse=True),
        cuts=cuts,
        drawn=frozenset(kept),
        notes=tuple(_notes(comparison, shown, kept, wide)),
    )


def _shown_regions(
    comparison: LabelComparison, bands: VisibleBands, drawable: Flags
) -> Iterator[tuple[int, Rectangle]]:
    """Yield the regions that are sufficiently visible, most important first, and their places."""
    is_marked = set(comparison.marked)
    for i in comparison.by_importance:
        box = comparison.page.boxes[i].tolist()
        if drawable[i] and (i not in is_marked or bands.shows(box)):
            place = bands.place(box)
            if place is not None:
                yield i, place


def _rectangles(
    comparison: LabelComparison, kept: Mapping[int, Rectangle]
) -> Iterator[dict[str, str]]:
    """Yield the rectangles, the most important last, so that they are on top."""
    is_marked = set(comparison.marked)

    def key(i: int) -> tuple[Outcome, str, str]:
        return comparison.kind(i) if i in is_marked else ("background", "", "")

    rank = {"background": 0, "right": 1, "unknown": 2, "wrong": 3}
    rows = sorted(kept, key=lambda i: (rank[key(i)[0]], *key(i)))
    for (outcome, _, predicted), run in groupby(rows, key=key):
        group = list(run)
        yield {
            "outcome": outcome,
            "name": "" if outcome == "background" else comparison.caption(group[0]),
            "colour": display_colour(predicted),
            "path": svg_path([kept[i] for i in group]),
        }


def svg_path(places: Sequence[Rectangle]) -> str:
    """Return rectangles as the path of an SVG, none thinner than a unit.

    >>> svg_path([Rectangle(1, 2, 30.04, 0.2)])
    'M1 2h30v1h-30z'
    """
    parts = []
    for place in places:
        sides = (place.x, place.y, max(place.width, 1), max(place.height, 1))
        x, y, width, height = (f"{round(side, 1):.6g}" for side in sides)
        parts.append(f"M{x} {y}h{width}v{height}h-{width}z")
    return "".join(parts)


def _words(
    comparison: LabelComparison, kept: Mapping[int, Rectangle]
) -> Iterator[dict[str, object]]:
    """Yield texts, as many as the bytes allow, none over another."""
    left, before, is_marked = _TEXT_BYTES, list[Rectangle](), set(comparison.marked)
    for i, box in kept.items():
        n_lines = int(box.height / _LINE_HEIGHT + 0.25)
        per_line = int((box.width - 2) / _LETTER_WIDTH)
        if n_lines < 1 or per_line < 4 or any(_overlaps(box, other) for other in before):
            continue
        text = comparison.text(i, min(n_lines * per_line, 600))
        left -= len(str(escape(text)).encode()) + 80
        if left < 0:
            return
        before.append(box)
        place = Rectangle(
            round(box.x + 1, 1), round(box.y, 1), round(box.width - 2), n_lines * _LINE_HEIGHT
        )
        yield {"place": place, "text": text, "is_soft": i not in is_marked}


def _overlaps(one: Rectangle, other: Rectangle) -> bool:
    """Return whether two rectangles share more than their edges."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 1 and down > 1


def _notes(
    comparison: LabelComparison,
    shown: Mapping[int, Rectangle],
    kept: Mapping[int, Rectangle],
    tags: Sequence[Tag],
) -> Iterator[str]:
    """Yield what was left out, one sentence each."""
    marked = [i for i in comparison.marked if i not in kept]
    n_wrong = sum(comparison.outcomes[i] == "wrong" for i in marked)
    if marked:
        wrong = f", {n_wrong:,} of them wrong" if n_wrong else ""
        yield f"Not in the picture: {count_noun(len(marked), 'labelled region')}{wrong}."
    if lost := len(shown) - len(kept) - sum(i in shown for i in marked):
        yield f"Not drawn: {count_noun(lost, 'region')} of the background."
    n_drawn = sum(comparison.outcomes[i] == "wrong" for i in kept)
    if lost := n_drawn - sum(tag.n_regions for tag in tags if tag.is_wrong):
        yield f"Without a tag, for want of room: {count_noun(lost, 'wrong region')}."


@dataclass(frozen=True)
class ListLine:
    """A region, or a run of regions with the same labels, in words.

    Parameters
    ----------
    name
        The label, or ``gold → predicted``.
    note
        Number of regions if more than one, or that one is not in the picture.
    folded
        Text on further regions with the same mistake, which a reader may unfold.
    """

    outcome: Outcome
    name: str
    note: str
    words: str
    folded: tuple[str, ...] = ()

    @property
    def n_bytes(self) -> int:
        """Approximate length as mark-up, in bytes of UTF-8."""
        return _MARK_UP + sum(
            len(str(escape(text)).encode()) for text in (self.name, self.note, self.words)
        )


def list_lines(comparison: LabelComparison) -> tuple[ListLine, ...]:
    """Return a page as lines in reading order; empty for a page without regions.

    Each wrong region is a line; regions one after the other that are right, or of unknown gold
    label, and have the same labels are one line together.
    """
    runs = groupby(range(len(comparison.outcomes)), key=comparison.kind)
    return tuple(
        line for (outcome, _, _), run in runs for line in _lines(comparison, outcome, list(run))
    )


def wrong_lines(comparison: LabelComparison, drawn: frozenset[int]) -> tuple[ListLine, ...]:
    """Return the first wrong regions as lines, those outside the drawing with a note."""
    return tuple(
        _line(comparison, i, "" if i in drawn else "not in the picture")
        for i in comparison.regions("wrong")[:_MAX_LINES]
    )


def _lines(comparison: LabelComparison, outcome: Outcome, run: list[int]) -> Iterator[ListLine]:
    if outcome == "wrong":
        yield from (_line(comparison, i, "") for i in run)
    elif outcome == "background":
        name, regions = comparison.caption(run[0]), count_noun(len(run), "region")
        yield ListLine(outcome, "", f"… {regions} of {name}, right", "")
    else:
        yield _line(comparison, run[0], count_noun(len(run), "region") if len(run) > 1 else "")


def _line(comparison: LabelComparison, i: int, note: str) -> ListLine:
    outcome = comparison.outcomes[i]
    words = comparison.text(i, _TEXT_COLUMNS if outcome == "wrong" else _FIRST_COLUMNS)
    return ListLine(outcome, comparison.caption(i), note, words)


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
    by_worth = sorted(range(len(lines)), key=lambda n: (lines[n].outcome != "wrong", n))
    for n in by_worth:
        left -= lines[n].n_bytes
        if left < 0:
            break
        kept.add(n)
    n_lost = n_wrong - sum(lines[n].outcome == "wrong" for n in kept)
    n_others = sum(line.outcome != "wrong" for n, line in enumerate(lines) if n not in kept)
    counts = ((n_lost, "wrong region"), (n_others, "other line"))
    parts = [count_noun(n, noun) for n, noun in counts if n]
    note = f"Left out for length: {' and '.join(parts)}." if parts else ""
    return tuple(line for n, line in enumerate(lines) if n in kept), note


def fold_lines(lines: Sequence[ListLine]) -> Iterator[ListLine]:
    """Yield lines, those of one mistake in a row as one that tells their number."""
    for _, run in groupby(lines, key=lambda line: (line.outcome, line.name, line.note)):
        first, *rest = run
        if first.outcome != "wrong" or len(rest) + 1 < _LEAST_FOLDED:
            yield from (first, *rest)
            continue
        note = ", ".join(filter(None, [count_noun(len(rest) + 1, "region"), first.note]))
        yield replace(first, note=note, folded=tuple(line.words for line in rest))
