"""Characters of all texts of a page by kind, counted in one pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.page import Page

PLANES = 0x20000
"""Number of code points in the two planes that hold all letters but rare ideographs."""

_OTHER, _LETTER, _CAPITAL, _DIGIT, _SPACE, _QUOTE, _COMMA, _STOP, _WIDE_STOP = range(9)
_N_KINDS = 9
_MARKS = {
    _QUOTE: '"“”„«»「」『』',
    _COMMA: ",;،؛、，；",
    _STOP: ".!?…؟۔।",
    _WIDE_STOP: "。！？｡",
}
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Kinds = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Characters:
    """What is counted in each region's text; all of shape (n_regions,).

    Parameters
    ----------
    n
        Number of characters.
    digits, punctuation, commas, quotation_marks
        Number of decimal digits; of all that is neither letter, number nor space; of commas and
        semicolons; of marks of quotation, apostrophes left out.
    quoted
        Number of characters after an odd number of quotation marks.
    words, capitalised
        Number of words of letters, and of those that begin with a capital.
    sentence_ends
        Number of full stops and the like that seem to end a sentence.
    """

    n: Integers
    digits: Integers
    punctuation: Integers
    commas: Integers
    quotation_marks: Integers
    quoted: Integers
    words: Integers
    capitalised: Integers
    sentence_ends: Integers


@once_a_page
def characters(page: Page) -> Characters:
    """Return the counts of a page's characters."""
    kinds, rows, n = _kinds_of(page)
    counts = np.bincount(rows * _N_KINDS + kinds, minlength=n * _N_KINDS).reshape(n, _N_KINDS)
    counts[:, _SPACE] -= 1  # the space that was put behind each text
    in_word = _in_word(kinds)
    starts = np.flatnonzero(in_word[1:] & ~in_word[:-1]) + 1
    starts = np.concatenate([np.flatnonzero(in_word[:1]), starts])
    capitals = starts[kinds[starts] == _CAPITAL]
    return Characters(
        n=counts.sum(axis=1),
        digits=counts[:, _DIGIT],
        punctuation=counts[:, _QUOTE:].sum(axis=1) + counts[:, _OTHER],
        commas=counts[:, _COMMA],
        quotation_marks=counts[:, _QUOTE],
        quoted=_quoted(kinds, rows, n),
        words=np.bincount(rows[starts], minlength=n),
        capitalised=np.bincount(rows[capitals], minlength=n),
        sentence_ends=np.bincount(rows[_sentence_ends(kinds)], minlength=n),
    )


def _kinds_of(page: Page) -> tuple[Kinds, Integers, int]:
    """Return kind and region of each character of the page, and the number of regions."""
    lengths = [len(text) + 1 for text in page.text]
    joined = "".join([f"{text} " for text in page.text])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    kinds = _kinds()[np.minimum(codes, PLANES)]
    return kinds, np.repeat(np.arange(len(page)), lengths), len(page)


@lru_cache(maxsize=8)
def code_points(test: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Return for which of the first 131,072 code points a test of a character holds."""
    return np.fromiter(map(test, map(chr, range(PLANES))), dtype=bool, count=PLANES)


@lru_cache(maxsize=1)
def _kinds() -> Kinds:
    """Return the kind of each code point, shape (131073,); the last stands for all higher ones."""
    kinds = np.full(PLANES + 1, _OTHER, dtype=np.uint8)
    kinds[PLANES] = _LETTER
    is_word = code_points(str.isalnum)
    kinds[:-1][is_word] = _LETTER
    kinds[:-1][is_word & code_points(str.isupper)] = _CAPITAL
    kinds[:-1][code_points(str.isdecimal)] = _DIGIT
    kinds[:-1][code_points(str.isspace)] = _SPACE
    for kind, marks in _MARKS.items():
        kinds[[ord(mark) for mark in marks]] = kind
    return kinds


def _quoted(kinds: Kinds, rows: Integers, n: int) -> Integers:
    """Return how many characters of each region follow an odd number of quotation marks."""
    marks = np.flatnonzero(kinds == _QUOTE)
    regions = rows[marks]
    place = np.arange(len(marks)) - np.searchsorted(regions, regions)
    closings = np.append(marks[1:], len(kinds))
    ends = np.minimum(closings, np.searchsorted(rows, regions, side="right") - 1)
    lengths = np.where(place % 2 == 0, ends - marks - 1, 0)
    return np.bincount(regions, weights=lengths, minlength=n).astype(np.int64)


def _sentence_ends(kinds: Kinds) -> Integers:
    """Return which characters end a sentence.

    A stop counts before a space, a bracket or a quotation mark. None counts after a number or a
    single letter: "14. March", "J. Smith", "U.S. troops".
    """
    stops = np.flatnonzero(kinds == _STOP)
    after, before = kinds[stops + 1], kinds[stops - 1]  # a space stands before the first, at -1
    is_open = (after == _SPACE) | (after == _QUOTE) | (after == _OTHER)
    is_initial = _in_word(before) & ~_in_word(kinds[stops - 2])
    wide = np.flatnonzero(kinds == _WIDE_STOP)
    return np.concatenate(
        [
            stops[is_open & (before != _DIGIT) & ~is_initial],
            wide[kinds[wide + 1] != _WIDE_STOP],
        ]
    )


def _in_word(kinds: Kinds) -> NDArray[np.bool_]:
    in_word: NDArray[np.bool_] = (kinds == _LETTER) | (kinds == _CAPITAL)
    return in_word


def share(part: Integers | Floats, whole: Integers | Floats) -> Floats:
    """Return a part of a whole; unknown where the whole is nothing."""
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)
