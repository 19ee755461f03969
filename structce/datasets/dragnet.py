"""The Dragnet data: news pages and blogs with the text of the article and of the comments.

Gold. Each line of the article is a piece of the body of the kind ``Text``. The first is the
headline on about three pages of four, but the data do not say on which, so there is no title; the
next lines include bylines and dates. Comments, which follow a line of special characters, are
further values named ``comment``, one per line. The lists ``training.txt`` and ``test.txt`` are not
used: splits are by site.

Coverage. The article is complete, so every paragraph and subtitle of the page is in the gold.

The addresses of the pages are not given. The site is that of the address that a page states for
itself (four pages of five); else the one to which more than half of its links lead, which is right
on 97 of 100 pages that state theirs; else a name unique to the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from structce.datasets.base import (
    GoldPage,
    Lost,
    PageEntry,
    open_data_set,
    page_bytes,
    reader,
    stems,
)
from structce.datasets.text_formats import (
    decode_text,
    linked_site,
    stated_url,
    text_body,
    text_lines,
)
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_LABELS = ("Paragraph", "Subtitle")
_SUFFIX = ".html.corrected.txt"
_EMPTY = {"R237": "its page is a redirection", "R427": "its page is an error message"}
_FAMILIES = {"bbc.com": "bbc.co.uk"}  # both addresses serve the same pages

# "!@#$%^&*()  COMMENTS", occasionally with an extra character or without the word.
_COMMENTS = re.compile(r"^\s*!+@#\$%.*$", re.MULTILINE)


@reader(
    "dragnet",
    title="English news pages and blogs of 2012 with the text of article and comments",
    licence="gold: AGPL-3.0; pages: copyright of their publishers, for research and tests",
    citation="M. E. Peters, D. Lecocq (2013). Content extraction using diverse feature sets. WWW "
    "companion.",
    gold=("body", "values"),
    labels=_LABELS,
    home="https://github.com/seomoz/dragnet_data",
    may_train=False,
)
def read_dragnet(path: Path) -> Iterator[PageEntry | Lost]:
    """Yield the pages: numbered ones, then R (blogs from feeds) and T (blogs from Technorati)."""
    folder = open_data_set(path, "HTML", "Corrected")
    names = stems(folder / "HTML", ".html") | stems(folder / "Corrected", _SUFFIX)
    for name in sorted(names, key=lambda name: (name.rstrip("0123456789"), len(name), name)):
        if name in _EMPTY:
            yield Lost(name, _EMPTY[name], is_known=True)
        else:
            yield PageEntry(name, _read_page, folder, name)


def _read_page(folder: Folder, name: str) -> GoldPage:
    data = page_bytes(folder / "HTML" / f"{name}.html")
    gold = _gold(decode_text((folder / "Corrected" / f"{name}{_SUFFIX}").read_bytes()))
    if not gold.body:
        raise ValueError(f"Corrected/{name}{_SUFFIX} contains no text")
    url = stated_url(data)
    site = site_of(url) or linked_site(data) or f"dragnet-{name}"
    return GoldPage(name, site, _FAMILIES.get(site, site), url, data, gold)


def _gold(text: str) -> Gold:
    article, *comments = _COMMENTS.split(text, maxsplit=1)
    lines = text_lines(comments[0]) if comments else ()
    return Gold(
        body=text_body(article),
        others={"comment": lines} if lines else {},
        covers=frozenset(_LABELS),
    )
