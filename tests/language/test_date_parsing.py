"""Notations of days, and times of day, in many languages."""

from datetime import date, datetime

import pytest
from babel.dates import format_date, format_time

from structce.language.calendars import CALENDAR_LANGUAGES
from structce.language.date_parsing import date_notation, date_pattern, find_clocks

DAYS = (date(2026, 3, 1), date(2025, 11, 28))


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
@pytest.mark.parametrize("width", ["full", "long", "medium", "short"])
def test_every_notation_of_the_cldr_is_known_in_its_language(lang, width):
    for day in DAYS:
        text = format_date(day, width, locale=lang)
        assert date_notation(text, lang) is not None, text


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
def test_days_in_digits_are_found_without_names(lang):
    dates = "12.03.2026", "on 12/3/26 or 2026-03-12", "7. 5.", "12 of 30", "3/12 2026. 12. 3."
    for text in dates:
        matches = [date_pattern(lang, with_names=own).search(text) for own in (True, False)]
        every, short = [match and (match.lastgroup, match.span()) for match in matches]
        assert every == short, text


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
def test_every_time_of_the_cldr_is_read_in_its_language(lang):
    for moment in (datetime(2026, 3, 1, 9, 5), datetime(2026, 3, 1, 20, 45)):
        text = format_time(moment, "short", locale=lang)
        assert clocks(text, lang) == [(moment.hour, moment.minute)], text


def clocks(text, lang):
    return [clock for _, _, clock in find_clocks(text.lower(), lang)]


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Do 25.04.24 | 14:07 Uhr | Von", "de", [(14, 7)]),
        ("12.30 am 5. Juni", "de", [(12, 30)]),
        ("June 5th, 2025 2:20pm", "en", [(14, 20)]),
        ("12:05 a.m.", "en", [(0, 5)]),
        ("le 30 août 2023 à 14h52", "fr", [(14, 52)]),
        ("2026년 3월 1일 오후 8시 30분", "ko", [(20, 30)]),
        ("2026年3月1日 9時5分", "ja", [(9, 5)]),
        ("2026年3月1日下午8:30", "zh", [(20, 30)]),
        ("costs 12.50 € or 3.5 %", "en", []),
        ("Chapter 12, verse 3:2", "en", []),
        ("31.02.26 of version 14.30.1", "en", []),
    ],
)
def test_times_of_day_are_read(text, lang, expected):
    assert clocks(text, lang) == expected
