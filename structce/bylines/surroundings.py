"""Hints of the mark-up on a byline's lines: names of elements around them, targets of links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from structce.language import TEXTS, name_table
from structce.page import Page

Hints = frozenset[str]
"""Names of the hints that mark-up gives on a line."""

NO_HINTS: Hints = frozenset()

_NEAR = 4  # elements above a region whose names describe it
_NAMING = ("class", "id", "rel", "itemprop", "data-testid", "property")
_PROFILE = re.compile(r"author|autor|/people/|/profile|/staff|/user|/member|redakt|journalist|/@")


def hints_at(page: Page, region: int) -> Hints:
    """Return the hints on a region: its nearest elements, their names, and its link."""
    elements = page.elements
    hints: set[str] = set()
    for above in islice(elements.ancestors(int(page.element[region])), _NEAR):
        tag, attributes = elements.tag[above], elements.attributes[above]
        if hint := name_table("tags").get(tag):
            hints.add(hint)
        if tag == "a":
            hints.add("link")
            leads_to_person = _PROFILE.search(attributes.get("href", "").lower()) is not None
            if leads_to_person or "author" in attributes.get("rel", ""):
                hints.add("profile")
        for key in _NAMING if attributes else ():
            if value := attributes.get(key):
                hints |= _subjects(value)
    return frozenset(hints)


@lru_cache(maxsize=TEXTS)
def _subjects(value: str) -> Hints:
    folded = value.lower()
    hints = name_table("hints").items()
    return frozenset(name for name, pattern in hints if re.search(pattern, folded))


def byline_of(page: Page, regions: Sequence[int]) -> tuple[str, tuple[Hints, ...], list[int]]:
    """Return regions as the lines of a byline.

    An initial in an element of its own is joined with the rest of its word.

    Returns
    -------
    Lines, separated by line breaks; hints of the mark-up on each; and the first character of each
    region in the text.
    """
    text, starts = "", []
    hints: list[Hints] = []
    for n, i in enumerate(regions):
        of_region = hints_at(page, i)
        if n and regions[n - 1] == i - 1 and _is_cut(page, i):
            hints[-1] |= of_region
        else:
            text += "\n" if n else ""
            hints.append(of_region)
        starts.append(len(text))
        text += " ".join(page.text[i].split())
    return text, tuple(hints), starts


def _is_cut(page: Page, i: int) -> bool:
    """Return whether a region continues the word whose first letter is the region before."""
    if page.joins is None or not page.joins[i] or page.breaks[i]:
        return False
    return len(page.text[i - 1]) == 1 and page.text[i - 1].isupper() and page.text[i][0].islower()
