"""The test pages of Mozilla's Readability: output of the program, reviewed by its authors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import lxml.html
from lxml import etree

from structce.datasets.base import UTF8_HTML, GoldPage, PageEntry, open_data_set, page_bytes, reader
from structce.datasets.text_formats import (
    BLOCKS,
    HEADINGS,
    collapse_spaces,
    drop_empty,
    parse_day,
    parse_names,
)
from structce.gold import Gold
from structce.io import Folder
from structce.language import normalise
from structce.page import site_of

_ROOT = "test/test-pages"
_OTHERS = {"byline": "byline", "excerpt": "excerpt", "siteName": "sitename"}

_CAPTIONS = frozenset({"caption", "figcaption"})

_ADDRESSES = "//link[@rel='canonical']/@href | //meta[@property='og:url']/@content"
_NUMBER = re.compile(r"-\d+$")
_INVENTED = re.compile(rb"lorem ipsum", re.IGNORECASE)


@reader(
    "readability",
    title="pages and small cases with what Mozilla's Readability is expected to give",
    licence="gold: Apache-2.0; pages: copyright of their publishers, for research and tests",
    citation="Mozilla (2015). Readability.js: a standalone version of the reader view of Firefox. "
    "Software.",
    gold=("title", "authors", "date", "body", "captions", "values"),
    labels=("Author", "Caption", "Date", "Paragraph", "Subtitle", "Title"),
    home="https://github.com/mozilla/readability",
)
def read_readability(path: Path) -> Iterator[PageEntry]:
    """Yield the test pages, in the order of their names.

    The gold is the output of a program, kept as a regression test: nothing is covered. Each text
    between two block boundaries in ``expected.html`` is a piece: inside ``h1`` to ``h6`` a
    Subtitle, inside ``figcaption`` or ``caption`` a caption, else a Paragraph. Title and byline are
    often those of meta elements; the first line of the byline is read as names, without dates. The
    address is the one that the page states. Without one, numbered names (``webmd-1``) are pages
    of one site, and all cases with filler text are one family.
    """
    folder = open_data_set(path, _ROOT)
    for name in sorted(case.name for case in (folder / _ROOT).iterdir() if case.is_dir()):
        yield PageEntry(name, _read_page, folder / _ROOT / name, name)


def _read_page(folder: Folder, name: str) -> GoldPage:
    data = page_bytes(folder / "source.html")
    values = json.loads((folder / "expected-metadata.json").read_bytes())
    pieces = list(_pieces(_parse((folder / "expected.html").read_bytes())))
    url = _address(_parse(data))
    site = site_of(url) or _NUMBER.sub("", name)
    family = "lorem-ipsum" if not url and _INVENTED.search(data) else site
    return GoldPage(name, site, family, url, data, _gold(values, pieces), UTF8_HTML)


def _parse(data: bytes) -> lxml.html.HtmlElement:
    """Return the root of a page; raises LxmlError if it is empty."""
    return lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"))


def _address(root: lxml.html.HtmlElement) -> str:
    """Return the first absolute address that a page states as its own, or an empty string."""
    matches = root.xpath(_ADDRESSES)
    stated = (str(address).strip() for address in matches if isinstance(address, str))
    whole = (f"https:{address}" if address.startswith("//") else address for address in stated)
    return next((address for address in whole if re.match(r"https?://[^/]", address)), "")


def _gold(values: Mapping[str, object], pieces: Sequence[tuple[str, str]]) -> Gold:
    names = (*_OTHERS, "lang", "publishedTime")
    stated = {name: str(values.get(name) or "").strip() for name in names}
    title = collapse_spaces(values.get("title"))
    day = parse_day(stated["publishedTime"])
    others = {ours: (stated[theirs],) for theirs, ours in _OTHERS.items() if stated[theirs]}
    about = {"lang": stated["lang"], "date": "" if day else stated["publishedTime"]}
    return Gold(
        title=title or None,
        authors=_authors(stated["byline"], stated["lang"]),
        date=day,
        body=tuple(piece for piece in pieces if piece[0] != "Caption"),
        captions=tuple(text for kind, text in pieces if kind == "Caption"),
        others=others,
        about=drop_empty(about),
    )


def _authors(byline: str, lang: str) -> tuple[str, ...]:
    """Return the names in the first line of a byline that is more than "By"."""
    lines = (line.strip() for line in byline.splitlines())
    first = next((line for line in lines if line.casefold() not in ("", "by")), "")
    return tuple(name for name in parse_names(first, lang) if not re.search(r"\d", name))


def _pieces(root: lxml.html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield the kind and text of each stretch between two block boundaries."""
    inside: list[str] = []
    words: list[str] = []
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        tag = node.tag if event in ("start", "end") else ""
        if tag in BLOCKS:
            text = " ".join("".join(words).split())
            words.clear()
            if normalise(text):
                yield _kind(inside), text
        if event == "start":
            inside.append(tag)
            words.append(" " if tag == "br" else node.text or "")
        else:
            if event == "end":
                inside.pop()
            words.append(node.tail or "")


def _kind(inside: Sequence[str]) -> str:
    if not HEADINGS.isdisjoint(inside):
        return "Subtitle"
    return "Paragraph" if _CAPTIONS.isdisjoint(inside) else "Caption"
