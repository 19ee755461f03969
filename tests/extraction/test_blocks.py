"""Blocks of a document, their labels from a gold text, and their features."""

import numpy as np
import pytest

from structce.extraction import ParsedDocument, block_labels, block_set, text_blocks, text_labels
from structce.extraction.blocks import (
    best_tokens,
    n_lines,
    n_sentences,
    relative_position,
    text_features,
    token_scores,
)

PAGE = (
    "<body><div id=navBar class='top-menu XMLMenu'><a href=/>Home</a> <a>News</a></div>"
    "<table><tr><td>one<p>two <b>three</b></td><td>four</td></tr></table><hr>five<br>six"
    "<ul><li>seven</li><li><img src=a></li></ul><span>eight</span> nine</body>"
)


@pytest.fixture
def document():
    return ParsedDocument(PAGE)


def texts(blocks):
    return [blocks.text(i) for i in range(len(blocks))]


def test_blocks_of_text_end_at_borders_and_forced_breaks(document):
    expected = ["Home News", "one", "two three", "four", "five", "six", "seven", "eight nine"]
    assert texts(text_blocks(document)) == expected


def test_a_block_set_is_cut_at_its_tags_alone(document):
    expected = ["Home News", "one", "two three", "four", "five\nsix", "seven", "eight", "nine"]
    assert texts(block_set(document)) == expected
    tables = ["Home News", "one\ntwo three\nfour", "five\nsix\nseven\neight nine"]
    assert texts(block_set(document, ("table",))) == tables


def test_a_table_without_another_may_be_kept_whole():
    table = "<table><tr><td>b<p>c</p></td></tr></table>"
    page = ParsedDocument(f"<table><tr><td>a<div>{table}</div>d<p>e</table><p>f")
    assert texts(block_set(page)) == ["a", "b", "c", "d", "e", "f"]
    assert texts(block_set(page, whole_tables=True)) == ["a", "b\nc", "d", "e", "f"]


def test_elements_count_where_they_begin(document):
    features = block_set(document).features()
    assert features["text"].tolist() == [2, 1, 2, 1, 2, 1, 1, 1]
    assert features["link"].tolist() == [2, 0, 0, 0, 0, 0, 0, 0]
    assert features["image"].tolist() == [0, 0, 0, 0, 0, 1, 0, 0]
    assert features["list"].tolist() == [0, 0, 0, 0, 0, 3, 0, 0]
    assert features["text-tag"].tolist() == [0, 0, 2, 0, 0, 0, 0, 0]


def test_tokens_of_attributes_are_those_around_nearest_first():
    page = ParsedDocument("<div id=outer_box><p class='teaserText HTMLPart2'>a</p>b</div>c")
    around = ("teaser", "text", "html", "part", "outer", "box")
    assert text_blocks(page).attribute_tokens() == [around, ("outer", "box"), ()]
    deep = ParsedDocument("<div class=a>" * 3_000 + "x")
    assert text_blocks(deep).attribute_tokens() == [("a",) * 50]


SENTENCE = "The ferry to the island will stop in June."


def chosen(html, gold):
    """Texts of the blocks that are labelled content."""
    blocks = text_blocks(ParsedDocument(html))
    labels = block_labels(blocks, gold)
    assert labels.dtype == np.bool_
    assert labels.shape == (len(blocks),)
    return [blocks.text(int(i)) for i in np.flatnonzero(labels)]


def test_the_share_of_runs_of_four_words_decides():
    # seven words have four runs: "a b c d", "b c d e" are there, "c d e f" and "d e f g" are not
    html = "<p>a b c d e f g</p>"
    assert chosen(html, "a b c d e") == ["a b c d e f g"]
    assert chosen(html, "a b c d") == []


def test_a_short_block_needs_a_line_or_its_neighbour():
    html = f"<p>June</p><p>x</p><h1>Ferry news</h1><p>{SENTENCE}</p>"
    assert chosen(html, SENTENCE) == [SENTENCE]  # June is in the sentence
    assert chosen(html, f"Ferry news\nBy A. Writer\n{SENTENCE}") == ["Ferry news", SENTENCE]
    assert chosen(html, f"And so on. Ferry news. {SENTENCE}") == ["Ferry news", SENTENCE]
    assert chosen(html, f"Ferry news, new: {SENTENCE}") == [SENTENCE]


def test_a_short_block_may_go_on_with_the_word_before_it():
    html = f"<p>{SENTENCE}</p><img src=a><p>Not before.</p><p>Advertisement</p>"
    assert chosen(html, f"{SENTENCE} Not before. More.") == [SENTENCE, "Not before."]


def test_texts_whose_words_are_aligned_with_the_gold_are_content():
    texts = ["Home", SENTENCE, "It is old", "News", "Ships"]
    gold = f"{SENTENCE} Ships"
    assert text_labels(texts, gold).tolist() == [False, True, False, False, True]
    assert text_labels([], gold).tolist() == []
    assert not text_labels(texts, "").any()


def test_a_short_run_may_count_for_the_texts_that_it_fills_alone():
    texts = ["the boat", "old boats of the harbour", "a ship and a boat", "Ferry"]
    gold = "the boat old harbour ship Ferry"
    assert text_labels(texts, gold, min_run=3).tolist() == [True, False, False, True]
    assert text_labels(["aaaa bb"], "aaaa").tolist() == [True]
    assert text_labels(["aaaa bb"], "aaaa", min_run=2).tolist() == [False]


def test_texts_without_words_are_content_between_two_that_are():
    texts = ["*", "Ferry", ",", "*", "Boats", "|", "Home", "-"]
    assert text_labels(texts, "Ferry Boats").tolist() == [False] + [True] * 4 + [False] * 3


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
