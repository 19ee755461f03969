"""Features of Table 1 of Spengler et al. (2010) in the paper's forms, where ours have others.

The paper prints the names of features, not their definitions: here, words come from the attributes
and the title that the table names, and lengths are counts of characters. The preset
``spengler2010`` uses them instead of ours; boxes in pixels are in :mod:`structce.features.style`.
"""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import Levenshtein

from structce.arrays import Floats, Integers
from structce.features.dom import comment_words, name_tokens
from structce.features.dom_tree import NameSet, of_regions
from structce.features.registry import SPENGLER, feature
from structce.features.text import lengths, share_of, words
from structce.language import read_texts, split_words
from structce.page import Page

_INTERVALS = 10  # equally full bins, learnt from training pages
_COMPARED = 1000  # characters of a text and of a title that are compared


@feature("text", source=SPENGLER, is_optional=True)
def all_tokens(page: Page) -> list[frozenset[str]]:
    """All words and numbers of the text, case folded."""
    return [frozenset(own) for own in words(page)]


@feature("text", bins=_INTERVALS, source=SPENGLER, is_optional=True)
def string_length(page: Page) -> Integers:
    """Number of characters of the text."""
    return lengths(page)


@feature("text", bins=_INTERVALS, source=SPENGLER, is_optional=True)
def output_number(page: Page) -> Integers:
    """Number of regions before this one."""
    return np.arange(len(page))


@feature("dom", source=SPENGLER, is_optional=True)
def class_and_name_token(page: Page) -> list[NameSet]:
    """Words in the class and the name of the region's element, and in no other attribute."""
    rows = page.elements.attributes
    values = [f"{row.get('class', '')} {row.get('name', '')}" for row in rows]
    return of_regions(page, [frozenset(name_tokens(value)) for value in values])


@feature("dom", source=SPENGLER, is_optional=True)
def whole_previous_comment(page: Page) -> list[NameSet]:
    """All words of the last HTML comment before the region."""
    return comment_words(page, page.previous_comment)


@feature("dom", source=SPENGLER, is_optional=True)
def whole_next_comment(page: Page) -> list[NameSet]:
    """All words of the first HTML comment after the region."""
    return comment_words(page, page.next_comment)


@feature("task", bins=(0.01, 0.2, 0.4, 0.6, 0.8, 0.99), source=SPENGLER, is_optional=True)
def page_title_word_match(page: Page) -> Floats:
    """Share of the region's words that occur in the title element."""
    n_words, n_shared, *_ = read_texts(page.text, frozenset(split_words(page.title)), page.lang)[1]
    return share_of(n_shared, n_words)


@feature("task", bins=_INTERVALS, source=SPENGLER, is_optional=True)
def page_title_distance(page: Page) -> Floats:
    """Levenshtein distance between the region's text and the title element, in characters.

    Of both, the first 1,000 characters are compared; unknown for an image or an empty title.
    """
    title = page.title[:_COMPARED]
    texts = [text[:_COMPARED] for text in page.text]
    known = {text: Levenshtein.distance(text, title) for text in set(texts) if text and title}
    return np.array([known.get(text, np.nan) for text in texts], dtype=np.float64)
