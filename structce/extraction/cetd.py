"""Content extraction via text density: elements with much text, few tags and few links.

Source: F. Sun, D. Song and L. Liao (2011). DOM based content extraction via text density. SIGIR
2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.parsed_document import Elements, ParsedDocument
from structce.extraction.registry import WordFilter, extractor


@extractor("cetd")
@extractor("cetd-text-density", is_composite=False)
@dataclass(frozen=True)
class TextDensity(WordFilter):
    """Content extraction via text density (Sun, Song and Liao 2011): dense elements of a page.

    The element whose children have the largest sum of densities determines the threshold: the
    lowest density on the path from it up to ``body``. In every element that reaches the threshold,
    up to ``body``, the part with the largest sum is content.

    The composite density is lower with links. It is undefined on a page without links, where we use
    the plain density. Characters are counted without white space.
    """

    is_composite: bool = True

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a dense element."""
        elements = document.elements
        if not len(elements):
            return np.ones(len(document.words), dtype=bool)
        density = self._densities(document)
        sums = [0.0] * len(elements)  # of the densities of each element's children
        for i, parent in enumerate(elements.parent):
            if parent >= 0:
                sums[parent] += float(density[i])
        best = _best_below(elements, sums)
        path = [int(np.argmax(sums))]
        while elements.name[path[-1]] != "body" and elements.parent[path[-1]] >= 0:
            path.append(elements.parent[path[-1]])
        threshold = density[path].min()
        content = np.zeros(len(elements), dtype=bool)
        is_kept: list[bool] = []
        for i, (name, parent) in enumerate(zip(elements.name, elements.parent, strict=True)):
            is_top = parent < 0 or name == "body" or elements.name[parent] == "html"
            kept = bool(density[i] >= threshold) and (is_top or is_kept[parent])
            is_kept.append(kept or name == "html")
            if kept:
                content[best[i]] = True
        return document.of_words(elements.below(content))

    def _densities(self, document: ParsedDocument) -> Floats:
        elements, words = document.elements, document.words
        link_length = words.length * document.words_within({"a"})
        is_link = elements.named({"a"})
        characters, linked = elements.sum_of_words(words.length), elements.sum_of_words(link_length)
        n_tags = elements.count_below(np.ones_like(is_link)) - 1  # excluding the element itself
        n_links = elements.count_below(is_link) - is_link
        total, total_linked = words.length.sum(), link_length.sum()
        if not self.is_composite or not total_linked:
            return characters / np.maximum(n_tags, 1)
        return composite_density(characters, n_tags, linked, n_links, total_linked / total)


def composite_density(
    characters: Integers, n_tags: Integers, linked: Integers, n_links: Integers, share: float
) -> Floats:
    """Return the composite text density of elements; a divisor of 0 counts as 1.

    Characters and tags are those in each element, and those of them in links; ``share`` is the
    linked characters of the page divided by all characters, above 0.
    """
    tags = np.maximum(n_tags, 1)
    plain = np.maximum(characters - linked, 1)
    ratio = (characters / np.maximum(linked, 1)) * (tags / np.maximum(n_links, 1))
    base = np.log(characters / plain * linked + share * characters + np.e)
    is_empty = characters == 0  # here the logarithm would have base 1
    logarithm = np.log(np.where(is_empty, 1, ratio)) / np.log(np.where(is_empty, np.e, base))
    return characters / tags * logarithm


def _best_below(elements: Elements, sums: Sequence[float]) -> list[int]:
    """Return the element with the largest sum in each; on a tie the outermost, then the first."""
    best = list(range(len(sums)))
    for i in range(len(sums) - 1, -1, -1):
        parent = elements.parent[i]
        if parent >= 0 and (sums[best[i]], -best[i]) > (sums[best[parent]], -best[parent]):
            best[parent] = best[i]
    return best
