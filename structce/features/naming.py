"""What publishers call things: words in class names and kindred attributes, sorted by meaning."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.tree import (
    NO_NAMES,
    Names,
    holders,
    joined_far,
    joined_near,
    with_marked,
)
from structce.page import Page

MEANINGS = {
    "author": r"author|byline|autor|verfass|writer|contributor|auteur|signature|firma$|journalist",
    "date": r"date|time$|timestamp|publish(?!er)|publica(?:[cd]|tie|tion$)|datum|fecha|posted"
    r"|updated",
    "caption": r"caption|legend|bildunter|bildtext|figcap|credit|copyright|cutline|piefoto",
    "title": r"title|headline|heading|titel|titul|titre|überschrift",
    "lead": r"subtitle|subhead|lead$|lede|standfirst|summary|intro|teasertext|kicker|excerpt"
    r"|dek$|deck$|chapo|vorspann|abstract|description|entradilla|ingress|sottotitolo|perex",
    "body": r"article|body|content|story|text|entry|post$|paragraph",
    "media": r"image|photo|picture|media|video|gallery|figure|foto|bild|player|thumb",
    "advertisement": r"^ads?$|advert|sponsor|promo|anzeige|banner|werb|publicid|dfp|taboola",
    "comment": r"comment|kommentar|disqus|reactie|forum",
    "related": r"relat|teaser|recommend|more$|card|list|similar|popular|trending|aside|sidebar",
    "share": r"share|social|facebook|twitter|whatsapp|follow",
    "navigation": r"^nav|menu|breadcrumb|header|footer|topbar|skip|search|login|subscri|newsl",
    "tag": r"^tags?$|topic|categor|section|keyword|label",
}
"""Patterns over one part of a name, in small letters, by what it tells; the words are ours."""

NAMING = frozenset(
    ("class", "id", "name", "rel", "itemprop", "role", "property", "data-testid", "data-component")
)
"""Attributes that name what an element is."""

_PATTERNS = {name: re.compile(pattern) for name, pattern in MEANINGS.items()}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BREAK = re.compile(r"[\W_]")  # two in a row leave an empty part, which joins nothing
_STYLING = re.compile(r"(?:^|(?<=:))text-(?=.)")
_ASCII = re.compile(r"[a-z]+")
_OPENERS = frozenset({"sub", "teaser", "pie"})  # whose meaning shows with the next part
_JOINING = _OPENERS | {"by", "text"}
_VERBS = frozenset({"published", "publish", "posted", "updated", "written", "reported"})


class Word(NamedTuple):
    """One class name: its words, and what they mean."""

    tokens: Names
    meanings: Names


_NOTHING = Word(NO_NAMES, NO_NAMES)


@lru_cache(maxsize=65536)
def read_name(name: str) -> Word:
    """Return the words and meanings of one class name, camel case opened.

    Each part of the name has its own meanings. What is "published by" somebody names that author
    and is no date; "author-date" and "published-author" keep both meanings, since either may be
    meant. A leading ``text-`` means nothing: with frameworks of small styles it sets size or
    colour.
    """
    parts = _parts(name)
    read = [_read_part(part) for part in parts]
    if len(read) == 1:
        return read[0]
    tokens, meanings = zip(*read, strict=True)
    found = NO_NAMES.union(*meanings)
    if not _JOINING.isdisjoint(parts):
        found = _joined_meanings(name)
    return Word(NO_NAMES.union(*tokens), found)


def _joined_meanings(name: str) -> Names:
    """Return the meanings of a name some part of which tells by what stands beside it."""
    parts = _parts(_STYLING.sub("", name))
    found: set[str] = set()
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if following == "by" and part in _VERBS:
            found.add("author")
        else:
            found |= _read_part(part).meanings
        if part in _OPENERS:
            found |= _read_part(part + following).meanings
    return frozenset(found)


def _parts(name: str) -> list[str]:
    small = name if name.islower() else _CAMEL.sub("-", name).lower()
    return _BREAK.split(small)


@lru_cache(maxsize=65536)
def _read_part(part: str) -> Word:
    tokens = frozenset(word for word in _ASCII.findall(part) if 2 <= len(word) <= 20)
    return Word(
        tokens, frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(part))
    )


@once_a_page
def element_words(page: Page) -> list[Word]:
    """Return words and meanings of each element's naming attributes, one pair an element."""
    is_naming = NAMING.__contains__
    return [
        _read_names(tuple(map(row.__getitem__, filter(is_naming, row))))
        for row in page.elements.attributes
    ]


@lru_cache(maxsize=16384)
def _read_names(values: tuple[str, ...]) -> Word:
    read = [read_name(name) for name in " ".join(values).split()]
    if len(read) <= 1:
        return read[0] if read else _NOTHING
    tokens, meanings = zip(*read, strict=True)
    return Word(NO_NAMES.union(*tokens), NO_NAMES.union(*meanings))


@once_a_page
def element_meanings(page: Page) -> list[Names]:
    """Return the meanings in each element's own attributes, one set an element."""
    return [word.meanings for word in element_words(page)]


@once_a_page
def element_tokens(page: Page) -> list[Names]:
    """Return the words in each element's own attributes, one set an element."""
    return [word.tokens for word in element_words(page)]


@once_a_page
def meanings(page: Page) -> list[Names]:
    """Return the meanings of a region's element and, marked by ``^``, of the three above it."""
    own = element_meanings(page)
    near = joined_near(page, own)
    return [with_marked(own[i], names) for i, names in zip(holders(page), near, strict=True)]


@feature("dom")
def meaning(page: Page) -> list[Names]:
    """What class names say of the region's element and of the three above it.

    The words differ from site to site, their meaning hardly: "byline", "autor" and
    "article__author" all announce an author.
    """
    return meanings(page)


@feature("dom")
def far_meaning(page: Page) -> list[Names]:
    """What class names say of the elements higher up."""
    return joined_far(page, element_meanings(page))
