"""Features of the characters of a text: shares of character kinds, shape, quotations, sentences.

All characters of a page are counted at once, with a table of the kind of each code point.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Flags, Floats, Integers
from structce.features.registry import BESIDE, NEAR, feature, once_a_page
from structce.features.text import block_sums, lengths, share_of
from structce.page import Page

PLANES = 0x20000
"""Number of code points in the two planes that contain all letters except rare ideographs."""

_Kinds = NDArray[np.uint8]
_OTHER, _LETTER, _CAPITAL, _DIGIT, _SPACE, _QUOTE, _COMMA, _STOP, _WIDE_STOP = range(9)
_N_KINDS = 9
_MARKS = {_QUOTE: '"“”„«»「」『』', _COMMA: ",;،؛、，；", _STOP: ".!?…؟۔।", _WIDE_STOP: "。！？｡"}
_SHAPE_START = 60  # characters from which a shape is formed
_SHAPE_LENGTH = 12  # characters of a shape
_REPEATED = re.compile(r"(.)\1+", re.DOTALL)
_SHARES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.7)


@once_a_page
def _kind_counts(page: Page) -> Integers:
    """Return the number of characters of each kind, shape (n_kinds, n_regions)."""
    kinds, rows = _characters(page)
    cells = np.bincount(rows * _N_KINDS + kinds, minlength=len(page) * _N_KINDS)
    counts = cells.reshape(len(page), _N_KINDS).T
    counts[_SPACE] -= 1  # the space that was added after each text
    return counts


@once_a_page
def _totals(page: Page) -> Integers:
    """Return the number of characters of each text, shape (n_regions,)."""
    return np.asarray(_kind_counts(page).sum(axis=0))


@once_a_page
def _word_starts(page: Page) -> Integers:
    """Return the indices of the characters at which words of letters begin."""
    in_word = _in_word(_characters(page)[0])
    return np.flatnonzero(np.diff(in_word.astype(np.int8), prepend=0) > 0)


@once_a_page
def _letter_words(page: Page) -> Integers:
    """Return the number of words of letters of each text, shape (n_regions,)."""
    return _counts_at(page, _word_starts(page))


def _counts_at(page: Page, places: Integers) -> Integers:
    """Return how many of the characters at some indices each text has, shape (n_regions,)."""
    return np.bincount(_characters(page)[1][places], minlength=len(page))


@once_a_page
def _characters(page: Page) -> tuple[_Kinds, Integers]:
    """Return kind and region of each character of the page, with a space after each text."""
    joined = "".join([f"{text} " for text in page.text])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    codes = np.minimum(codes, PLANES)
    table, known = _kind_table()
    for row in np.flatnonzero(np.bincount(codes >> 8, minlength=len(known)) * ~known).tolist():
        table[row] = [_kind_of(chr(code)) for code in range(row << 8, (row + 1) << 8)]
        known[row] = True
    kinds = table.ravel()[codes]
    return kinds, np.repeat(np.arange(len(page)), lengths(page) + 1)


@lru_cache(maxsize=8)
def code_points(test: Callable[[str], bool]) -> Flags:
    """Return which of the first 131,072 code points pass a test of a character."""
    return np.fromiter(map(test, map(chr, range(PLANES))), dtype=bool, count=PLANES)


@lru_cache(maxsize=1)
def _kind_table() -> tuple[_Kinds, Flags]:
    """Return a table of the kinds of code points, 256 in a row, and which rows are filled.

    Rows are filled when a page first has one of their characters: all would take 40 ms. All code
    points from the 131,073rd on are letters.
    """
    kinds = np.full((PLANES // 256 + 1, 256), _LETTER, dtype=np.uint8)
    return kinds, np.arange(len(kinds)) == PLANES // 256


def _kind_of(character: str) -> int:
    for kind, marks in _MARKS.items():
        if character in marks:
            return kind
    if character.isspace():
        return _SPACE
    if character.isdecimal():
        return _DIGIT
    if character.isalnum():
        return _CAPITAL if character.isupper() else _LETTER
    return _OTHER


def sentence_ends(page: Page) -> Integers:
    """Return how many full stops and similar marks of each text end a sentence, (n_regions,).

    A stop counts before a space, a bracket or a quotation mark, but not after a digit or a single
    letter: "14. March", "J. Smith", "U.S. troops".
    """
    kinds, _ = _characters(page)
    stops = np.flatnonzero(kinds == _STOP)
    after, before = kinds[stops + 1], kinds[stops - 1]  # index -1 is the last space
    is_open = (after == _SPACE) | (after == _QUOTE) | (after == _OTHER)
    is_initial = _in_word(before) & ~_in_word(kinds[stops - 2])
    wide = np.flatnonzero(kinds == _WIDE_STOP)
    ends = stops[is_open & (before != _DIGIT) & ~is_initial]
    return _counts_at(page, np.concatenate([ends, wide[kinds[wide + 1] != _WIDE_STOP]]))


def _in_word(kinds: _Kinds) -> Flags:
    return np.asarray((kinds == _LETTER) | (kinds == _CAPITAL))


@feature("text", window=NEAR)
def shape(page: Page) -> list[str | None]:
    """Case and punctuation of the text's beginning: ``Xx Xx`` for a name, ``9.9.9`` for a date."""
    return [_shape(text[:_SHAPE_START]) if text else None for text in page.text]


