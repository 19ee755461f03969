"""Features of a region's words, its length and its place among all text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page
from structce.text import width

_WORD = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_LENGTHS = (1, 8, 16, 32, 64, 128, 256, 512)
_FIRST = 30  # words of a text that become tokens
_SPENGLER = "Spengler et al. (2010)"
Integers = NDArray[np.int64]


@lru_cache(maxsize=16384)
def words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, case folded."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@once_a_page
def lengths(page: Page) -> Integers:
    """Return the number of characters of each region's text, shape (n_regions,)."""
    return np.array([len(text) for text in page.text], dtype=np.int64)


@once_a_page
def widths(page: Page) -> Integers:
    """Return the width of each region's text in columns, shape (n_regions,)."""
    return np.array([width(text) for text in page.text], dtype=np.int64)


@once_a_page
def word_counts(page: Page) -> Integers:
    """Return the number of words of each region's text, shape (n_regions,)."""
    return np.array([len(words(text)) for text in page.text], dtype=np.int64)


@feature("text", aliases=["has-text-content"], source=_SPENGLER)
def has_text(page: Page) -> NDArray[np.bool_]:
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
    found = words(text)[:_FIRST]
    return frozenset(map(_token, found) if any(map(str.isdigit, found)) else found)


def _token(word: str) -> str:
    return f"{len(word)}-digits" if word.isdigit() else word


@feature("text")
def first_token(page: Page) -> list[str | None]:
    """First word: "By", "Foto", "Published", "Related"."""
    return [_token(found[0]) if (found := words(text)) else None for text in page.text]


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
    keys = ["".join(words(text)) for text in page.text]
    counts = Counter(keys)
    counts[""] = 1  # images and marks repeat nothing
    return np.array([counts[key] for key in keys], dtype=np.int64)


@feature(
    "text",
    bins=(0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98),
    source=_SPENGLER,
)
def output_position(page: Page) -> NDArray[np.float64]:
    """Place of the region among all regions, from 0 to 1."""
    return np.arange(len(page)) / max(len(page) - 1, 1)


@feature("text", bins=(0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97))
def text_position(page: Page) -> NDArray[np.float64]:
    """Share of the page's characters that stand above the region.

    Menus take many regions and few characters, so this tells header, text and footer apart
    better than the count of regions does.
    """
    above: NDArray[np.float64] = (np.cumsum(lengths(page)) - lengths(page)).astype(np.float64)
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
