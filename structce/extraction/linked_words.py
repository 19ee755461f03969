"""Links around words, closed as by a browser: an ``a`` ends where a nested one begins."""

from __future__ import annotations

import numpy as np

from structce.arrays import Flags, Integers
from structce.extraction.blocks import start_tokens
from structce.extraction.parsed_document import Elements, ParsedDocument


def link_of_words(document: ParsedDocument) -> Integers:
    """Return the index of the ``a`` element that links each word; -1 for none.

    Old pages leave anchors open (``<a name=top>``), so that otherwise each link in one would be
    followed by linked text up to the end of the page. An anchor written as empty (``<a name=top
    />``) without an address is not a link, as in XML parsers and libxml2.

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
    """Return which elements are an ``a`` with the start tag of an empty element and no address."""
    flags = [
        name == "a" and tag.endswith("/>") and "href" not in elements.attributes(i)
        for i, (name, tag) in enumerate(zip(elements.name, elements.markup.tags, strict=True))
    ]
    return np.array(flags, dtype=bool)
