"""The lexical cues of a page: each text is read once, every cue is a column of what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from structce.features.cues import DIGIT, LIMIT, cues_in
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.text import words
from structce.page import Page

_SPENGLER = "Spengler et al. (2010)"
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@once_a_page
def page_cues(page: Page) -> list[frozenset[str]]:
    """Return the names of the cues in each region's text."""
    tag = page.lang
    return [cues_in(text, tag) for text in page.text]


@once_a_page
def with_digit(page: Page) -> list[int]:
    """Return the regions of at most ``LIMIT`` characters with a digit."""
    return [i for i, text in enumerate(page.text) if len(text) <= LIMIT and DIGIT.search(text)]


def plain(text: str) -> str:
    """Return the words of a text without what stands between."""
    return "".join(words(text))


@once_a_page
def plain_texts(page: Page) -> list[str]:
    """Return the words of each text without what stands between; nothing of long ones."""
    return [plain(text) if len(text) <= LIMIT else "" for text in page.text]


def share_of_text(page: Page, names: set[str]) -> Floats:
    """Return the length of the longest plain name in each text as a share of the text."""
    found = np.zeros(len(page))
    for i, text in enumerate(plain_texts(page) if names else ()):
        for name in names:
            if name in text:
                found[i] = max(found[i], len(name) / len(text))
    return found


@once_a_page
def _columns(page: Page) -> Mapping[str, Mask]:
    """Return where each cue is that any region has."""
    found: dict[str, Mask] = {}
    for i, names in enumerate(page_cues(page)):
        for name in names:
            if name not in found:
                found[name] = np.zeros(len(page), dtype=bool)
            found[name][i] = True
    return MappingProxyType(found)


def _register(name: str, doc: str, source: str = "ours", aliases: Sequence[str] = ()) -> None:
    def compute(page: Page) -> Mask:
        return _columns(page).get(name, np.zeros(len(page), dtype=bool))

    compute.__doc__ = doc
    feature("task", name=name, source=source, aliases=aliases)(compute)


_register("author-cue", 'Words of a byline: "By" in front, a reporter, an editor.', _SPENGLER)
_register("role-cue", "What a person in a byline is: a reporter, a correspondent.")
_register("contributor-cue", "Staff, agencies, additional reporting.", _SPENGLER)
_register("agency-cue", "Name of a news agency.")
_register("date-cue", 'Words beside a date: "Published", "Updated".', _SPENGLER)
_register("update-cue", "Words beside the date of a change: an update is no publication.")
_register("time-cue", 'A time of day, or a word beside one: "Uhr".', _SPENGLER)
_register("months-cue", "A month's name in a text with a digit.", _SPENGLER, ["month-cue"])
_register("weekday-cue", "A weekday's name in a text with a digit.", _SPENGLER)
_register("day-period-cue", "A part of the day in a text with a digit: afternoon, in the evening.")
_register("era-cue", "Name of an era in a text with a digit: historical dates are not the page's.")
_register("day-word-cue", "Today, yesterday or the day before: dates of fresh articles.")
_register("relative-time-cue", 'How long ago something was: "3 hours ago".')
_register("numeric-date-cue", "A date in digits, such as 14.03.2026.")
_register("year-cue", "A year from 1980 to 2039.")
_register("email-cue", "An e-mail address: authors give theirs.", _SPENGLER)
_register("credit-cue", "A credit of an image: a copyright sign, a picture agency.")
_register("advertisement-cue", "The word for advertisement and little else.")
_register("comment-cue", "A word for comments of readers.")
_register("copyright-cue", "A statement of rights, as in footers.")
_register("read-more-cue", 'Words that lead to another page: "Read also".')
