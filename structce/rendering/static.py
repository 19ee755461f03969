"""HTML to regions without a browser: lxml, and what HTML itself says of how elements look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import TracebackType
from typing import Self

import numpy as np
from lxml import etree

from structce.errors import RenderError
from structce.page import MEDIA, Page, StyleColumn
from structce.rendering import html
from structce.rendering.base import BODY, MAX_REGIONS, collapse, has_mark, too_many_regions
from structce.rendering.columns import Columns
from structce.rendering.document import Document
from structce.rendering.metadata import read_metadata

_VOID = frozenset({"source", "track", "wbr"})  # libxml2 does not know that these hold nothing
_EVENTS = ("start", "end", "comment", "pi")
_TOO_DEEP = "Excessive depth"  # libxml2's words when it cuts a page off, at 2,048 levels


class StaticRenderer:
    """Renders documents without a browser: fast and the same everywhere, but without layout.

    An element is hidden by its tag, by ``hidden``, or by its ``style`` attribute; style sheets
    are not read.
    """

    name = "static"

    def render(self, document: Document) -> Page:
        """Return the page.

        Raises
        ------
        RenderError
            If the document holds no element, or nests them deeper than the parser follows.
        """
        root = parse(document)
        columns = _Walk().run(root)
        if len(columns.text) > MAX_REGIONS:
            raise too_many_regions(document.name)
        return columns.page(
            url=document.url,
            lang=root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "",
            renderer=self.name,
            viewport=(0, 0),
            metadata=read_metadata(root),
            styles=_default_styles(columns),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do nothing: there is no browser to close."""


def parse(document: Document, *, whole: bool = True) -> etree._Element:
    """Return the root element of a document.

    Parameters
    ----------
    whole
        Refuse a document of which the parser cut something off.

    Raises
    ------
    RenderError
        If there is no element, or elements nest deeper than the parser follows.
    """
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    data = document.html.encode("utf-8", errors="replace").replace(b"\0", b"")
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise RenderError(f"{document.name}: not HTML: {error}") from error
    if root is None:
        raise RenderError(f"{document.name}: the page holds no element")
    if whole and any(_TOO_DEEP in entry.message for entry in parser.error_log):
        raise RenderError(
            f"{document.name}: elements nest deeper than the static renderer follows (2,048); "
            "try --renderer chromium"
        )
    return root


@dataclass
class _Frame:
    """An open element of the walk."""

    tag: str
    path: str
    attributes: Mapping[str, str]
    node: etree._Element
    position: int = 0
    invisible: bool = False
    closed: bool = False  # a details element that is not open
    index: int = -1  # row in the element columns, once a region below is met
    n_texts: int = 0
    n_elements: int = 0
    n_children: int = -1  # counted when the first child is added
    counts: dict[str, int] = field(default_factory=dict)


