"""Features of the comments of a page's source: publishers mark there where parts begin and end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.dom import name_tokens
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.tree import NO_NAMES, Names
from structce.page import Page

_FIRST = 10  # words of a comment that become tokens; longer ones are code that was left out


@feature("dom", aliases=["tokens-in-previous-comments"], source="Spengler et al. (2010)")
def previous_comment_token(page: Page) -> list[Names]:
    """Words of the last comment of the source before the region: "article body", "end header"."""
    return _tokens(page, page.previous_comment)


@feature("dom", aliases=["tokens-in-next-comments"], source="Spengler et al. (2010)")
def next_comment_token(page: Page) -> list[Names]:
    """Words of the first comment of the source after the region."""
    return _tokens(page, page.next_comment)


def _tokens(page: Page, places: NDArray[np.int32]) -> list[Names]:
    """Return the words of the comments at some places, none for -1."""
    sets = (*_comment_tokens(page), NO_NAMES)
    return [sets[i] for i in places.tolist()]


@once_a_page
def _comment_tokens(page: Page) -> list[Names]:
    """Return the words of each comment; what another comment has too shares its set."""
    known = {text: frozenset(name_tokens(text)[:_FIRST]) for text in set(page.comments)}
    return [known[text] for text in page.comments]
