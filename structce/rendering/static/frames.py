"""Open elements of the walk, and what stands in them: counted, and named when asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from structce.rendering.static.look import Look
from structce.rendering.static.text import WHITE
from structce.rendering.static.tree import COMMENT, TEXT, children, is_same


@dataclass(slots=True, eq=False)
class Frame:
    """An open element of the walk; a document, and the root of a shadow tree, have no tag."""

    node: LexborNode | None
    tag: str
    number: int  # among the siblings of its tag, from 1
    above: Frame | None  # the parent element, which for what a slot shows is not the slot
    look: Look
    attributes: Mapping[str, str]
    position: int
    index: int = -1  # row in the element columns, once a region below is met
    n_elements: int = 0
    n_before: int = -1  # regions before a medium that may turn out to hold some
    known_path: str = ""

    @property
    def path(self) -> str:
        """Address, put together when it is first asked for: most elements hold no region."""
        unnamed: list[Frame] = []
        frame: Frame | None = self
        while frame is not None and not frame.known_path and frame.tag:
            unnamed.append(frame)
            frame = frame.above
        path = "" if frame is None else frame.known_path
        for one in reversed(unnamed):
            path = one.known_path = f"{path}/{one.tag}[{one.number}]"
        return path


# Parent; node, or None for a text; the text or the tag, empty for a comment; number among those of
# its kind, from 1; place among the elements, from 0.
Child = tuple[Frame, LexborNode | None, str, int, int]


def children_of(
    frame: Frame, node: LexborNode, *, without: LexborNode | None = None
) -> Iterator[Child]:
    """Yield the children of an element of which something may show, and count them.

    Parameters
    ----------
    without
        A child that is none for who looks at the page: texts around it are one. Texts of white
        space are then given, too.
    """
    counts: dict[str, int] = {}
    n_texts = n_elements = 0
    ahead = ""  # text before the child that is passed over
    for child in children(node):
        tag = child.tag or COMMENT  # a processing instruction, which browsers take for one
        if tag == TEXT:
            text = ahead + (child.text_content or "")
            n_texts += not ahead
            ahead = ""
            following = child.next
            if without is not None and following is not None and is_same(following, without):
                ahead = text
            elif (text := text.strip(WHITE)) or without is not None:
                yield frame, None, text, n_texts, -1
        elif tag == COMMENT:
            yield frame, child, "", 0, -1
        elif tag[0] != "-" and not (without is not None and is_same(child, without)):
            tag = tag.lower()  # as in "foreignObject"
            counts[tag] = number = counts.get(tag, 0) + 1
            n_elements += 1
            frame.n_elements = n_elements
            yield frame, child, tag, number, n_elements - 1
    if ahead:
        yield frame, None, ahead.strip(WHITE), n_texts, -1


def root_of(frame: Frame, path: str) -> Frame:
    """Return a root without a tag below an element; what it holds belongs to the element."""
    return Frame(None, "", 0, frame, frame.look, {}, 0, known_path=path)
