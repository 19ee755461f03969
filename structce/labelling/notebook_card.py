"""Card of a labelled page for notebooks: its regions over a drawing of the page, or as a list.

It is plain HTML with inline styles, without scripts or URLs, since a page can be hostile.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from structce.labels import LabelSet, label_colour
from structce.language import printable
from structce.page import Page, shorten

_WIDTH = 720  # CSS pixels of the drawing
_HEIGHT = 480  # CSS pixels of its visible part
_MOST = 400  # regions shown; news pages have some 250
_CHARACTERS = 200  # shown of a region's text
_MARGIN = 10  # CSS pixels above the first region
_LINE_HEIGHT, _LETTER_WIDTH = 11.0, 5.6  # CSS pixels of small letters in a box
_FRAME = (
    f"max-width:{_WIDTH}px;max-height:{_HEIGHT}px;overflow:auto;border:1px solid #ccc;"
    "font:13px/1.4 sans-serif;color:#222;background:#fff"
)


def labelling_card(
    page: Page, labels: Sequence[str], confidence: Sequence[float], label_set: LabelSet
) -> str:
    """Return the HTML of a card, given the label of each region and its probability in [0, 1]."""
    labelled = [i for i, name in enumerate(labels) if name != label_set.background]
    n_hidden = len(labelled) - _MOST
    if page.has_layout and page.viewport[0]:
        boxes = []
        for i in labelled[:_MOST]:
            caption = f"{labels[i]}, {confidence[i]:.2f}: {shorten(page.text[i], _CHARACTERS)}"
            boxes.append(Box(i, label_colour(labels[i]), caption))
        rows = "".join(draw_boxes(page, boxes))
    else:
        rows = "".join(_lines(page, labels, confidence, labelled[:_MOST]))
    more = f"<div>and {n_hidden:,} more</div>" if n_hidden > 0 else ""
    name = _escaped(shorten(page.title or page.url) or "page")
    head = f"<b>{name}</b> · {len(page):,} regions, {len(labelled):,} labelled · {page.renderer}"
    keys = " ".join(map(_tag, dict.fromkeys(labels[i] for i in labelled)))
    return (
        f'<div style="font:13px/1.8 sans-serif">{head} {keys}</div>'
        f'<div style="{_FRAME}">{rows}{more}</div>'
    )


class Box(NamedTuple):
    """A region in a drawing: its caption is shown under the pointer, its tag before its text."""

    region: int
    colour: str
    caption: str
    tag: str = ""
    is_dashed: bool = False


def draw_boxes(page: Page, boxes: Sequence[Box]) -> Iterator[str]:
    """Yield a drawing of a page with layout: a rectangle for each region, at its place.

    It begins at the first of them, which may be far below menus and pictures.
    """
    scale = _WIDTH / page.viewport[0]
    placed = [(box, [side * scale for side in page.boxes[box.region].tolist()]) for box in boxes]
    placed = [(box, place) for box, place in placed if place[2] > 0 and place[3] > 0]
    first = max(min((place[1] for _, place in placed), default=0) - _MARGIN, 0)
    height = max((place[1] + place[3] for _, place in placed), default=0) - first
    yield f'<div style="position:relative;height:{height:.0f}px">'
    for box, (left, top, width, tall) in placed:
        place = f"left:{left:.0f}px;top:{top - first:.0f}px;width:{width:.0f}px;height:{tall:.0f}px"
        border = f"border:1px {'dashed' if box.is_dashed else 'solid'} {box.colour}"
        tag = f'<b style="color:{box.colour}">{_escaped(box.tag)}</b> ' if box.tag else ""
        yield (
            f'<div style="position:absolute;{place};overflow:hidden;box-sizing:border-box;'
            f'{border};background:{box.colour}18;font-size:10px;line-height:1.1" '
            f'title="{_escaped(box.caption)}">'
            f"{tag}{_fitting(page.text[box.region], width, tall)}</div>"
        )
    yield "</div>"


def _lines(
    page: Page, labels: Sequence[str], confidence: Sequence[float], indices: Sequence[int]
) -> Iterator[str]:
    """Yield a line for each region, and the number of background regions between them."""
    before = -1
    for i in indices:
        if i - before > 1:
            yield f'<div style="color:#888;padding:0 6px">{i - before - 1} without a label</div>'
        text = _escaped(shorten(page.text[i], _CHARACTERS)) or f"<i>{_escaped(page.tag[i])}</i>"
        yield (
            f'<div style="padding:1px 6px">{_tag(labels[i])} '
            f'<span style="color:#666">{confidence[i]:.2f}</span> {text}</div>'
        )
        before = i


def _fitting(text: str, width: float, height: float) -> str:
    """Return as many whole words as fit into a box; none where not even one does."""
    n_lines, n_letters = max(int(height / _LINE_HEIGHT), 1), int(width / _LETTER_WIDTH)
    lines = textwrap.wrap(shorten(text, _CHARACTERS), max(n_letters, 1), break_long_words=False)
    if not lines or max(map(len, lines[:n_lines])) > n_letters:
        return ""
    kept = lines[:n_lines]
    if len(lines) > n_lines:
        kept[-1] = textwrap.shorten(f"{kept[-1]} {'x' * n_letters}", n_letters, placeholder="…")
    return _escaped(" ".join(kept))


def _tag(label: str) -> str:
    style = f"background:{label_colour(label)};color:#fff;border-radius:3px;padding:0 5px"
    return f'<span style="{style}">{_escaped(label)}</span>'


def _escaped(text: str) -> str:
    return escape(printable(text))
