"""Stated dates in the notations that pages use."""

from datetime import date, datetime

import pytest

from structce.language.dates import date_occasion, find_dates, parse_iso, parse_timestamp


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01", "2026-03-01T00:00:00"),
        ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00+00:00"),
        ("2026-03-01 09:30:00 +0200", "2026-03-01T09:30:00+02:00"),
        ("Published 2026-03-01 09:30", "2026-03-01T09:30:00"),
        ("2026-03-01T09:30:00.1234567+01:00", "2026-03-01T09:30:00+01:00"),
        ("Sun, 01 Mar 2026 09:30:00 +0100", "2026-03-01T09:30:00+01:00"),
        ("Sun Mar 01 2026 09:30:00 GMT+0200 (EET)", "2026-03-01T09:30:00+02:00"),
        ("1772357400", "2026-03-01T09:30:00+00:00"),
    ],
)
def test_a_stated_moment_is_read(text, moment):
    assert parse_timestamp(text).replace(microsecond=0).isoformat() == moment


@pytest.mark.parametrize(
    "text", ["", "soon", "18:41", "2026-13-01", "2026-02-30T10:00", "PT50M55S"]
)
def test_what_is_no_date_gives_nothing(text):
    assert parse_timestamp(text) is None
    assert parse_iso(text) is None


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("04.01.2024", "de"),
        ("04/01/2024", "fr"),
        ("04.01.2024", "ru"),
        ("01/04/2024", "en"),
        ("4 янв. 2024 г.", "ru"),
        ("4 janv. 2024", "fr"),
        ("Mis à jour le 4 janvier 2024", "fr"),
        ("\u200f4\u200f/1\u200f/2024", "ar"),
    ],
)
def test_numbers_and_months_follow_the_language(text, lang):
    assert [moment.date() for moment in find_dates(text, lang)] == [date(2024, 1, 4)]


@pytest.mark.parametrize(
    ("text", "lang", "day"),
    [
        ("Sept. 8, 2020 at 9:22 a.m. ET", "en-US", "2020-09-08"),
        ("Dec. 19, 2025", "en", "2025-12-19"),
        ("December 19. 2025", "en-US", "2025-12-19"),
        ("on the 5th of March, 2024", "en", "2024-03-05"),
        ("March 3-5, 2024", "en", "2024-03-03"),
        ("04-ago-2021 5:11:10", "es", "2021-08-04"),
        ("5-Mar-24", "en", "2024-03-05"),
        ("Thu Dec 10 10:10:50 GMT-03:00 2020", "pt", "2020-12-10"),
        ("16/04/2020 at 12:35 am", "en-GB", "2020-04-16"),
        ("02.02.2022 · 11:14", "de", "2022-02-02"),
        ("14. 01. 2020, 13:06", "de", "2020-01-14"),
        ("9 oktober 2020 10:04", "", "2020-10-09"),
        ("Dienstag, den 28. April 2020", "", "2020-04-28"),
        ("05 de julio de 2020", "", "2020-07-05"),
        ("le 1er janvier 2024", "fr", "2024-01-01"),
        ("duminică, 20 septembrie 2020", "en", "2020-09-20"),
        ("5. Jänner 2024", "de-AT", "2024-01-05"),
        ("2024 m. kovo 5 d.", "lt", "2024-03-05"),
        ("2024. gada 5. martā", "lv", "2024-03-05"),
        ("2024. március 5.", "hu", "2024-03-05"),
        ("2024年3月5日 14:30", "zh", "2024-03-05"),
        ("令和6年3月5日", "ja", "2024-03-05"),
        ("民國113年3月5日", "zh-TW", "2024-03-05"),
        ("입력 2024.03.05. 오후 2:30", "ko", "2024-03-05"),
        ("2024년 3월 5일", "ko", "2024-03-05"),
        ("٥ مارس ٢٠٢٤", "ar", "2024-03-05"),
        ("5 آذار/مارس 2024", "ar", "2024-03-05"),
        ("५ मार्च २०२४", "hi", "2024-03-05"),
        ("5 มี.ค. 2567", "th", "2024-03-05"),
        ("5 มีนาคม 2567", "th", "2024-03-05"),
        ("ngày 5 tháng 3 năm 2024", "vi", "2024-03-05"),
        ("۱۵ اردیبهشت ۱۴۰۳ - ۱۴:۳۰", "fa", "2024-05-04"),
        ("۱۴۰۳/۰۱/۰۱", "fa", "2024-03-20"),
        ("29 اسفند 1402", "fa", "2024-03-19"),
        ("۱ فروردین ۱۳۹۹", "fa", "2020-03-20"),
        ("1 مهر 1404", "fa", "2025-09-23"),
        ("22 بهمن 1357", "fa", "1979-02-11"),
        ("post.example/2024/03/05/ferry", "", "2024-03-05"),
        ("30/08/23", "de", "2023-08-30"),
        ("08/30/23", "de", "2023-08-30"),
    ],
)
def test_dates_are_read_in_the_notations_of_pages(text, lang, day):
    assert [moment.date().isoformat() for moment in find_dates(text, lang)] == [day]


