from collections.abc import Callable

import pytest

from structce.corpus.audit import (
    context_ranges,
    joined_words,
    matches_by_region,
    most_similar_region,
    region_words,
    select_fields,
    short_xpath,
    stated_moment,
)
from structce.gold import Match
from structce.page import Page

Make = Callable[..., Page]


@pytest.mark.parametrize(
    ("xpath", "short"),
    [
        ("/html[1]/body[1]/div[2]/article[1]/p[3]/text()[1]", "…/div[2]/article/p[3]"),
        ("/html[1]/body[1]/p[12]/text()[2]", "…/body/p[12]/text()[2]"),
        ("/html[1]/body[1]/img[1]", "/html/body/img"),
        ("/html[1]/body[1]/p[1]/b[1]/text()[1]", "…/body/p/b"),
    ],
    ids=["first text", "second text", "short", "cut"],
)
def test_an_address_keeps_its_last_steps(xpath: str, short: str) -> None:
    assert short_xpath(xpath) == short


def test_media_are_told_by_address_and_alternative_text(make_page: Make) -> None:
    page = make_page('<img src="/a.jpg" alt="The quay"><p>Words</p><img data-src="/b.jpg">')
    assert [region_words(page, i) for i in range(3)] == ["/a.jpg The quay", "Words", "/b.jpg"]
    assert joined_words(page, (1, 2)) == "Words /b.jpg"


def test_a_time_element_states_the_moment_of_what_is_in_it(make_page: Make) -> None:
    page = make_page('<time datetime="2026-03-14"><b>today</b></time><p>later</p>')
    assert [stated_moment(page, i) for i in range(2)] == ["2026-03-14", ""]


def test_regions_and_their_surroundings_are_stretches_without_overlap() -> None:
    assert context_ranges([5, 6, 9, 30], 31, 2) == [range(3, 12), range(28, 31)]
    assert context_ranges([5, 11], 31, 2) == [range(3, 8), range(9, 14)]
    assert context_ranges([5, 10], 31, 2) == [range(3, 13)]
    assert context_ranges([0], 1, 2) == [range(1)]
    assert context_ranges([], 9, 2) == []


def test_matches_are_found_by_their_regions() -> None:
    first, second = (
        Match("Title", "a", "exact", 1.0, (3, 4)),
        Match("Author", "b", "exact", 1.0, (4,)),
    )
    assert matches_by_region([first, second]) == {3: [first], 4: [first, second]}


def test_fields_are_named_in_any_case() -> None:
    assert select_fields(["DATE", "isbn"], ["Date", "Title", "date"]) == ["Date", "date"]
    assert select_fields([], ["Date"]) == []


def test_the_nearest_text_is_named_if_it_is_like_the_value(make_page: Make) -> None:
    page = make_page("<p>The ferry stops in July.</p><p>Ferry stops in June!</p><img src=a.png>")
    found = most_similar_region(page, "FERRY STOPS, IN JUNE")
    assert found is not None
    assert found[0] == 1
    assert found[1] > 95
    assert most_similar_region(page, "A market moves indoors") is None
    assert most_similar_region(page, "◇") is None
