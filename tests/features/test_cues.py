"""Cues that a reader would name, on texts that show or lack them."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.features import REGISTRY
from structce.features.zones import zones
from structce.page import Page

Make = Callable[..., Page]


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("task.author-cue", ["By Ann Lee", "Von Jan Rost", "写真 佐藤記者"], ["Bystander"]),
        ("task.numeric-date-cue", ["14.03.2026", "3/14/26", "2026年3月"], ["14:30", "3.5"]),
        ("task.month-cue", ["3 mars 2026", "5. Juni", "8 января"], ["March on", "12 boats"]),
        ("task.weekday-cue", ["Mon 12:30", "Samstag, 14."], ["Monday blues", "12 boats"]),
        ("task.time-cue", ["14:30", "9.05 Uhr", "4 pm"], ["31:72", "1234"]),
        ("task.email-cue", ["write to a.b@c.example"], ["a at b"]),
        ("task.advertisement-cue", ["Advertisement", "- Anzeige -"], ["The ad failed"]),
        ("text.all-capitals", ["BREAKING NEWS"], ["Breaking NEWS", "123"]),
        ("text.ends-sentence", ["It rains.", "Really?"], ["Weather", "Read more:"]),
    ],
)  # fmt: skip
def test_a_cue_is_set_where_a_reader_sees_it(
    make_page: Make, name: str, yes: list[str], no: list[str]
) -> None:
    page = make_page("".join(f"<p>{text}</p>" for text in (*yes, *no)))
    values = np.asarray(REGISTRY[name].values(page))
    assert values.tolist() == [True] * len(yes) + [False] * len(no)


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
