"""Features of a region's words, its length and its position among all text."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.features.registry import BESIDE, NEAR, SPENGLER, feature, once_a_page
from structce.language import CLOSING_MARKS, SENTENCE_ENDS, display_width, split_words
from structce.page import Page

_LENGTHS = (1, 8, 16, 32, 64, 128, 256, 512)
_WORDS = (1, 2, 3, 5, 8, 13, 21, 34, 55)
_TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_FIRST_WORDS = 30  # words of a text that become tokens
_ENDS = tuple(SENTENCE_ENDS + CLOSING_MARKS)


@once_a_page
def lengths(page: Page) -> Integers:
    """Return the number of characters of each region's text, shape (n_regions,)."""
    return np.fromiter(map(len, page.text), np.int64, len(page))


def block_sums(page: Page, values: Integers) -> Integers:
    """Return for each region the sum over the regions of its block, shape (n_regions,)."""
    if not len(page):
        return values
    return np.bincount(page.blocks, weights=values).astype(np.int64)[page.blocks]


def share_of(part: Integers | Floats, whole: Integers | Floats) -> Floats:
    """Return the quotient of part and whole; unknown where the whole is 0."""
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)


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
    words = split_words(text)[:_FIRST_WORDS]
    return frozenset(map(_token, words) if any(map(str.isdigit, words)) else words)


def _token(word: str) -> str:
    return f"{len(word)}-digits" if word.isdigit() else word


@feature("text", window=NEAR)
def first_token(page: Page) -> list[str | None]:
    """First word: "By", "Foto", "Published", "Related"."""
    return [_token(own[0]) if own else None for own in words(page)]


@feature(
    "text",
    name="length",
    bins=_LENGTHS,
    aliases=["text-content-string-length"],
    source=SPENGLER,
    window=NEAR,
)
@once_a_page
def widths(page: Page) -> Integers:
    """Width of the text, counting wide characters twice: labels and links are short."""
    return np.fromiter(map(display_width, page.text), np.int64, len(page))


@once_a_page
def words(page: Page) -> list[tuple[str, ...]]:
    """Return the words and numbers of each region's text."""
    return list(map(split_words, page.text))


@once_a_page
def compact_words(page: Page) -> list[str]:
    """Return the words of each region's text without what separates them."""
    return list(map("".join, words(page)))


@feature("text", bins=_WORDS, aliases=["text-content-word-count"], source=SPENGLER, window=BESIDE)
@once_a_page
def word_count(page: Page) -> Integers:
    """Number of words; counts differ in languages without spaces, hence also the length."""
    return np.fromiter(map(len, words(page)), np.int64, len(page))


@feature("text", bins=(1, 2, 3, 5, 9))
def repetitions(page: Page) -> Integers:
    """Number of times that the same text occurs on the page: "Share", "Read more"."""
    keys = compact_words(page)
    counts = Counter(keys)
    counts[""] = 1  # images and texts without words do not count as repetitions
    return np.array([counts[key] for key in keys], dtype=np.int64)


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
    return np.fromiter(map(str.isupper, page.text), np.bool_, len(page))


@feature("text", aliases=["all-capitals-firstword"], source=SPENGLER)
def first_word_capitals(page: Page) -> Flags:
    """First word in capitals, as in datelines."""
    return np.array([_begins_with_capitals(text) for text in page.text], dtype=bool)


def _begins_with_capitals(text: str) -> bool:
    start = text[:2]
    if start.islower() or start[1:].islower():  # two letters settle most texts
        return False
    firsts = text.split(maxsplit=1)[:1]
    return bool(firsts) and len(firsts[0]) > 1 and firsts[0].isupper()


@feature("text", window=BESIDE)
def ends_sentence(page: Page) -> Flags:
    """Text ends like a sentence; headlines and links rarely do."""
    return np.array([text.endswith(_ENDS) for text in page.text], dtype=bool)


@feature("text", window=BESIDE)
def last_character(page: Page) -> list[str | None]:
    """Last character unless it is a letter, digits as 9: a colon introduces what follows."""
    return [_last_mark(text[-1:]) for text in page.text]


def _last_mark(last: str) -> str | None:
    if not last or last.isalpha():
        return None
    return "9" if last.isdigit() else last


@feature("text")
def script(page: Page) -> list[str | None]:
    """Writing system of the first letter, as named by Unicode: LATIN, CYRILLIC, CJK."""
    return [_script(next(filter(str.isalpha, text), "")) for text in page.text]


@lru_cache(maxsize=4096)
def _script(letter: str) -> str | None:
    return unicodedata.name(letter, "?").split()[0] if letter else None
