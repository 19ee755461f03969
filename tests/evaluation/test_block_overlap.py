"""Overlap of blocks and lines, on cases worked by hand."""

import numpy as np
import pytest

from structce.evaluation import block_overlap, line_overlap, whole_overlap

CHOSEN = np.array([True, True, True, False, False])
RELEVANT = np.array([True, True, False, True, False])


def test_precision_is_r_of_t_and_recall_r_of_r_and_m():
    overlap = block_overlap(CHOSEN, RELEVANT)
    assert overlap.precision == pytest.approx(2 / 3)
    assert overlap.recall == pytest.approx(2 / 3)


def test_a_long_block_counts_more_by_its_words():
    overlap = block_overlap(CHOSEN, RELEVANT, np.array([80, 10, 10, 90, 500]))
    assert overlap.precision == pytest.approx(90 / 100)
    assert overlap.recall == pytest.approx(90 / 180)


def test_pages_without_relevant_or_chosen_blocks():
    none = np.zeros(5, dtype=bool)
    assert block_overlap(none, none).f1 == 1
    assert block_overlap(CHOSEN, none).precision == 0
    assert block_overlap(none, RELEVANT).f1 == 0
    assert block_overlap(none[:0], none[:0]).f1 == 1


def test_a_line_counts_where_it_stands_whole_over_line_breaks_too():
    gold = "The ferry stops.\nIn June, a bridge opens.\n\nNo more boats."
    overlap = line_overlap("the ferry STOPS in june a\nbridge opens\nmenu", gold)
    assert overlap.recall == pytest.approx(2 / 3)
    assert overlap.precision == pytest.approx(2 / 3)


def test_a_line_is_no_part_of_a_word():
    assert line_overlap("overcast day", "cast day").recall == 0


def test_all_text_is_present_or_not():
    gold = "One two.\nThree."
    assert whole_overlap("one two three", gold).f1 == 1
    assert whole_overlap("one two four", gold).f1 == 0
    more = whole_overlap("menu\none two\nthree", gold)
    assert (more.precision, more.recall) == (0, 1)
    part = whole_overlap("three", gold)
    assert (part.precision, part.recall) == (1, 0)


def test_texts_without_words():
    assert line_overlap("", "...").f1 == 1
    assert line_overlap("a", "").precision == 0
    assert whole_overlap("", "a b").f1 == 0
