"""Shadow trees that HTML declares: ``<template shadowrootmode=open>`` below an element.

Such a tree shows in place of the children of its host; its ``slot`` elements show those children
where they stand. Source: HTML standard, section 4.12.3, and DOM standard, section 4.2.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from structce.rendering.static.tree import children

_HOSTS = frozenset(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section "
    "span".split()
)
_CUSTOM = re.compile(r"[a-z][^A-Z]*-")
_NOT_CUSTOM = frozenset(
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format "
    "font-face-name missing-glyph".split()
)


@dataclass(frozen=True)
class Shadow:
    """A shadow tree.

    Parameters
    ----------
    template
        The element that declares it; it is no child of the host for who looks at the page.
    root
        The node whose children are the tree: what the template holds aside.
    """

    template: LexborNode
    root: LexborNode


def shadow_of(host: LexborNode) -> Shadow | None:
    """Return the shadow tree of an element, the first that is declared; None where it has none."""
    if not _may_host(str(host.tag)):
        return None
    for child in children(host):
        if child.tag == "template":
            mode = child.attributes.get("shadowrootmode") or ""
            if mode.lower() in ("open", "closed"):
                return Shadow(child, child.template_fragments()[0])
    return None


def first_slots(shadow: Shadow) -> Mapping[str, int]:
    """Return the slot of each name that shows children of the host, by its number: the first."""
    slots: dict[str, int] = {}
    for slot in shadow.root.css("slot"):
        slots.setdefault(slot.attributes.get("name") or "", slot.mem_id)
    return slots


def _may_host(tag: str) -> bool:
    return tag in _HOSTS or (_CUSTOM.match(tag) is not None and tag not in _NOT_CUSTOM)
