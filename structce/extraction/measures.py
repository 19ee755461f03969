"""Measures of an extraction against the main content of its page, by name.

The four of Gottron (2007) compare texts. Those of blocks split the page as in Debnath et al. (2005)
and count the pieces that were found, so they need the page itself; those of leaves do the same with
its text nodes, as in Leonhardt et al. (2020), once for content and once for boilerplate; those of
lines count the lines of one text that occur completely in the other, by their length and place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from structce.arrays import Flags
from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import (
    FOUR,
    LINES,
    Overlap,
    block_overlap,
    four_overlaps,
    line_overlaps,
    words,
)
from structce.extraction.block_labels import block_labels
from structce.extraction.blocks import Blocks, block_set
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.text_leaves import TextLeaves, leaf_labels, leaf_of_words, text_leaves

_BLOCKS = ("block", "block-weighted")

LEAVES = ("leaf", "leaf-boilerplate")
"""Measures of text nodes: of those that are content, and of the others."""

MEASURES = (*FOUR, *_BLOCKS, *LEAVES, *LINES)
"""Names of all measures: those of texts first, then those of pieces."""

_LEAF_SHARE = 2 / 3  # of a leaf's words that an extraction must contain, as for Web2Text's labels


def extraction_overlaps(
    document: ParsedDocument, extraction: Extraction, gold: str, measures: Collection[str] = FOUR
) -> dict[str, Overlap]:
    """Return the overlaps of an extraction and a gold text: the four, and others of MEASURES.

    Leaves without a word are neither found nor missed. Leaves are counted per page; those of all
    pages together, as in Leonhardt et al. (2020, Table 1), are computed by `pooled_leaves`.
    """
    overlaps = four_overlaps(extraction.text, gold)
    if set(_BLOCKS) & set(measures):
        blocks = block_set(document)
        has_words = np.array([bool(words(blocks.text(i))) for i in range(len(blocks))], dtype=bool)
        chosen, relevant = chosen_blocks(blocks, extraction) & has_words, block_labels(blocks, gold)
        overlaps["block"] = block_overlap(chosen, relevant)
        overlaps["block-weighted"] = block_overlap(chosen, relevant, blocks.n_words)
    if set(LEAVES) & set(measures):
        leaves, has_words, relevant = _labelled_leaves(document, gold)
        chosen = chosen_leaves(document, leaves, extraction)[has_words]
        overlaps["leaf"] = block_overlap(chosen, relevant)
        overlaps["leaf-boilerplate"] = block_overlap(~chosen, ~relevant)
    if set(LINES) & set(measures):
        overlaps |= line_overlaps(extraction.text, gold)
    return {name: overlaps[name] for name in MEASURES if name in {*FOUR, *measures}}


def failed_overlaps(gold: str, measures: Collection[str] = FOUR) -> dict[str, Overlap]:
    """Return the overlaps of a page from which nothing was extracted; 0 by pieces."""
    others = (name for name in MEASURES if name in measures and name not in FOUR)
    return four_overlaps("", gold) | dict.fromkeys(others, Overlap(0.0, 0.0))


def _labelled_leaves(document: ParsedDocument, gold: str) -> tuple[TextLeaves, Flags, Flags]:
    """Return the leaves, which of them have words, and which of these are content."""
    leaves = text_leaves(document)
    has_words = np.array([bool(words(text)) for text in leaves.text], dtype=bool)
    return leaves, has_words, leaf_labels(leaves, gold)[has_words]


def count_leaves(page: GoldPage) -> tuple[int, int]:
    """Return the numbers of leaves with words that are content, and that are not; 0 if unreadable.

    They are those that the measures of leaves count.
    """
    try:
        *_, relevant = _labelled_leaves(ParsedDocument.of(page.document()), page.gold.text)
    except StructceError:
        return 0, 0
    return int(relevant.sum()), int((~relevant).sum())


def pooled_leaves(
    recalls: Sequence[tuple[float, float]], counts: Sequence[tuple[int, int]]
) -> dict[str, Overlap]:
    """Return the overlaps of content leaves, and of the others, of all pages together.

    Recall of both classes on each page, and the number of its leaves of both, say how many leaves
    of each class a system takes for each.
    """
    sizes = np.array(counts, dtype=np.float64).reshape(-1, 2)
    right = np.rint(np.array(recalls).reshape(-1, 2) * sizes).sum(axis=0)
    there = sizes.sum(axis=0)
    predicted = right + (there - right)[::-1]
    overlaps = zip(LEAVES, right.tolist(), predicted.tolist(), there.tolist(), strict=True)
    return {name: Overlap.of_counts(*numbers) for name, *numbers in overlaps}


def chosen_leaves(document: ParsedDocument, leaves: TextLeaves, extraction: Extraction) -> Flags:
    """Return which leaves an extraction includes: those with at least two thirds of their words.

    For a system that returns only a text, the leaves that are aligned with it, as with gold.
    """
    if not extraction.spans:
        return leaf_labels(leaves, extraction.text)
    owner = leaf_of_words(document, leaves)
    n_words, n_kept = (
        np.bincount(owner[chosen], minlength=len(leaves))
        for chosen in (owner >= 0, (owner >= 0) & document.words_in(extraction.spans))
    )
    return (n_kept > 0) & (n_kept >= _LEAF_SHARE * n_words)


def chosen_blocks(blocks: Blocks, extraction: Extraction) -> Flags:
    """Return which blocks an extraction includes: those with at least half of their words.

    For a system that returns only a text, the blocks that occur in it, by the rule of
    :func:`block_labels`. Half is our choice: a system that keeps whole blocks has all words of a
    block or none.
    """
    if not extraction.spans:
        return block_labels(blocks, extraction.text)
    n_kept = blocks.sum_of_words(blocks.document.words_in(extraction.spans))
    return (n_kept > 0) & (2 * n_kept >= blocks.n_words)
