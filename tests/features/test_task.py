"""Agreement of the page's text with what it states, and signs of paragraphs and advertisements."""

from collections.abc import Callable

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from structce.features.registry import REGISTRY
from structce.features.spengler2010 import paper_rows
from structce.features.task import common_words
from structce.page import Page

Make = Callable[..., Page]


def page_of(make_page: Make, texts: list[str], head: str = "", lang: str = "en") -> Page:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return make_page(f"<html lang='{lang}'><head>{head}</head><body>{body}</body></html>")


def numbers(name: str, page: Page) -> list[float]:
    return list(np.asarray(REGISTRY[name].values(page), dtype=float))


@pytest.mark.parametrize(
    "paper",
    paper_rows()["task"],
)
def test_the_task_features_of_the_paper_exist_by_its_names(paper: str) -> None:
    assert REGISTRY[f"task.{paper}"].source == "Spengler et al. (2010)"


def test_the_levenshtein_similarity_is_that_of_the_definition(make_page: Make) -> None:
    head = "<title>Ferry stops in June | The Post</title>"
    texts = ["Ferry stops in June", "Ferry stopped in July", "Post", "x" * 400]
    page = page_of(make_page, texts, head)
    plain = ["ferrystopsinjune", "ferrystoppedinjuly", "post"]
    expected = [
        max(
            1 - Levenshtein.distance(text, title) / max(len(text), len(title))
            for title in ("ferrystopsinjune", "ferrystopsinjunethepost")
        )
        for text in plain
    ]
    assert numbers("task.title-levenshtein-distance", page) == pytest.approx([*expected, 0.0])
    assert expected[0] == 1


def test_words_of_the_title_are_counted(make_page: Make) -> None:
    page = page_of(
        make_page, ["Ferry stops", "The ferry", "...", "Boats"], "<title>Ferry stops</title>"
    )
    values = numbers("task.title-word-match", page)
    assert values[:2] == [1.0, 0.5]
    assert np.isnan(values[2])
    assert values[3] == 0.0


PROSE = (
    "The ferry will stop in June, and the company that runs it said on Monday that nobody in the "
    "town could say how long the works would take, or who would pay for them in the end."
)


def test_a_paragraph_is_long_ends_as_a_sentence_and_has_function_words(make_page: Make) -> None:
    names = "Ann Lee Tom Rost Mira Okafor Jon King Zoe Arc Max Kolter Eva Holm Jan Moor Ida Quay."
    page = page_of(make_page, [PROSE, PROSE, PROSE, PROSE[:-1], names, "The end."])
    cue = np.asarray(REGISTRY["task.paragraph-cue"].values(page)).tolist()
    assert cue == [True, True, True, False, False, False]
    assert {"the", "in", "that"} <= common_words(page)
    assert "okafor" not in common_words(page)
    share = numbers("task.function-word-share", page)
    assert share[0] > 0.3
    assert share[4] == 0


def test_without_running_text_no_word_is_a_function_word(make_page: Make) -> None:
    page = page_of(make_page, ["Home", "Sport"])
    assert common_words(page) == frozenset()
    assert np.isnan(numbers("task.function-word-share", page)).all()
    assert not np.asarray(REGISTRY["task.paragraph-cue"].values(page)).any()


def test_title_likeness_is_highest_at_the_headline(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    likeness = np.asarray(REGISTRY["task.title-likeness"].values(page), dtype=float)
    assert page.tag[int(likeness.argmax())] == "h1"
    assert likeness.max() == pytest.approx(1.0)
