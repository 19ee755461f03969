"""Days and times in the notations of many languages, and their agreement with what is stated."""

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest
from babel.dates import format_date

from structce.features.date_match import country_zones
from structce.features.registry import REGISTRY
from structce.language.calendars import CALENDAR_LANGUAGES
from structce.page import Page

Make = Callable[..., Page]
DAYS = (date(2026, 3, 1), date(2025, 11, 28))
FORMATS = ("full", "long", "medium", "short")


def page_of(make_page: Make, texts: list[str], head: str = "", lang: str = "en") -> Page:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return make_page(f"<html lang='{lang}'><head>{head}</head><body>{body}</body></html>")


def stated(published: str, modified: str = "") -> str:
    head = f'<meta property="article:published_time" content="{published}">'
    return head + f'<meta property="article:modified_time" content="{modified}">' * bool(modified)


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
    page = page_of(make_page, [text], stated("2026-03-01T10:30:00+01:00"), "")
    assert REGISTRY["task.published-match"].values(page) == [kind]


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
def test_the_stated_day_is_found_in_every_language(make_page: Make, lang: str) -> None:
    texts = [format_date(day, width, locale=lang) for width in FORMATS for day in DAYS]
    page = page_of(make_page, texts, stated("2026-03-01"), lang)
    found = REGISTRY["task.published-match"].values(page)
    assert list(found) == ["day", "other"] * len(FORMATS)


def test_clocks_of_the_country_and_of_the_page_are_tried(make_page: Make) -> None:
    texts = ["20:03 Uhr", "18:03", "14:03"]
    here = page_of(make_page, texts, stated("2023-04-28T18:03:06Z"), "de")
    assert REGISTRY["task.published-match"].values(here) == ["time", "time", None]
    zoned = stated("2023-04-28T18:03:06Z", "2023-04-29T01:00:00-04:00")
    there = page_of(make_page, texts, zoned, "de")
    assert REGISTRY["task.published-match"].values(there) == ["time"] * 3
    assert [len(country_zones(tag)) for tag in ("cs", "de-CH", "en", "?")] == [1, 1, 0, 0]


def test_publication_and_change_are_told_apart(make_page: Make) -> None:
    texts = ["1 March 2026", "3 March 2026", "1 March 2026, updated 3 March 2026"]
    page = page_of(make_page, texts, stated("2026-03-01", "2026-03-03"))
    assert REGISTRY["task.published-match"].values(page) == ["day", "other", "day"]
    assert REGISTRY["task.modified-match"].values(page) == ["other", "day", "day"]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-05:00", "soon"])
def test_a_moment_that_no_page_is_of_is_left_out(make_page: Make, moment: str) -> None:
    page = page_of(make_page, ["1 January 2026"], stated(moment))
    assert REGISTRY["task.published-match"].values(page) == [None]


@pytest.mark.parametrize(
    ("lang", "text", "kind", "share"),
    [
        ("de", "5. Juni 2025", "named", 1.0),
        ("de", "Do., 5. Juni 2025", "weekday", 1.0),
        ("de", "05.06.2025, 12:30", "numeric", 1.0),
        ("de", "am 5. Juni 2025", "named", 9 / 11),
        ("de", "5. Juni", "yearless", 1.0),
        ("de", "Juni 2025", "monthly", 1.0),
        ("de", "June 5, 2025", "other", 1.0),
        ("en", "June 5, 2025", "named", 1.0),
        ("en-GB", "5 June 2025", "named", 1.0),
        ("ja", "2025年6月5日", "numeric", 1.0),
        ("", "2025-06-05", "other", 1.0),
        ("de", "5 Äpfel", None, None),
    ],
)
def test_a_date_is_written_in_a_way_of_the_language(
    make_page: Make, lang: str, text: str, kind: str | None, share: float | None
) -> None:
    page = page_of(make_page, [text], lang=lang)
    assert REGISTRY["task.date-pattern"].values(page) == [kind]
    (value,) = np.asarray(REGISTRY["task.date-share"].values(page), dtype=float).tolist()
    assert (None if np.isnan(value) else value) == (share and pytest.approx(share))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12", "only"),
        ("1.234,5 %", "only"),
        ("3rd", "ordinal"),
        ("2. Liga", "ordinal"),
        ("No. 7", "ordinal"),
        ("5 boats", "starts"),
        ("(12 comments)", "starts"),
        ("Route 66", "inside"),
        ("boats", None),
    ],
)
def test_a_number_is_all_of_a_text_or_part_of_it(
    make_page: Make, text: str, kind: str | None
) -> None:
    assert REGISTRY["task.number-cue"].values(page_of(make_page, [text])) == [kind]
