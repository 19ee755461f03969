"""Headline and main text, and what resembles the title."""

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from structce.features.landmarks import common_words, title_similarities

PROSE = (
    "The ferry will stop in June, and the company that runs it said on Monday that nobody in the "
    "town could say how long the works would take, or who would pay for them in the end."
)


def test_the_levenshtein_similarity_is_that_of_the_definition(page_of, values):
    texts = ["Ferry stops in June", "Ferry stopped in July", "Post", "x" * 400]
    page = page_of(texts, "<title>Ferry stops in June | The Post</title>")
    expected = [
        max(
            1 - Levenshtein.distance(text, title) / max(len(text), len(title))
            for title in ("ferrystopsinjune", "ferrystopsinjunethepost")
        )
        for text in ("ferrystopsinjune", "ferrystoppedinjuly", "post")
    ]
    found = values("task.title-levenshtein-distance", page)
    assert found == pytest.approx([*expected, 0.0])
    assert expected[0] == 1


def test_words_of_the_title_are_counted(page_of, values):
    page = page_of(["Ferry stops", "The ferry", "...", "Boats"], "<title>Ferry stops</title>")
    assert values("task.title-word-match", page) == [1.0, 0.5, None, 0.0]


def test_paragraph_is_long_and_ends_as_a_sentence(page_of, values):
    names = "Ann Lee Tom Rost Mira Okafor Jon King Zoe Arc Max Kolter Eva Holm Jan Moor Ida Quay."
    page = page_of([PROSE, PROSE, PROSE, PROSE[:-1], names, "The end."])
    assert values("task.paragraph-cue", page) == [True, True, True, False, False, False]
    assert {"the", "in", "that"} <= common_words(page)
    assert "okafor" not in common_words(page)


def test_without_running_text_no_word_is_a_function_word(page_of, values):
    page = page_of(["Home", "Sport"])
    assert common_words(page) == frozenset()
    assert not any(values("task.paragraph-cue", page))
    assert values("task.depth-in-main", page) == [None, None]


def test_distances_are_counted_from_headline_and_text(page_of, values):
    page = page_of(["Menu", "Ferry stops", "By", PROSE, PROSE, "End"], "<title>Ferry stops</title>")
    assert values("task.from-heading", page) == [-1, 0, 1, 2, 3, 4]
    assert values("task.from-text", page) == [-3, -2, -1, 0, 1, 2]
    assert values("task.after-text", page) == [-4, -3, -2, -1, 0, 1]
    assert values("task.running-text", page) == [False] * 3 + [True] * 2 + [False]
    assert values("task.is-heading", page) == [False, True] + [False] * 4


def test_similarity_is_highest_at_the_headline(make_page, article_html):
    page = make_page(article_html())
    likeness = title_similarities(page)
    assert page.tag[int(np.argmax(likeness))] == "h1"
    assert likeness.max() == pytest.approx(1.0)
