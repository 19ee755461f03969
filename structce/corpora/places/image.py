"""Images and captions on a page."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from posixpath import basename
from urllib.parse import unquote, urlsplit

from structce.corpora.places.body import similar
from structce.corpora.places.place import NOWHERE, Place
from structce.gold import EXACT, SIMILAR
from structce.page import Page
from structce.text_index import Span, TextIndex

_ADDRESS = re.compile(r"(?:https?:)?//[^\s\"'<>]+|[^\s\"'<>,]*/[^\s\"'<>,]+")
_MIN_NAME = 10  # characters of an image's file name that tell it from others
_NAME_ALONE = 0.8  # score of an image that is known by its file name; our choice
_MAX_ADDRESSES = 5_000  # characters of an attribute that is looked through


def find_image(page: Page, addresses: tuple[str, ...]) -> Place:
    """Return the first image region whose attributes hold one of the addresses.

    The path of an address counts, host and query do not; else a file name that is long enough.
    """
    wanted = {_path(address) for address in addresses} - {""}
    names = {name for path in wanted if len(name := basename(path)) >= _MIN_NAME}
    by_name: list[int] = []
    for i in range(len(page)):
        if not page.is_media[i]:
            continue
        paths = {_path(address) for address in _addresses(page, i)}
        if paths & wanted:
            return Place((i,), EXACT, 1.0)
        if {basename(path) for path in paths} & names:
            by_name.append(i)
    return Place((by_name[0],), SIMILAR, _NAME_ALONE) if by_name else NOWHERE


def find_caption(index: TextIndex, text: str, taken: Container[int]) -> Place:
    """Return where a caption stands among the free regions, a block of its own first."""
    spans = [s for s in index.find(text) if index.regions(s)]
    free = [s for s in spans if not any(i in taken for i in index.regions(s))]
    best = max(free, key=index.fills_block, default=None)
    if best is None:
        return similar(index, text, Span(0, len(index.text)))
    return Place(tuple(index.regions(best)), EXACT, 1.0)


def _addresses(page: Page, i: int) -> Iterator[str]:
    for value in page.attributes[i].values():
        if "/" in value and len(value) < _MAX_ADDRESSES:
            yield from _ADDRESS.findall(unquote(value))


def _path(address: str) -> str:
    """Return the path of an address without host, query and size suffixes of file names."""
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return ""
    return re.sub(r"-\d+x\d+(?=\.\w+$)", "", path).rstrip(",")
