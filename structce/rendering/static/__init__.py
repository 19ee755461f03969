"""Renderer without a browser: a parser (Lexbor), and the default appearance of HTML elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Self

import numpy as np
from msgspec.structs import replace

from structce import kernels
from structce.arrays import Flags
from structce.errors import RenderError, describe_fault
from structce.page import INLINE, Page, Provenance, StyleColumn, read_metadata
from structce.rendering.base import Renderer, Settings
from structce.rendering.document import Document
from structce.rendering.html_scanner import swallows_most, without_empty_elements
from structce.rendering.static.parser import count_tags, parse_inner
from structce.rendering.static.traversal import collect_regions
from structce.runtime import call_within, without_collection

if TYPE_CHECKING:
    from structce.runtime import WorkerPool

NO_WINDOW = (0, 0)  # viewport of a page without layout

# The user-agent style sheet, as suggested in the HTML standard, section 15, Rendering.
_DISPLAYS = {  # "text" and "foreignobject" are of drawings
    "block": "html body address article aside blockquote center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend "
    "listing main menu nav ol optgroup p plaintext pre search section ul xmp text foreignobject",
    "list-item": "li summary",
    "table": "table",
    "table-caption": "caption",
    "table-column-group": "colgroup",
    "table-column": "col",
    "table-header-group": "thead",
    "table-row-group": "tbody",
    "table-footer-group": "tfoot",
    "table-row": "tr",
    "table-cell": "td th",
    "inline-block": "button input select textarea meter progress marquee",
    "ruby": "ruby",
    "contents": "slot",
}
_DISPLAY = {tag: display for display, tags in _DISPLAYS.items() for tag in tags.split()}

_SMALLER = dict.fromkeys(("small", "sub", "sup"), 1 / 1.2)
_FONT_SCALE = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67, "big": 1.2} | _SMALLER
_WEIGHT = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "th"), 700.0)
_ITALIC = frozenset("i em cite var dfn address".split())
_FIXED_WIDTH = frozenset("pre code kbd samp tt".split())
_WITH_FONT = _FONT_SCALE.keys() | _WEIGHT.keys() | _ITALIC | _FIXED_WIDTH
"""Elements whose font differs from that around them, a few of a page's hundreds."""

_Font = tuple[float, float, str]
_START: _Font = (16.0, 400.0, "normal")


class StaticRenderer(Renderer):
    """Static renderer: without a browser, hence fast and the same everywhere, but without layout.

    An element is hidden by its tag, by ``hidden``, or by its ``style`` attribute; style sheets
    are not read. Declarative shadow trees and documents in ``srcdoc`` are walked. Of the settings
    only the limits ``regions`` and ``page_seconds`` apply. Several ``workers`` are processes,
    started by ``with``; as always in Python, a script that does so must start its work under
    ``if __name__ == "__main__":``.
    """

    name = "static"

    def __init__(self, *, settings: Settings | None = None, workers: int = 1) -> None:
        if workers < 1:
            raise RenderError(f"workers: expected 1 or more, got {workers}")
        self.settings = settings or Settings()
        self.workers = workers
        self._pool: WorkerPool[Document, Page] | None = None

    def provenance(self, document: Document) -> Provenance:
        """Return the provenance that the document's page will have, without rendering it."""
        return Provenance.of(document.utf8, _described(self.settings))

    def submit(self, document: Document) -> Future[Page]:
        """Return the future page; with one worker it is finished at once."""
        if self.workers > 1:
            if self._pool is None:
                raise RenderError(
                    "the workers have not been started; use 'with StaticRenderer(...) as renderer'"
                )
            # Resources may be open files or connections, and only a browser needs them.
            return self._pool.submit(replace(document, resources=None), document.name)
        future: Future[Page] = Future()
        try:
            work = partial(render_static, document, self.settings)
            seconds = self.settings.limits.page_seconds
            future.set_result(call_within(seconds, document.name, work))
        except Exception as error:
            future.set_exception(describe_fault(document.name, error))
        return future

    def __enter__(self) -> Self:
        if self.workers > 1:
            from structce.runtime import WorkerPool

            starter = partial(partial, render_static, settings=self.settings)
            seconds = self.settings.limits.page_seconds
            self._pool = WorkerPool(starter, self.workers, seconds=seconds)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = None


