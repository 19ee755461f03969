"""Words as a browser shows them: joined across tags (``<b>Sl</b>ow``), and the link around each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Integers
from structce.extraction.blocks import start_tokens
from structce.extraction.parsed_document import JOINED, Elements, ParsedDocument


@dataclass(frozen=True)
class JoinedWords:
    """Words of a document as displayed, in order."""

    text: list[str]
    first: Integers  # index of the first of the document's words in each joined word

    @classmethod
    def of(cls, document: ParsedDocument, is_separator: Flags) -> JoinedWords:
        """Return the words of a document between tags that separate words.

        Letters of scripts without spaces are not joined.
        """
        words = document.words
        n_before = np.cumsum(is_separator, dtype=np.int64)[words.token]
        is_first = (words.breaks != JOINED) | (np.diff(n_before, prepend=-1) > 0)
        is_first[1:] |= words.start[1:] == words.end[:-1]
        first = np.flatnonzero(is_first)
        text = [words.text[i] for i in first.tolist()]
        for number, i in zip(
            (np.cumsum(is_first) - 1)[~is_first].tolist(),
            np.flatnonzero(~is_first).tolist(),
            strict=True,
        ):
            text[number] += words.text[i]
        return cls(text, first)


def link_of_words(document: ParsedDocument) -> Integers:
    """Return the index of the ``a`` element that links each word; -1 for none, shape (n_words,).

    Old pages leave anchors open (``<a name=top>``), so that otherwise each link in one would be
    followed by linked text up to the end of the page. An anchor written as empty (``<a name=top
    />``) without an address is not a link, as in XML parsers and libxml2.
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
