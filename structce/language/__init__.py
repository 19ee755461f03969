"""What is known of languages: text, dates, names, and the words that give a role away."""

from structce.language.bylines import (
    CREDIT,
    names_apart,
    split_byline,
    without_by,
)
from structce.language.calendars import NUMBER, calendar, locale, tokens
from structce.language.cues import DIGIT, EMAIL, LIMIT, TIME, cues_in
from structce.language.date_parsing import NOTHING, Shown, shown, written_day
from structce.language.dates import find_dates, parse_iso, parse_stated
from structce.language.text import JOINED, fold_digits, language, normalise, width, words
from structce.language.vocabulary import AGENCIES

__all__ = [
    "AGENCIES",
    "CREDIT",
    "DIGIT",
    "EMAIL",
    "JOINED",
    "LIMIT",
    "NOTHING",
    "NUMBER",
    "TIME",
    "Shown",
    "calendar",
    "cues_in",
    "find_dates",
    "fold_digits",
    "language",
    "locale",
    "names_apart",
    "normalise",
    "parse_iso",
    "parse_stated",
    "shown",
    "split_byline",
    "tokens",
    "width",
    "without_by",
    "words",
    "written_day",
]
