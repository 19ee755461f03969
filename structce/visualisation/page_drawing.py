"""Drawing of a page by its regions alone, in HTML, for the labelling page.

A corpus keeps neither pictures nor HTML. If the layout is known, each block stands in its place;
otherwise blocks follow one another. Region ``i`` is the element with the id ``r<i>``. The document
loads nothing and runs no script, and everything from the page is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from structce.arrays import Floats, Floats32
from structce.page import Page
from structce.visualisation.base import has_area, render_template

_STYLES = "font-size font-weight font-style color font-family text-transform".split()
_SAFE_VALUE = re.compile(r"[\w #(),.%'\"-]{1,200}")
_CLEAR = re.compile(r"transparent|rgba\(.*, ?0\)")
_MOST_PIXELS = 100_000  # nothing is placed further from the page's corner
_PADDING = np.array([-6, -6, 12, 12])  # pixels by which a background extends beyond its text

Drawing = dict[str, Any]


def page_drawing(page: Page) -> str:
    """Return an HTML document with the regions of a page, each in its place."""
    shown = has_area(page) if page.has_layout else np.ones(len(page), dtype=bool)
    regions = np.flatnonzero(shown).tolist()
    ends = page.boxes[regions, :2] + page.boxes[regions, 2:]
    right, bottom = ends.max(axis=0) if page.has_layout and regions else (0.0, 0.0)
    width = max(page.viewport[0], min(right, 2 * page.viewport[0]))
    return render_template(
        "page_drawing.html",
        lang=page.lang,
        has_layout=page.has_layout,
        width=round(width),
        height=round(min(bottom, _MOST_PIXELS)),
        fills=list(_fills(page, regions)) if page.has_layout else [],
        blocks=list(_blocks(page, regions)),
    )


def _blocks(page: Page, regions: Sequence[int]) -> Iterator[Drawing]:
    """Yield each block with its style and regions; with layout, media are blocks of their own."""

    def block_of(i: int) -> tuple[int, int]:
        return int(page.blocks[i]), i if page.has_layout and page.is_media[i] else -1

    for _, run in groupby(regions, block_of):
        members = list(run)
        yield {
            "style": _block_style(page, members) if page.has_layout else "",
            "regions": [
                {
                    "index": i,
                    "text": page.text[i] or page.attributes[i].get("alt", "")[:200] or page.tag[i],
                    "is_media": bool(page.is_media[i]),
                    "is_joined": page.joins is not None and bool(page.joins[i]),
                    "style": _text_style(page, i),
                }
                for i in members
            ],
        }


def _block_style(page: Page, regions: Sequence[int]) -> str:
    """Return place and lines of a block; a single line does not wrap, as our fonts may be wider."""
    box, first = _joint_box(page.boxes[regions]), regions[0]
    size, line = (_computed(page, first, name) for name in ("font-size", "line-height"))
    align = _safe(_computed(page, first, "text-align") or "start")
    is_known = isinstance(line, float) and np.isfinite(line)
    apart = line if is_known else 1.2 * size  # from line to line; letters take 1.2 sizes
    wrap = "nowrap" if box[3] < 1.1 * size + 0.5 * apart else "normal"
    leading = f"{line:.1f}px" if is_known else "normal"
    return f"{_place(box)};white-space:{wrap};line-height:{leading};text-align:{align}"


def _text_style(page: Page, i: int) -> str:
    declarations = []
    for name in _STYLES:
        value = _computed(page, i, name)
        if isinstance(value, str):
            declarations.append(f"{name}:{_safe(value)}")
        elif np.isfinite(value):
            declarations.append(f"{name}:{value:g}{'px' if name == 'font-size' else ''}")
    return ";".join(declarations)


def _computed(page: Page, i: int, name: str) -> Any:
    """Return a computed style of a region, a number or a text; empty if it was not recorded."""
    return page.styles[name][i] if name in page.styles else ""


def _fills(page: Page, regions: Sequence[int]) -> Iterator[str]:
    """Yield place and colour of each element with a background, behind its text."""
    colours = page.elements.styles.get("background-color")
    if colours is None:
        return
    below: dict[int, list[int]] = {}
    for i in regions:
        for above in page.elements.ancestors(int(page.element[i])):
            below.setdefault(above, []).append(i)
    for element in sorted(below):
        colour = _safe(colours[element])
        if colour and not _CLEAR.fullmatch(colour):
            yield f"{_place(_joint_box(page.boxes[below[element]]) + _PADDING)};background:{colour}"


def _safe(value: object) -> str:
    """Return a value of the page's style sheets; empty if it may be more than a value."""
    return str(value) if _SAFE_VALUE.fullmatch(str(value)) else ""


def _joint_box(boxes: Floats32) -> Floats:
    left, top = boxes[:, :2].min(axis=0)
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    return np.array([left, top, right - left, bottom - top], dtype=np.float64)


def _place(box: Floats) -> str:
    left, top, width, height = np.clip(box, -_MOST_PIXELS, _MOST_PIXELS).tolist()
    return f"left:{left:.1f}px;top:{top:.1f}px;width:{width + 1:.1f}px;height:{height:.1f}px"
