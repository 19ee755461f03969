"""Cues that a reader would name, on texts that show or lack them."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.features.cues import page_cues
from structce.features.registry import REGISTRY
from structce.features.zones import zones
from structce.language.cues import find_cues
from structce.page import Page

Make = Callable[..., Page]


def page_of(make_page: Make, texts: list[str], lang: str = "") -> Page:
    return make_page(f"<html lang='{lang}'>" + "".join(f"<p>{text}</p>" for text in texts))


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("text.all-capitals", ["BREAKING NEWS"], ["Breaking NEWS", "123"]),
        ("text.ends-sentence", ["It rains.", "Really?"], ["Weather", "Read more:"]),
    ],
)
def test_a_cue_is_set_where_a_reader_sees_it(
    make_page: Make, name: str, yes: list[str], no: list[str]
) -> None:
    values = np.asarray(REGISTRY[name].values(page_of(make_page, [*yes, *no])))
    assert values.tolist() == [True] * len(yes) + [False] * len(no)


def test_every_column_is_what_its_texts_show(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    found = page_cues(page)
    names = frozenset().union(*found)
    assert {"author-cue", "months-cue", "copyright-cue"} <= names
    for name in names:
        values = np.asarray(REGISTRY[f"task.{name}"].values(page)).tolist()
        assert values == [name in find_cues(text, page.lang) for text in page.text]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("By Ann Lee", "by-name"),
        ("By AFP", "by-other"),
        ("By", "by"),
        ("Ann Lee", "name"),
        ("ANN LEE", "capitals"),
        ("María R. Sahuquillo", "name"),
        ("Ludwig van Beethoven", "name"),
        ("Ann Lee and Tom Rost", "names"),
        ("Ann Lee, Berlin", "name-more"),
        ("Ann Lee, Reporter", "name-role"),
        ("大渡 美咲", "name"),
        ("Read more", None),
        ("Ann", None),
        ("Route 66", None),
        ("a quiet day", None),
    ],
)
def test_a_byline_has_a_form(make_page: Make, text: str, form: str | None) -> None:
    page = page_of(make_page, [text], "en")
    assert REGISTRY["task.byline-pattern"].values(page) == [form]


@pytest.mark.parametrize(
    ("start", "form"),
    [
        ("BERLIN (dpa) - ", "agency"),
        ("Washington/Berlin (AFP) – ", "agency"),
        ("LONDON, March 3 (Reuters) - ", "agency"),
        ("Madrid, 3 mar (EFE).- ", "agency"),
        ("新华社北京3月3日电 ", "agency"),
        ("PUTRAJAYA, Nov 22 — ", "capitals"),
        ("The ferry (a small one) - ", None),
        ("The ferry – ", None),
        ("", None),
    ],
)
def test_a_dateline_begins_a_report(make_page: Make, start: str, form: str | None) -> None:
    page = page_of(make_page, [start + "The harbour stays closed until the storm is over."], "en")
    assert REGISTRY["task.dateline"].values(page) == [form]


def test_zones_part_the_page_around_headline_and_text(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    parts = dict(zip(page.text, zones(page), strict=True))
    assert parts["Ferry to stop in June, part 0"] == "title"
    assert parts["Ann Lee"] == "head"
    assert parts["1 March 2026"] == "head"
    assert parts["No end in sight"] == "text"
    assert parts["All rights reserved"] in ("foot", "below")


def test_title_likeness_is_highest_at_the_headline(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    likeness = np.asarray(REGISTRY["task.title-likeness"].values(page), dtype=float)
    assert page.tag[int(likeness.argmax())] == "h1"
    assert likeness.max() == pytest.approx(1.0)


def test_link_density_is_that_of_the_block(make_page: Make) -> None:
    page = make_page("<p>abcd<a>efgh</a></p><li><a>ijkl</a></li><p>mnop</p>")
    density = np.asarray(REGISTRY["dom.link-density"].values(page), dtype=float)
    assert density.tolist() == [0.5, 0.5, 1.0, 0.0]
