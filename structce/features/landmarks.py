"""Landmarks of a page, headline and main text, and features of similarity and distance to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import compress, pairwise
from typing import TypeAlias
from weakref import proxy

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from structce.arrays import Flags, Floats, Integers
from structce.features.dom import in_elements, in_link
from structce.features.dom_tree import inside_any, sums_below
from structce.features.registry import AROUND, SPENGLER, feature, once_a_page
from structce.features.text import (
    block_ends,
    block_length,
    block_starts,
    block_sums,
    last_characters,
    of_characters,
    share_of,
    widths,
    word_count,
    words,
)
from structce.language import CLOSING_MARKS, SENTENCE_ENDS, normalise, read_texts
from structce.page import Page, TextIndex, window_title

LIKENESS_BINS = (0.3, 0.5, 0.7, 0.85, 0.95)
"""Borders of bins for similarities and for shares of a text, from 0 to 1."""

Similarity: TypeAlias = Callable[..., float]  # similarity measure of RapidFuzz for two texts
_MIN_RUNNING = 80  # columns of text outside links: one full line, as for text densities
_MAIN_SHARE = 0.6  # of the running text; comments or a second article may contain the rest
_DISTANCES = (-40, -20, -10, -5, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9, 13, 20, 40, 80)
_MIN_TITLE = 8  # letters of a title that a block is compared with
_MAX_TITLES = 3  # multiple of the title's length; a longer block cannot be similar to it
_MAX_HEADLINES = 2  # the same of a stated headline
_MIN_HEADING = 0.3  # similarity of a block to the headline, below which there is none
_MIN_PARAGRAPH = 80  # columns of a paragraph
_MIN_COMMON_SHARE = 0.007  # of the words of running text; rarer ones name the topic
_MIN_COMMON_COUNT = 3  # occurrences of a common word
_FUNCTION_SHARE = 0.2  # of a paragraph's words; lists and captions have fewer
_ENDS = frozenset(f"{SENTENCE_ENDS}؟।{CLOSING_MARKS}")


@once_a_page
def is_running(page: Page) -> Flags:
    """Return which regions belong to a block of running text, shape (n_regions,)."""
    plain = block_sums(page, widths(page) * ~in_link(page))
    linked = block_sums(page, widths(page) * in_link(page))
    return (plain >= _MIN_RUNNING) & (plain > linked)


@once_a_page
def running_widths(page: Page) -> Integers:
    """Return the width of each region's running text, shape (n_regions,)."""
    return widths(page) * is_running(page)


@once_a_page
def main_element(page: Page) -> int:
    """Return the deepest element that contains most of the running text; -1 without such text."""
    weights = running_widths(page)
    if not weights.any():
        return -1
    return int(np.flatnonzero(sums_below(page, weights) >= _MAIN_SHARE * weights.sum())[-1])


@once_a_page
def main_mask(page: Page) -> Flags:
    """Return which regions lie in the element of the main text, shape (n_regions,)."""
    main = main_element(page)
    return inside_any(page, [main] if main >= 0 else [])


@once_a_page
def main_text_rows(page: Page) -> Integers:
    """Return the regions of running text inside the element of the main text, in order."""
    return np.flatnonzero(main_mask(page) & is_running(page))


@once_a_page
def title_similarities(page: Page) -> Floats:
    """Return the similarity of each block to the page's stated headlines, shape (n_regions,).

    Normalised edit similarity in [0, 1] of the text of the region's block, the best over the
    title element, OpenGraph and JSON-LD; a title element is also tried without the site's name.
    """
    headlines = page.metadata.headlines
    stated = {normalise(part) for text in headlines for part in headline_parts(text)}
    return _best_similarities(page, stated, _MAX_HEADLINES, fuzz.ratio) / 100


def _best_similarities(
    page: Page, titles: set[str], longest: float, measure: Callable[..., float]
) -> Floats:
    """Return the best similarity of each block to titles; 0 for one so many times as long."""
    known = [title for title in titles if len(title) >= _MIN_TITLE]
    limit = longest * max(map(len, known), default=0)
    texts = block_texts(page)
    compared = [i for i, text in enumerate(texts) if text and len(text) <= limit]
    best = np.zeros(len(texts))
    if compared:
        chosen = [texts[i] for i in compared]
        similarities = process.cdist(chosen, known, scorer=measure, dtype=np.float64)
        best[compared] = similarities.max(axis=1)
    return best[page.blocks]


def headline_parts(headline: str) -> list[str]:
    """Return a headline, and the parts of it before the first and the last separators."""
    parts = [headline]
    for separator in (" | ", " - ", " – ", " — ", " · ", ": ", " « "):
        if separator in headline:
            parts += [headline.split(separator)[0], headline.rsplit(separator, 1)[0]]
    return parts


