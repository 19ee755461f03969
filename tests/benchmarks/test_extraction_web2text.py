"""Leaves of CleanEval that systems take for content, beside the published figures."""

import numpy as np
import pytest

from benchmarks.extraction.web2text import (
    LeafPage,
    chosen_leaves,
    class_scores,
    count_leaves,
    kept_counts,
    leaf_table,
    without_validation,
)
from structce.errors import ExtractionError
from structce.extraction import CollapsedDom, Extraction, ParsedDocument

HTML = "<ul><li>Home<li>News</ul><p>The ferry has left.</p><p>It will be back by noon.</p>"


class Fixed:
    """Extractor of a text and places that are given, or of an error."""

    def __init__(self, extraction):
        self.extraction = extraction

    def extract(self, document):
        if self.extraction is None:
            raise ExtractionError("beyond it")
        return self.extraction


@pytest.fixture
def leaf_page():
    dom = CollapsedDom.of(ParsedDocument(HTML))
    return LeafPage("a", "a.org", "", dom, np.array([False, False, True, True]))


def span(text):
    return HTML.index(text), HTML.index(text) + len(text)


def test_a_leaf_is_chosen_if_two_thirds_of_its_words_are(leaf_page):
    extraction = Extraction("", (span("Home"), span("The ferry has"), span("It will")))
    assert chosen_leaves(Fixed(extraction), leaf_page.dom).tolist() == [True, False, True, False]


def test_leaves_of_a_text_without_places_are_found_by_their_words(leaf_page):
    extraction = Extraction("The ferry has left. It will be back by noon.")
    assert chosen_leaves(Fixed(extraction), leaf_page.dom).tolist() == [False, False, True, True]
    assert chosen_leaves(Fixed(None), leaf_page.dom).tolist() == [False] * 4


def test_scores_are_those_of_both_classes(leaf_page):
    counts = count_leaves(
        [leaf_page, leaf_page], Fixed(Extraction("", (span("News"), span("The ferry has left."))))
    )
    assert counts.tolist() == [[2, 2], [2, 2]]
    right = class_scores(np.array([[6, 2], [1, 9]]))
    assert right == pytest.approx((6 / 7, 6 / 8, 12 / 15, 9 / 11, 9 / 10, 18 / 21))
    assert class_scores(np.zeros((2, 2), dtype=np.int64)) == (0.0,) * 6


def test_scores_stand_beside_the_published_ones():
    text = " ".join(leaf_table({"ours": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}).split())
    assert "| ours | here | 0.100 |" in text
    assert "| Web2Text | published | 0.820 |" in text


def test_counts_are_kept(tmp_path):
    path = tmp_path / "leaves.json"
    assert kept_counts(path, lambda: np.array([[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]
    assert kept_counts(path, lambda: pytest.fail("counted again")).tolist() == [[1, 2], [3, 4]]


def test_five_pages_are_left_out_that_the_seed_draws():
    pages = list(range(57))
    first, second = without_validation(pages, 0), without_validation(pages, 1)
    assert len(first) == len(second) == 52
    assert first != second
    assert first == sorted(first) == without_validation(pages, 0)
