"""Cues that join what a text looks like with where it stands."""

from collections.abc import Callable

import pytest

from structce.features.media import companions
from structce.features.registry import REGISTRY
from structce.features.zones import running_near, text_kinds
from structce.page import Page

Make = Callable[..., Page]
STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "


def values(name: str, page: Page) -> dict[str, set[str]]:
    names = REGISTRY[f"task.{name}"].values(page)
    return {text: set(row) for text, row in zip(page.text, names, strict=True) if text}


@pytest.fixture
def page(make_page: Make) -> Page:
    return make_page(
        "<h1>Ferry to stop</h1><div class=x>"
        f"<div class=s><p class=t>{STORY * 2}</p></div>"
        "<div class=s><h3>Subtitle</h3></div>"
        f"<div class=s><p class=t>{STORY}</p></div>"
        "<div class=s><p class=t>Really?</p></div>"
        "<figure><img src=/a.jpg><figcaption>The <b>quay</b> at night.</figcaption></figure></div>"
        "<aside><a href=/b><img src=/b.jpg><h3>A market moves</h3></a></aside>"
    )


def test_kinds_are_those_of_the_mark_up_around_a_text(page: Page) -> None:
    found = dict(zip(page.text, text_kinds(page), strict=True))
    assert found["Ferry to stop"] == "h1"
    assert found["Subtitle"] == found["A market moves"] == "h3"
    assert found["The"] == "figcaption"
    assert found["quay"] == "figcaption+b"


def test_a_heading_among_paragraphs_differs_from_one_above_a_teaser(page: Page) -> None:
    like, profile = values("like-text", page), values("profile", page)
    assert "h3:other:among" in like["Subtitle"]
    assert "h3:other:apart" in like["A market moves"]
    assert any(name.startswith("h3:1-1:") for name in profile["Subtitle"])
    assert any(name.startswith("h3:far-") for name in profile["A market moves"])


def test_a_short_paragraph_is_built_as_the_long_ones_are(page: Page) -> None:
    assert values("like-text", page)["Really?"] == {
        "same:among",
        "p:same:among",
        "short::same:among",
    }


def test_running_text_is_near_by_regions(make_page: Make) -> None:
    page = make_page(f"<p>a</p><p>{STORY}</p><p>b</p><p>c</p><p>d</p><p>e</p>")
    assert running_near(page) == ["1-far", "1-1", "far-1", "far-2", "far-2", "far-far"]


def test_images_and_texts_keep_the_smallest_company(page: Page) -> None:
    tags = page.elements.tag
    found = {
        text or page.tag[i]: tags[element] if element >= 0 else ""
        for i, (text, element) in enumerate(zip(page.text, companions(page), strict=True))
    }
    assert found["The"] == found["quay"] == "figure"
    assert found["A market moves"] == "a"
    assert found["Ferry to stop"] == "body"


def test_a_teaser_is_a_little_text_that_is_all_a_link(page: Page) -> None:
    company = values("company", page)
    assert "text:few:1:linked:one" in company["A market moves"]
    assert "text:few:2-3:plain:one" in company["quay"]


def test_captions_are_told_by_mark_up_and_by_the_image_before(page: Page) -> None:
    places = values("caption-place", page)
    assert "figcaption:in:short" in places["The"]
    assert places["Subtitle"] == set()


def test_the_text_that_a_page_states_for_machines_marks_its_paragraphs(make_page: Make) -> None:
    page = make_page(
        f'<script type=application/ld+json>{{"articleBody": "<p>{STORY * 5}</p>"}}</script>'
        f"<p>{STORY * 2}</p><p>Something else entirely, which nobody has stated anywhere.</p>"
        "<p>June</p><p>No</p>"
    )
    assert REGISTRY["task.body-match"].values(page) == ["in:long", "out:long", "in:short", None]
