"""Parse bylines: the names of persons, without "By", roles, places and dates."""

from __future__ import annotations

import re
from functools import lru_cache

from structce.language.text import SHARED_LETTERS, language_code, normalise, phrases
from structce.language.vocabulary import agencies, word_list

PICTURE_CREDIT = re.compile(r"©|\(c\)|\bfoto|\bphoto|\bbild\b|picture|getty", re.IGNORECASE)
"""Signs of a picture credit, which names a person as a byline does."""

PARENTHESES = re.compile(r"\s*[(（][^)）]*[)）]")
"""A remark in brackets, with the white space before it."""

_MARKS = r",|;|\||/|／|•|·|・|、|&"
_PLACE = re.compile(r"\s+in\s+(?=[^\W\d_])\S.*$")
_PARTICLES = frozenset({"von", "de", "di", "da", "af", "per", "na"})  # also begin surnames
_OTHERWISE = frozenset({"in", "a"})  # "and" in Slovene and Czech, something else elsewhere
_MAX_WORDS = 6  # of a person's name; a longer piece of a byline is something else


def split_byline(text: str, lang: str = "") -> list[str]:
    """Return the names in a byline, without "By", roles, places and dates.

    Parameters
    ----------
    lang
        Language tag of the page, by which short words are interpreted.

    >>> split_byline("By Ann Lee and Tom Rost, in Berlin")
    ['Ann Lee', 'Tom Rost']
    """
    code = language_code(lang)
    pieces = split_names(strip_byline_prefix(PARENTHESES.sub("", text), code), code)
    names = [_PLACE.sub("", strip_byline_prefix(piece, code)).strip(" .:-–—") for piece in pieces]
    named = [name for piece in names if _is_name(name := _without_role(piece, code))]
    return named or [name for name in names if name][:1]


def split_names(text: str, code: str) -> list[str]:
    """Return the pieces of a byline between commas, slashes and the language's "and"."""
    return _separator(code).split(text)


def strip_byline_prefix(text: str, code: str) -> str:
    """Return a text without a leading "By"; "De Gaulle" and "Von Trier" stay whole."""
    found = _prefix(code).match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    is_part = found[1].lower() in _PARTICLES and len(rest.split()) < 2
    return text if is_part and normalise(rest) not in _agencies() else rest


def _without_role(name: str, code: str) -> str:
    """Return a name without the person's role before it, or after it in Asian scripts.

    "BBC correspondent" names nobody and gives an empty string.
    """
    parts = name.split()
    while parts and parts[0].casefold() in _roles(code):
        parts = parts[1:]
    if parts and parts[-1].casefold() in _roles(code):
        parts = parts[:-1] if parts[-1][0] > SHARED_LETTERS else []
    return " ".join(parts)


@lru_cache(maxsize=64)
def _prefix(code: str) -> re.Pattern[str]:
    words = sorted(phrases(word_list("before"), code), key=len, reverse=True)
    return re.compile(
        rf"\W*({'|'.join(map(re.escape, words))})(?:\s*[:：／]\s*|\s+)", re.IGNORECASE
    )


@lru_cache(maxsize=64)
def _separator(code: str) -> re.Pattern[str]:
    words = set(phrases(word_list("between"), code)) - (
        _OTHERWISE if code not in word_list("between") else set()
    )
    words |= {word.upper() for word in words if len(word) > 1}  # "John E Lee" is one name
    return re.compile(rf"\s*(?:{_MARKS}|\s(?:{'|'.join(map(re.escape, sorted(words)))})\s)\s*")


@lru_cache(maxsize=64)
def _roles(code: str) -> frozenset[str]:
    return frozenset(phrases(word_list("role"), code))


@lru_cache(maxsize=1)
def _agencies() -> frozenset[str]:
    return frozenset(map(normalise, agencies()))


def _is_name(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= _MAX_WORDS
        and not any(c.isdigit() for c in text)
        and "@" not in text
        and not words[0].islower()
    )
