"""Methods on the elements of a page: link quotas and Crunch.

Sources: T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, section 5.4;
with variations in C. Mantratzis, M. Orgun and S. Cassidy (2005). Separating XHTML content from
navigation clutter using DOM-structure block analysis. Hypertext 2005. S. Gupta, G. Kaiser, D.
Neistadt and P. Grimm (2003). DOM-based content extraction of HTML documents. WWW 2003. S. Gupta, G.
E. Kaiser, P. Grimm, M. F. Chiang and J. Starren (2005). Automating content extraction of HTML
documents. World Wide Web 8(2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from structce.arrays import Flags
from structce.extraction.parsed_document import BLOCK_LEVEL, ParsedDocument
from structce.extraction.registry import Share, WordFilter, extractor

_PAGE = frozenset(("html", "body"))


@extractor("link-quota-25", threshold=0.25)
@extractor("link-quota-50", threshold=0.5)
@extractor("link-quota-75", threshold=0.75)
@extractor("link-quota-50-nested", threshold=0.5, is_nested=True)
@dataclass(frozen=True)
class LinkQuotaFilter(WordFilter):
    """Link quota filter (Gottron 2007): all blocks except those with too much linked text.

    The quota of a block-level element is the share of its text that is in links, counted in
    characters without white space (our choice), excluding nested block-level elements. The text of
    an element above the threshold is discarded.

    Elements nested in a discarded element are kept unless ``is_nested``. The paper discards "the
    entire block", which may mean either; one link beside the blocks of a page would then remove all
    of them. The elements ``html`` and ``body`` are never discarded.
    """

    threshold: Share = 0.5  # highest quota that is kept, in [0, 1]
    is_nested: bool = False

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are outside discarded blocks."""
        elements, words = document.elements, document.words
        nearest = elements.nearest(elements.named(BLOCK_LEVEL))
        owner = np.append(nearest, -1)[words.element]
        linked = words.length * document.words_within({"a"})
        n_elements = len(elements)
        n_all = np.bincount(owner + 1, words.length, n_elements + 1)[1:]
        n_linked = np.bincount(owner + 1, linked, n_elements + 1)[1:]
        discarded = (n_linked > self.threshold * n_all) & ~elements.named(_PAGE)
        if self.is_nested:
            return ~document.of_words(elements.below(discarded))
        return np.asarray(~np.append(discarded, False)[owner])


_LETTERS_PER_WORD = 5  # characters that the link list filter counts as a word
_REMOVED = frozenset("script noscript style meta form input button select".split())
_LIST_LIKE = frozenset("td th li ul ol nav".split())


@extractor("crunch")
@extractor("crunch-generalised", cells="lists", keeps_inline_links=True)
@dataclass(frozen=True)
class Crunch(WordFilter):
    """Crunch (Gupta et al. 2003): links, forms and link lists removed, settings of version 2.0.

    It removes scripts, forms and their controls, all links, and the text of cells with too many
    links for their words. The filters of images, of advertisements, whose only text is in links,
    and of empty lines do not affect the words. With cells ``table``, only ``td`` can be a list of
    links, as in Crunch, whose pages were laid out with tables; with ``lists``, also other cells,
    lists, navigation, and any ``div`` without nested blocks (our choice for later pages).
    """

    ratio: float = 0.25  # links per word outside links above which a cell is a list of links
    cells: Literal["table", "lists"] = "table"
    keeps_inline_links: bool = False  # words of links outside lists of links, which Crunch removes

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words no filter removes."""
        elements = document.elements
        names = enumerate(elements.name)
        links = [name == "a" and "href" in elements.attributes(i) for i, name in names]
        is_link = np.array(links, dtype=bool)
        removed = elements.named(_REMOVED) | self._link_lists(document, is_link)
        if not self.keeps_inline_links:
            removed |= is_link
        return ~document.of_words(elements.below(removed))

    def _link_lists(self, document: ParsedDocument, is_link: Flags) -> Flags:
        """Return which elements are lists of links: too many links for the words outside them."""
        elements, words = document.elements, document.words
        outside = words.length * ~document.of_words(elements.below(is_link))
        n_words = elements.sum_of_words(outside) / _LETTERS_PER_WORD
        is_list = (n_words == 0) | (elements.count_below(is_link) > self.ratio * n_words)
        if self.cells == "table":
            return np.asarray(elements.named({"td"}) & is_list)
        has_block = elements.count_below(elements.named(BLOCK_LEVEL)) > 1
        can_be = elements.named(_LIST_LIKE) | (elements.named({"div"}) & ~has_block)
        return np.asarray(can_be & is_list)
