"""What mark-up says of the lines of a byline: names of elements around it, and where links lead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice

from structce.page import Page

Hints = frozenset[str]
"""Names of what mark-up says of a line."""

NO_HINTS: Hints = frozenset()

_NEAR = 4  # elements above a region whose names speak of it
_NAMING = ("class", "id", "rel", "itemprop", "data-testid", "property")
_SUBJECTS = {
    "author": re.compile(r"author|byline|autor|verfass|writer|contributor|auteur|journalist"),
    "date": re.compile(r"date|time|publish|publica|datum|fecha|posted"),
    "title": re.compile(r"title|headline|heading|titel|titul|titre"),
    "user": re.compile(r"user|member|poster|profile|vcard|nick"),
    "tags": re.compile(
        r"categor|(?:^|[ _-])tags?(?:$|[ _-])|topic|breadcrumb|section|kicker|label"
    ),
    "aside": re.compile(r"relat|recommend|teaser|trending|popular|sidebar|promo|newsletter|share"),
    "comment": re.compile(r"comment|kommentar|respond|repl(?:y|ies)"),
    "caption": re.compile(r"caption|credit|legend|bildunter"),
    "frame": re.compile(r"nav(?:$|[ _-]|bar|igation)|menu|footer|header|toolbar"),
}
_PROFILE = re.compile(r"author|autor|/people/|/profile|/staff|/user|/member|redakt|journalist|/@")
_TAGS = {
    "time": "time",
    "nav": "in-nav",
    "footer": "in-footer",
    "button": "button",
    "li": "item",
    "figcaption": "caption",
    "address": "address",
    "aside": "in-aside",
    "form": "in-form",
    "h1": "h1",
    "h2": "h2",
    "h3": "h3",
    "h4": "h4",
    "cite": "cite",
    "strong": "bold",
}


def hints_at(page: Page, region: int) -> Hints:
    """Return what mark-up says of a region: its nearest elements, their names, and its link."""
    elements = page.elements
    found: set[str] = set()
    for above in islice(elements.ancestors(int(page.element[region])), _NEAR):
        tag, attributes = elements.tag[above], elements.attributes[above]
        if tag in _TAGS:
            found.add(_TAGS[tag])
        if tag == "a":
            found.add("link")
            if _leads_to_person(attributes):
                found.add("profile")
        for key in _NAMING if attributes else ():
            if value := attributes.get(key):
                found |= _subjects(value)
    return frozenset(found)


def _leads_to_person(attributes: Mapping[str, str]) -> bool:
    return "author" in attributes.get("rel", "") or bool(
        _PROFILE.search(attributes.get("href", "").lower())
    )


@lru_cache(maxsize=8192)
def _subjects(value: str) -> Hints:
    folded = value.lower()
    return frozenset(name for name, pattern in _SUBJECTS.items() if pattern.search(folded))


def byline_of(page: Page, regions: Sequence[int]) -> tuple[str, tuple[Hints, ...], list[int]]:
    """Return regions as the lines of a byline.

    A first letter that mark-up sets apart stands in one line with the rest of its word.

    Returns
    -------
    text
        The lines, a line break between two.
    hints
        What mark-up says of each line.
    starts
        Where each region begins in the text.
    """
    text, starts = "", []
    hints: list[Hints] = []
    for n, i in enumerate(regions):
        own = hints_at(page, i)
        if n and regions[n - 1] == i - 1 and _is_cut(page, i):
            hints[-1] |= own
        else:
            text += "\n" if n else ""
            hints.append(own)
        starts.append(len(text))
        text += " ".join(page.text[i].split())
    return text, tuple(hints), starts


def _is_cut(page: Page, i: int) -> bool:
    """Return whether a region goes on with the word of which the one before is the first letter."""
    if page.joins is None or not page.joins[i] or page.breaks[i]:
        return False
    return len(page.text[i - 1]) == 1 and page.text[i - 1].isupper() and page.text[i][0].islower()
