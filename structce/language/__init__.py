"""Language knowledge: text normalisation, dates, calendars, bylines and lists of cue words."""

from structce.language.bylines import (
    PARENTHESES,
    PICTURE_CREDIT,
    group_words,
    is_organisation,
    strip_byline_prefix,
)
from structce.language.calendars import NUMBER, calendar, date_tokens, month_names
from structce.language.cues import MAX_CUE_LENGTH, cues_of_texts, find_phrase, read_texts
from structce.language.date_parsing import (
    TIME_OF_DAY,
    date_notation,
    shown_numbers,
)
from structce.language.dates import date_occasion, find_dates, parse_iso, parse_timestamp
from structce.language.text import (
    CLOSING_MARKS,
    JOINED,
    SENTENCE_ENDS,
    TEXTS,
    UNSPACED,
    WORDS,
    display_width,
    fold_digits,
    has_joined,
    is_european,
    language_code,
    normalise,
    normalise_texts,
    printable,
    split_texts,
    split_words,
    unescape,
    word_pattern,
)
from structce.language.vocabulary import (
    has_words,
    name_table,
    name_words,
    packaged_table,
    phrases,
    word_list,
)

__all__ = [
    "CLOSING_MARKS", "JOINED", "MAX_CUE_LENGTH", "NUMBER", "PARENTHESES", "PICTURE_CREDIT",
    "SENTENCE_ENDS", "TEXTS", "TIME_OF_DAY", "UNSPACED", "WORDS", "calendar",
    "cues_of_texts", "date_notation", "date_occasion", "date_tokens", "display_width", "find_dates",
    "find_phrase", "fold_digits", "group_words", "has_joined", "has_words", "is_european",
    "is_organisation", "language_code", "month_names", "name_table", "name_words", "normalise",
    "normalise_texts", "packaged_table", "parse_iso", "parse_timestamp", "phrases", "printable",
    "read_texts", "shown_numbers", "split_texts", "split_words", "strip_byline_prefix", "unescape",
    "word_list", "word_pattern",
]  # fmt: skip
