"""Cues that join what a text looks like with where it stands."""

from collections.abc import Callable

from structce.features.registry import REGISTRY
from structce.features.zones import running_near, text_kinds, zones
from structce.page import Page

Make = Callable[..., Page]


STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "


def name_sets(name: str, page: Page) -> dict[str, set[str]]:
    names = REGISTRY[f"task.{name}"].values(page)
    return {text: set(row) for text, row in zip(page.text, names, strict=True) if text}


def test_kinds_are_those_of_the_mark_up_around_a_text(story_page: Page) -> None:
    kinds = dict(zip(story_page.text, text_kinds(story_page), strict=True))
    assert kinds["Ferry to stop"] == "h1"
    assert kinds["Subtitle"] == kinds["A market moves"] == "h3"
    assert kinds["The"] == "figcaption"
    assert kinds["quay"] == "figcaption+b"


def test_a_heading_among_paragraphs_differs_from_one_above_a_teaser(story_page: Page) -> None:
    like, profile = name_sets("like-text", story_page), name_sets("profile", story_page)
    assert "h3:other:among" in like["Subtitle"]
    assert "h3:other:apart" in like["A market moves"]
    assert any(name.startswith("h3:1-1:") for name in profile["Subtitle"])
    assert any(name.startswith("h3:far-") for name in profile["A market moves"])


def test_a_short_paragraph_is_built_as_the_long_ones_are(story_page: Page) -> None:
    assert name_sets("like-text", story_page)["Really?"] == {
        "same:among",
        "p:same:among",
        "short::same:among",
    }


def test_running_text_is_near_by_regions(make_page: Make) -> None:
    page = make_page(f"<p>a</p><p>{STORY}</p><p>b</p><p>c</p><p>d</p><p>e</p>")
    assert running_near(page) == ["1-far", "1-1", "far-1", "far-2", "far-2", "far-far"]


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
