"""Days, times and names of calendars in the notations of many languages."""

from datetime import date, datetime

import pytest
from babel.dates import format_date, format_time

from structce.language.calendars import CALENDAR_LANGUAGES
from structce.language.date_parsing import date_notation, parse_written_dates

DAYS = (date(2026, 3, 1), date(2025, 11, 28))
FORMATS = ("full", "long", "medium", "short")


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
@pytest.mark.parametrize("width", FORMATS)
def test_every_notation_of_the_cldr_is_read_in_its_language(lang, width):
    for day in DAYS:
        text = format_date(day, width, locale=lang)
        assert date_notation(text, lang) is not None, text
        whole = parse_written_dates(text, lang).days
        assert (day.year, day.month, day.day) in whole or (0, day.month, day.day) in whole, text


@pytest.mark.parametrize("lang", CALENDAR_LANGUAGES)
def test_every_time_of_the_cldr_is_read_in_its_language(lang):
    for moment in (datetime(2026, 3, 1, 9, 5), datetime(2026, 3, 1, 20, 45)):
        text = format_time(moment, "short", locale=lang)
        assert (moment.hour, moment.minute) in parse_written_dates(text, lang).clocks, text


@pytest.mark.parametrize(
    ("text", "lang", "days", "clocks"),
    [
        ("Donnerstag, 5. Juni 2025", "de", {(2025, 6, 5)}, set()),
        ("Do 25.04.24 | 14:07 Uhr | Von", "de", {(2024, 4, 25)}, {(14, 7)}),
        ("12.30 am 5. Juni", "de", {(0, 6, 5)}, {(12, 30)}),
        ("25.04.", "de", {(0, 4, 25)}, set()),
        ("June 5th, 2025 2:20pm", "en", {(2025, 6, 5)}, {(14, 20)}),
        ("12:05 a.m.", "en", set(), {(0, 5)}),
        ("3/4/26", "en", {(2026, 3, 4), (2026, 4, 3)}, set()),
        ("25 de mayo de 2025", "es", {(2025, 5, 25)}, set()),
        ("le 30 août 2023 à 14h52", "fr", {(2023, 8, 30)}, {(14, 52)}),
        ("ngày 14 tháng 3 năm 2026", "vi", {(2026, 3, 14)}, set()),
        ("١٤ مارس ٢٠٢٦", "ar", {(2026, 3, 14)}, set()),
        ("14 במרץ 2026", "he", {(2026, 3, 14)}, set()),
        ("2026년 3월 1일 오후 8시 30분", "ko", {(2026, 3, 1)}, {(20, 30)}),
        ("2026年3月1日 9時5分", "ja", {(2026, 3, 1)}, {(9, 5)}),
        ("2026年3月1日下午8:30", "zh", {(2026, 3, 1)}, {(20, 30)}),
        ("costs 12.50 € or 3.5 %", "en", set(), set()),
        ("Chapter 12, verse 3", "en", set(), set()),
        ("31.02.26 of version 14.30.1", "en", {(2026, 2, 31)}, set()),
    ],
)
def test_days_and_times_are_read(text, lang, days, clocks):
    dates = parse_written_dates(text, lang)
    assert dates.days == days
    assert dates.clocks == clocks


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("14:16 UTC+1", 60),
        ("2:20pm EDT", -240),
        ("16:15:30Z", None),
        ("9:30+05:30", 330),
        ("14:16 - 05.06.2026", None),
        ("06.06.2026 UTC+1", None),
    ],
)
def test_a_time_zone_is_read_beside_a_time(text, minutes):
    assert parse_written_dates(text, "en").offset == minutes
