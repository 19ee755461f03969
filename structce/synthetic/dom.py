"""Document tree: elements with a gold label, texts, and their serialisation as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html.entities import codepoint2name
from typing import TypeAlias

_VOID = frozenset({"br", "col", "embed", "hr", "img", "input", "link", "meta", "source"})
_RAW = frozenset({"script", "style"})

_BLOCKS = frozenset(
    "html head body title meta link style script header nav main article section aside footer "
    "div p h1 h2 h3 h4 h5 ul ol li dl dt dd figure figcaption blockquote table tbody tr td "
    "form center hr".split()
)
"""Elements after which a line may end: white space there is never rendered."""

Content: TypeAlias = "MarkupNode | str | Sequence[Content] | None"
"""Content of an element; ``None`` and empty sequences are empty content."""

_BODY = "<body"
_FOREIGN = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True)
class MarkupNode:
    """Element of a document: tag, attributes, children (elements and texts) and gold label.

    A region inherits the label of the nearest element around it that has one.
    """

    tag: str
    attributes: Mapping[str, str]
    children: tuple[MarkupNode | str, ...]
    gold: str | None = None


def node(
    tag: str, *children: Content, gold: str | None = None, **attributes: str | int
) -> MarkupNode:
    """Return an element with its attributes and gold label."""
    named = {name: str(value) for name, value in attributes.items()}
    return MarkupNode(tag, named, flatten(children), gold)


class _ElementFactory:
    """Elements by tag, as in ``lxml.builder``: ``E.li("text")`` is ``node("li", "text")``."""

    def __getattr__(self, tag: str) -> Callable[..., MarkupNode]:
        if "_" in tag:  # not an element, but an attribute that introspection looks for
            raise AttributeError(tag)
        return partial(node, tag)


E = _ElementFactory()


def flatten(content: Content) -> tuple[MarkupNode | str, ...]:
    """Return nested content as one tuple, without the ``None`` and empty strings in it."""
    if content is None or content == "":
        return ()
    if isinstance(content, MarkupNode | str):
        return (content,)
    return tuple(child for part in content for child in flatten(part))


def row(*cells: Content) -> MarkupNode:
    """Return a row of a table, with one cell per content."""
    return E.tr([E.td(cell) for cell in cells])


def table(*rows: Content, **attributes: str | int) -> MarkupNode:
    """Return a table with a body."""
    return E.table(E.tbody(rows), **attributes)


def listing(tag: str, items: Sequence[Content]) -> MarkupNode:
    """Return a list, ``ul`` or ``ol``, with one ``li`` element per item."""
    return node(tag, [E.li(item) for item in items])


def join(separator: Content, parts: Sequence[Content]) -> list[Content]:
    """Return the parts with a separator between neighbours."""
    joined: list[Content] = []
    for index, part in enumerate(parts):
        joined += [separator, part] if index else [part]
    return joined


def serialise(root: MarkupNode, *, marked: bool = False, minified: bool = False) -> str:
    """Return the document of an ``html`` element as HTML that is also well-formed XML.

    If ``marked``, gold labels are written as attributes ``data-gold``; nothing else changes. If
    ``minified``, there are no line breaks between blocks.
    """
    return "<!DOCTYPE html>\n" + _write(root, marked, "" if minified else "\n") + "\n"


def _write(part: MarkupNode | str, marked: bool, end: str) -> str:
    if isinstance(part, str):
        return _escape(part)
    attributes = dict(part.attributes)
    if marked and part.gold is not None:
        attributes["data-gold"] = part.gold
    opened = part.tag + "".join(f' {name}="{_quote(attributes[name])}"' for name in attributes)
    if part.tag in _VOID:
        return f"<{opened} />"
    if part.tag in _RAW:
        return f"<{opened}>{''.join(map(str, part.children))}</{part.tag}>"
    return f"<{opened}>{_write_children(part, marked, end)}</{part.tag}>"


def _write_children(part: MarkupNode, marked: bool, end: str) -> str:
    """Return the written children, one per line if all are blocks, as space beside text shows."""
    written = [_write(child, marked, end) for child in part.children]
    are_blocks = all(
        isinstance(child, MarkupNode) and child.tag in _BLOCKS for child in part.children
    )
    return end + end.join(written) + end if written and are_blocks else "".join(written)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quote(text: str) -> str:
    return _escape(text).replace('"', "&quot;")


def encode_entities(document: str, habit: str) -> str:
    """Return a document whose body has references for all non-ASCII characters.

    The habit ``plain`` changes nothing; ``numeric`` writes numbers, every other one hexadecimal;
    ``named`` uses names if HTML 4 has them.
    """
    if habit == "plain":
        return document
    head, start, body = document.partition(_BODY)
    written = _named_reference if habit == "named" else _numeric_reference
    return head + start + _FOREIGN.sub(lambda character: written(ord(character[0])), body)


def _named_reference(code: int) -> str:
    return f"&{codepoint2name[code]};" if code in codepoint2name else _numeric_reference(code)


def _numeric_reference(code: int) -> str:
    return f"&#x{code:x};" if code % 2 else f"&#{code};"
