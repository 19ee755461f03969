"""What readers of annotated pages share: nodes in document order, with their addresses.

Annotators write their marks into a copy of the page: as elements, as attributes, or in a list of
its elements. Readers of such data sets walk that copy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborNode

from structce.files import Folder
from structce.rendering import Document
from structce.rendering.html import UNSEEN
from structce.rendering.sources.saved import paths_below
from structce.rendering.static.tree import TEXT, children, parse

NOT_SHOWN = UNSEEN | {"iframe", "object"}
"""Elements whose text nobody sees; what stands inside the last two is for old browsers."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_NOT_IN_ID = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, eq=False)
class Node:
    """An element, or a text node.

    Parameters
    ----------
    tag
        In small letters; empty for a text node.
    xpath
        As :attr:`structce.page.Page.xpath` writes it; of a text node that of the element around.
    above
        The element around; None for the root.
    attributes
        Of an element.
    text
        Of a text node.
    """

    tag: str
    xpath: str
    above: Node | None
    attributes: Mapping[str, str]
    text: str = ""

    def upward(self) -> Iterator[Node]:
        """Yield the node and those around it, innermost first."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.above

    def is_inside(self, tags: Collection[str]) -> bool:
        """Return whether the node or one around it is an element of these tags."""
        return any(node.tag in tags for node in self.upward())


def nodes(document: Document) -> Iterator[Node]:
    """Yield the elements and text nodes of a document, in document order, the root first.

    Raises
    ------
    RenderError
        If the document is beyond the parser.
    """
    root = parse(document)
    first = Node(str(root.tag), f"/{root.tag}[1]", None, _attributes(root))
    yield first
    waiting = [(first, _below(first, root))]
    while waiting:
        node, found = next(waiting[-1][1], (None, None))
        if node is None:
            waiting.pop()
            continue
        yield node
        if found is not None:
            waiting.append((node, _below(node, found)))


def shown_texts(document: Document) -> Iterator[Node]:
    """Yield the text nodes that are not empty, without scripts and what else nobody sees.

    Raises
    ------
    RenderError
        If the document is beyond the parser.
    """
    for node in nodes(document):
        if node.text.strip() and not node.is_inside(NOT_SHOWN):
            yield node


def shared_words(texts: Iterable[Node], other: Document) -> float:
    """Return the share of the words of some texts that another document holds, too, in [0, 1].

    Raises
    ------
    RenderError
        If the document is beyond the parser.
    """
    ours, theirs = _words(texts), _words(shown_texts(other))
    return (ours & theirs).total() / max(ours.total(), 1)


def _words(texts: Iterable[Node]) -> Counter[str]:
    return Counter(word for text in texts for word in text.text.casefold().split())


def one_line(texts: Iterable[Node]) -> str:
    """Return texts as one line, a space between two."""
    return " ".join(word for text in texts for word in text.text.split())


def files_below(folder: Folder) -> list[str]:
    """Return the paths of all files in a folder or zip archive, relative to it, sorted."""
    if isinstance(folder, Path):
        return sorted(paths_below(folder))
    names = (name for name in folder.root.namelist() if not name.endswith("/"))
    return sorted(name.removeprefix(folder.at) for name in names if name.startswith(folder.at))


def page_ids(names: Iterable[str]) -> list[str]:
    """Return an id of a page for each name: what an id may not hold becomes a hyphen.

    Names that become the same are numbered, in their order.
    """
    counts: Counter[str] = Counter()
    ids = []
    for name in names:
        plain = _NOT_IN_ID.sub("-", name).strip("-") or "page"
        counts[plain] += 1
        ids.append(plain if counts[plain] == 1 else f"{plain}-{counts[plain]}")
    return ids


def _below(above: Node, node: LexborNode) -> Iterator[tuple[Node, LexborNode | None]]:
    counts: dict[str, int] = {}
    for child in children(node):
        tag = (child.tag or "-").lower()
        if tag == TEXT:
            yield Node("", above.xpath, above, {}, child.text_content or ""), None
        elif tag[0] != "-":
            counts[tag] = counts.get(tag, 0) + 1
            xpath = f"{above.xpath}/{tag}[{counts[tag]}]"
            yield Node(tag, xpath, above, _attributes(child)), child


def _attributes(node: LexborNode) -> dict[str, str]:
    return {name: value or "" for name, value in node.attributes.items()}
