"""The comparison of our methods with the texts of others' programs."""

import pytest

from benchmarks.extraction.reproduction import (
    Compared,
    letter_runs,
    report,
    words_between_tags,
    words_of_source,
)
from structce.extraction import ParsedDocument, extract


def test_words_end_at_tags():
    document = ParsedDocument("<p>One <b>t</b>wo<!-- c -->three \u6e21\u8239 four</p>")
    words = words_between_tags(document, extract(document, "plain"))
    assert words == ["One", "t", "wo", "three", "\u6e21\u8239", "four"]


def test_the_words_of_the_source_are_those_that_nobody_sees_too():
    html = "<body><p>one two three<select><option>four five six seven eight</select></body>"
    assert words_of_source(html) == "one two three four five six seven eight".split()


def test_letter_runs_are_the_same_wherever_a_program_puts_spaces():
    assert letter_runs("One (two), it's") == letter_runs("One ( two ) , it ' s")


@pytest.mark.parametrize(("theirs", "ratio"), [("a b c d", 1.0), ("a b c e", 0.75), ("", 0.0)])
def test_the_ratio_is_that_of_the_words(theirs, ratio):
    assert Compared("set", "1", list("abcd"), theirs.split(), []).ratio == pytest.approx(ratio)


def test_the_report_counts_pages_by_set_and_lists_those_that_differ():
    same = Compared("readability", "1.html", ["a"], ["a"], ["a"])
    other = Compared("readability", "2.html", ["a"], ["b", "c"], ["b", "c"])
    text = report([same, other])
    assert "0.500" in text
    assert "| 2.html | (1) a  | (2) b c  | True" in text
    assert "1.html" not in text