@pytest.mark.parametrize(
    "text",
    [
        "5 May", "5 May 14:30", "May 5, 14 comments", "Sunday, 5 May at 19.30", "3 hours ago",
        "5 days ago", "yesterday at 14:30", "Copyright 2023 - 5min.example", "12 / 2022",
        "Chapter 12, verse 3 of 2000", "31.02.2026", "version 1.12.2024.3", "up 3% from 2025",
        "03/2024", "1 2 3 " * 30, "5 May 1403", "1403/01/01",
    ],
)  # fmt: skip
def test_a_text_without_a_year_or_a_day_has_no_date(text):
    assert find_dates(text, "en") == []


@pytest.mark.parametrize(
    ("text", "lang", "moments"),
    [
        ("5 May 14:30", "en", [datetime(2024, 5, 5, 14, 30)]),
        ("May 5", "en", [datetime(2024, 5, 5)]),
        ("25.12.", "de", [datetime(2023, 12, 25)]),
        ("29 February", "en", [datetime(2024, 2, 29)]),
        ("3月5日", "ja", [datetime(2024, 3, 5)]),
        ("31 June", "en", []),
    ],
)
def test_missing_year_is_nearest_to_a_reference(text, lang, moments):
    assert find_dates(text, lang, near=date(2024, 3, 1)) == moments


@pytest.mark.parametrize(
    ("lang", "country", "month"),
    [
        ("en-US", "", 3), ("en", "", 3), ("", "", 3), ("ja", "", 3), ("en-GB", "", 4),
        ("en", "uk", 4), ("", "fr", 4), ("zh-Hans", "fr", 4), ("sv", "", 4), ("en-AU", "", 4),
    ],
)  # fmt: skip
def test_language_and_country_decide_which_number_is_the_month(lang, country, month):
    moments = find_dates("03/04/2024", lang, country=country)
    assert [moment.month for moment in moments] == [month]


def test_each_date_has_the_time_of_day_beside_it():
    text = "Published 3 May 2024, 9:30am, updated 04.05.2024 21:15"
    assert find_dates(text, "en") == [datetime(2024, 5, 3, 9, 30), datetime(2024, 5, 4, 21, 15)]
    assert find_dates("14:05 | 3 May 2024") == [datetime(2024, 5, 3, 14, 5)]


@pytest.mark.parametrize(
    ("text", "lang", "occasion"),
    [
        ("Updated: 3 May 2024", "en", 1),
        ("Zuletzt aktualisiert am 3.5.2024", "de", 1),
        ("Mis à jour le 3 mai 2024", "fr", 1),
        ("3 May 2024 (updated)", "en", 1),
        ("更新日 2024年5月3日", "ja", 1),
        ("Published 3 May 2024, updated 4 May 2024", "en", -1),
        ("Published on 3 May 2024", "en", -1),
        ("3 May 2024", "en", 0),
        ("Backdated 3 May 2024", "en", 0),
    ],
)
def test_line_tells_change_from_publication(text, lang, occasion):
    assert date_occasion(text, lang) == occasion
