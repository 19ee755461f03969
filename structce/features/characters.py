"""Features of the characters of a text: shares of character kinds, shape, quotations, sentences.

All characters of a page are counted at once, with a table of the kind of each code point.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

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


@dataclass(frozen=True, eq=False)
class Characters:
    """Counts over each region's text, each computed on first use; shape (n_regions,).

    Parameters
    ----------
    kinds, rows : shape (n_characters,)
        Kind and region of each character of the page, including a space after each text.
    n_regions
        Number of regions.
    """

    kinds: _Kinds
    rows: Integers
    n_regions: int

    def _per_region(self, rows: Integers) -> Integers:
        return np.bincount(rows, minlength=self.n_regions)

    @cached_property
    def _counts(self) -> Integers:
        """Number of characters of each kind, shape (n_regions, 9)."""
        n = self.n_regions
        cells = np.bincount(self.rows * _N_KINDS + self.kinds, minlength=n * _N_KINDS)
        counts = cells.reshape(n, _N_KINDS)
        counts[:, _SPACE] -= 1  # the space that was added after each text
        return counts

    @cached_property
    def _starts(self) -> Integers:
        """Indices of the characters at which words of letters begin."""
        in_word = _in_word(self.kinds)
        return np.flatnonzero(np.diff(in_word.astype(np.int8), prepend=0) > 0)

    @cached_property
    def n(self) -> Integers:
        """Number of characters."""
        return np.asarray(self._counts.sum(axis=1))

    @cached_property
    def digits(self) -> Integers:
        """Number of decimal digits."""
        return self._counts[:, _DIGIT]

    @cached_property
    def punctuation(self) -> Integers:
        """Number of characters that are neither letters, digits nor spaces."""
        return np.asarray(self._counts[:, _QUOTE:].sum(axis=1) + self._counts[:, _OTHER])

    @cached_property
    def commas(self) -> Integers:
        """Number of commas and semicolons."""
        return self._counts[:, _COMMA]

    @cached_property
    def quotation_marks(self) -> Integers:
        """Number of quotation marks, not counting apostrophes."""
        return self._counts[:, _QUOTE]

    @cached_property
    def quoted(self) -> Integers:
        """Number of characters after an odd number of quotation marks."""
        return _quoted_counts(self.kinds, self.rows, self.n_regions)

    @cached_property
    def words(self) -> Integers:
        """Number of words of letters."""
        return self._per_region(self.rows[self._starts])

    @cached_property
    def capitalised(self) -> Integers:
        """Number of words of letters that begin with a capital."""
        capitals = self._starts[self.kinds[self._starts] == _CAPITAL]
        return self._per_region(self.rows[capitals])

    @cached_property
    def sentence_ends(self) -> Integers:
        """Number of full stops and similar marks that seem to end a sentence."""
        return self._per_region(self.rows[_sentence_end_places(self.kinds)])


@once_a_page
def characters(page: Page) -> Characters:
    """Return the counts of a page's characters."""
    return Characters(*_character_kinds(page), len(page))


def _character_kinds(page: Page) -> tuple[_Kinds, Integers]:
    """Return kind and region of each character of the page."""
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
    """Return the kind of a character."""
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


def _quoted_counts(kinds: _Kinds, rows: Integers, n: int) -> Integers:
    """Return how many characters of each region follow an odd number of quotation marks."""
    marks = np.flatnonzero(kinds == _QUOTE)
    regions = rows[marks]
    place = np.arange(len(marks)) - np.searchsorted(regions, regions)
    closings = np.append(marks[1:], len(kinds))
    ends = np.minimum(closings, np.searchsorted(rows, regions, side="right") - 1)
    lengths = np.where(place % 2 == 0, ends - marks - 1, 0)
    return np.bincount(regions, weights=lengths, minlength=n).astype(np.int64)


def _sentence_end_places(kinds: _Kinds) -> Integers:
    """Return the indices of the characters that end a sentence.

    A stop counts before a space, a bracket or a quotation mark, but not after a digit or a single
    letter: "14. March", "J. Smith", "U.S. troops".
    """
    stops = np.flatnonzero(kinds == _STOP)
    after, before = kinds[stops + 1], kinds[stops - 1]  # index -1 is the last space
    is_open = (after == _SPACE) | (after == _QUOTE) | (after == _OTHER)
    is_initial = _in_word(before) & ~_in_word(kinds[stops - 2])
    wide = np.flatnonzero(kinds == _WIDE_STOP)
    return np.concatenate(
        [stops[is_open & (before != _DIGIT) & ~is_initial], wide[kinds[wide + 1] != _WIDE_STOP]]
    )


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
    return share_of(characters(page).capitalised, characters(page).words)


@feature("text", bins=_SHARES, window=BESIDE)
def digit_share(page: Page) -> Floats:
    """Share of characters that are digits: high for dates."""
    return share_of(characters(page).digits, characters(page).n)


@feature("text", bins=_SHARES, window=BESIDE)
def punctuation_share(page: Page) -> Floats:
    """Share of characters that are neither letters, digits nor spaces."""
    return share_of(characters(page).punctuation, characters(page).n)


@feature("text", bins=(0.005, 0.01, 0.015, 0.02, 0.03, 0.05))
def comma_share(page: Page) -> Floats:
    """Commas and semicolons per character: prose has them, headlines and menus hardly any."""
    return share_of(characters(page).commas, characters(page).n)


@feature("text", bins=(0.01, 0.2, 0.5, 0.8, 0.95))
def quoted_share(page: Page) -> Floats:
    """Share of characters between quotation marks: high for pull quotes and reported speech."""
    return share_of(characters(page).quoted, characters(page).n)


@feature("text")
def quotes(page: Page) -> Flags:
    """Text contains quotation marks, as reported speech does."""
    return characters(page).quotation_marks > 0


@feature("text", bins=(1, 2, 3, 4, 6))
@once_a_page
def sentence_count(page: Page) -> Integers:
    """Number of sentences in the block: paragraphs have several, headlines and captions one.

    The stops that end a sentence are counted; a block with words has at least one sentence.
    """
    ends = block_sums(page, characters(page).sentence_ends)
    has_words = block_sums(page, characters(page).words) > 0
    return np.where(has_words, np.maximum(ends, 1), 0)


@feature("text", bins=(2, 4, 6, 9, 12, 16, 20, 26, 34), source="Yao and Zuo (2013)")
def sentence_length(page: Page) -> Floats:
    """Mean number of words per sentence of the block: about twenty in prose, few in labels."""
    return share_of(block_sums(page, characters(page).words), sentence_count(page))
