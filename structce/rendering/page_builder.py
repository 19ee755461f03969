"""Builder of pages: collects rows in the order of a renderer's walk as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from structce.arrays import Integers32
from structce.page import Elements, Metadata, Page, Provenance, StyleColumn
from structce.rendering.document import Document
from structce.rendering.html_rules import MAX_COMMENTS, clean_comment


@dataclass
class PageBuilder:
    """Columns of a page during the walk over it: elements first, then regions.

    Only elements above a region are kept, so an element is added when its first region is reached.
    Without layout ``boxes`` stays empty.
    """

    tag: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    attributes: list[Mapping[str, str]] = field(default_factory=list)
    position: list[int] = field(default_factory=list)
    n_siblings: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    element: list[int] = field(default_factory=list)
    xpath: list[str] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    joins: list[bool] = field(default_factory=list)
    preformatted: list[tuple[int, str]] = field(default_factory=list)
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    comment_places: list[int] = field(default_factory=list)

    def add_region(self, text: str, element: int, xpath: str, breaks: int, joins: bool) -> None:
        """Add one region at the end; ``joins`` if there is no white space before it."""
        self.text.append(text)
        self.element.append(element)
        self.xpath.append(xpath)
        self.breaks.append(breaks)
        self.joins.append(joins)

    def add_comment(self, text: str) -> None:
        """Add a comment after the last region."""
        self.comments.append(text)
        self.comment_places.append(len(self.text))

    def page(
        self,
        *,
        document: Document,
        lang: str,
        renderer: str,
        viewport: tuple[int, int],
        metadata: Metadata,
        styles: Mapping[str, StyleColumn],
        provenance: Provenance,
    ) -> Page:
        """Return the page of a document with these rows; see :class:`Page` for the parameters."""
        elements = Elements(
            tag=tuple(self.tag),
            parent=_integers(self.parent),
            attributes=tuple(self.attributes),
            position=_integers(self.position),
            n_siblings=_integers(self.n_siblings),
            styles=styles,
        )
        cleaned = zip(map(clean_comment, self.comments), self.comment_places, strict=True)
        comments = [(text, n_before) for text, n_before in cleaned if text][:MAX_COMMENTS]
        no_boxes = np.full((len(self.text), 4), np.nan)
        boxes = np.array(self.boxes or no_boxes, dtype=np.float32).reshape(-1, 4)
        return Page(
            url=document.url,
            lang=lang,
            renderer=renderer,
            viewport=viewport,
            metadata=metadata,
            elements=elements,
            text=tuple(self.text),
            element=_integers(self.element),
            xpath=tuple(self.xpath),
            breaks=_integers(self.breaks),
            boxes=boxes,
            comments=tuple(text for text, _ in comments),
            comment_places=_integers([n_before for _, n_before in comments]),
            joins=np.array(self.joins, dtype=bool),
            preformatted=dict(self.preformatted),
            provenance=provenance,
        )


def _integers(values: Sequence[int]) -> Integers32:
    return np.array(values, dtype=np.int32)
