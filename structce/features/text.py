"""Features of a region's words, its length and its place among all text."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Flags, Floats, Integers
from structce.features.registry import feature, once_a_page
from structce.language import display_width, split_words
from structce.page import Page

_LENGTHS = (1, 8, 16, 32, 64, 128, 256, 512)
_FIRST = 30  # words of a text that become tokens
_SPENGLER = "Spengler et al. (2010)"


@once_a_page
def lengths(page: Page) -> Integers:
    """Return the number of characters of each region's text, shape (n_regions,)."""
    return np.array([len(text) for text in page.text], dtype=np.int64)


@once_a_page
def widths(page: Page) -> Integers:
    """Return the width of each region's text in columns, shape (n_regions,)."""
    return np.array([display_width(text) for text in page.text], dtype=np.int64)


@once_a_page
def word_counts(page: Page) -> Integers:
    """Return the number of words of each region's text, shape (n_regions,)."""
    return np.array([len(split_words(text)) for text in page.text], dtype=np.int64)


@feature("text", aliases=["has-text-content"], source=_SPENGLER)
def has_text(page: Page) -> Flags:
    """Region is text, not an image, a video or a frame."""
    return ~page.is_media


@feature("text", aliases=["all-tokens-in-text-content"], source=_SPENGLER)
def token(page: Page) -> list[frozenset[str]]:
    """Words of the text, numbers reduced to their number of digits.

    Only the first 30 words: a paragraph's later words tell its topic, not its role.
    """
    return [_tokens(text) for text in page.text]


@lru_cache(maxsize=16384)
def _tokens(text: str) -> frozenset[str]:
    found = split_words(text)[:_FIRST]
    return frozenset(map(_token, found) if any(map(str.isdigit, found)) else found)


def _token(word: str) -> str:
    return f"{len(word)}-digits" if word.isdigit() else word


@feature("text")
def first_token(page: Page) -> list[str | None]:
    """First word: "By", "Foto", "Published", "Related"."""
    return [_token(found[0]) if (found := split_words(text)) else None for text in page.text]


@feature("text", bins=_LENGTHS, aliases=["text-content-string-length"], source=_SPENGLER)
def length(page: Page) -> Integers:
    """Width of the text, wide characters twice: labels and links are short, paragraphs long."""
    return widths(page)


@feature(
    "text",
    bins=(1, 2, 3, 5, 8, 13, 21, 34, 55),
    aliases=["text-content-word-count"],
    source=_SPENGLER,
)
def word_count(page: Page) -> Integers:
    """Number of words; languages without spaces have other counts, hence also the length."""
    return word_counts(page)


@feature("text", bins=(1, 2, 3, 5, 9))
def repetitions(page: Page) -> Integers:
    """How often the same text occurs on the page: "Share", "Read more"."""
    keys = ["".join(split_words(text)) for text in page.text]
    counts = Counter(keys)
    counts[""] = 1  # images and marks repeat nothing
    return np.array([counts[key] for key in keys], dtype=np.int64)


@feature(
    "text",
    bins=(0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98),
    source=_SPENGLER,
)
def output_position(page: Page) -> Floats:
    """Place of the region among all regions, from 0 to 1."""
    return np.arange(len(page)) / max(len(page) - 1, 1)


@feature("text", bins=(0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97))
def text_position(page: Page) -> Floats:
    """Share of the page's characters that stand above the region.

    Menus take many regions and few characters, so this tells header, text and footer apart
    better than the count of regions does.
    """
    above: Floats = (np.cumsum(lengths(page)) - lengths(page)).astype(np.float64)
    return above / max(float(lengths(page).sum()), 1.0)


@feature("text", bins=(32, 64, 128, 256, 512, 1024))
def block_length(page: Page) -> Integers:
    """Width of the text of the whole block that the region belongs to.

    A link inside a paragraph is short, its block is long.
    """
    return block_sums(page, widths(page))


@feature("text", bins=(2, 3, 5, 9, 17))
def block_regions(page: Page) -> Integers:
    """Number of regions in the block."""
    return block_sums(page, np.ones(len(page), dtype=np.int64))


def block_sums(page: Page, values: Integers) -> Integers:
    """Return for each region the sum over the regions of its block, shape (n_regions,)."""
    if not len(page):
        return values
    return np.bincount(page.blocks, weights=values).astype(np.int64)[page.blocks]


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
def code_points(test: Callable[[str], bool]) -> Flags:
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


def _in_word(kinds: Kinds) -> Flags:
    in_word: Flags = (kinds == _LETTER) | (kinds == _CAPITAL)
    return in_word


def share_of(part: Integers | Floats, whole: Integers | Floats) -> Floats:
    """Return a part of a whole; unknown where the whole is nothing."""
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)


_SENTENCE_END = tuple(".!?…。！？\"”»«“'’)")
_START = 60  # characters that a shape is made of
_LONGEST = 12  # characters of a shape


@feature("text")
def shape(page: Page) -> list[str | None]:
    """Case and punctuation of the text's beginning: ``Xx Xx`` for a name, ``9.9.9`` for a date."""
    return [_shape(text[:_START]) if text else None for text in page.text]


