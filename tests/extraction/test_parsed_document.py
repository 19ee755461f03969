"""Words, tags and elements of a source, and the selections made of them."""

import numpy as np
import pytest

from structce.extraction import Extraction, ParsedDocument
from structce.extraction.parsed_document import JOINED, LINE, SPACE, words_of


def parsed(html):
    return ParsedDocument.of(html)


def test_words_know_their_places_and_what_stands_before_them():
    html = "<p>One <b>t</b>wo<br>three</p>four"
    words = parsed(html).words
    assert words.text == ["One", "t", "wo", "three", "four"]
    assert [html[a:b] for a, b in zip(words.start, words.end, strict=True)] == words.text
    assert words.breaks.tolist() == [LINE, SPACE, JOINED, LINE, LINE]
    assert words.block.tolist() == [0, 0, 0, 1, 2]


def test_what_is_not_shown_has_no_words():
    html = "<title>a</title><p>b<script>c</script><select><option>d</select>e<noscript>f</noscript>"
    words = parsed(html).words
    assert words.text == ["b", "e", "f"]
    assert words.is_cut.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a&nbsp;b", ["a", "b"]),
        ("&lt;b&gt;", ["<b>"]),
        ("AT&T &amp &bogus; &ampx", ["AT&T", "&", "&bogus;", "&x"]),
        ("&#65;&#x42 &#32;c", ["AB", "c"]),
        ("渡船 ferry渡", ["渡", "船", "ferry", "渡"]),
        ("&#28193;&#33337;", ["渡", "船"]),
        ("&nbspx&nbsp", ["x"]),
        (" \n ", []),
    ],
)
def test_references_are_read_as_html_reads_them(source, words):
    assert [word for word, _, _ in words_of(source)] == words


def test_an_element_knows_its_words():
    elements = parsed("<div>a<p>b<i>c</i><p>d</div><p></p>e").elements
    words = list(zip(elements.name, elements.first_word, elements.end_word, strict=True))
    assert words == [("div", 0, 4), ("p", 1, 3), ("i", 2, 3), ("p", 3, 4), ("p", 0, 0)]
    assert elements.count_below(elements.named({"p"})).tolist() == [2, 1, 0, 1, 1]
    assert elements.nearest(elements.named({"div", "p"})).tolist() == [0, 1, 1, 3, 4]
    assert elements.sum_of_words(np.array([1, 2, 4, 8, 16])).tolist() == [15, 6, 4, 8, 0]


def test_a_selection_has_the_breaks_of_what_is_left_out():
    document = parsed("<p>a b c<p>d e")
    kept = np.array([True, False, True, False, True])
    assert document.select(kept) == Extraction("a c\ne", ((3, 4), (7, 8), (13, 14)))


def test_words_are_found_again_in_the_spans_of_a_selection():
    rng = np.random.default_rng(3)
    document = parsed("<p>a b <b>c</b>d<script>s</script>e<li>f&amp;g &lt;h i" * 5)
    for _ in range(50):
        kept = rng.random(len(document.words)) < 0.5
        assert (document.words_in(document.select(kept).spans) == kept).all()


def test_a_restricted_document_has_only_its_words():
    rng = np.random.default_rng(4)
    html = "<div>a <p>b c</p><a href=x>d</a> e<br>f <i>g</i>h</div>"
    document = parsed(html)
    for _ in range(40):
        kept = rng.random(len(document.words)) < 0.6
        if not kept.any():
            continue
        rest = document.restrict(kept)
        everything = np.ones(len(rest.words), dtype=bool)
        assert rest.select(everything).spans == document.select(kept).spans
        assert rest.select(everything).text == document.select(kept).text
        assert rest.tokens.is_word.sum() == kept.sum()
        assert (~rest.tokens.is_word).sum() == (~document.tokens.is_word).sum()
        assert rest.tokens.is_word[rest.words.token].all()
