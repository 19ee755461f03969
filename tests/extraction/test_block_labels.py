"""Labels of blocks from a gold text."""

import numpy as np

from structce.extraction import ParsedDocument, block_labels, text_blocks, text_labels

SENTENCE = "The ferry to the island will stop in June."


def chosen(html, gold, cut=text_blocks, **parameters):
    """Texts of the blocks that are labelled content."""
    blocks = cut(ParsedDocument(html))
    labels = block_labels(blocks, gold, **parameters)
    assert labels.dtype == np.bool_
    assert labels.shape == (len(blocks),)
    return [blocks.text(int(i)) for i in np.flatnonzero(labels)]


def test_the_share_of_runs_of_four_words_decides():
    # seven words have four runs: "a b c d", "b c d e" are there, "c d e f" and "d e f g" are not
    html = "<p>a b c d e f g</p>"
    assert chosen(html, "a b c d e") == ["a b c d e f g"]
    assert chosen(html, "a b c d e", min_share=0.51) == []
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
