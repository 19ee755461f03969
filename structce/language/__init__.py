"""Language knowledge: text normalisation, dates, calendars, bylines and lists of cue words."""

from structce.language.bylines import (
    PARENTHESES,
    PICTURE_CREDIT,
    byline_prefix,
    is_organisation,
    split_byline,
    split_names,
    strip_byline_prefix,
)
from structce.language.calendars import (
    NUMBER,
    calendar,
    date_tokens,
    month_names,
    weekday_names,
)
from structce.language.cldr import time_zones
from structce.language.cues import DIGIT, EMAIL, MAX_CUE_LENGTH, find_cues, find_phrase
from structce.language.date_parsing import (
    NO_DATES,
    TIME_OF_DAY,
    WrittenDates,
    date_notation,
    parse_written_dates,
)
from structce.language.dates import (
    date_occasion,
    find_dates,
    parse_iso,
    parse_timestamp,
)
from structce.language.stop_words import StopWords, guess_stop_words, stop_words
from structce.language.text import (
    CLOSING_MARKS,
    JOINED,
    SENTENCE_ENDS,
    UNSPACED,
    display_width,
    fold_digits,
    language_code,
    normalise,
    phrases,
    printable,
    split_words,
    unescape,
)
from structce.language.vocabulary import agencies, word_list

__all__ = [
    "CLOSING_MARKS",
    "DIGIT",
    "EMAIL",
    "JOINED",
    "MAX_CUE_LENGTH",
    "NO_DATES",
    "NUMBER",
    "PARENTHESES",
    "PICTURE_CREDIT",
    "SENTENCE_ENDS",
    "TIME_OF_DAY",
    "UNSPACED",
    "StopWords",
    "WrittenDates",
    "agencies",
    "byline_prefix",
    "calendar",
    "date_notation",
    "date_occasion",
    "date_tokens",
    "display_width",
    "find_cues",
    "find_dates",
    "find_phrase",
    "fold_digits",
    "guess_stop_words",
    "is_organisation",
    "language_code",
    "month_names",
    "normalise",
    "parse_iso",
    "parse_timestamp",
    "parse_written_dates",
    "phrases",
    "printable",
    "split_byline",
    "split_names",
    "split_words",
    "stop_words",
    "strip_byline_prefix",
    "time_zones",
    "unescape",
    "weekday_names",
    "word_list",
]
