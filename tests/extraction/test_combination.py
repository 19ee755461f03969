"""Unions, intersections, votes and cascades of extractors."""

import numpy as np
import pytest

from structce.errors import ExtractionError
from structce.extraction import (
    Cascade,
    Extraction,
    ParsedDocument,
    Vote,
    WordFilter,
    make_extractor,
)
from structce.extraction.combination import OPERATORS, shared_n_grams

DOCUMENT = ParsedDocument("<p>a b c<p>d e f")


class Keep(WordFilter):
    """Keep the words of a list."""

    def __init__(self, words):
        self.words = words

    def keep(self, document):
        return np.array([word in self.words for word in document.words.text], dtype=bool)


class Say:
    """Give a text, and no places."""

    def __init__(self, text):
        self.text = text

    def extract(self, document):
        return Extraction(self.text)


def words(system, document=DOCUMENT):
    return system.extract(document).text.split()


def test_a_union_keeps_what_one_keeps_and_an_intersection_what_all_keep():
    members = [Keep("abd"), Keep("bcd"), Keep("df")]
    assert words(OPERATORS["union"](members)) == ["a", "b", "c", "d", "f"]
    assert words(OPERATORS["intersection"](members)) == ["d"]


def test_a_vote_counts_its_weights():
    members = [Keep("ab"), Keep("bc"), Keep("cd")]
    assert words(Vote(members)) == ["b", "c"]
    assert words(Vote(members, weights=(4, 1, 1))) == ["a", "b"]


def test_three_thirds_are_a_whole():
    members = [Keep("ab")] * 3
    assert words(Vote(members, weights=(0.1, 0.1, 0.1), share=1.0)) == ["a", "b"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Vote([]),
        lambda: Vote([Keep("a")], share=0),
        lambda: Vote([Keep("a")], weights=(1, 2)),
        lambda: Vote([Keep("a")], weights=(-1,)),
    ],
)
def test_a_vote_that_nobody_can_win_is_refused(wrong):
    with pytest.raises(ExtractionError):
        wrong()


def test_a_cascade_reads_what_was_kept_before():
    class First(WordFilter):
        def keep(self, document):
            return np.arange(len(document.words)) < 1

    assert words(Cascade([Keep("cde"), First()])) == ["c"]
    assert words(Cascade([First(), Keep("cde")])) == []
    assert Cascade([Keep("cde"), Keep("acd")]).extract(DOCUMENT).spans == ((7, 12),)


def test_a_text_votes_for_the_ends_of_runs_of_five_words():
    mine, theirs = list("abcdefghij"), list("xbcdefgy")
    # Shared runs: b to f and c to g. Words that begin or end one: b, f, c, g.
    assert "".join(np.array(mine)[shared_n_grams(mine, theirs)]) == "bcfg"


def test_runs_in_common_are_those_of_the_definition():
    rng = np.random.default_rng(9)
    for _ in range(200):
        mine, theirs = ("".join(rng.choice(list("ab"), rng.integers(0, 15))) for _ in range(2))
        n = min(3, len(mine), len(theirs))
        expected = np.zeros(len(mine), dtype=bool)
        for i in range(len(mine) - n + 1 if n else 0):
            if mine[i : i + n] in theirs:
                expected[[i, i + n - 1]] = True
        assert (shared_n_grams(list(mine), list(theirs), 3) == expected).all()


def test_a_short_text_votes_by_all_that_it_has():
    mine = list("abcabd")
    assert shared_n_grams(mine, list("ab")).tolist() == [True, True, False, True, True, False]
    assert not shared_n_grams(mine, []).any()


def test_long_texts_vote_for_every_word():
    words_of_it = [f"w{n}" for n in range(40)]
    assert shared_n_grams(words_of_it, words_of_it).all()


def test_a_system_without_places_votes_by_its_text():
    text = "one two three four five six seven eight nine"
    document = ParsedDocument(f"<p>menu<p>{text.replace('three', 't<b>hr</b>ee')}<p>end")
    assert words(Vote([Say(text)]), document) == text.split()
    assert words(Vote([Say("")]), document) == []


def test_a_text_vote_does_without_places():
    document = ParsedDocument("<p>a b c d e<p>x<p>a b c d f")
    first = Keep(document.words.text[:5])
    assert words(first, document) == list("abcdeabcd")
    assert words(Vote([first], by_text=True), document) == list("ae")


def test_an_expression_names_operator_and_members():
    document = ParsedDocument("<p>a b c d<a href=x>e</a></p>")
    made = make_extractor("cascade(link-quota-50, bte)")
    assert isinstance(made, Cascade)
    assert words(made, document) == words(make_extractor("bte"), document)


@pytest.mark.parametrize("name", ["blend(bte, dsc)", "vote()", "vote(bte, bogus)"])
def test_an_expression_with_an_unknown_name_is_refused(name):
    with pytest.raises(ExtractionError, match="unknown"):
        make_extractor(name)