@lru_cache(maxsize=4096)
def _shape(text: str) -> str:
    """Return a text's shape: letters as x or X, digits as 9, runs of one kind shortened."""
    return _REPEATED.sub(r"\1", text.translate(_shape_letters()))[:_SHAPE_LENGTH]


@lru_cache(maxsize=1)
def _shape_letters() -> str:
    """Return the letter that represents each code point of the first two planes in a shape."""
    tests = [str.isdecimal, str.isupper, str.isalpha, str.isspace]
    letters = np.select(
        [code_points(test) for test in tests],
        [np.uint32(ord(letter)) for letter in "9Xx "],
        np.arange(PLANES, dtype=np.uint32),
    )
    return letters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


@feature("text", bins=(0.3, 0.6, 0.95), window=BESIDE)
def capitalised_share(page: Page) -> Floats:
    """Share of words that begin with a capital: high for names and headlines."""
    starts = _word_starts(page)
    capitals = starts[_characters(page)[0][starts] == _CAPITAL]
    return share_of(_counts_at(page, capitals), _letter_words(page))


@feature("text", bins=_SHARES, window=BESIDE)
def digit_share(page: Page) -> Floats:
    """Share of characters that are digits: high for dates."""
    return share_of(_kind_counts(page)[_DIGIT], _totals(page))


@feature("text", bins=_SHARES, window=BESIDE)
def punctuation_share(page: Page) -> Floats:
    """Share of characters that are neither letters, digits nor spaces."""
    counts = _kind_counts(page)
    return share_of(counts[_QUOTE:].sum(axis=0) + counts[_OTHER], _totals(page))


@feature("text", bins=(0.005, 0.01, 0.015, 0.02, 0.03, 0.05))
def comma_share(page: Page) -> Floats:
    """Commas and semicolons per character: prose has them, headlines and menus hardly any."""
    return share_of(_kind_counts(page)[_COMMA], _totals(page))


@feature("text", bins=(0.01, 0.2, 0.5, 0.8, 0.95))
def quoted_share(page: Page) -> Floats:
    """Share of characters between quotation marks: high for pull quotes and reported speech."""
    return share_of(quoted_counts(page), _totals(page))


def quoted_counts(page: Page) -> Integers:
    """Return how many characters of each region follow an odd number of quotation marks."""
    kinds, rows = _characters(page)
    marks = np.flatnonzero(kinds == _QUOTE)
    regions = rows[marks]
    place = np.arange(len(marks)) - np.searchsorted(regions, regions)
    closings = np.append(marks[1:], len(kinds))
    ends = np.minimum(closings, np.searchsorted(rows, regions, side="right") - 1)
    lengths = np.where(place % 2 == 0, ends - marks - 1, 0)
    return np.bincount(regions, weights=lengths, minlength=len(page)).astype(np.int64)


@feature("text")
def quotes(page: Page) -> Flags:
    """Text contains quotation marks, as reported speech does."""
    return np.asarray(_kind_counts(page)[_QUOTE] > 0)


@feature("text", bins=(1, 2, 3, 4, 6))
@once_a_page
def sentence_count(page: Page) -> Integers:
    """Number of sentences in the block: paragraphs have several, headlines and captions one.

    The stops that end a sentence are counted; a block with words has at least one sentence.
    """
    ends = block_sums(page, sentence_ends(page))
    has_words = block_sums(page, _letter_words(page)) > 0
    return np.where(has_words, np.maximum(ends, 1), 0)


@feature("text", bins=(2, 4, 6, 9, 12, 16, 20, 26, 34), source="Yao and Zuo (2013)")
def sentence_length(page: Page) -> Floats:
    """Mean number of words per sentence of the block: about twenty in prose, few in labels."""
    return share_of(block_sums(page, _letter_words(page)), sentence_count(page))
