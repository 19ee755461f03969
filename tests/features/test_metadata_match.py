"""What a page states of itself is found where a reader would point, not wherever it stands."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]


STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "


def values(name: str, page: Page) -> dict[str, list[set[str]]]:
    """Return the values of a feature of names by the text of the region."""
    by_text: dict[str, list[set[str]]] = {}
    for text, names in zip(page.text, REGISTRY[name].values(page), strict=True):
        by_text.setdefault(text, []).append(set(names))
    return by_text


@pytest.fixture
def stated_article(make_page: Make) -> Page:
    stated = {
        "@type": "NewsArticle",
        "headline": "Kenya: Ferry to stop in June",
        "publisher": {"name": "The Post"},
    }
    return make_page(
        "<html lang=en><head><title>Kenya: Ferry to stop in June | The Post</title>"
        "<meta name=author content='Ann Lee'>"
        "<meta name=description content='What the council said, and what it left out of it.'>"
        f"<script type=application/ld+json>{json.dumps(stated)}</script></head><body>"
        "<nav><ul><li>Kenya: Ferry to stop in June</li></ul></nav>"
        "<article><h1><span>Kenya</span> <span>Ferry to stop in June</span></h1>"
        "<p>What the council said, and what it left out of it.</p>"
        "<div class=byline>By <a>Ann Lee</a></div>"
        f"<figure><figcaption>Photo: Ann Lee</figcaption></figure><p>{STORY * 2}</p>"
        f"<p>{STORY * 2}</p></article><aside><b>Ann Lee</b> wrote more</aside></body></html>"
    )


def page_of(make_page: Make, texts: list[str], head: str = "", lang: str = "en") -> Page:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return make_page(f"<html lang='{lang}'><head>{head}</head><body>{body}</body></html>")


def numbers(name: str, page: Page) -> list[float]:
    return list(np.asarray(REGISTRY[name].values(page), dtype=float))


def test_the_byline_is_the_best_place_of_an_author_and_a_credit_is_not(
    stated_article: Page,
) -> None:
    places = values("task.author-place", stated_article)
    assert places["Ann Lee"] == [
        {"person:best", "person:best:whole"},
        {"person:again", "person:again:whole"},
    ]
    assert places["Photo: Ann Lee"] == [{"person:again", "person:again:in"}]
    assert places["By"] == [set()]


def test_a_name_that_mark_up_cuts_in_two_is_found_in_both_parts(make_page: Make) -> None:
    page = make_page(
        "<meta name=author content='Ann Lee'><h1>Title of it</h1>"
        f"<address><span>Ann</span> <span>Lee</span></address><p>{STORY * 2}</p>"
    )
    places = values("task.author-place", page)
    assert places["Ann"] == places["Lee"] == [{"person:best", "person:best:part"}]


def test_the_headline_is_the_heading_with_its_kicker_and_not_the_breadcrumb(
    stated_article: Page,
) -> None:
    places = values("task.headline-place", stated_article)
    assert places["Kenya"] == [{"best", "best:first"}]
    assert places["Ferry to stop in June"] == [{"best", "best:more"}]
    assert places["Kenya: Ferry to stop in June"] == [{"again", "again:one"}]


def test_the_standfirst_is_the_place_of_the_description(stated_article: Page) -> None:
    places = values("task.description-place", stated_article)
    assert places["What the council said, and what it left out of it."] == [{"best"}]
    assert sum(bool(names) for rows in places.values() for names in rows) == 1


def test_a_page_that_states_nothing_has_no_places(make_page: Make) -> None:
    page = make_page(f"<h1>Ferry to stop</h1><p>By Ann Lee</p><p>{STORY * 2}</p>")
    for name in ("author-place", "headline-place", "description-place", "date-place"):
        assert not any(REGISTRY[f"task.{name}"].values(page))


def test_a_publisher_is_found_by_name(make_page: Make) -> None:
    head = '<meta property="og:site_name" content="The Post">'
    page = page_of(make_page, ["The Post", "© The Post 2026", "A post"], head)
    assert np.asarray(REGISTRY["task.publisher-cue"].values(page)).tolist() == [True, True, False]
    assert numbers("task.publisher-match", page) == pytest.approx([1, 7 / 11, 0])


def test_keywords_and_the_section_are_told_apart(make_page: Make) -> None:
    head = '<meta name="keywords" content="Harbour, Ferry">'
    head += '<meta property="article:section" content="Town">'
    page = page_of(make_page, ["harbour", "Town", "Ferry stops"], head)
    assert REGISTRY["task.keyword-match"].values(page) == ["keyword", "section", None]


def test_a_stated_image_is_found_by_its_file(make_page: Make) -> None:
    page = make_page(
        '<meta property="og:image" content="https://x.example/1200/qu%C3%A4i-morning.jpg?w=9">'
        "<img src='/300/quäi-morning.jpg'><img srcset='/a.jpg 1x, /b/qu%C3%A4i-morning.jpg 2x'>"
        "<img src='/other-morning.jpg'><p>quäi-morning.jpg</p>"
    )
    flags = np.asarray(REGISTRY["task.stated-image"].values(page)).tolist()
    assert flags == [True, True, False, False]


def test_the_text_that_a_page_states_for_machines_marks_its_paragraphs(make_page: Make) -> None:
    page = make_page(
        f'<script type=application/ld+json>{{"articleBody": "<p>{STORY * 5}</p>"}}</script>'
        f"<p>{STORY * 2}</p><p>Something else entirely, which nobody has stated anywhere.</p>"
        "<p>June</p><p>No</p>"
    )
    assert REGISTRY["task.body-match"].values(page) == ["in:long", "out:long", "in:short", None]
