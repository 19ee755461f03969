"""Every word that is a cue, by what it is a cue of, in the language of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from structce.bylines import AGENCIES, BEFORE, OTHERS, ROLES
from structce.features import link_words, vocabulary
from structce.features.calendars import NUMBER, Phrase, calendar
from structce.features.text import words
from structce.text import JOINED, phrases

TABLES: Mapping[str, Mapping[str, str]] = {
    "before": BEFORE,
    "role": ROLES,
    "others": OTHERS,
    "agency": {"en": AGENCIES},
    "published": vocabulary.PUBLISHED,
    "updated": vocabulary.UPDATED,
    "clock": vocabulary.CLOCK,
    "picture": vocabulary.PICTURE,
    "archive": {"en": vocabulary.ARCHIVES},
    "advertisement": link_words.ADVERTISEMENT,
    "comment": link_words.COMMENTS,
    "rights": link_words.RIGHTS,
    "more": link_words.MORE,
}
"""Our own words by what they are a cue of."""

_SHORT_NUMBER = 5  # letters of a number in words; our choice
_AT_EDGE = frozenset({"before", "more"})  # cues only where a text begins


@dataclass(frozen=True)
class Lexicon:
    """The words that count on pages of one language.

    Parameters
    ----------
    starts
        Phrases with what they are a cue of, by their first word that is no number; with it the
        index of that word.
    joined
        Patterns of the words of languages without spaces, by what they are a cue of.
    """

    starts: Mapping[str, tuple[tuple[Phrase, str, int], ...]]
    joined: Mapping[str, re.Pattern[str]]


@lru_cache(maxsize=64)
def lexicon(code: str) -> Lexicon:
    """Return the words that count on a page of a language; of every language if it is empty."""
    starts: dict[str, dict[tuple[Phrase, str, int], None]] = {}
    joined: dict[str, set[str]] = {}
    for kind, phrase in _entries(code):
        i = next((n for n, word in enumerate(phrase) if word != NUMBER), 0)
        starts.setdefault(phrase[i], {})[phrase, kind, i] = None
        if phrase[-1] >= JOINED:
            joined.setdefault(kind, set()).add(_expression(phrase))
    return Lexicon(
        {word: tuple(found) for word, found in starts.items()},
        {kind: _joined(kind, found) for kind, found in joined.items()},
    )


def _entries(code: str) -> Iterator[tuple[str, Phrase]]:
    for kind, table in TABLES.items():
        for text in phrases(table, code):
            if phrase := words(text):
                yield kind, phrase
    names = calendar(code)
    yield from (("month", words(name)) for name in names.months)
    yield from (("weekday", words(name)) for name in names.weekdays)
    yield from (("era", phrase) for phrase in names.eras)
    yield from (("period", phrase) for phrase in names.periods)
    yield from (("day", phrase) for phrase in names.days)
    yield from (("ago", phrase) for phrase in names.ago)


def _expression(phrase: Phrase) -> str:
    return r"\s?".join(r"\d+" if word == NUMBER else re.escape(word) for word in phrase)


def _joined(kind: str, expressions: set[str]) -> re.Pattern[str]:
    """Return a pattern of words; what stands before a name does so with a mark behind."""
    found = f"(?:{'|'.join(sorted(expressions, key=len, reverse=True))})"
    return re.compile(rf"^\W*{found}[\s:：／/・]" if kind in _AT_EDGE else found)


Hits = Mapping[str, list[tuple[int, Phrase]]]
"""Phrases with the index of their first token, by what they are a cue of."""


def hits(tokens: Phrase, code: str) -> Hits:
    """Return the phrases of the lexicon in the words of a text."""
    starts = lexicon(code).starts
    found: dict[str, list[tuple[int, Phrase]]] = {}
    if starts.keys().isdisjoint(tokens):
        return found
    for i, token in enumerate(tokens):
        if token not in starts:
            continue
        for phrase, kind, before in starts[token]:
            start = i - before
            if len(phrase) == 1 or _same(phrase, tokens[max(start, 0) : start + len(phrase)]):
                found.setdefault(kind, []).append((start, phrase))
    return found


def _same(phrase: Phrase, tokens: Phrase) -> bool:
    return len(phrase) == len(tokens) and all(
        word == token or (word == NUMBER and _counts(token))
        for word, token in zip(phrase, tokens, strict=True)
    )


def _counts(token: str) -> bool:
    """Return whether a word may be a number: digits, or a short one as in "an hour ago"."""
    return token.isdigit() or len(token) <= _SHORT_NUMBER
