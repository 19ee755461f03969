"""Features of text blocks, worked by hand."""

import numpy as np
import pytest

from structce.extraction import ParsedDocument, text_blocks
from structce.extraction.blocks import (
    best_tokens,
    n_lines,
    n_sentences,
    relative_position,
    text_features,
    token_scores,
)


def blocks_of(*paragraphs):
    return text_blocks(ParsedDocument("".join(f"<p>{text}</p>" for text in paragraphs)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No end", 1),
        ("One end.", 1),
        ("Two ends. Really!", 2),
        ("An end. And a rest", 2),
        ("&ldquo;Quoted.&rdquo; (In brackets?) Rest...", 3),
        ("渡船将停。", 1),
    ],
)
def test_sentences_end_at_their_marks_and_with_the_block(text, expected):
    assert n_sentences(blocks_of(text)).tolist() == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 80, 1),
        ("a" * 81, 2),
        ("a " * 40, 1),  # 79 characters: the last space is not shown
        ("a " * 41, 2),
        ("<b>ab</b>cd " * 16, 1),  # 79: nothing stands between the letters of a word
    ],
)
def test_lines_have_80_characters(text, expected):
    assert n_lines(blocks_of(text)).tolist() == [expected]


def test_text_features_and_quotients_to_the_block_before():
    long = "One two three. " * 8  # 24 words, 8 sentences, 119 characters
    columns = text_features(blocks_of("a <a>b c</a> d", long, "x"))
    assert {name: values.tolist() for name, values in columns.items()} == {
        "words": [4, 24, 1],
        "words quotient": [4, 6, 1 / 24],
        "sentence length": [4, 3, 1],
        "sentence length quotient": [4, 3 / 4, 1 / 3],
        "text density": [4, 12, 1],
        "text density quotient": [4, 3, 1 / 12],
        "link density": [1 / 2, 0, 0],
    }


def test_positions_of_blocks_count_from_1_as_in_the_paper():
    # n / 4 * 10 is 2.5, 5, 7.5 and 10
    assert relative_position(4, 10).tolist() == [2, 5, 7, 10]
    assert relative_position(20, 10).tolist() == [n // 2 for n in range(1, 21)]
    assert relative_position(0, 10).tolist() == []


def test_scores_of_tokens_are_those_of_the_equations():
    tokens = [("nav", "menu"), ("nav", "nav"), ("body",), ("body", "menu"), ()]
    is_content = np.array([False, False, True, True, True])
    # nav: 3 times in other blocks, never in content; 4 tokens there, 3 here, vocabulary of 3
    expected = {
        "nav": 2 * np.log((4 / 7) / (1 / 6)),
        "menu": 2 * np.log((2 / 7) / (2 / 6)),
        "body": 2 * np.log((1 / 7) / (3 / 6)),
    }
    scores = token_scores(tokens, is_content)
    assert scores == pytest.approx(expected)
    assert best_tokens(scores, 10) == ["nav"]
