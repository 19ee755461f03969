"""Bylines to names, and what a page states of itself to what a reader would write down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from rapidfuzz import fuzz

from structce.bylines.words import AGENCIES, BEFORE, BETWEEN, OTHERS, ROLES
from structce.dates import parse_stated
from structce.metadata import Metadata
from structce.text import SHARED_LETTERS, language, normalise, phrases

__all__ = [
    "AGENCIES",
    "BEFORE",
    "BETWEEN",
    "CREDIT",
    "OTHERS",
    "ROLES",
    "names_apart",
    "split_byline",
    "stated_authors",
    "stated_moment",
    "stated_title",
    "window_title",
    "without_by",
]

CREDIT = re.compile(r"©|\(c\)|\bfoto|\bphoto|\bbild\b|picture|getty", re.IGNORECASE)
"""What tells the credit of a picture, which names a person too, from a byline."""

_MARKS = r",|;|\||/|／|•|·|・|、|&"
_ASIDE = re.compile(r"\s*[(（][^)）]*[)）]")
_PLACE = re.compile(r"\s+in\s+(?=[^\W\d_])\S.*$")
_SEPARATED = re.compile(r"\s+[|·•«–—-]\s+")
_PARTICLES = frozenset({"von", "de", "di", "da", "af", "per", "na"})  # also begin surnames
_OTHERWISE = frozenset({"in", "a"})  # "and" in Slovene and Czech, something else elsewhere
_MAX_WORDS = 6  # of a person's name; a longer piece of a byline is something else
_SAME_SITE = 85.0  # least similarity in per cent of a headline's ending with the site's name


def split_byline(text: str, lang: str = "") -> list[str]:
    """Return the names in a byline, without "By", functions, places and dates.

    Parameters
    ----------
    lang
        Language tag of the page, to read short words as that language means them.

    >>> split_byline("By Ann Lee and Tom Rost, in Berlin")
    ['Ann Lee', 'Tom Rost']
    """
    code = language(lang)
    pieces = names_apart(without_by(_ASIDE.sub("", text), code), code)
    names = [_PLACE.sub("", without_by(piece, code)).strip(" .:-–—") for piece in pieces]
    named = [name for piece in names if _is_name(name := _without_role(piece, code))]
    return named or [name for name in names if name][:1]


def names_apart(text: str, code: str) -> list[str]:
    """Return what commas, slashes and the language's "and" part."""
    return _joint(code).split(text)


def without_by(text: str, code: str) -> str:
    """Return a text without a language's "By" in front; "De Gaulle" and "Von Trier" stay whole."""
    found = _before(code).match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    is_part = found[1].lower() in _PARTICLES and len(rest.split()) < 2
    return text if is_part and normalise(rest) not in _agencies() else rest


def _without_role(name: str, code: str) -> str:
    """Return a name without what the person is in front, or behind in Asian scripts.

    "BBC correspondent" names nobody and gives the empty text.
    """
    parts = name.split()
    while parts and parts[0].casefold() in _roles(code):
        parts = parts[1:]
    if parts and parts[-1].casefold() in _roles(code):
        parts = parts[:-1] if parts[-1][0] > SHARED_LETTERS else []
    return " ".join(parts)


@lru_cache(maxsize=64)
def _before(code: str) -> re.Pattern[str]:
    words = sorted(phrases(BEFORE, code), key=len, reverse=True)
    return re.compile(
        rf"\W*({'|'.join(map(re.escape, words))})(?:\s*[:：／]\s*|\s+)", re.IGNORECASE
    )


@lru_cache(maxsize=64)
def _joint(code: str) -> re.Pattern[str]:
    words = set(phrases(BETWEEN, code)) - (_OTHERWISE if code not in BETWEEN else set())
    words |= {word.upper() for word in words if len(word) > 1}  # "John E Lee" is one name
    return re.compile(rf"\s*(?:{_MARKS}|\s(?:{'|'.join(map(re.escape, sorted(words)))})\s)\s*")


@lru_cache(maxsize=64)
def _roles(code: str) -> frozenset[str]:
    return frozenset(phrases(ROLES, code))


@lru_cache(maxsize=1)
def _agencies() -> frozenset[str]:
    return frozenset(map(normalise, AGENCIES.split(", ")))


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
    stated += metadata.microdata.get("headline", ())
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
    stated = [*metadata.published_dates, *metadata.dates]
    return next((moment for text in stated if (moment := parse_stated(text)) is not None), None)
