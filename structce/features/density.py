"""Features of density: links, words and elements per amount of text.

A block of running text has many words per line and few links; menus and teasers are the opposite.
"""

from __future__ import annotations

import numpy as np

from structce.arrays import Floats, Integers
from structce.features.dom import in_link
from structce.features.dom_tree import ancestor_steps, nearest_marked, sums_below, tags_opened
from structce.features.registry import BESIDE, feature, once_a_page
from structce.features.text import block_sums, lengths, share_of, widths, word_count
from structce.page import Page

_LINE = 80  # columns of a line of text
_LINK_SHARES = (0.05, 0.2, 0.5, 0.8, 0.99)
_QUOTIENTS = (0.1, 0.25, 0.5, 0.8, 1.25, 2.0, 4.0, 10.0)
_KOHLSCHUETTER = "Kohlschuetter et al. (2010)"


@feature("dom", bins=_LINK_SHARES, source=_KOHLSCHUETTER, window=BESIDE)
def link_density(page: Page) -> Floats:
    """Share of the block's characters that are inside links."""
    linked = block_sums(page, lengths(page) * in_link(page))
    return share_of(linked, block_sums(page, lengths(page)))


@once_a_page
def _link_densities(page: Page) -> Floats:
    """Return the link density below each element, shape (n_elements + 1,); the last is unknown."""
    linked = sums_below(page, lengths(page) * in_link(page))
    densities = share_of(linked, sums_below(page, lengths(page)))
    return np.append(densities, np.nan)


@feature("dom", bins=_LINK_SHARES)
def element_link_density(page: Page) -> Floats:
    """Share of the characters below the region's element that are inside links."""
    return _link_densities(page)[page.element]


@feature("dom", bins=_LINK_SHARES)
def parent_link_density(page: Page) -> Floats:
    """Share of the characters below the parent of the region's element that are inside links.

    For a link in a sentence the parent contains the sentence, for one in a menu the entry.
    """
    return np.asarray(_link_densities(page)[ancestor_steps(page)[1, page.element]])


@feature("text", bins=(1, 2, 3, 5, 7, 9, 11, 12, 13, 14, 16), source=_KOHLSCHUETTER)
@once_a_page
def density(page: Page) -> Floats:
    """Words per line of 80 columns in the block: about a dozen in running text, few elsewhere.

    The number of words where the block is shorter than a line. All words over all columns stand in
    for those of full lines, so that no text needs to be wrapped.
    """
    n_words = block_sums(page, word_count(page))
    lines = block_sums(page, widths(page)) / _LINE
    return np.asarray(n_words / np.maximum(lines, 1.0))


@feature("text", bins=_QUOTIENTS, source="Yao and Zuo (2013)")
def density_to_previous(page: Page) -> Floats:
    """Text density divided by that of the block before it; unknown in the first block.

    Where it jumps up, a text begins.
    """
    return _density_quotient(page, -1)


@feature("text", bins=_QUOTIENTS, source=_KOHLSCHUETTER)
def density_to_next(page: Page) -> Floats:
    """Text density divided by that of the block after it; unknown in the last block.

    It is far below 1 just above a paragraph, where headings and bylines are found.
    """
    return _density_quotient(page, 1)


def _density_quotient(page: Page, offset: int) -> Floats:
    """Return text densities divided by those of the block ``offset`` blocks further on.

    Both are at least one word per line, so that a block of images causes no division by zero.
    """
    _, firsts = np.unique(page.blocks, return_index=True)
    floored = np.maximum(density(page)[firsts], 1.0)
    padded = np.concatenate([[np.nan], floored, [np.nan]])
    others = padded[1 + offset :][: len(floored)]
    return np.asarray((floored / others)[page.blocks])


@feature("dom", bins=(0.5, 1, 2, 4, 8, 16, 32))
def tag_density(page: Page) -> Floats:
    """Elements that begin in the block, per 100 columns of its text; unknown without text.

    Menus and teasers need many elements for few words.
    """
    opened = block_sums(page, tags_opened(page))
    return share_of(100 * opened, block_sums(page, widths(page)))


@feature("dom", bins=(0.01, 0.05, 0.2, 0.5, 0.8))
def container_text_share(page: Page) -> Floats:
    """Share of the page's unlinked characters below the element two block levels up.

    The element of the main text contains most of the text that is not a link.
    """
    weights = lengths(page) * ~in_link(page)
    held = sums_below(page, weights)[_container_elements(page)[page.block_element]]
    return np.asarray(held / max(float(weights.sum()), 1.0))


def _container_elements(page: Page) -> Integers:
    """Return the nearest block-level element above each element, or the root."""
    parent = page.elements.parent
    own = np.arange(len(parent))
    blocks = nearest_marked(page, page.elements.is_block | (parent < 0))
    return np.where(parent >= 0, blocks[parent], own)
