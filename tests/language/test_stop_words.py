"""Stop words: lists by language, and what a text of unknown language is taken for."""

import pytest

from structce.language import guess_stop_words, language_code, stop_words
from structce.language.stop_words import _lists, measure_coverage


@pytest.mark.parametrize("language", _lists())
def test_a_list_is_of_a_known_language_in_lower_case(language):
    stops = stop_words(language)
    assert language_code(language) == language
    assert all(word == word.lower() for word in stops.words)
    assert len(stops.words) > 40
    assert 0.1 < stops.coverage < 0.6


def test_of_an_unknown_language_there_is_no_list():
    assert stop_words("xx") is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "He said that the ferry to the island would not stop until June, if it did at all"),
        ("fr", "Il a dit que le bac ne serait pas arrêté avant la fin de l'été, ou même plus tard"),
        ("sv", "Han sade att färjan till ön inte kommer att gå efter juni, och att det är dyrt"),
        ("ru", "Он сказал что паром на остров не будет ходить до июня и это только в этом году"),
    ],
)  # fmt: skip
def test_a_text_is_taken_for_the_language_whose_words_it_has(language, text):
    assert guess_stop_words((text * 2).split()) == stop_words(language)


def test_a_stated_language_is_believed_unless_the_words_are_plainly_of_another():
    norwegian, danish = stop_words("nb"), stop_words("da")
    text = "det er ikke til at vide om han har set den eller om hun kan se det i dag når de er her"
    assert guess_stop_words(text.split(), "nb") == norwegian
    assert guess_stop_words(text.split(), "da") == danish
    assert guess_stop_words(text.split(), "fr") in (norwegian, danish)
    assert guess_stop_words(["the"] * 5, "fr") == stop_words("fr")
    assert guess_stop_words(["London", "Paris", "7"] * 20, "fr") is None
    assert guess_stop_words(["London", "le", "7", "Paris"] * 20, "fr") == stop_words("fr")


def test_names_and_numbers_are_taken_for_no_language():
    assert guess_stop_words(["London", "Paris", "7"] * 20) is None
    assert guess_stop_words(["the"] * 5) is None


def test_coverage_is_the_share_of_stop_words():
    assert measure_coverage(["The", "ferry", "to", "Hull"], stop_words("en")) == 0.5
    assert measure_coverage([], stop_words("en")) == 0
