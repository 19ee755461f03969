"""Shadow trees that HTML declares: ``<template shadowrootmode=open>`` below an element.

Such a tree shows in place of the children of its host; its ``slot`` elements show those children
where they stand. Source: HTML standard, section 4.12.3, and DOM standard, section 4.2.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

_HOSTS = frozenset(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section "
    "span".split()
)
_CUSTOM = re.compile(r"[a-z][^A-Z]*-")
_NOT_CUSTOM = frozenset(
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format "
    "font-face-name missing-glyph".split()
)


def take_shadows(root: etree._Element) -> Mapping[etree._Element, etree._Element]:
    """Take every declared shadow tree out of a document; return them by their hosts.

    What is left is what scripts call the children of a host: texts around the template have
    become one, as the parser of a browser, which never puts the template there, leaves them.
    """
    shadows: dict[etree._Element, etree._Element] = {}
    for template in list(root.iter("template")):
        host = template.getparent()
        if host is None or host in shadows or not _may_host(str(host.tag)):
            continue
        if (template.get("shadowrootmode") or "").lower() in ("open", "closed"):
            shadows[host] = template
            _detach(template, host)
    return shadows


def first_slots(shadow: etree._Element) -> Mapping[str, etree._Element]:
    """Return the slot of each name that shows children of the host: the first one."""
    slots: dict[str, etree._Element] = {}
    for slot in shadow.iter("slot"):
        templates = list(slot.iterancestors("template"))
        if len(templates) == 1:  # the shadow tree itself; further ones are inert
            slots.setdefault(slot.get("name") or "", slot)
    return slots


def _may_host(tag: str) -> bool:
    return tag in _HOSTS or (_CUSTOM.match(tag) is not None and tag not in _NOT_CUSTOM)


def _detach(template: etree._Element, host: etree._Element) -> None:
    tail, previous = template.tail or "", template.getprevious()
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        host.text = (host.text or "") + tail
    template.tail = None
    host.remove(template)
