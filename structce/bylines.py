"""Bylines to names, and what a page states of itself to what a reader would write down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from rapidfuzz import fuzz

from structce.dates import parse_iso
from structce.metadata import Metadata
from structce.text import normalise

_BY = re.compile(
    r"^\W*(?:(?:written |reported )?by|von|par|por|di|da|de|door|av|af|text(?:e|o)?:?|"
    r"autor(?:in|es)?:?|author:?)\s+",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,|;|\||/|•|·|&|\s(?:and|und|et|y|e|en|og|och|ja|i|ve)\s)\s*", re.IGNORECASE
)
_ASIDE = re.compile(r"\([^)]*\)")
_SEPARATED = re.compile(r"\s+[|·•«–—-]\s+")
_MAX_WORDS = 6  # of a person's name; a longer piece of a byline is something else
_SAME_SITE = 85.0  # least similarity in per cent of a headline's ending with the site's name


def split_byline(text: str) -> list[str]:
    """Return the names in a byline, without "By", functions and dates.

    >>> split_byline("By Ann Lee and Tom Rost, in Berlin")
    ['Ann Lee', 'Tom Rost']
    """
    names = [_BY.sub("", piece).strip(" .:-–—") for piece in _AND.split(_BY.sub("", text))]
    named = [name for name in names if _is_name(name)]
    return named or [name for name in names if name][:1]


def _is_name(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= _MAX_WORDS
        and not any(c.isdigit() for c in text)
        and "@" not in text
        and not words[0].islower()
    )


def stated_authors(metadata: Metadata) -> tuple[list[str], list[str]]:
    """Return the persons and the publishers that a page states as its authors.

    Addresses, remarks in brackets and names in other spellings of JSON-LD's are left out.
    """
    publishers = {normalise(name) for name in metadata.publishers}
    names: dict[str, str] = {}
    for stated in metadata.linked("author") or metadata.linked("creator") or metadata.authors:
        if "@" not in stated and "://" not in stated:
            for name in split_byline(_ASIDE.sub("", stated).split(" / ")[0]):
                names.setdefault(normalise(name), name)
    persons = [name for key, name in names.items() if key and key not in publishers]
    return persons, [name for key, name in names.items() if key in publishers]


def stated_title(metadata: Metadata) -> str | None:
    """Return the headline that a page states in OpenGraph or JSON-LD, if it does.

    The site's name at the end is left out.
    """
    stated = [*metadata.meta.get("og:title", ()), *metadata.linked("headline")]
    title = " ".join(next((text for text in stated if text.strip()), "").split())
    parts = _SEPARATED.split(title)
    if len(parts) > 1 and any(_same(parts[-1], name) for name in metadata.publishers):
        title = _without_last(title, parts)
    return title or None


def window_title(metadata: Metadata) -> str | None:
    """Return the text of the title element without what stands behind its last separator."""
    parts = _SEPARATED.split(metadata.title)
    return (_without_last(metadata.title, parts) if len(parts) > 1 else metadata.title) or None


def _without_last(title: str, parts: Sequence[str]) -> str:
    return title[: title.rindex(parts[-1])].rstrip(" |·•«–—-")


def _same(one: str, other: str) -> bool:
    return fuzz.ratio(normalise(one), normalise(other)) >= _SAME_SITE


def stated_moment(metadata: Metadata) -> datetime | None:
    """Return the moment of publication that a page states, in JSON-LD first."""
    stated = [
        *metadata.linked("datePublished"),
        *metadata.meta.get("article:published_time", ()),
        *metadata.dates,
    ]
    return next((moment for text in stated if (moment := parse_iso(text)) is not None), None)
