"""Landmarks of a page that other features refer to: headline, main text, the article's frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias
from weakref import proxy

import numpy as np
from rapidfuzz import fuzz, process

from structce.arrays import Flags, Floats, Integers
from structce.features.dom import in_elements, in_link
from structce.features.dom_tree import inside_any, sums_below
from structce.features.registry import once_a_page
from structce.features.text import block_sums, widths
from structce.language import normalise
from structce.page import Page, TextIndex

LIKENESS_BINS = (0.3, 0.5, 0.7, 0.85, 0.95)
"""Borders of bins for similarities and for shares of a text, from 0 to 1."""

Regions: TypeAlias = tuple[int, ...]  # regions that a text extends over, in order
Similarity: TypeAlias = Callable[..., float]  # similarity measure of RapidFuzz for two texts
_MIN_RUNNING = 80  # columns of text outside links: one full line, as for text densities
_MAIN_SHARE = 0.6  # of the running text; comments or a second article may contain the rest


@once_a_page
def is_running(page: Page) -> Flags:
    """Return which regions belong to a block of running text, shape (n_regions,)."""
    plain = block_sums(page, widths(page) * ~in_link(page))
    linked = block_sums(page, widths(page) * in_link(page))
    return (plain >= _MIN_RUNNING) & (plain > linked)


@once_a_page
def main_element(page: Page) -> int:
    """Return the deepest element that contains most of the running text; -1 without such text."""
    weights = widths(page) * is_running(page)
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
    stated = {text for text in stated if len(text) >= 8}
    texts = block_texts(page)
    limit = 2 * max((len(text) for text in stated), default=0)
    compared = [text for text in set(texts) if text and len(text) <= limit]
    likeness = best_similarities(compared, list(stated), fuzz.ratio)
    return np.array([likeness.get(text, 0.0) / 100 for text in texts], dtype=np.float64)


def best_similarities(
    texts: Sequence[str], others: Sequence[str], measure: Similarity
) -> dict[str, float]:
    """Return the highest similarity of each text to the others; empty without others."""
    if not texts or not others:
        return {}
    similarities = process.cdist(texts, others, scorer=measure, dtype=np.float64)
    return dict(zip(texts, similarities.max(axis=1).tolist(), strict=True))


def headline_parts(headline: str) -> list[str]:
    """Return a headline, and the parts of it before the first and the last separators."""
    parts = [headline]
    for separator in (" | ", " - ", " – ", " — ", " · ", ": ", " « "):
        if separator in headline:
            parts += [headline.split(separator)[0], headline.rsplit(separator, 1)[0]]
    return parts


@once_a_page
def block_texts(page: Page) -> list[str]:
    """Return the normalised text of each region's block."""
    index, blocks = text_index(page), page.blocks  # letters do not combine across a space
    borders = np.flatnonzero(np.diff(blocks, prepend=-1, append=-1)).tolist()
    places = [index.starts[i] for i in borders]
    texts = [index.text[start:end] for start, end in pairwise(places)]
    return [texts[block] for block in blocks.tolist()]


@once_a_page
def heading_region(page: Page) -> int:
    """Return the first region of the headline: most similar to the stated one, else the first h1.

    -1 if neither exists. On a tie a region inside ``h1`` wins, then the first.
    """
    score = title_similarities(page) + 0.3 * in_elements(page, ["h1"])
    if not len(page) or score.max() < 0.3:
        return -1
    return int(np.argmax(score))


@once_a_page
def article_frame(page: Page) -> tuple[int, int]:
    """Return the first region of the article (its headline) and the last of its running text.

    The whole page if there is no running text.
    """
    running = main_text_rows(page)
    if not len(running):
        return 0, max(len(page) - 1, 0)
    first, last = int(running[0]), int(running[-1])
    heading = heading_region(page)
    return (min(heading, first) if 0 <= heading <= last else first), last


def article_distance(page: Page, i: int) -> int:
    """Return a region's distance from the article in regions, about doubled below the article."""
    first, last = article_frame(page)
    return first - i if i < first else 2 * max(0, i - last) + (i > last)


@once_a_page
def text_index(page: Page) -> TextIndex:
    """Return the page's normalised text with a mapping back to regions.

    It refers to the page weakly, since the page stores it.
    """
    return TextIndex(proxy(page))
