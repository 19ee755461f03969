"""Document of a page for the frame of the labelling page.

A page with known HTML is shown unchanged, and regions are located in it by their XPath. A corpus of
snapshots has no HTML: the page is then redrawn from its regions, block by block where the renderer
saw them, and region ``i`` is the element with the id ``r<i>``. Everything from the page is escaped,
and both are served under a policy that runs no script and loads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import numpy as np
from markupsafe import escape

from structce.arrays import Floats
from structce.page import Page

_STYLES = ("font-size", "font-weight", "font-style", "color", "font-family", "text-transform")
_SAFE_VALUE = re.compile(r"[\w #(),.%'\"-]{1,200}")
_CLEAR = re.compile(r"transparent|rgba\(.*, ?0\)")
_MAX_PIXELS = 100_000  # nothing is placed further from the page's corner
_STATIC_WIDTH = 1_000
_PADDING = 6  # pixels by which a background extends beyond its text

_HEAD = (
    "<!doctype html><html lang='{lang}'><head><meta charset='utf-8'><title></title><style>"
    "html{{background:#fff;color:#111}}body{{margin:0;font:16px/1.45 Georgia,serif}}"
    ".sheet{{position:relative;width:{width}px;height:{height}px;overflow:hidden}}"
    ".block,.fill{{position:absolute}}.media{{position:absolute;background:#e4e8eb66;"
    "box-shadow:inset 0 0 0 1px #b9c2c8;font:12px sans-serif;color:#52606a;overflow:hidden}}"
    ".flow{{max-width:{width}px;padding:12px 24px}}.flow>div{{margin:.45em 0}}"
    ".flow .media{{position:static;display:inline-block;padding:.6em 1em;min-width:6em}}"
    "</style></head><body>"
)


def drawn_page(page: Page) -> str:
    """Return an HTML document with a page's regions in place or, without layout, block by block."""
    width, height = _size(page)
    head = _HEAD.format(lang=escape(page.lang), width=width, height=height)
    if not page.has_layout:
        return f"{head}<div class='flow'>{''.join(_flow(page))}</div></body></html>"
    pieces = "".join([*_fills(page), *_blocks(page)])
    return f"{head}<div class='sheet'>{pieces}</div></body></html>"


def _size(page: Page) -> tuple[int, int]:
    """Return width and height of the sheet in CSS pixels: the window, or more if needed."""
    if not page.has_layout:
        return _STATIC_WIDTH, 0
    ends = page.boxes[:, :2] + page.boxes[:, 2:]
    ends = ends[np.isfinite(ends).all(axis=1)]
    right, bottom = ends.max(axis=0) if len(ends) else (0.0, 0.0)
    width = max(page.viewport[0], min(right, 2 * page.viewport[0]))
    return int(width), int(min(bottom + 80, _MAX_PIXELS))


def _blocks(page: Page) -> Iterator[str]:
    """Yield each block at the joint box of its regions, texts as inline spans."""
    for _, run in groupby(range(len(page)), lambda i: (page.blocks[i], bool(page.is_media[i]))):
        regions = [i for i in run if np.isfinite(page.boxes[i]).all()]
        if not regions:
            continue
        boxes = page.boxes[regions].astype(float)
        if page.is_media[regions[0]]:
            yield from (
                _medium(page, i, _place(box)) for i, box in zip(regions, boxes, strict=True)
            )
            continue
        style = f"{_place(_joint_box(boxes))};{_block_style(page, regions)}"
        yield f"<div class='block' dir='auto' style='{style}'>"
        yield from (_span(page, i) for i in regions)
        yield "</div>"


def _block_style(page: Page, regions: list[int]) -> str:
    """Return the style of a block's lines: a single line does not wrap."""
    i = regions[0]
    size = float(page.styles["font-size"][i])
    line = float(page.styles["line-height"][i])
    height = float((page.boxes[regions, 1] + page.boxes[regions, 3]).max() - page.boxes[i, 1])
    align = str(page.styles["text-align"][i])
    is_one_line = height < 1.9 * (line if np.isfinite(line) else 1.2 * size)
    wrap = "nowrap" if is_one_line else "normal"
    leading = f"{line:.1f}px" if np.isfinite(line) else "normal"
    return f"white-space:{wrap};line-height:{leading};text-align:{escape(align)}"


def _flow(page: Page) -> Iterator[str]:
    """Yield each block of a page without layout on a line of its own."""
    for _, run in groupby(range(len(page)), lambda i: page.blocks[i]):
        pieces = (_medium(page, i, "") if page.is_media[i] else _span(page, i) for i in run)
        yield f"<div dir='auto'>{''.join(pieces)}</div>"


def _span(page: Page, i: int) -> str:
    """Return the text of a region as an element; preceded by white space if the page had some."""
    space = "" if page.joins is not None and page.joins[i] else " "
    return f"{space}<span id='r{i}' style='{_text_style(page, i)}'>{escape(page.text[i])}</span>"


def _medium(page: Page, i: int, place: str) -> str:
    words = escape(page.attributes[i].get("alt", "")[:200] or page.tag[i])
    return f"<span id='r{i}' class='media' style='{place}'>{words}</span>"


def _text_style(page: Page, i: int) -> str:
    """Return the computed style of a region that this document repeats."""
    declarations = []
    for name in _STYLES:
        if name not in page.styles:
            continue
        value = page.styles[name][i]
        if isinstance(value, str) and _SAFE_VALUE.fullmatch(value):
            declarations.append(f"{name}:{escape(value)}")
        elif not isinstance(value, str) and np.isfinite(value):
            declarations.append(f"{name}:{value:g}{'px' if name == 'font-size' else ''}")
    return ";".join(declarations)


def _fills(page: Page) -> Iterator[str]:
    """Yield a rectangle for each element with a background, behind its text."""
    colours = page.elements.styles.get("background-color")
    if colours is None:
        return
    below: dict[int, list[int]] = {}
    for i in range(len(page)):
        if np.isfinite(page.boxes[i]).all() and page.boxes[i, 2] > 0:
            for above in page.elements.ancestors(int(page.element[i])):
                below.setdefault(above, []).append(i)
    for element in sorted(below):
        colour = str(colours[element])
        if _CLEAR.fullmatch(colour) or not _SAFE_VALUE.fullmatch(colour):
            continue
        boxes = page.boxes[below[element]].astype(float)
        place = _place(_joint_box(boxes) + _PADDING * np.array([-1, -1, 2, 2]))
        yield f"<div class='fill' style='{place};background:{escape(colour)}'></div>"


def _joint_box(boxes: Floats) -> Floats:
    """Return the smallest box around boxes."""
    left, top = boxes[:, :2].min(axis=0)
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    return np.array([left, top, right - left, bottom - top])


def _place(box: Floats) -> str:
    left, top, width, height = np.clip(box, -_MAX_PIXELS, _MAX_PIXELS).tolist()
    return f"left:{left:.1f}px;top:{top:.1f}px;width:{width + 1:.1f}px;height:{height:.1f}px"
