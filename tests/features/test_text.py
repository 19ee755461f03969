"""Features of the text: worked by hand, or against the obvious computation."""

import re

import numpy as np
import pytest

from structce.features.text import block_sums

TEXTS = [
    "Ferry to stop in June",
    "“We will sail,” he said. “Soon.”",
    "BREAKING: 12 boats, 3 harbours; 1 storm!",
    "14. März 2026",
    "東京で地震。津波の心配はない。",
    "Ὠμέγα ß ﬁ ½ x² 𝒜 𠀀",
    "…",
]


def test_characters_are_counted_as_one_by_one(make_page, values):
    page = make_page("".join(f"<p>{text}</p>" for text in TEXTS) + "<img>")
    names = ("digit", "punctuation", "capitalised")
    digits, marks, capitals = (values(f"text.{name}-share", page) for name in names)
    for i, text in enumerate(filter(None, page.text)):
        signs = [not (c.isalnum() or c.isspace()) for c in text]
        assert digits[i] == pytest.approx(sum(map(str.isdecimal, text)) / len(text))
        assert marks[i] == pytest.approx(sum(signs) / len(text))
        if words := re.findall(r"(?:[^\W\d_])+", text):
            expected = sum(word[0].isupper() for word in words) / len(words)
            assert capitals[i] == pytest.approx(expected)
    assert digits[-1] is marks[-1] is capitals[-1] is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text.all-capitals", {"BREAKING NEWS", "A4:"}),
        ("text.ends-sentence", {"It rains.", "Really?"}),
        ("text.first-word-capitals", {"BREAKING NEWS", "LONDON The ferry", "“NEW” news", "A4:"}),
    ],
)
def test_flags_are_set_where_a_reader_sees_them(page_of, values, name, expected):
    texts = ["BREAKING NEWS", "London NEWS", "It rains.", "Really?", "LONDON The ferry"]
    page = page_of([*texts, "I am late", "“NEW” news", "a BC", "A4:", "123"])
    assert {text for text, flag in zip(page.text, values(name, page), strict=True) if flag} == (
        expected
    )


def test_tokens_are_the_first_words_with_digits_counted(make_page, values):
    page = make_page("<p>Am 14. März 2026 am Kai</p><p>" + "a b " * 15 + "late</p><img>")
    tokens = [{"am", "2-digits", "märz", "4-digits", "kai"}, {"a", "b"}, frozenset()]
    assert values("text.token", page) == tokens


def test_repetitions_do_not_see_case_marks_or_spaces(make_page, values):
    page = make_page("<p>E-Paper</p><p>epaper</p><p>Paper</p><p>…</p><p>…</p><img>")
    assert values("text.repetitions", page) == [2, 2, 1, 1, 1, 1]


def test_last_characters_and_scripts_are_of_the_text(page_of, values):
    page = page_of(["Photo:", "May 3", "Ann", "3 Боты", "東京", "…"])
    assert values("text.last-character", page) == [":", "9", None, None, None, "…"]
    scripts = ["LATIN", "LATIN", "LATIN", "CYRILLIC", "CJK", None]
    assert values("text.script", page) == scripts


def test_lengths_are_of_text_and_block(make_page, values):
    page = make_page("<p>ab <b>東京</b></p><p>c</p><img>")
    assert values("text.length", page) == [2, 4, 1, 0]
    assert values("text.block-length", page) == [6, 6, 1, 0]
    assert values("text.block-regions", page) == [2, 2, 1, 1]
    assert values("text.text-position", page) == [0, 0.4, 0.8, 1]
    assert values("text.output-position", page) == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_block_sums_add_what_stands_in_one_block(make_page):
    page = make_page("<p>a <b>b</b></p><p>c</p>")
    assert block_sums(page, np.array([1, 2, 4])).tolist() == [3, 3, 4]
    assert block_sums(make_page("<html>"), np.zeros(0, dtype=np.int64)).tolist() == []
