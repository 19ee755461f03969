"""Vocabulary of BoilerNet, and the rows that it makes of leaves."""

import json

import pytest

from structce.errors import ExtractionError
from structce.extraction import ParsedDocument
from structce.extraction.boilernet import Vocabulary, text_leaves


def leaves_of(html):
    return text_leaves(ParsedDocument(html))


def rows_of(vocabulary, html):
    return vocabulary.encode(leaves_of(html)).toarray().astype(int).tolist()


def test_a_row_counts_tags_of_the_path_and_words():
    vocabulary = Vocabulary(("html", "div"), ("the", ","))
    #                      other tags, html, div | other words, the, comma
    assert rows_of(vocabulary, "<div><div>The ferry, the end</div></div><p>Over</p>") == [
        [1, 1, 2, 2, 2, 1],
        [2, 1, 0, 1, 0, 0],
    ]


def test_the_most_common_tags_and_words_are_listed():
    page = leaves_of("<div><p>a a b</p><p>c b a</p></div><i>d</i>")
    vocabulary = Vocabulary.of_pages([page], n_tags=3, n_words=2)
    assert vocabulary.tags == ("body", "html", "div")  # 3, 3, 2; p as often as div, later by name
    assert vocabulary.words == ("a", "b")
    assert vocabulary.n_columns == 2 + 3 + 2


def test_a_tag_counts_once_for_each_place_on_a_path():
    pages = [leaves_of("<div><div>a</div></div><p>b</p>")]
    assert Vocabulary.of_pages(pages, n_tags=5).tags == ("body", "div", "html", "p")


def test_elements_without_leaves_do_not_count():
    pages = [leaves_of("<p>a</p><section><hr></section>")]
    assert "section" not in Vocabulary.of_pages(pages).tags


def test_a_page_without_leaves_has_no_rows():
    vocabulary = Vocabulary(("html",), ("a",))
    assert vocabulary.encode(leaves_of("")).shape == (0, 4)


def test_a_vocabulary_comes_back_from_json():
    vocabulary = Vocabulary(("html", "p"), ("\u00e4", ",", "the"))
    assert Vocabulary.from_entries(json.loads(vocabulary.to_json())) == vocabulary


@pytest.mark.parametrize(
    "entries",
    [None, [], {}, {"tags": ["a"]}, {"tags": "ab", "words": []}, {"tags": [1], "words": []}],
)
def test_other_entries_are_refused(entries):
    with pytest.raises(ExtractionError, match="vocabulary"):
        Vocabulary.from_entries(entries)


def test_nothing_is_listed_twice():
    with pytest.raises(ExtractionError, match="twice"):
        Vocabulary(("p", "p"), ())
