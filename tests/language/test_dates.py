"""Stated dates in the notations that pages use."""

from datetime import date

import pytest

from structce.language.dates import find_dates, parse_iso, parse_timestamp


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01", "2026-03-01T00:00:00"),
        ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00+00:00"),
        ("2026-03-01 09:30:00 +0200", "2026-03-01T09:30:00+02:00"),
        ("Published 2026-03-01 09:30", "2026-03-01T09:30:00"),
        ("2026-03-01T09:30:00.1234567+01:00", "2026-03-01T09:30:00+01:00"),
        ("Sun, 01 Mar 2026 09:30:00 +0100", "2026-03-01T09:30:00+01:00"),
        ("1772357400", "2026-03-01T09:30:00+00:00"),
    ],
)
def test_a_stated_moment_is_read(text, moment):
    found = parse_timestamp(text)
    assert found.replace(microsecond=0).isoformat() == moment


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
def test_numbers_and_short_months_are_read_as_the_language_means_them(text, lang):
    assert [moment.date() for moment in find_dates(text, lang)] == [date(2024, 1, 4)]
