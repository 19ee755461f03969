"""Counts of kinds of characters: shares, shapes, sentences."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from structce.features.characters import quoted_counts, sentence_ends
from structce.features.registry import REGISTRY
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


def test_characters_are_counted_as_one_by_one(make_page: Make) -> None:
    page = make_page("".join(f"<p>{text}</p>" for text in TEXTS) + "<img>")
    shown = {name: numbers(f"text.{name}-share", page) for name in ("digit", "punctuation")}
    capitals = numbers("text.capitalised-share", page)
    for i, text in enumerate(filter(None, page.text)):
        marks = [not (c.isalnum() or c.isspace()) for c in text]
        assert shown["digit"][i] == pytest.approx(sum(map(str.isdecimal, text)) / len(text))
        assert shown["punctuation"][i] == pytest.approx(sum(marks) / len(text))
        if words := re.findall(r"(?:[^\W\d_])+", text):
            expected = sum(word[0].isupper() for word in words) / len(words)
            assert capitals[i] == pytest.approx(expected)


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
    assert sentence_ends(make_page(f"<p>{text}</p>")).tolist() == [n]


def test_sentences_are_those_of_the_block(make_page: Make) -> None:
    page = make_page("<p>It rains. The <b>ferry</b> is late.</p><p>No stop here</p><p>2026</p>")
    assert numbers("text.sentence-count", page) == [2, 2, 2, 1, 0]
    length = numbers("text.sentence-length", page)
    assert length[:4] == [3, 3, 3, 3]
    assert np.isnan(length[4])


def test_quoted_characters_are_those_between_marks(make_page: Make) -> None:
    page = make_page("<p>ab “cd” ef „gh“</p><p>no</p><p>“open to the end</p><p>” next</p><p>«»</p>")
    assert quoted_counts(page).tolist() == [4, 0, 15, 5, 0]
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
