"""Words around names in bylines: the "By" before them, parentheses, picture credits, agencies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from structce.language.text import language_code, normalise
from structce.language.vocabulary import phrases, word_list
from structce.patterns import lazy_pattern

PICTURE_CREDIT = lazy_pattern(r"©|\(c\)|\bfoto|\bphoto|\bbild\b|picture|getty", re.IGNORECASE)
"""Signs of a picture credit, which names a person as a byline does."""

PARENTHESES = lazy_pattern(r"(?:(?<!\s)\s++)?[(（][^()（）]*+[)）]")
"""Text in parentheses, with the white space before it."""

_SURNAME_STARTS = frozenset({"von", "de", "di", "da", "af", "per", "na"})  # "by" in other names
_MARKS = lazy_pattern(r"^\W+")
_AFTER_PREFIX = lazy_pattern(r"\s*[:：／]\s*|\s+")
_WORD_BREAK = lazy_pattern(r"[\s\-]+")
_SAME_LETTERS = str.maketrans("ıſς", "isσ")  # letters that differ only in form


def strip_byline_prefix(text: str, code: str) -> str:
    """Return a text without a leading "By"; "De Gaulle" and "Von Trier" stay whole.

    ``code`` is the language of the page, by which short words are interpreted.

    >>> strip_byline_prefix("Written by Ann Lee", "en")
    'Ann Lee'
    """
    line = _MARKS.sub("", text)
    folded = _letters(line)
    for phrase in _introducing(code).get(folded[:1], ()):
        after = _AFTER_PREFIX.match(line, len(phrase)) if folded.startswith(phrase) else None
        if after is not None:
            rest, word = line[after.end() :], line[: len(phrase)]
            is_word = word == "von" and code == "de"  # a surname has a capital where a line starts
            is_part = folded[: len(phrase)] in _SURNAME_STARTS and len(rest.split()) < 2
            return text if is_part and not is_word and normalise(rest) not in _agencies() else rest
    return text


@lru_cache(maxsize=64)
def _introducing(code: str) -> Mapping[str, list[str]]:
    """Return the phrases that introduce a name, by their first letter, the longest first."""
    table: dict[str, list[str]] = {}
    for phrase in sorted(phrases("before", code), key=len, reverse=True):
        folded = _letters(phrase)
        table.setdefault(folded[0], []).append(folded)
    return table


def _letters(text: str) -> str:
    """Return a text of as many characters in lower case, with one form of each letter."""
    return text.replace("İ", "i").lower().translate(_SAME_LETTERS)


def is_organisation(name: str, lang: str = "") -> bool:
    """Return whether a name in a byline is that of an agency, a department or an account.

    >>> is_organisation("Reuters"), is_organisation("News Desk"), is_organisation("Ann Lee")
    (True, True, False)
    """
    words = [word.strip(".,:()").casefold() for word in _WORD_BREAK.split(name)]
    key = normalise(name)
    is_listed = key in _agencies() or key in _nobody(language_code(lang))
    return name.startswith("@") or is_listed or not group_words().isdisjoint(words)


@lru_cache(maxsize=64)
def _nobody(code: str) -> frozenset[str]:
    words = (*phrases("others", code), *phrases("account", code))
    return frozenset(map(normalise, words))


@cache
def group_words() -> frozenset[str]:
    """Return the words in names of departments and organisations."""
    return frozenset(word for line in word_list("group").values() for word in line.split(", "))


@cache
def _agencies() -> frozenset[str]:
    return frozenset(map(normalise, word_list("agency")["en"].split(", ")))
