"""Features of a region's text: words, lengths, characters, and its position among all text."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats, Integers, Integers32
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.language import CLOSING_MARKS, SENTENCE_ENDS, split_texts, split_words
from structce.page import Page

T = TypeVar("T")

_LENGTHS = (1, 8, 16, 32, 64, 128, 256, 512)
_WORDS = (1, 2, 3, 5, 8, 13, 21, 34, 55)
_TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_SHARES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.7)
_FIRST_WORDS = 30  # words of a text that become tokens
_ENDS = frozenset(SENTENCE_ENDS + CLOSING_MARKS)


@once_a_page
def _counts(page: Page) -> tuple[Integers, ...]:
    """Return counts and characters of each text, see :func:`structce.kernels.count_characters`."""
    counts = kernels.count_characters(page.text)
    counts.setflags(write=False)
    return tuple(counts)


def lengths(page: Page) -> Integers:
    """Return the number of characters of each region's text, shape (n_regions,)."""
    return _counts(page)[0]


def digit_counts(page: Page) -> Integers:
    """Return the number of digits of each region's text, shape (n_regions,)."""
    return _counts(page)[4]


def capitalised_counts(page: Page) -> Integers:
    """Return the number of words of each text that begin with a capital, shape (n_regions,)."""
    return _counts(page)[3]


def are_like_names(page: Page) -> Flags:
    """Return which texts are two to four words that begin with a capital, shape (n_regions,)."""
    return np.asarray(_counts(page)[9] > 0)


def space_counts(page: Page) -> Integers:
    """Return the number of spaces in each region's text, shape (n_regions,)."""
    return np.asarray(np.maximum(page.text_counts[2] - 1, 0))


def last_characters(page: Page) -> Integers:
    """Return the code point of each text's last character, 0 for none, shape (n_regions,)."""
    return _counts(page)[7]


@once_a_page
def block_starts(page: Page) -> Flags:
    """Return whether each region begins a block, shape (n_regions,)."""
    starts = np.ones(len(page), dtype=bool)
    np.not_equal(page.blocks[1:], page.blocks[:-1], out=starts[1:])
    return starts


@once_a_page
def block_ends(page: Page) -> Flags:
    """Return whether each region ends a block, shape (n_regions,)."""
    ends = np.ones(len(page), dtype=bool)
    ends[:-1] = block_starts(page)[1:]
    return ends


def less_previous(values: Integers32 | Floats) -> Floats:
    """Return each value minus that of the region before; NaN for the first, shape (n_regions,)."""
    differences = np.full(len(values), np.nan)
    differences[1:] = values[1:] - values[:-1]
    return differences


def of_characters(codes: Integers, meaning: Callable[[str], T]) -> list[T]:
    """Return what each character means, given its code point; 0 is an empty text."""
    places: list[int] = codes.tolist()
    meanings = {code: meaning(chr(code) if code else "") for code in set(places)}
    return [meanings[code] for code in places]


def block_sums(page: Page, values: Integers) -> Integers:
    """Return for each region the sum over the regions of its block, shape (n_regions,)."""
    return kernels.block_sums(page.blocks, values)


def share_of(part: Integers | Floats, whole: Integers | Floats) -> Floats:
    """Return the quotient of part and whole; unknown where the whole is 0."""
    return np.asarray(part / np.where(whole > 0, whole, np.nan))


@feature("text", aliases=["has-text-content"], source=SPENGLER, window=BESIDE)
def has_text(page: Page) -> Flags:
    """Region is text, not an image, a video or a frame."""
    return ~page.is_media


@feature("text", aliases=["all-tokens-in-text-content"], source=SPENGLER)
def token(page: Page) -> list[frozenset[str]]:
    """Words of the text, with numbers replaced by their number of digits.

    Only the first 30 words: later words of a paragraph indicate its topic, not its role.
    """
    return [_tokens(text) for text in page.text]


@lru_cache(maxsize=4096)
def _tokens(text: str) -> frozenset[str]:
    own = split_words(text)[:_FIRST_WORDS]
    return frozenset([f"{len(word)}-digits" if word.isdigit() else word for word in own])


@feature(
    "text",
    name="length",
    bins=_LENGTHS,
    aliases=["text-content-string-length"],
    source=SPENGLER,
    window=(-2, -1, 1, 2),
)
def widths(page: Page) -> Integers:
    """Width of the text, counting wide characters twice: labels and links are short."""
    return _counts(page)[1]


