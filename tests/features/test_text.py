"""Features of the text: worked by hand, or against the obvious computation."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from structce.features.characters import characters
from structce.features.registry import REGISTRY
from structce.features.text import block_sums
from structce.language import split_words
from structce.page import Page

Make = Callable[..., Page]

TEXTS = [
    "Ferry to stop in June",
    "“We will sail,” he said. “Soon.”",
    "BREAKING: 12 boats, 3 harbours; 1 storm!",
    "14. März 2026",
    "東京で地震。津波の心配はない。",
    "J. Smith met U.S. troops. They left at 9.05.",
    "Ὠμέγα ß ﬁ ½ x² 𝒜 𠀀",
    "…",
    "« Non », dit-il",
]


def numbers(name: str, page: Page) -> list[float]:
    return np.asarray(REGISTRY[name].values(page), dtype=float).tolist()


def values(name: str, page: Page) -> list[object]:
    return list(REGISTRY[name].values(page))


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("text.token", "text.all-tokens-in-text-content"),
        ("text.has-text", "text.has-text-content"),
        ("text.all-capitals", "text.all-capitals"),
        ("text.first-word-capitals", "text.all-capitals-firstword"),
        ("text.length", "text.text-content-string-length"),
        ("text.word-count", "text.text-content-word-count"),
        ("text.output-position", "text.output-position"),
        ("text.next-in-parent", "text.output-siblings-next"),
    ],
)
def test_a_text_feature_of_table_1_is_found_by_its_name(name: str, alias: str) -> None:
    assert REGISTRY[alias].name == name
    assert REGISTRY[name].source == "Spengler et al. (2010)"


def test_characters_are_counted_as_one_by_one(make_page: Make) -> None:
    page = make_page("".join(f"<p>{text}</p>" for text in TEXTS) + "<img>")
    found = characters(page)
    runs = [re.findall(r"(?:[^\W\d_])+", text) for text in page.text]
    assert found.n.tolist() == [len(text) for text in page.text]
    assert found.digits.tolist() == [sum(c.isdecimal() for c in text) for text in page.text]
    assert found.punctuation.tolist() == [
        sum(not (c.isalnum() or c.isspace()) for c in text) for text in page.text
    ]
    assert found.words.tolist() == [len(run) for run in runs]
    assert found.capitalised.tolist() == [sum(word[0].isupper() for word in run) for run in runs]


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("It rains. It pours! Who knows?", 3),
        ("He said: “It rains.” She left.", 2),
        ("(It rained.) Then it stopped…", 2),
        ("Well... yes", 1),
        ("雨が降る。風も吹く！", 2),
        ("On 14. March J. Smith met U.S. troops.", 1),
        ("See example.com or 3.5", 0),
        (".", 1),
    ],
)
def test_stops_that_end_a_sentence_are_counted(make_page: Make, text: str, n: int) -> None:
    assert characters(make_page(f"<p>{text}</p>")).sentence_ends.tolist() == [n]


def test_sentences_are_those_of_the_block(make_page: Make) -> None:
    page = make_page("<p>It rains. The <b>ferry</b> is late.</p><p>No stop here</p><p>2026</p>")
    assert numbers("text.sentence-count", page) == [2, 2, 2, 1, 0]
    length = numbers("text.sentence-length", page)
    assert length[:4] == [3, 3, 3, 3]
    assert np.isnan(length[4])


def test_quoted_characters_are_those_between_marks(make_page: Make) -> None:
    page = make_page("<p>ab “cd” ef „gh“</p><p>no</p><p>“open to the end</p><p>” next</p><p>«»</p>")
    assert characters(page).quoted.tolist() == [4, 0, 15, 5, 0]
    assert values("text.quotes", page) == [True, False, True, True, True]


def test_shares_are_unknown_without_text(make_page: Make) -> None:
    page = make_page("<p>a, b; c</p><img><p>12:30</p>")
    for name in ("digit", "punctuation", "comma", "quoted", "capitalised"):
        share = numbers(f"text.{name}-share", page)
        assert np.isnan(share[1])
        assert not np.isnan(share[0])
    assert numbers("text.comma-share", page)[0] == pytest.approx(2 / 7)
    assert numbers("text.digit-share", page)[2] == pytest.approx(4 / 5)
    assert np.isnan(numbers("text.capitalised-share", page)[2])


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Ann Lee", "Xx Xx"),
        ("14.03.2026", "9.9.9"),
        ("BBC News – live...", "X Xx – x."),
        ("東京で2026年", "x9x"),
        ("Äpfel-Öl", "Xx-Xx"),
        ("a1b2c3d4e5f6g7h8", "x9x9x9x9x9x9"),
        ("x" * 70 + "!", "x"),
    ],
)
def test_a_shape_shows_case_and_marks(make_page: Make, text: str, shape: str) -> None:
    assert values("text.shape", make_page(f"<p>{text}</p>")) == [shape]


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("LONDON The ferry", True),
        ("London THE FERRY", False),
        ("I am late", False),
        ("1ST of June", True),
        ("“BREAKING” news", True),
        ("a BC", False),
        ("", False),
    ],
)
def test_a_first_word_in_capitals_is_seen(make_page: Make, text: str, yes: bool) -> None:
    page = make_page(f"<p>{text}</p><img>")
    assert values("text.first-word-capitals", page)[0] == yes


def test_tokens_are_the_first_words_with_digits_counted(make_page: Make) -> None:
    page = make_page("<p>Am 14. März 2026 am Kai</p><p>" + "a b " * 15 + "late</p><img>")
    tokens = values("text.token", page)
    assert tokens[0] == {"am", "2-digits", "märz", "4-digits", "kai"}
    assert tokens[1] == {"a", "b"}
    assert tokens[2] == frozenset()
    assert values("text.first-token", page) == ["am", "a", None]


def test_repetitions_do_not_see_case_marks_or_spaces(make_page: Make) -> None:
    page = make_page("<p>E-Paper</p><p>epaper</p><p>Paper</p><p>…</p><p>…</p><img>")
    assert numbers("text.repetitions", page) == [2, 2, 1, 1, 1, 1]


def test_density_is_words_a_line_of_the_block(make_page: Make) -> None:
    line = "word " * 32  # 160 columns less the last space
    page = make_page(f"<h1>Two words</h1><p>{line}<b>and more</b></p><img><p>End</p>")
    density = numbers("text.density", page)
    assert density[0] == 2
    assert density[1] == density[2] == pytest.approx(34 / (167 / 80))
    assert density[3:] == [0, 1]


def test_density_is_compared_with_the_blocks_beside_it(make_page: Make) -> None:
    page = make_page("<h1>Two words</h1><p>Four words <b>stand</b> here</p><img><p>End</p>")
    before, after = (numbers(f"text.density-to-{side}", page) for side in ("previous", "next"))
    assert np.isnan(before[0])
    assert before[1:] == [2, 2, 2, 0.25, 1]
    assert after[:5] == [0.5, 4, 4, 4, 1]
    assert np.isnan(after[5])


def test_siblings_in_the_output_are_regions_below_the_same_parent(make_page: Make) -> None:
    page = make_page(
        "<section><p>a <b>b</b> c</p><p>d</p></section><ul><li><a>e</a></li></ul><div><img></div>"
    )
    assert page.text == ("a", "b", "c", "d", "e", "")
    assert numbers("text.previous-in-parent", page) == [0, 1, 2, 3, 0, 0]
    assert numbers("text.next-in-parent", page) == [3, 1, 1, 0, 0, 0]
    assert values("dom.place-in-parent", page)[3:5] == ["last", "only"]


def test_the_place_in_a_block_is_told(make_page: Make) -> None:
    page = make_page("<p>By <a>Ann Lee</a> in <a>Oslo</a></p><p>Alone</p>")
    assert values("dom.place-in-block", page) == ["first", "middle", "middle", "last", "only"]


def test_block_sums_add_what_stands_in_one_block(make_page: Make) -> None:
    page = make_page("<p>a <b>b</b></p><p>c</p>")
    assert block_sums(page, np.array([1, 2, 4])).tolist() == [3, 3, 4]
    assert block_sums(make_page("<html>"), np.zeros(0, dtype=np.int64)).tolist() == []


def test_words_are_folded_and_split_at_digits() -> None:
    assert split_words("Straße 9am ﬁve") == ("strasse", "9", "am", "five")
