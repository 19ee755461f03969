"""What a page states of itself, found in its text."""

import pytest

from structce.features.metadata_match import stated_time

PUBLISHED = '<meta property="article:published_time" content="2026-03-14T09:30:00Z">'


def test_the_share_of_an_authors_name_is_that_of_letters(page_of, values):
    head = '<meta name="author" content="Ann Lee">'
    page = page_of(["Ann Lee", "ANN LEE, Berlin", "Berlin"], head)
    assert values("task.author-match", page) == pytest.approx([1, 0.5, 0])


def test_a_publisher_is_found_by_name(page_of, values):
    head = '<meta property="og:site_name" content="The Post">'
    page = page_of(["The Post", "© The Post 2026", "A post"], head)
    assert values("task.publisher-cue", page) == [True, True, False]


def test_the_standfirst_is_like_the_description(page_of, values):
    head = "<meta name=description content='What the council said, and what it left out of it.'>"
    whole, other = "What the council said, and what it left out of it.", "What the council denied"
    match = values(
        "task.description-match", page_of([whole, other, "Something else entirely"], head)
    )
    assert match == [1, pytest.approx(14 / 20), 0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("14 March 2026", "day-year"),
        ("14/03/26", "full"),
        ("14/05/26", "day-year"),
        ("15 March 2026", None),
        ("No date", None),
    ],
)
def test_numbers_of_the_stated_day_are_found(page_of, values, text, kind):
    assert values("task.date-match", page_of([text], PUBLISHED)) == [kind]


def test_a_time_element_has_the_stated_day_or_another(page_of):
    times = ["<time datetime=2026-03-14>x</time>", "<time datetime=2026-03-15>y</time>", "z"]
    assert stated_time(page_of(times, PUBLISHED)) == ["stated", "other", None]
