"""Cues that join what a text looks like with where it stands."""

from structce.features.registry import REGISTRY
from structce.features.zones import line_cues, zones


def name_sets(name, page):
    names = REGISTRY[f"task.{name}"].values(page)
    return {text: set(row) for text, row in zip(page.text, names, strict=True) if text}


def test_headings_of_text_and_teasers_differ(story_page):
    like = name_sets("like-text", story_page)
    assert "h3:other:among" in like["Subtitle"]
    assert "h3:other:apart" in like["A market moves"]
    assert like["Really?"] == {"same:among", "p:same:among", "short::same:among"}


def test_a_teaser_is_a_little_text_that_is_all_a_link(story_page):
    company = name_sets("company", story_page)
    assert "text:few:1:linked:one" in company["A market moves"]
    assert "text:few:2-3:plain:one" in company["quay"]


def test_captions_are_known_by_mark_up_and_by_the_image_before(story_page):
    places = name_sets("caption-place", story_page)
    assert "figcaption:in:short" in places["The"]
    assert places["Subtitle"] == set()


def test_zones_part_the_page_around_headline_and_text(make_page, article_html):
    page = make_page(article_html())
    parts = dict(zip(page.text, zones(page), strict=True))
    assert parts["Ferry to stop in June, part 0"] == "title"
    assert parts["Ann Lee"] == parts["1 March 2026"] == "head"
    assert parts["No end in sight"] == "text"
    assert parts["All rights reserved"] == "foot"
    assert set(zones(make_page("<p>a</p><p>b</p>"))) == {"none"}


def test_lines_are_known_by_text_metadata_and_meaning(make_page, article_html):
    page = make_page(article_html())
    cues = dict(zip(page.text, line_cues(page), strict=True))
    assert cues["Ann Lee"] == {"name", "author"}
    assert {"date", "day", "time-stated"} <= cues["1 March 2026"]
    assert "headline" in cues["Ferry to stop in June, part 0"]
    assert "head:author" in name_sets("zone-cue", page)["Ann Lee"]
