"""What a reader would take a short text for: a byline, a date, a credit, an advertisement.

A text is read once: its words are looked up in the lexicon of the page's language, and signs that
are the same everywhere are searched only where a digit or a mark promises one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from structce.features.calendars import Phrase
from structce.features.lexicon import Hits, hits, lexicon
from structce.features.notations import PLAIN_DATE, written_day
from structce.features.shown import CLOCK
from structce.features.text import words
from structce.text import JOINED, fold_digits, language

LIMIT = 200
"""Characters of the longest text that is read; cues say nothing in longer ones."""

TIME = CLOCK
NUMERIC_DATE = PLAIN_DATE
YEAR = re.compile(r"(?<!\d)(?:19[89]\d|20[0-3]\d)(?!\d)")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w{2,}")

DIGIT = re.compile(r"\d")
NONE: frozenset[str] = frozenset()

_SIGN = re.compile("[@©(]")
_RIGHTS = re.compile(r"©|\([cC]\)")
_JOINED = re.compile(f"[{JOINED}-\uffef]")
_PICTURE = re.compile(r"\s*[:：/／|©]")
_NAMED_DATES = frozenset({"weekday", "named", "yearless", "monthly"})
_FEW = 3  # words of a text that "by" may end: "Comment by"
_LINE = 60  # characters of a text in which "yesterday" is a date
_SHORT_WORD = 6  # letters of a word for a date that means other things inside a sentence
_SHORT_AGENCY = 4  # letters of an agency's name that counts in capitals only, but for dpa
_GIVEN: Mapping[str, tuple[str, ...]] = {
    "before": ("author-cue",),
    "role": ("author-cue", "role-cue"),
    "others": ("contributor-cue",),
    "agency": ("contributor-cue", "agency-cue"),
    "published": ("date-cue",),
    "updated": ("date-cue", "update-cue"),
    "day": ("day-word-cue",),
    "ago": ("relative-time-cue",),
    "picture": ("credit-cue",),
    "archive": ("credit-cue",),
    "advertisement": ("advertisement-cue",),
    "comment": ("comment-cue",),
    "rights": ("copyright-cue",),
    "more": ("read-more-cue",),
    "month": ("months-cue",),
    "weekday": ("weekday-cue",),
    "clock": ("time-cue",),
    "period": ("day-period-cue",),
    "era": ("era-cue",),
}
"""Cues by the kind of word that gives them."""
_WITH_DIGIT = frozenset({"month", "weekday", "clock", "period", "era"})


@lru_cache(maxsize=16384)
def cues_in(text: str, tag: str) -> frozenset[str]:
    """Return the names of the cues in a text on a page with a language tag.

    None in a text of more than ``LIMIT`` characters.
    """
    if len(text) > LIMIT:
        return NONE
    kinds = _kinds(words(text), text, language(tag))
    has_digit = DIGIT.search(text) is not None
    if not kinds and not has_digit and not _SIGN.search(text):
        return NONE
    kinds -= set() if has_digit else _WITH_DIGIT
    cues = {cue for kind in kinds for cue in _GIVEN[kind]}
    if has_digit:
        cues |= _digits(text, tag)
    if "@" in text and EMAIL.search(text):
        cues.add("email-cue")
    if _RIGHTS.search(text):
        cues |= {"credit-cue", "copyright-cue"}
    return frozenset(cues)


def _digits(text: str, tag: str) -> set[str]:
    """Return the cues of a text with a digit that its digits and marks give."""
    folded = fold_digits(text)
    tests = {"time-cue": TIME, "numeric-date-cue": NUMERIC_DATE, "year-cue": YEAR}
    cues = {cue for cue, pattern in tests.items() if pattern.search(folded)}
    if not text.isascii():  # months that are a number and a word, as in Asia
        day = written_day(text, tag)
        cues |= {"months-cue"} if day and day[0] in _NAMED_DATES else set()
    return cues


def _kinds(tokens: Phrase, text: str, code: str) -> set[str]:
    """Return the kinds of words in a text that stand where they mean what they are a cue of."""
    found = hits(tokens, code)
    kinds = set()
    for kind in found:
        test = _TESTS.get(kind)
        if test is None or test(found, tokens, text):
            kinds.add(kind)
    if not text.isascii() and _JOINED.search(text):
        for kind, pattern in lexicon(code).joined.items():
            hit = pattern.search(text)
            if hit and (kind != "advertisement" or 2 * len(hit[0]) >= len(text)):
                kinds.add(kind)
    return kinds


def _announces(found: Hits, tokens: Phrase, _: str) -> bool:
    """Return whether "by" begins the text, or ends it where that is no credit of a picture."""
    starts = {i for i, _ in found["before"]}
    if 0 in starts or len(tokens) > _FEW or "picture" in found:
        return 0 in starts
    return any(i + len(phrase) == len(tokens) for i, phrase in found["before"])


def _is_agency(found: Hits, _: Phrase, text: str) -> bool:
    """Return whether a name is written as an agency's is: AP, but not "ap"."""
    names = [" ".join(phrase) for _, phrase in found["agency"]]
    return any(len(n) > _SHORT_AGENCY or n == "dpa" or n.upper() in text for n in names)


def _is_credit(found: Hits, _: Phrase, text: str) -> bool:
    """Return whether "photo" is followed by a colon or by "by"."""
    starts = {i for i, _ in found.get("before", ())}
    folded = text.casefold()
    return any(
        i + len(phrase) in starts
        or _PICTURE.match(folded, folded.find(phrase[-1]) + len(phrase[-1])) is not None
        for i, phrase in found["picture"]
    )


def _is_dated(found: Hits, kind: str) -> bool:
    """Return whether a word for a date is long, or begins the text: "Stand: 12.30 Uhr"."""
    return any(i == 0 or len("".join(phrase)) > _SHORT_WORD for i, phrase in found[kind])


def _is_line(_: Hits, __: Phrase, text: str) -> bool:
    """Return whether a text is short enough to be a line of its own."""
    return len(text) <= _LINE


def _leads_on(found: Hits, _: Phrase, __: str) -> bool:
    """Return whether "read also" begins the text."""
    return any(i == 0 for i, _ in found["more"])


def _is_notice(found: Hits, tokens: Phrase, _: str) -> bool:
    """Return whether "advertisement" is half of the text or more."""
    return any(2 * len(phrase) >= len(tokens) for _, phrase in found["advertisement"])


_TESTS: Mapping[str, Callable[[Hits, Phrase, str], bool]] = {
    "before": _announces,
    "agency": _is_agency,
    "picture": _is_credit,
    "published": lambda found, *_: _is_dated(found, "published"),
    "updated": lambda found, *_: _is_dated(found, "updated"),
    "day": _is_line,
    "ago": _is_line,
    "more": _leads_on,
    "advertisement": _is_notice,
}
"""Where a word has to stand; words without a test stand anywhere."""