@once_a_page
def block_texts(page: Page) -> list[str]:
    """Return the normalised text of each block."""
    index = text_index(page)  # letters do not combine across a space
    places = [index.starts[i] for i in (*np.flatnonzero(block_starts(page)).tolist(), len(page))]
    return [index.text[start:end] for start, end in pairwise(places)]


@once_a_page
def heading_region(page: Page) -> int:
    """Return the first region of the headline: most similar to the stated one, else the first h1.

    -1 if neither exists. On a tie a region inside ``h1`` wins, then the first.
    """
    score = title_similarities(page) + 0.3 * in_elements(page, ["h1"])
    if not len(page) or score.max() < _MIN_HEADING:
        return -1
    return int(np.argmax(score))


@once_a_page
def text_index(page: Page) -> TextIndex:
    """Return the page's normalised text with a mapping back to regions.

    It refers to the page weakly, since the page stores it.
    """
    return TextIndex(proxy(page))


@feature("task", bins=LIKENESS_BINS, source=SPENGLER)
def title_levenshtein_distance(page: Page) -> Floats:
    """Levenshtein similarity between the block and the title element, from 0 to 1.

    1 minus the distance over the longer length; the better of the values with and without the
    site's name. The title element nearly always repeats the headline.
    """
    shown = {normalise(page.title), normalise(window_title(page.metadata) or "")}
    return _best_similarities(page, shown, _MAX_TITLES, Levenshtein.normalized_similarity)


@feature("task", bins=(0.01, 0.2, 0.4, 0.6, 0.8, 0.99), source=SPENGLER)
def title_word_match(page: Page) -> Floats:
    """Share of the region's words that occur in the stated headlines."""
    n_words, n_stated = page.text_counts[:2]
    return share_of(n_stated, n_words)


@feature("task")
def is_heading(page: Page) -> Flags:
    """Region belongs to the block most similar to the stated headline, or else to the first h1."""
    i = heading_region(page)
    return page.blocks == page.blocks[i] if i >= 0 else np.zeros(len(page), dtype=bool)


@feature("task", bins=_DISTANCES, window=())
def from_heading(page: Page) -> Floats:
    """Number of regions after the headline, negative above it."""
    return _regions_since(page, heading_region(page))


@feature("task", bins=_DISTANCES, window=())
def from_text(page: Page) -> Floats:
    """Number of regions after the beginning of the main text, negative above it."""
    inside = main_text_rows(page)
    return _regions_since(page, int(inside[0]) if len(inside) else -1)


@feature("task", bins=_DISTANCES, window=())
def after_text(page: Page) -> Floats:
    """Number of regions after the end of the main text, negative inside and above it."""
    inside = main_text_rows(page)
    return _regions_since(page, int(inside[-1]) if len(inside) else -1)


def _regions_since(page: Page, i: int) -> Floats:
    """Return the number of regions after region ``i``; unknown if ``i`` is -1."""
    return np.arange(len(page), dtype=np.float64) - (i if i >= 0 else np.nan)


@feature("task", window=())
def in_main(page: Page) -> Flags:
    """Region lies in the deepest element that contains most of the running text."""
    return main_mask(page)


@feature("task", bins=(1, 2, 3, 4, 6, 8))
def depth_in_main(page: Page) -> Floats:
    """Depth below the element of the main text; unknown outside it."""
    main = main_element(page)
    if main < 0:
        return np.full(len(page), np.nan)
    below = page.elements.depth[page.element].astype(float) - page.elements.depth[main]
    return np.where(main_mask(page), below, np.nan)


@feature("task", window=AROUND)
def running_text(page: Page) -> Flags:
    """Region belongs to a block with at least 80 columns of unlinked text, most of the block."""
    return is_running(page)


def common_words(page: Page) -> frozenset[str]:
    """Return the commonest words of the page's running text, without numbers.

    In every language these are mostly function words, so no list of them is needed.
    """
    counts = Counter[str]()
    for own in compress(words(page), is_running(page).tolist()):
        counts.update(own)
    least = max(_MIN_COMMON_SHARE * counts.total(), _MIN_COMMON_COUNT)
    return frozenset(word for word, n in counts.items() if n >= least and not word.isdigit())


@feature("task", source=SPENGLER)
def paragraph_cue(page: Page) -> Flags:
    """Block looks like a paragraph: long, with function words, and ending like a sentence."""
    counts = block_sums(page, word_count(page))
    common = block_sums(page, read_texts(page.text, common_words(page), page.lang)[1][1])
    ends = np.array(of_characters(last_characters(page), _ENDS.__contains__), dtype=np.int64)
    prose = (common > 0) & (common >= _FUNCTION_SHARE * counts)
    return (
        prose
        & (block_length(page) >= _MIN_PARAGRAPH)
        & (block_sums(page, ends * block_ends(page)) > 0)
    )