class _Walk:
    """One walk over a document, from its root to the columns of its regions."""

    def __init__(self) -> None:
        self.columns = Columns()
        self.stack: list[_Frame] = []
        self.breaks = 0

    def run(self, root: etree._Element) -> Columns:
        self.stack.append(_Frame("", "", {}, root))
        walker = etree.iterwalk(root, events=_EVENTS)
        for event, node in walker:
            if len(self.columns.text) > MAX_REGIONS:
                break
            if event == "start":
                if not self._open(node):
                    walker.skip_subtree()
            elif event == "end":
                self.stack.pop()
                self._read(node.tail)
            else:
                if event == "comment" and self.stack[-1].path.startswith(BODY):
                    self.columns.add_comment(node.text or "")
                self._read(node.tail)
        return self.columns

    def _open(self, node: etree._Element) -> bool:
        """Enter an element; return whether to walk below it."""
        above = self.stack[-1]
        tag = str(node.tag)
        count = above.counts[tag] = above.counts.get(tag, 0) + 1
        attributes = {str(key): str(value) for key, value in node.attrib.items()}
        if tag == "img" and above.tag == "picture":
            attributes["srcset"] = _candidates(above.node)
        frame = _Frame(tag, f"{above.path}/{tag}[{count}]", attributes, node, above.n_elements)
        above.n_elements += 1
        self.stack.append(frame)
        if tag in ("br", "hr"):
            self.breaks += 1 if tag == "br" else 2
        if tag in _VOID:
            return self._beside(node)
        if self._is_hidden(above, tag, attributes, count):
            return False
        frame.invisible = _invisible(above.invisible, attributes)
        frame.closed = tag == "details" and "open" not in attributes
        if tag in MEDIA:
            if not frame.invisible:
                self._add("", frame.path)
            return self._beside(node) if tag == "embed" else False
        self._read(node.text)
        return True

    def _beside(self, node: etree._Element) -> bool:
        """Leave an element that holds nothing: what the parser put below it stands beside it."""
        self.stack[-1] = self.stack[-2]
        self._read(node.text)
        return True

    def _is_hidden(
        self, above: _Frame, tag: str, attributes: Mapping[str, str], count: int
    ) -> bool:
        if above.closed and not (tag == "summary" and count == 1):
            return True
        return html.is_hidden(tag, attributes)

    def _read(self, text: str | None) -> None:
        """Take a text node below the innermost open element."""
        if not text:
            return
        frame = self.stack[-1]
        frame.n_texts += 1
        if has_mark(text) and not (frame.invisible or frame.closed):
            self._add(collapse(text), f"{frame.path}/text()[{frame.n_texts}]")

    def _add(self, text: str, xpath: str) -> None:
        self.columns.add_region(text, self._element(), xpath, self.breaks)
        self.breaks = 0

    def _element(self) -> int:
        """Return the row of the innermost open element, adding what is missing down to it."""
        columns = self.columns
        for above, frame in pairwise(self.stack):
            if frame.index < 0:
                frame.index = len(columns.tag)
                columns.tag.append(frame.tag)
                columns.parent.append(above.index)
                columns.attributes.append(frame.attributes)
                columns.position.append(frame.position)
                if above.n_children < 0:
                    above.n_children = _n_children(above.node) if above.tag else 1
                columns.n_siblings.append(above.n_children)
        return self.stack[-1].index


def _candidates(picture: etree._Element) -> str:
    """Return the addresses of a picture element's image and sources."""
    nodes = picture.iter("img", "source")
    values = (node.get("srcset") or node.get("data-srcset") for node in nodes)
    return ", ".join(value for value in values if value)


def _n_children(node: etree._Element) -> int:
    """Return the number of element children, those wrongly put below an empty one included."""
    children = list(node.iterchildren("*"))
    nested = (child for child in children if child.tag in _VOID or child.tag == "embed")
    return len(children) + sum(_n_children(child) for child in nested)


def _invisible(inherited: bool, attributes: Mapping[str, str]) -> bool:
    return html.is_invisible(attributes) or (
        inherited and not html.declares(attributes.get("style", ""), "visibility", "visible")
    )


def _default_styles(columns: Columns) -> Mapping[str, StyleColumn]:
    """Return what HTML says of display and fonts, one row an element."""
    n = len(columns.tag)
    sizes, weights = np.full(n, 16.0, np.float32), np.full(n, 400.0, np.float32)
    slants = ["normal"] * n
    for i, (tag, parent) in enumerate(zip(columns.tag, columns.parent, strict=True)):
        size, weight, slant = (
            (16.0, 400.0, "normal")
            if parent < 0
            else (float(sizes[parent]), float(weights[parent]), slants[parent])
        )
        sizes[i] = html.font_size(tag, size)
        weights[i] = html.font_weight(tag, weight)
        slants[i] = html.font_style(tag, slant)
    return {
        "display": np.array([html.display(tag) for tag in columns.tag], dtype=np.str_),
        "font-size": sizes,
        "font-weight": weights,
        "font-style": np.array(slants, dtype=np.str_),
    }
