"""Overlap of blocks and lines, on cases worked by hand."""

import numpy as np
import pytest

from structce.evaluation import block_overlap, line_overlaps

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


def test_line_may_continue_over_line_breaks():
    gold = "The ferry stops.\nIn June, a bridge opens.\n\nNo more boats."
    overlap = line_overlaps("the ferry STOPS in june a\nbridge opens\nmenu", gold)["lines"]
    assert overlap.recall == pytest.approx(2 / 3)
    assert overlap.precision == pytest.approx(2 / 3)


def test_all_text_is_present_or_not():
    gold = "One two.\nThree."
    assert line_overlaps("one two three", gold)["all-present"].f1 == 1
    assert line_overlaps("one two four", gold)["all-present"].f1 == 0
    more = line_overlaps("menu\none two\nthree", gold)["all-present"]
    assert (more.precision, more.recall) == (0, 1)
    part = line_overlaps("three", gold)["all-present"]
    assert (part.precision, part.recall) == (1, 0)


def test_texts_without_words():
    assert line_overlaps("", "...")["lines"].f1 == 1
    assert line_overlaps("a", "")["lines"].precision == 0
    assert line_overlaps("", "a b")["all-present"].f1 == 0


def test_lost_lines_are_told_by_length_and_place():
    gold = "Head.\n" + "long " * 12 + "\nTail."
    kept = {name: one.recall for name, one in line_overlaps("long " * 12 + "tail", gold).items()}
    assert kept == {
        "lines": pytest.approx(2 / 3), "short-lines": 0.5, "long-lines": 1, "first-line": 0,
        "middle-lines": 1, "last-line": 1, "all-present": 0,
    }  # fmt: skip
