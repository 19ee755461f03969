"""Features of the text: worked by hand, or against the obvious computation."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.features.registry import REGISTRY
from structce.features.text import block_sums
from structce.language import split_words
from structce.page import Page

Make = Callable[..., Page]


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


def test_block_sums_add_what_stands_in_one_block(make_page: Make) -> None:
    page = make_page("<p>a <b>b</b></p><p>c</p>")
    assert block_sums(page, np.array([1, 2, 4])).tolist() == [3, 3, 4]
    assert block_sums(make_page("<html>"), np.zeros(0, dtype=np.int64)).tolist() == []


def test_words_are_folded_and_split_at_digits() -> None:
    assert split_words("Straße 9am ﬁve") == ("strasse", "9", "am", "five")