@once_a_page
def words(page: Page) -> list[tuple[str, ...]]:
    """Return the words and numbers of each region's text."""
    return split_texts(page.text)


@once_a_page
def compact_words(page: Page) -> list[str]:
    """Return the words of each region's text without what separates them."""
    rows = zip(page.letters, page.text, strict=True)
    return [
        letters if letters.isascii() or letters.isalnum() else "".join(split_words(text))
        for letters, text in rows
    ]


@feature("text", bins=_WORDS, aliases=["text-content-word-count"], source=SPENGLER, window=BESIDE)
def word_count(page: Page) -> Integers:
    """Number of words; counts differ in languages without spaces, hence also the length."""
    return np.asarray(page.text_counts[0])


@feature("text", bins=(1, 2, 3, 5, 9))
def repetitions(page: Page) -> Integers:
    """Number of times that the same text occurs on the page: "Share", "Read more"."""
    keys = kernels.number_values(compact_words(page))
    counts = np.bincount(keys)[keys]
    counts[word_count(page) == 0] = 1  # images and texts without words are no repetitions
    return counts


@feature("text", bins=(0.02, 0.05, *_TENTHS, 0.98), source=SPENGLER)
def output_position(page: Page) -> Floats:
    """Position of the region among all regions, from 0 to 1."""
    return np.arange(len(page)) / max(len(page) - 1, 1)


@feature("text", bins=(0.01, 0.02, 0.05, *_TENTHS, 0.97))
def text_position(page: Page) -> Floats:
    """Share of the page's characters that precede the region.

    Menus have many regions and few characters, so this separates header, text and footer better
    than the number of regions does.
    """
    above = np.cumsum(lengths(page)) - lengths(page)
    return above / max(float(lengths(page).sum()), 1.0)


@feature("text", bins=(32, 64, 128, 256, 512, 1024), window=BESIDE)
def block_length(page: Page) -> Integers:
    """Width of the text of the whole block that the region belongs to.

    A link inside a paragraph is short, but its block is long.
    """
    return block_sums(page, widths(page))


@feature("text", bins=(2, 3, 5, 9, 17))
def block_regions(page: Page) -> Integers:
    """Number of regions in the block."""
    return block_sums(page, np.ones(len(page), dtype=np.int64))


@feature("text", source=SPENGLER, window=BESIDE)
def all_capitals(page: Page) -> Flags:
    """Every letter is a capital, as in kickers and section names."""
    return np.asarray(_counts(page)[8] > 0)


@feature("text", aliases=["all-capitals-firstword"], source=SPENGLER)
def first_word_capitals(page: Page) -> Flags:
    """First word in capitals, as in datelines."""
    firsts = ["".join(text.split(maxsplit=1)[:1]) for text in page.text]
    return np.array([len(word) > 1 and word.isupper() for word in firsts], dtype=bool)


@feature("text", window=BESIDE)
def ends_sentence(page: Page) -> Flags:
    """Text ends like a sentence; headlines and links rarely do."""
    return np.array(of_characters(last_characters(page), _ENDS.__contains__), dtype=bool)


@feature("text", window=BESIDE)
def last_character(page: Page) -> list[str | None]:
    """Last character unless it is a letter, digits as 9: a colon introduces what follows."""
    return of_characters(last_characters(page), _last_mark)


def _last_mark(last: str) -> str | None:
    if not last or last.isalpha():
        return None
    return "9" if last.isdigit() else last


@feature("text")
def script(page: Page) -> list[str | None]:
    """Writing system of the first letter, as named by Unicode: LATIN, CYRILLIC, CJK."""
    return of_characters(_counts(page)[6], _script)


@lru_cache(maxsize=4096)
def _script(letter: str) -> str | None:
    return unicodedata.name(letter, "?").split()[0] if letter else None


@feature("text", bins=(0.3, 0.6, 0.95), window=BESIDE)
def capitalised_share(page: Page) -> Floats:
    """Share of words that begin with a capital: high for names and headlines."""
    return share_of(capitalised_counts(page), _counts(page)[2])


@feature("text", bins=_SHARES, window=BESIDE)
def digit_share(page: Page) -> Floats:
    """Share of characters that are digits: high for dates."""
    return share_of(digit_counts(page), lengths(page))


@feature("text", bins=_SHARES, window=BESIDE)
def punctuation_share(page: Page) -> Floats:
    """Share of characters that are neither letters, digits nor spaces."""
    return share_of(_counts(page)[5], lengths(page))
