"""Days and times in the notations of many languages, and their agreement with what is stated."""

from collections.abc import Callable
from datetime import date

import pytest
from babel.dates import format_date

from structce.features.date_match import country_zones
from structce.features.registry import REGISTRY
from structce.language.calendars import CALENDAR_LANGUAGES
from structce.page import Page

Make = Callable[..., Page]


DAYS = (date(2026, 3, 1), date(2025, 11, 28))


FORMATS = ("full", "long", "medium", "short")


def dated_page(make_page: Make, texts: list[str], head: str = "", lang: str = "en") -> Page:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return make_page(f"<html lang='{lang}'><head>{head}</head><body>{body}</body></html>")


def stated(published: str, modified: str = "") -> str:
    head = f'<meta property="article:published_time" content="{published}">'
    return head + f'<meta property="article:modified_time" content="{modified}">' * bool(modified)


HEAD = (
    "<meta property=article:published_time content='2026-03-14T09:30:00+00:00'>"
    "<meta property=article:modified_time content='2026-03-15T17:05:00+00:00'>"
)


def shown(make_page: Make, body: str, language: str = "en") -> list[set[str]]:
    page = make_page(f"<html lang={language}><head>{HEAD}</head><body>{body}</body></html>")
    return [set(names) for names in REGISTRY["task.attribute-match"].values(page)]


STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1 March 2026", "day"),
        ("March 1, 2026", "day"),
        ("01/03/26", "day"),
        ("2026-03-01", "day"),
        ("1 March", "day"),
        ("Published 1 March 2026, 9:30am", "day-time"),
        ("1 March 2026 at 10.30", "day-time"),
        ("1 March 2026, 17:30 UTC+8", "day-time"),
        ("1 March 2026, 18:30", "day"),
        ("Today at 9:30", "time"),
        ("2 March 2026", "other"),
        ("1 April 2026", "other"),
        ("1 March 2025", "other"),
        ("Today at 9:31", None),
        ("No date", None),
        ("1", None),
    ],
)
def test_the_stated_moment_is_found_in_any_notation(
    make_page: Make, text: str, kind: str | None
) -> None:
    page = dated_page(make_page, [text], stated("2026-03-01T10:30:00+01:00"), "")
    assert REGISTRY["task.published-match"].values(page) == [kind]


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
def test_the_stated_day_is_found_in_every_language(make_page: Make, lang: str) -> None:
    texts = [format_date(day, width, locale=lang) for width in FORMATS for day in DAYS]
    page = dated_page(make_page, texts, stated("2026-03-01"), lang)
    matches = REGISTRY["task.published-match"].values(page)
    assert list(matches) == ["day", "other"] * len(FORMATS)


def test_clocks_of_the_country_and_of_the_page_are_tried(make_page: Make) -> None:
    texts = ["20:03 Uhr", "18:03", "14:03"]
    here = dated_page(make_page, texts, stated("2023-04-28T18:03:06Z"), "de")
    assert REGISTRY["task.published-match"].values(here) == ["time", "time", None]
    zoned = stated("2023-04-28T18:03:06Z", "2023-04-29T01:00:00-04:00")
    there = dated_page(make_page, texts, zoned, "de")
    assert REGISTRY["task.published-match"].values(there) == ["time"] * 3
    assert [len(country_zones(tag)) for tag in ("cs", "de-CH", "en", "?")] == [1, 1, 0, 0]


def test_publication_and_change_are_told_apart(make_page: Make) -> None:
    texts = ["1 March 2026", "3 March 2026", "1 March 2026, updated 3 March 2026"]
    page = dated_page(make_page, texts, stated("2026-03-01", "2026-03-03"))
    assert REGISTRY["task.published-match"].values(page) == ["day", "other", "day"]
    assert REGISTRY["task.modified-match"].values(page) == ["other", "day", "day"]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-05:00", "soon"])
def test_a_moment_that_no_page_is_of_is_left_out(make_page: Make, moment: str) -> None:
    page = dated_page(make_page, ["1 January 2026"], stated(moment))
    assert REGISTRY["task.published-match"].values(page) == [None]


def test_the_attribute_of_a_time_element_states_the_moment(make_page: Make) -> None:
    changed = "<time datetime=2026-03-15T18:05:00+01:00>yesterday</time>"
    changed, day = shown(make_page, f"{changed}<time datetime=2026-03-14>x</time>")
    assert changed == {"modified:minute", "only-modified"}
    assert day == {"published:day"}


def test_the_best_place_is_the_articles_own_date_line(make_page: Make) -> None:
    page = make_page(
        f"<html lang=en><head>{HEAD}</head><body><p>14 March 2026</p>"
        + "<p>menu</p>" * 20
        + "<h1>Ferry to stop</h1><div class=dateline>14 March 2026, 9:30</div>"
        + f"<div>Updated 15 March 2026</div><p>{STORY * 2}</p></body></html>"
    )
    names = REGISTRY["task.date-place"].values(page)
    by_text = {text: set(row) for text, row in zip(page.text, names, strict=True) if row}
    assert by_text["14 March 2026, 9:30"] == {"best", "best:exact", "best:near"}
    assert by_text["14 March 2026"] == {"again", "again:day", "again:far", "second"}
    assert "Updated 15 March 2026" not in by_text
