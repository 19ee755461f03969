"""Text leaves of a page: which there are, what their words are, where they stand."""

import numpy as np
import pytest
from leaf_paths import leaf_paths

from structce.extraction import ParsedDocument
from structce.extraction.text_leaves import leaf_labels, leaf_of_words, leaf_words, text_leaves


def leaves_of(html):
    return text_leaves(ParsedDocument(html))


def test_leaves_are_text_nodes_in_document_order():
    leaves = leaves_of("<p>A<strong>B</strong>C</p><div> <em>D</em>\n</div>E")
    assert leaves.text == ["A", "B", "C", "D", "E"]
    paths = ["/".join(path).removeprefix("html/body") for path in leaf_paths(leaves)]
    assert paths == ["/p", "/p/strong", "/p", "/div/em", ""]


@pytest.mark.parametrize(
    "name", "button iframe noscript script style textarea select template video title".split()
)
def test_elements_that_are_skipped_have_no_leaves(name):
    leaves = leaves_of(f"<body><p>before</p><{name}>inside</{name}><p>behind</p>")
    assert [text.strip() for text in leaves.text] == ["before", "behind"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The END.", ["the", "end", "."]),
        ("don't", ["don", "'", "t"]),
        ("a_b 3rd 1.5", ["a_b", "3rd", "1", ".", "5"]),
        ("\u6e21\u8239 abc", ["\u6e21", "\u8239", "abc"]),
        ("\u00c4rger\u00a0\u2014 \u0130", ["\u00e4rger", "\u2014", "i", "\u0307"]),
        ("\U0001f600!", ["\U0001f600", "!"]),
        (" \u200b ", []),
    ],
)
def test_words_of_a_leaf(text, expected):
    assert leaf_words(text) == expected


PAGE = (
    "<nav><a>The news</a> <a>Sport of the day</a></nav><h1>Ferry to stop</h1>"
    "<p>The ferry will <em>stop</em> in June, the master said.</p><ul><li>*</li></ul>"
    "<p>Prices rose by five in a hundred.</p><p>|</p><footer>Sport of the day, imprint</footer>"
)
GOLD = (
    "Ferry to stop\nThe ferry will stop in June, the master said.\n"
    "Prices rose by five in a hundred."
)


def test_leaves_of_the_gold_text_are_content():
    leaves = leaves_of(PAGE)
    pairs = zip(leaves.text, leaf_labels(leaves, GOLD), strict=True)
    content = "|".join(text.strip() for text, is_content in pairs if is_content)
    story = "Ferry to stop|The ferry will|stop|in June, the master said."
    assert content == f"{story}|*|Prices rose by five in a hundred."


def test_each_word_of_the_source_has_its_leaf():
    document = ParsedDocument(PAGE)
    leaves = text_leaves(document)
    owner = leaf_of_words(document, leaves)
    for word, i in zip(document.words.text, owner.tolist(), strict=True):
        assert word in leaves.text[i]
    assert np.array_equal(np.unique(owner), np.arange(len(leaves)))
    assert (np.diff(owner) >= 0).all()


def test_a_word_cut_by_a_stray_tag_has_the_leaf_around_it():
    document = ParsedDocument("<p>one two</b>three four</p><p>five</p>")
    owner = leaf_of_words(document, text_leaves(document))
    assert document.words.text == ["one", "two", "three", "four", "five"]
    assert owner.tolist() == [0, 0, 0, 0, 1]
