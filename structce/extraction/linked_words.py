"""Links around words, as a browser closes them: an ``a`` ends where the next one begins in it."""

from __future__ import annotations

import numpy as np

from structce.arrays import Integers
from structce.extraction.blocks import start_tokens
from structce.extraction.parsed_document import ParsedDocument


def link_of_words(document: ParsedDocument) -> Integers:
    """Return the number of the ``a`` element that each word is linked by; -1 for none.

    Old pages leave anchors open (``<a name=top>``), and each link in one would else be followed by
    linked text up to the end of the page.

    Returns
    -------
    shape (n_words,)
    """
    elements, words = document.elements, document.words
    is_link = elements.named({"a"})
    nearest = np.append(elements.nearest(is_link), -1)
    inner = np.flatnonzero(is_link)
    outer = nearest[np.array(elements.parent, dtype=np.int64)[inner]]
    begins = np.flatnonzero(start_tokens(document))[inner]
    ends = np.full(len(elements) + 1, len(document.tokens.is_word))
    np.minimum.at(ends, outer, begins)
    link = nearest[words.element]
    return np.where(words.token < ends[link], link, -1)
