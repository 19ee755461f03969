"""Features of headline and main text: similarity to the title, distance to both, paragraphs.

What a page states about itself besides its title is matched in
:mod:`structce.features.metadata_match`, :mod:`structce.features.author_match` and
:mod:`structce.features.date_match`.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress

import numpy as np
from rapidfuzz.distance import Levenshtein

from structce.arrays import Flags, Floats, Integers
from structce.features.landmarks import (
    LIKENESS_BINS,
    best_similarities,
    block_texts,
    heading_region,
    is_running,
    main_element,
    main_mask,
    main_text_rows,
    title_similarities,
)
from structce.features.registry import AROUND, SPENGLER, feature, once_a_page
from structce.features.text import block_length, block_sums, word_count, words
from structce.language import CLOSING_MARKS, SENTENCE_ENDS, normalise, split_words
from structce.page import Page, window_title

_DISTANCES = (-40, -20, -10, -5, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9, 13, 20, 40, 80)
_MIN_TITLE = 8  # letters of a title that a block is compared with
_MAX_TITLES = 3  # multiple of the title's length; a longer block cannot be similar to it
_MIN_PARAGRAPH = 80  # columns of a paragraph
_MIN_COMMON_SHARE = 0.007  # of the words of running text; rarer ones name the topic
_MIN_COMMON_COUNT = 3  # occurrences of a common word
_FUNCTION_SHARE = 0.2  # of a paragraph's words; lists and captions have fewer
_ENDS = tuple(f"{SENTENCE_ENDS}؟।{CLOSING_MARKS}")


@feature("task", bins=LIKENESS_BINS, window=AROUND)
def title_likeness(page: Page) -> Floats:
    """Edit similarity between the block and the page's stated headline, from 0 to 1."""
    return title_similarities(page)


@feature("task", bins=LIKENESS_BINS, source=SPENGLER)
def title_levenshtein_distance(page: Page) -> Floats:
    """Levenshtein similarity between the block and the title element, from 0 to 1.

    1 minus the distance over the longer length; the better of the values with and without the
    site's name. The title element nearly always repeats the headline.
    """
    shown = {normalise(page.title), normalise(window_title(page.metadata) or "")}
    titles = [title for title in shown if len(title) >= _MIN_TITLE]
    texts = block_texts(page)
    limit = _MAX_TITLES * max(map(len, titles), default=0)
    compared = [text for text in set(texts) if text and len(text) <= limit]
    likeness = best_similarities(compared, titles, Levenshtein.normalized_similarity)
    return np.array([likeness.get(text, 0.0) for text in texts], dtype=np.float64)


@feature("task", bins=(0.01, 0.2, 0.4, 0.6, 0.8, 0.99), source=SPENGLER)
def title_word_match(page: Page) -> Floats:
    """Share of the region's words that occur in the stated headlines."""
    headlines = page.metadata.headlines
    return wanted_share(page, frozenset(word for title in headlines for word in split_words(title)))


def wanted_share(page: Page, wanted: frozenset[str]) -> Floats:
    """Return the share of each region's words that are among the wanted; NaN without words."""
    counts = word_count(page)
    return np.where(counts > 0, _wanted_counts(page, wanted) / np.maximum(counts, 1), np.nan)


def _wanted_counts(page: Page, wanted: frozenset[str]) -> Integers:
    """Return how many of each region's words are among the wanted, shape (n_regions,)."""
    has_none, is_wanted = wanted.isdisjoint, wanted.__contains__
    counts = [0 if has_none(own) else sum(map(is_wanted, own)) for own in words(page)]
    return np.array(counts, dtype=np.int64)


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


@once_a_page
def common_words(page: Page) -> frozenset[str]:
    """Return the commonest words of the page's running text, without numbers.

    In every language these are mostly function words, so no list of them is needed.
    """
    counts = Counter[str]()
    for own in compress(words(page), is_running(page).tolist()):
        counts.update(own)
    least = max(_MIN_COMMON_SHARE * counts.total(), _MIN_COMMON_COUNT)
    return frozenset(word for word, n in counts.items() if n >= least and not word.isdigit())


@feature("task", bins=(0.05, 0.1, 0.2, 0.3, 0.4, 0.5))
def function_word_share(page: Page) -> Floats:
    """Share of the region's words that are among the commonest in the page's running text.

    Sentences are full of function words; menus, headlines and captions have few.
    """
    counts = np.where(len(common_words(page)) > 0, word_count(page), 0)
    return np.where(counts > 0, _common_word_counts(page) / np.maximum(counts, 1), np.nan)


@once_a_page
def _common_word_counts(page: Page) -> Integers:
    return _wanted_counts(page, common_words(page))


@feature("task", source=SPENGLER)
def paragraph_cue(page: Page) -> Flags:
    """Block looks like a paragraph: long, with function words, and ending like a sentence."""
    counts = block_sums(page, word_count(page))
    common = block_sums(page, _common_word_counts(page))
    last = np.append(np.diff(page.blocks) > 0, True)[: len(page)]
    ends = np.array([text.endswith(_ENDS) for text in page.text], dtype=np.int64) * last
    prose = (common > 0) & (common >= _FUNCTION_SHARE * counts)
    return prose & (block_length(page) >= _MIN_PARAGRAPH) & (block_sums(page, ends) > 0)