@lru_cache(maxsize=16)
def _described(settings: Settings) -> str:
    return str(replace(settings, viewport=NO_WINDOW))


@without_collection
def render_static(document: Document, settings: Settings) -> Page:
    """Render a document in this process; RenderError if it cannot be parsed or exceeds a limit."""
    name, counts = document.name, count_tags(document.utf8)
    root = parse_inner(document.utf8, name, counts)
    builder = collect_regions(root, name, settings)
    is_cut = not any(builder.text) or (counts.may_swallow and swallows_most(document.html))
    if is_cut and (html := without_empty_elements(document.html)) != document.html:
        xml_root = parse_inner(html.encode("utf-8", errors="replace"), name)
        if any((xml_builder := collect_regions(xml_root, name, settings)).text):
            root, builder = xml_root, xml_builder
    styles, is_block = default_styles(builder.tag, builder.parent)
    return builder.page(
        document=document,
        lang=root.attributes.get("lang") or root.attributes.get("xml:lang") or "",
        renderer=StaticRenderer.name,
        viewport=NO_WINDOW,
        metadata=read_metadata(root),
        styles=styles,
        is_block=is_block,
        provenance=Provenance.of(document.utf8, _described(settings)),
    )


def default_styles(
    tags: Sequence[str], parents: Sequence[int]
) -> tuple[Mapping[str, StyleColumn], Flags]:
    """Return the columns of style that HTML alone gives, and which elements are block-level.

    ``parents`` contains the row of each element's parent, which precedes it; -1 for the root.
    """
    above = np.asarray(parents, dtype=np.int32)
    numbers = kernels.number_values(tags)
    distinct = list(dict.fromkeys(tags))
    has_font = np.array([tag in _WITH_FONT for tag in distinct], dtype=bool)[numbers]
    nearest = np.append(kernels.nearest(above, has_font), -1)  # the last is above the root
    rows = np.flatnonzero(has_font)
    fonts = {_START: 0}  # a page has few, of which each has a number
    number_of = np.zeros(len(tags) + 1, dtype=np.int32)  # of the fonts; the last is the page's
    font_of = {-1: _START}
    for i, around in zip(rows.tolist(), nearest[above[rows]].tolist(), strict=True):
        font = font_of[i] = _font(tags[i], font_of[around])
        number_of[i] = fonts.setdefault(font, len(fonts))
    own = number_of[nearest[:-1]]
    sizes, weights, slants = zip(*fonts, strict=True)
    displays = [_DISPLAY.get(tag, "inline") for tag in distinct]
    return {
        "display": np.array(displays, dtype=np.str_)[numbers],
        "font-size": np.array(sizes, dtype=np.float32)[own],
        "font-weight": np.array(weights, dtype=np.float32)[own],
        "font-style": np.array(slants, dtype=np.str_)[own],
    }, np.array([display not in INLINE for display in displays], dtype=bool)[numbers]


@lru_cache(maxsize=1_024)  # pages have few pairs of a tag and the font around it
def _font(tag: str, above: _Font) -> _Font:
    """Return size, weight and slant of an element's font, given its parent's."""
    size, weight, slant = above
    if tag in _FIXED_WIDTH:
        size = 13.0 if size == 16 else size
    else:
        size *= _FONT_SCALE.get(tag, 1.0)
    # Sizes are kept in single precision, so what is inherited is rounded, too.
    return float(np.float32(size)), _WEIGHT.get(tag, weight), "italic" if tag in _ITALIC else slant
