"""Where gold values stand on a page, told to people: regions, their surroundings, their addresses.

Texts are given as the page has them; who prints them makes them fit to be shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process, utils

from structce.corpus import LabelledPage
from structce.gold import Match
from structce.page import Page

LEAST_LIKE = 60.0
"""Least likeness, in per cent, of a region that is named as the nearest to a value that was not
found; our choice."""

_SOURCES = ("src", "data-src", "data", "srcset", "data-srcset", "poster")
_FIRST = re.compile(r"\[1\](?=/|$)")


@dataclass(frozen=True)
class Place:
    """One region as it is told.

    Parameters
    ----------
    xpath
        Shortened: see :func:`short_xpath`.
    text
        Its words; of media an address and the alternative text.
    """

    index: int
    label: str
    tag: str
    xpath: str
    text: str


def place_of(one: LabelledPage, i: int) -> Place:
    """Return a region of a page as it is told."""
    page = one.page
    return Place(i, one.labels[i], page.tag[i], short_xpath(page.xpath[i]), words_of(page, i))


def words_of(page: Page, i: int) -> str:
    """Return the text of a region; of media the address that they show, and what it says of it."""
    if not page.is_media[i]:
        return page.text[i]
    row = page.attributes[i]
    source = next((row[name] for name in _SOURCES if row.get(name)), "")
    return " ".join(filter(None, [source, row.get("alt", "")]))


def text_at(page: Page, regions: Iterable[int]) -> str:
    """Return the words of regions, in one line."""
    return " ".join(filter(None, (words_of(page, i) for i in regions)))


def stated_at(page: Page, i: int) -> str:
    """Return the moment that a ``time`` element around a region states; empty without one."""
    for above in page.elements.ancestors(int(page.element[i])):
        if page.elements.tag[above] == "time":
            return page.elements.attributes[above].get("datetime", "")
    return ""


def short_xpath(xpath: str, n_steps: int = 4) -> str:
    """Return the last steps of an address, without the place of first children.

    >>> short_xpath("/html[1]/body[1]/div[2]/article[1]/p[3]/text()[1]")
    '…/div[2]/article/p[3]'
    """
    steps = _FIRST.sub("", xpath).strip("/").split("/")
    if steps[-1] == "text()":
        steps.pop()
    whole = len(steps) < n_steps
    return ("/" if whole else "…/") + "/".join(steps if whole else steps[1 - n_steps :])


def stretches(regions: Sequence[int], n_regions: int, reach: int) -> list[range]:
    """Return the regions and those around them, as stretches in page order without overlap.

    Parameters
    ----------
    reach
        How many regions before and after are part of it.
    """
    found: list[range] = []
    for i in sorted(regions):
        start, stop = max(0, i - reach), min(n_regions, i + reach + 1)
        if found and start <= found[-1].stop:
            found[-1] = range(found[-1].start, stop)
        else:
            found.append(range(start, stop))
    return found


def fields_like(asked: Iterable[str], there: Iterable[str]) -> list[str]:
    """Return the fields that are asked for, whatever their case: ``date`` is ``Date``, too."""
    names = {name.lower() for name in asked}
    return [name for name in there if name.lower() in names]


def matches_at(matches: Iterable[Match]) -> dict[int, list[Match]]:
    """Return the matches that stand in each region; regions without one are left out."""
    found: dict[int, list[Match]] = {}
    for match in matches:
        for i in match.regions:
            found.setdefault(i, []).append(match)
    return found


def nearest(page: Page, value: str) -> tuple[int, float] | None:
    """Return the region whose text is most like a value, and the likeness in per cent.

    None where no text is like it by ``LEAST_LIKE`` or more; on a tie the first.
    """
    if not utils.default_process(value):  # punctuation alone is like every icon
        return None
    found = process.extractOne(
        value, page.text, scorer=fuzz.ratio, processor=utils.default_process,
        score_cutoff=LEAST_LIKE,
    )  # fmt: skip
    return None if found is None else (found[2], found[1])
