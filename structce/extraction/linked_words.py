"""Links around words, as a browser closes them: an ``a`` ends where the next one begins in it."""

from __future__ import annotations

import numpy as np

from structce.arrays import Flags, Integers
from structce.extraction.blocks import start_tokens
from structce.extraction.parsed_document import Elements, ParsedDocument


def link_of_words(document: ParsedDocument) -> Integers:
    """Return the number of the ``a`` element that each word is linked by; -1 for none.

    Old pages leave anchors open (``<a name=top>``), and each link in one would else be followed by
    linked text up to the end of the page. One that is written as empty (``<a name=top />``) and
    leads nowhere is no link, as parsers of XML and libxml2 have it.

    Returns
    -------
    shape (n_words,)
    """
    elements, words = document.elements, document.words
    is_link = elements.named({"a"}) & ~_is_empty_anchor(elements)
    nearest = np.append(elements.nearest(is_link), -1)
    inner = np.flatnonzero(is_link)
    outer = nearest[np.array(elements.parent, dtype=np.int64)[inner]]
    begins = np.flatnonzero(start_tokens(document))[inner]
    ends = np.full(len(elements) + 1, len(document.tokens.is_word))
    np.minimum.at(ends, outer, begins)
    link = nearest[words.element]
    return np.where(words.token < ends[link], link, -1)


def _is_empty_anchor(elements: Elements) -> Flags:
    """Return which elements are an ``a`` with a start tag as of an empty one, and no address."""
    flags = [
        name == "a" and tag.endswith("/>") and "href" not in elements.attributes(i)
        for i, (name, tag) in enumerate(zip(elements.name, elements.markup.tags, strict=True))
    ]
    return np.array(flags, dtype=bool)
