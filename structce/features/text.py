"""Features of a region's text content."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.registry import feature
from structce.page import Page
from structce.text import normalise, width

_WORD = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_SENTENCE_END = tuple(".!?…。！？\"”»«“'’)")
_LENGTHS = (1, 8, 16, 32, 64, 128, 256, 512)
_SHARES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.7)


@lru_cache(maxsize=16384)
def words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, case folded."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _shape(text: str) -> str:
    """Return a text's shape: letters as x or X, digits as 9, runs of one kind shortened."""
    kinds = re.sub(r"\d", "9", text[:60])
    kinds = "".join(
        "X" if c.isupper() else "x" if c.isalpha() else c if not c.isspace() else " " for c in kinds
    )
    return re.sub(r"(.)\1+", r"\1", kinds)[:12]


@feature("text")
def has_text(page: Page) -> NDArray[np.bool_]:
    """Region is text, not an image, a video or a frame."""
    return ~page.is_media


@feature("text")
def token(page: Page) -> list[frozenset[str]]:
    """Words of the text, numbers reduced to their number of digits.

    Only the first 30 words: a paragraph's later words tell its topic, not its role.
    """
    return [frozenset(_token(word) for word in words(text)[:30]) for text in page.text]


def _token(word: str) -> str:
    return f"{len(word)}-digits" if word.isdigit() else word


@feature("text")
def first_token(page: Page) -> list[str | None]:
    """First word: "By", "Foto", "Published", "Related"."""
    return [_token(words(text)[0]) if words(text) else None for text in page.text]


@feature("text")
def shape(page: Page) -> list[str | None]:
    """Case and punctuation of the text's beginning: ``Xx Xx`` for a name, ``9.9.9`` for a date."""
    return [_shape(text) if text else None for text in page.text]


@feature("text", bins=_LENGTHS)
def length(page: Page) -> NDArray[np.int64]:
    """Width of the text, wide characters twice: labels and links are short, paragraphs long."""
    return np.array([width(text) for text in page.text], dtype=np.int64)


@feature("text", bins=(1, 2, 3, 5, 8, 13, 21, 34, 55))
def word_count(page: Page) -> NDArray[np.int64]:
    """Number of words; languages without spaces have other counts, hence also the length."""
    return np.array([len(words(text)) for text in page.text], dtype=np.int64)


@feature("text")
def all_capitals(page: Page) -> NDArray[np.bool_]:
    """Every letter is a capital, as in kickers and section names."""
    return np.array([text.isupper() for text in page.text], dtype=bool)


@feature("text")
def first_word_capitals(page: Page) -> NDArray[np.bool_]:
    """First word in capitals, as in datelines."""
    firsts = [text.split(maxsplit=1)[:1] for text in page.text]
    return np.array([bool(f) and len(f[0]) > 1 and f[0].isupper() for f in firsts], dtype=bool)


@feature("text", bins=(0.3, 0.6, 0.95))
def capitalised_share(page: Page) -> NDArray[np.float64]:
    """Share of words that begin with a capital: high for names and headlines."""
    return _share(page, lambda text: [word[0].isupper() for word in re.findall(r"[^\W\d_]+", text)])


@feature("text", bins=_SHARES)
def digit_share(page: Page) -> NDArray[np.float64]:
    """Share of characters that are digits: high for dates."""
    return _share(page, lambda text: [c.isdigit() for c in text[:400]])


@feature("text", bins=_SHARES)
def punctuation_share(page: Page) -> NDArray[np.float64]:
    """Share of characters that are neither letters, digits nor spaces."""
    return _share(page, lambda text: [not (c.isalnum() or c.isspace()) for c in text[:400]])


def _share(page: Page, test: Callable[[str], list[bool]]) -> NDArray[np.float64]:
    marks = [test(text) for text in page.text]
    return np.array([sum(m) / len(m) if m else np.nan for m in marks], dtype=np.float64)


@feature("text")
def ends_sentence(page: Page) -> NDArray[np.bool_]:
    """Text ends as a sentence does; headlines and links rarely do."""
    return np.array([text.endswith(_SENTENCE_END) for text in page.text], dtype=bool)


@feature("text")
def last_character(page: Page) -> list[str | None]:
    """Last character if it is no letter: a colon announces, a question mark asks."""
    lasts = [text[-1:] for text in page.text]
    return [("9" if c.isdigit() else c) if c and not c.isalpha() else None for c in lasts]


@feature("text")
def quotes(page: Page) -> NDArray[np.bool_]:
    """Text holds quotation marks, as reported speech does."""
    return np.array([re.search('["“”„«»「」]', text) is not None for text in page.text], dtype=bool)


@feature("text", bins=(1, 2, 3, 5, 9))
def repetitions(page: Page) -> NDArray[np.int64]:
    """How often the same text occurs on the page: "Share", "Read more"."""
    keys = [normalise(text) for text in page.text]
    counts = Counter(keys)
    return np.array([counts[key] if key else 1 for key in keys], dtype=np.int64)


@feature("text")
def script(page: Page) -> list[str | None]:
    """Writing system of the first letter, as Unicode names it: LATIN, CYRILLIC, CJK."""
    firsts = (next((c for c in text if c.isalpha()), "") for text in page.text)
    return [unicodedata.name(c, "?").split()[0] if c else None for c in firsts]


@feature("text", bins=(0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98))
def output_position(page: Page) -> NDArray[np.float64]:
    """Place of the region among all regions, from 0 to 1."""
    return np.arange(len(page)) / max(len(page) - 1, 1)


@feature("text", bins=(0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97))
def text_position(page: Page) -> NDArray[np.float64]:
    """Share of the page's characters that stand above the region.

    Menus take many regions and few characters, so this tells header, text and footer apart
    better than the count of regions does.
    """
    lengths = np.array([len(text) for text in page.text], dtype=np.float64)
    above: NDArray[np.float64] = np.cumsum(lengths) - lengths
    return above / max(float(lengths.sum()), 1.0)


@feature("text", bins=(32, 64, 128, 256, 512, 1024))
def block_length(page: Page) -> NDArray[np.int64]:
    """Width of the text of the whole block that the region belongs to.

    A link inside a paragraph is short, its block is long.
    """
    return block_sums(page, length(page))


@feature("text", bins=(2, 3, 5, 9, 17))
def block_regions(page: Page) -> NDArray[np.int64]:
    """Number of regions in the block."""
    return block_sums(page, np.ones(len(page), dtype=np.int64))


def block_sums(page: Page, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each region the sum over the regions of its block, shape (n_regions,)."""
    if not len(page):
        return values
    return np.bincount(page.blocks, weights=values).astype(np.int64)[page.blocks]