@lru_cache(maxsize=16384)
def _shape(text: str) -> str:
    """Return a text's shape: letters as x or X, digits as 9, runs of one kind shortened."""
    kinds = text.translate(_shape_letters())
    for kind in "xX9":
        while kind * 2 in kinds:
            kinds = kinds.replace(kind * 4, kind).replace(kind * 2, kind)
    shape = ""
    last = ""
    for letter in kinds:
        if letter != last:
            shape += letter
            last = letter
            if len(shape) == _LONGEST:
                break
    return shape


@lru_cache(maxsize=1)
def _shape_letters() -> str:
    """Return what stands for each code point of the first two planes in a shape."""
    tests = [str.isdecimal, str.isupper, str.isalpha, str.isspace]
    letters = np.select(
        [code_points(test) for test in tests],
        [np.uint32(ord(letter)) for letter in "9Xx "],
        np.arange(PLANES, dtype=np.uint32),
    )
    return letters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


@feature("text", source="Spengler et al. (2010)")
def all_capitals(page: Page) -> Flags:
    """Every letter is a capital, as in kickers and section names."""
    return np.array([text.isupper() for text in page.text], dtype=bool)


@feature("text", aliases=["all-capitals-firstword"], source="Spengler et al. (2010)")
def first_word_capitals(page: Page) -> Flags:
    """First word in capitals, as in datelines."""
    return np.array([_begins_with_capitals(text) for text in page.text], dtype=bool)


def _begins_with_capitals(text: str) -> bool:
    start = text[:2]
    if start.islower() or start[1:].islower():  # most texts, told by two letters
        return False
    firsts = text.split(maxsplit=1)[:1]
    return bool(firsts) and len(firsts[0]) > 1 and firsts[0].isupper()


@feature("text")
def ends_sentence(page: Page) -> Flags:
    """Text ends as a sentence does; headlines and links rarely do."""
    return np.array([text.endswith(_SENTENCE_END) for text in page.text], dtype=bool)


@feature("text")
def last_character(page: Page) -> list[str | None]:
    """Last character if it is no letter: a colon announces, a question mark asks."""
    return [_last_mark(text[-1:]) for text in page.text]


def _last_mark(last: str) -> str | None:
    if not last or last.isalpha():
        return None
    return "9" if last.isdigit() else last


@feature("text")
def script(page: Page) -> list[str | None]:
    """Writing system of the first letter, as Unicode names it: LATIN, CYRILLIC, CJK."""
    return [_script(next(filter(str.isalpha, text), "")) for text in page.text]


@lru_cache(maxsize=16384)
def _script(letter: str) -> str | None:
    return unicodedata.name(letter, "?").split()[0] if letter else None


_SHARES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.7)


@feature("text", bins=(0.3, 0.6, 0.95))
def capitalised_share(page: Page) -> Floats:
    """Share of words that begin with a capital: high for names and headlines."""
    found = characters(page)
    return share_of(found.capitalised, found.words)


@feature("text", bins=_SHARES)
def digit_share(page: Page) -> Floats:
    """Share of characters that are digits: high for dates."""
    found = characters(page)
    return share_of(found.digits, found.n)


@feature("text", bins=_SHARES)
def punctuation_share(page: Page) -> Floats:
    """Share of characters that are neither letters, digits nor spaces."""
    found = characters(page)
    return share_of(found.punctuation, found.n)


@feature("text", bins=(0.005, 0.01, 0.015, 0.02, 0.03, 0.05))
def comma_share(page: Page) -> Floats:
    """Commas and semicolons a character: prose has them, headlines and menus hardly."""
    found = characters(page)
    return share_of(found.commas, found.n)


@feature("text", bins=(0.01, 0.2, 0.5, 0.8, 0.95))
def quoted_share(page: Page) -> Floats:
    """Share of characters between quotation marks: pull quotes and reported speech."""
    found = characters(page)
    return share_of(found.quoted, found.n)


@feature("text")
def quotes(page: Page) -> Flags:
    """Text holds quotation marks, as reported speech does."""
    return characters(page).quotation_marks > 0


def _sentences(page: Page) -> Integers:
    """Return the number of sentences of each region's block; one where no stop ends any."""
    ends = block_sums(page, characters(page).sentence_ends)
    has_words = block_sums(page, characters(page).words) > 0
    return np.where(has_words, np.maximum(ends, 1), 0)


@feature("text", bins=(1, 2, 3, 4, 6))
def sentence_count(page: Page) -> Integers:
    """Number of sentences of the block: paragraphs have several, headlines and captions one.

    Counted are stops that end a sentence, at least one where there are words.
    """
    return _sentences(page)


@feature("text", bins=(2, 4, 6, 9, 12, 16, 20, 26, 34), source="Yao and Zuo (2013)")
def sentence_length(page: Page) -> Floats:
    """Mean number of words a sentence of the block: prose has some twenty, labels one or two."""
    return share_of(block_sums(page, characters(page).words), _sentences(page))
