"""Reading a generated page the way lxml sees it, for all tests of generated pages."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from lxml import html as lxml_html

from structce.page import MEDIA
from structce.synthetic.renderer import GOLD

UNSEEN = {"head", "script", "style", "option"}


class Leaf(NamedTuple):
    """A visible leaf: label, class names nearest to it and all above it."""

    gold: str
    classes: tuple[str, ...]
    above: tuple[str, ...]
    text: str
    tag: str


def walk(element, gold, classes, above):
    if element.tag in UNSEEN:
        return
    gold = element.get(GOLD, gold)
    own = tuple((element.get("class") or "").split())
    classes, above = own or classes, (*above, *own)
    if element.tag in MEDIA:
        yield Leaf(gold, classes, above, "", str(element.tag))
        return
    if element.text and element.text.strip():
        yield Leaf(gold, classes, above, element.text.strip(), str(element.tag))
    for child in element:
        yield from walk(child, gold, classes, above)
        if child.tail and child.tail.strip():
            yield Leaf(gold, classes, above, child.tail.strip(), str(element.tag))


@pytest.fixture(scope="session")
def leaves():
    """The visible leaves of a page, in order."""

    def read(page):
        return list(walk(lxml_html.document_fromstring(page.marked_html), "None", (), ()))

    return read
