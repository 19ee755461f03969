"""Measures of extractions: blocks by places or by texts, lines, failures."""

import numpy as np
import pytest

from structce.evaluation import FOUR
from structce.extraction import Extraction, ParsedDocument, block_set
from structce.extraction.measures import (
    LEAVES,
    MEASURES,
    chosen_blocks,
    extraction_overlaps,
    pooled_leaves,
)

HTML = (
    "<ul><li>News sport weather</ul>"
    "<p>The ferry to the island will stop in June because a bridge takes its place.</p>"
    "<p>It opens soon.</p><p>| * |</p>"
    "<div>Read more about boats and trains here</div>"
)
GOLD = "The ferry to the island will stop in June because a bridge takes its place.\nIt opens soon."
N_STORY, N_SHORT, N_MENU = 15, 3, 3


@pytest.fixture
def document():
    return ParsedDocument.of(HTML)


def kept(document, *names):
    """The blocks that begin with these words, as an extraction."""
    blocks = block_set(document)
    is_kept = np.array([blocks.text(i).startswith(names) for i in range(5)])
    return document.select(blocks.keep(is_kept))


def test_blocks_are_counted_and_weighted_by_words(document):
    overlaps = extraction_overlaps(document, kept(document, "The", "News"), GOLD, MEASURES)
    assert tuple(overlaps) == MEASURES
    assert (overlaps["block"].precision, overlaps["block"].recall) == (0.5, 0.5)
    weighted = overlaps["block-weighted"]
    assert weighted.precision == pytest.approx(N_STORY / (N_STORY + N_MENU))
    assert weighted.recall == pytest.approx(N_STORY / (N_STORY + N_SHORT))
    assert (overlaps["lines"].precision, overlaps["all-present"].recall) == (0.5, 0)


def test_a_block_is_chosen_with_half_of_its_words(document):
    blocks = block_set(document)
    words = np.zeros(len(document.words), dtype=bool)
    words[N_MENU : N_MENU + 8] = True
    assert chosen_blocks(blocks, document.select(words)).tolist() == [False, True] + [False] * 3
    words[N_MENU + 7] = False
    assert not chosen_blocks(blocks, document.select(words)).any()


def test_of_a_text_alone_the_blocks_in_it_are_chosen(document):
    overlaps = extraction_overlaps(document, Extraction(GOLD), GOLD, ("block", "all-present"))
    assert overlaps["block"].f1 == overlaps["all-present"].f1 == 1
    assert set(overlaps) == {*FOUR, "block", "all-present"}


def test_leaves_of_both_classes_are_counted(document):
    """Of four texts with words the first story is found, the second missed; the menu is wrong.

    Content: 1 of the 2 found, 1 of the 2 there. The rest: 1 of the 2 left out, 1 of the 2 there.
    """
    overlaps = extraction_overlaps(document, kept(document, "The", "News"), GOLD, MEASURES)
    assert (overlaps["leaf"].precision, overlaps["leaf"].recall) == (0.5, 0.5)
    other = overlaps["leaf-boilerplate"]
    assert (other.precision, other.recall) == (0.5, 0.5)


def test_leaves_of_all_pages_are_pooled_by_recalls_and_counts():
    """Of 3 + 1 content leaves 2 + 0 are found, of 1 + 4 others 1 + 2 are left out."""
    overlaps = pooled_leaves([(2 / 3, 1.0), (0.0, 0.5)], [(3, 1), (1, 4)])
    content, others = (overlaps[name] for name in LEAVES)
    assert (content.precision, content.recall) == (2 / 4, 2 / 4)
    assert (others.precision, others.recall) == (3 / 5, 3 / 5)
