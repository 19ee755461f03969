"""Crunch: a chain of filters on the tree of a page, with the settings of version 2.0.

Sources: S. Gupta, G. Kaiser, D. Neistadt and P. Grimm (2003). DOM-based content extraction of HTML
documents. WWW 2003. S. Gupta, G. E. Kaiser, P. Grimm, M. F. Chiang and J. Starren (2005).
Automating content extraction of HTML documents. World Wide Web 8(2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from structce.arrays import Flags
from structce.extraction.base import WordFilter
from structce.extraction.parsed_document import BLOCK_LEVEL, Elements, ParsedDocument
from structce.extraction.registry import extractor

LETTERS_PER_WORD = 5
"""Number of characters that the link list filter counts as a word."""

_REMOVED = frozenset("script noscript style meta form input button select".split())
_CELLS = frozenset(("td",))
_LIST_LIKE = frozenset("td th li ul ol nav".split())


@extractor("crunch")
@extractor("crunch-generalised", cells="lists", keeps_inline_links=True)
@dataclass(frozen=True)
class Crunch(WordFilter):
    """Crunch (Gupta et al. 2003): links, forms and link lists removed, settings of version 2.0.

    It removes scripts, forms and their controls, all links, and the text of cells with too many
    links for their words. The filters of images, of advertisements, whose only text is in links,
    and of empty lines do not affect the words.

    Parameters
    ----------
    ratio
        Links per word outside links above which a cell is a list of links.
    cells
        ``table``: only ``td`` can be a list of links, as in Crunch, whose pages were laid out with
        tables. ``lists``: also other cells, lists, navigation, and any ``div`` without nested
        blocks; our choice for later pages.
    keeps_inline_links
        Keep the words of links outside lists of links, which Crunch removes.
    """

    ratio: float = 0.25
    cells: Literal["table", "lists"] = "table"
    keeps_inline_links: bool = False

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words no filter removes."""
        elements = document.elements
        links = [
            name == "a" and "href" in elements.attributes(i) for i, name in enumerate(elements.name)
        ]
        is_link = np.array(links, dtype=bool)
        removed = elements.named(_REMOVED) | self._link_lists(document, is_link)
        if not self.keeps_inline_links:
            removed |= is_link
        return ~document.of_words(elements.below(removed))

    def _link_lists(self, document: ParsedDocument, is_link: Flags) -> Flags:
        """Return which elements are lists of links: too many links for the words outside them."""
        elements, words = document.elements, document.words
        outside = words.length * ~document.of_words(elements.below(is_link))
        n_words = elements.sum_of_words(outside) / LETTERS_PER_WORD
        is_list = elements.count_below(is_link) > self.ratio * n_words
        lists: Flags = self._cells(elements) & ((n_words == 0) | is_list)
        return lists

    def _cells(self, elements: Elements) -> Flags:
        """Return which elements can be lists of links."""
        if self.cells == "table":
            return elements.named(_CELLS)
        has_block = elements.count_below(elements.named(BLOCK_LEVEL)) > 1
        return elements.named(_LIST_LIKE) | (elements.named(("div",)) & ~has_block)
