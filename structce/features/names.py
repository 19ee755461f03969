"""Forms of a byline: by and a name, a name alone, several names; and of a dateline."""

from __future__ import annotations

import re
from functools import lru_cache

from structce.bylines import AGENCIES, names_apart, without_by
from structce.features.cues import cues_in
from structce.features.registry import feature
from structce.page import Page
from structce.text import language

_SHORT = 120  # characters of a byline
_NAMES = 60  # characters of names that no "by" announces
_START = 120  # characters that a dateline takes at most
_PARTICLES = frozenset(
    "von van de der den des del della di da do dos du la le bin ibn al el ter ten zu".split()
)
_LEAST, _MOST = 2, 5  # words of a person's name
_CASED = "\u0590"  # first letter behind the alphabets that have capitals
_MARK = re.compile(r"[,;/|&、・·•(]| (?:[^\W\d_]|\w\w|and|und|och|και|oraz|και|och) ")
_ASIAN = 4  # letters of a part of a name in scripts without capitals
_DATELINE = re.compile(
    r"\W{0,2}(?P<place>[^\W\d_][^()\n–—|]{1,58}?)\s*"
    r"(?:\((?P<agency>[^()]{2,25})\)|/(?P<wire>[^/()]{2,25})/)?\s*(?:\.?\s?[–—]|\.?\s-{1,2}\s|\.-|\s\|)"
)
_JOINED_DATELINE = re.compile(
    r"\s*(?:[（(]?\S{2,5}社\S{0,20}?[电電讯訊]|[【（(［\[]\S{1,10}[=＝]\S{1,12}[】）)］\]])"
)
_DASH = re.compile(r"[–—|]|\.-| --? ")
_AGENCIES = frozenset(AGENCIES.split(", "))
_SENTENCE = 40  # characters of a text that may begin with a dateline
_LEAST_PLACE = 3  # letters of a place in capitals


@feature("task")
def byline_pattern(page: Page) -> list[str | None]:
    """Form of a byline that the text has: ``by``, ``by-name``, ``name``, ``names``, ...

    ``name-role`` is a name with what the person is, ``name-more`` one with a place or the like.

    A name alone is a byline on the one site and a menu entry on the other; a name behind "by"
    is a byline nearly everywhere. ``capitals`` is a name in capitals, ``by-other`` "by" before
    what looks like no person's name.
    """
    return [_form(text, page.lang) if len(text) <= _SHORT else None for text in page.text]


@lru_cache(maxsize=16384)
def _form(text: str, tag: str) -> str | None:
    cues = cues_in(text, tag)
    code = language(tag)
    if "author-cue" not in cues:
        may_be = len(text) <= _NAMES and _may_be_name(text)
        return _plain_form(text, code) if may_be else None
    rest = without_by(text, code)
    if rest == text and "author-cue" in cues and "role-cue" not in cues and len(text.split()) < 3:
        return "by"
    pieces = [piece for piece in names_apart(rest, code) if piece.strip()]
    named = [_is_name(piece) for piece in pieces]
    if rest != text:
        return "by-name" if named and named[0] else "by-other"
    return "name-role" if named and named[0] and not all(named) else _plain_form(text, code)


def _plain_form(text: str, code: str) -> str | None:
    """Return whether a text is a name, in capitals or not, or several names."""
    pieces = [text]
    if _MARK.search(text):
        pieces = [piece for piece in names_apart(text.split("(")[0], code) if piece.strip()]
    if not pieces or not _is_name(pieces[0]):
        return None
    if len(pieces) == 1:
        return "capitals" if text.isupper() else "name"
    return "names" if all(map(_is_name, pieces)) else "name-more"


def _may_be_name(text: str) -> bool:
    """Return whether a text begins with a capital, or is short in a script without them."""
    first = text[:1]
    if first.isupper():
        return " " in text
    return first > _CASED and first.isalpha() and len(text) <= 2 * _ASIAN


def _is_name(text: str) -> bool:
    """Return whether a text has the form of a person's name: capitals, and particles between."""
    parts = text.strip(" .:–—-").split()
    if not _LEAST <= len(parts) <= _MOST or any(c.isdigit() for c in text):
        return False
    if not parts[0][0].isupper():
        return all(part.isalpha() and len(part) <= _ASIAN for part in parts) and (
            parts[0][0] > _CASED
        )
    capitals = sum(part[0].isupper() for part in parts)
    small = [part for part in parts if not part[0].isupper()]
    return capitals >= _LEAST and all(part.lower() in _PARTICLES for part in small)


@feature("task")
def dateline(page: Page) -> list[str | None]:
    """Place in front of the first sentence: with an ``agency``, or in ``capitals``.

    "BERLIN (dpa) -" begins the main text of an agency's report and nothing else.
    """
    return [_dateline(text[:_START]) if len(text) >= _SENTENCE else None for text in page.text]


@lru_cache(maxsize=16384)
def _dateline(text: str) -> str | None:
    if _JOINED_DATELINE.match(text):
        return "agency"
    found = _DATELINE.match(text) if _DASH.search(text) else None
    if found is None or not found["place"][0].isupper():
        return None
    agency = found["agency"] or found["wire"] or ""
    if agency.casefold() in _AGENCIES or agency.isupper():
        return "agency"
    place = re.split(r"[\s,]", found["place"])[0]
    shouts = len(place) >= _LEAST_PLACE and place.isupper()
    return "capitals" if shouts and len(text) > 2 * len(found[0]) and not text.isupper() else None
