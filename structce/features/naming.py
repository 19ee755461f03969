"""What publishers call things: words in class names and kindred attributes, sorted by meaning."""

from __future__ import annotations

import re

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page

MEANINGS = {
    "author": r"author|byline|autor|verfass|writer|contributor|auteur|signature|firma\b|journalist",
    "date": r"date|time\b|timestamp|publi[sc]|datum|fecha|posted|updated",
    "caption": r"caption|legend|bildunter|bildtext|figcap|credit|copyright|cutline|pie-?foto",
    "title": r"title|headline|heading|titel|titul|titre|überschrift",
    "lead": r"subtitle|sub-?head|lead\b|lede|standfirst|summary|intro|teaser-?text|kicker|excerpt"
    r"|dek\b|deck\b|chapo|vorspann|abstract|description|entradilla|ingress|sottotitolo|perex",
    "body": r"article|body|content|story|text|entry|post\b|paragraph",
    "media": r"image|photo|picture|media|video|gallery|figure|foto|bild|player|thumb",
    "advertisement": r"\bads?\b|advert|sponsor|promo|anzeige|banner|werb|publicid|dfp|taboola",
    "comment": r"comment|kommentar|disqus|reactie|forum",
    "related": r"relat|teaser|recommend|more\b|card|list|similar|popular|trending|aside|sidebar",
    "share": r"share|social|facebook|twitter|whatsapp|follow",
    "navigation": r"\bnav|menu|breadcrumb|header|footer|topbar|skip|search|login|subscri|newsl",
    "tag": r"\btags?\b|topic|categor|section|keyword|label",
}
"""Patterns by what they tell of the region; the words are ours."""

_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in MEANINGS.items()}
_ATTRIBUTES = (
    "class",
    "id",
    "rel",
    "itemprop",
    "role",
    "data-testid",
    "data-component",
    "property",
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@once_a_page
def element_meanings(page: Page) -> list[frozenset[str]]:
    """Return the meanings in each element's own attributes, one set an element."""
    known: dict[str, frozenset[str]] = {}
    found = []
    for row in page.elements.attributes:
        value = " ".join(row[key] for key in _ATTRIBUTES if key in row)
        if value not in known:
            opened = _CAMEL.sub("-", value).replace("_", "-")
            known[value] = frozenset(name for name, p in _PATTERNS.items() if p.search(opened))
        found.append(known[value])
    return found


@once_a_page
def meanings(page: Page) -> list[frozenset[str]]:
    """Return the meanings of a region's element and, marked by ``^``, of the three above it."""
    own = element_meanings(page)
    found: list[frozenset[str]] = []
    for i in page.element:
        first, *above = list(page.elements.ancestors(int(i)))[:4]
        near = frozenset[str]().union(*(own[n] for n in above))
        found.append(own[first] | {f"^{name}" for name in near})
    return found


@feature("dom")
def meaning(page: Page) -> list[frozenset[str]]:
    """What class names say of the region's element and of the three above it.

    The words differ from site to site, their meaning hardly: "byline", "autor" and
    "article__author" all announce an author.
    """
    return meanings(page)


@feature("dom")
def far_meaning(page: Page) -> list[frozenset[str]]:
    """What class names say of the elements higher up."""
    own = element_meanings(page)
    empty: frozenset[str] = frozenset()
    return [
        empty.union(*(own[n] for n in list(page.elements.ancestors(int(i)))[4:]))
        for i in page.element
    ]
