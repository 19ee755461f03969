"""Calendar vocabulary of a language: names of months, weekdays and parts of the day.

The source is the CLDR, except for names that it lacks. Its table, ``cldr.json``, is exported from
Babel by ``tools/cldr_export.py``; Babel itself would need half a second to load the data of the
languages that dates are searched in. The data are Unicode's (see ``LICENSE.unicode``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from structce.language.text import SHARED_LETTERS, language_code, split_words
from structce.language.vocabulary import language_table
from structce.patterns import lazy_pattern

CALENDAR_LANGUAGES = (
    "en de fr es it pt nl da nb sv fi is pl cs sk sl hr sr ro hu tr el ru uk bg ja ko zh "
    "ar he fa hi vi id ms sw zu lt lv et ca"
).split()
"""Languages whose names count on a page whose language is unknown."""

_OTHER_LANGUAGES = ("th", "bn", "ta", "te", "ka", "hy", "az", "kk", "mk", "sq", "eu", "gl")
"""Languages of which only the months count on such a page."""

TABLE = "cldr.json"  # name of the file, in this folder
FIELDS = ("full", "long", "medium", "short")  # names of the date formats of a locale
SKELETONS = ("yMMMEd", "yMMMd", "yMd", "MMMMd", "MMMd", "yMMMM", "yMMM")
"""Other date formats in the table, by their fields."""

PatternToken = str | tuple[str, int]
"""Part of a date format: text, or the letter of a field and its number of repetitions."""

Phrase = tuple[str, ...]
PERSIAN_MONTH = 100
"""Offset of the month numbers of the Persian calendar, which distinguishes them from others."""

NUMBER = "0"
"""Placeholder for any number in a phrase."""

_TOKEN = lazy_pattern(r"\d+|[^\s\d_.,;:/|()\[\]'’·–—-]+")
_FIELD_TOKEN = lazy_pattern(
    r"(?P<field>(?P<letter>[A-Za-z])(?P=letter)*)|(?:'(?:[^']|'')*'|[^A-Za-z'])+"
)
_QUOTED = lazy_pattern(r"'((?:[^']|'')*)'")
_ORDINARY = {"de": frozenset({("am",)})}  # names of parts of the day with other meanings


_CLEAR = 3  # least letters of a name that counts on a page whose language is unknown
_ABBREVIATED = (1, 3)  # indices of the abbreviated names among the four lists of a locale


class LocaleNames(msgspec.Struct, frozen=True, kw_only=True):
    """Names and formats of one locale.

    The names of months and days begin with January and Monday: wide and abbreviated as in a date,
    then wide and abbreviated standing alone.
    """

    language: str
    territory: str = ""  # ISO code; empty for the locale of a whole language
    months: tuple[tuple[str, ...], ...]
    days: tuple[tuple[str, ...], ...]
    eras: tuple[str, ...]
    periods: tuple[tuple[str, int], ...]  # of the day; 0 or 12 hours added on a 12-hour clock
    formats: tuple[str, str, str, str]  # in the order of FIELDS
    skeletons: tuple[str, ...]  # in the order of SKELETONS; empty for a missing one
    ago: tuple[str, ...]  # phrases such as "3 hours ago", with numbers as 0
    today: tuple[str, ...]  # words for today, yesterday and the day before


class CldrTable(msgspec.Struct, frozen=True, kw_only=True):
    """Table of all locales, each of which is decoded when it is first needed."""

    babel: str  # release of Babel that the table was exported from
    locales: dict[str, msgspec.Raw]  # by language; by other tags what differs
    aliases: dict[str, str]  # tags of locales by other tags in lower case: zh-Hant-TW by zh-tw


@cache
def cldr_table() -> CldrTable:
    """Return the table that comes with the package."""
    file = Path(__file__).with_name(TABLE)
    return msgspec.json.decode(file.read_bytes(), type=CldrTable)


@lru_cache(maxsize=256)
def locale(tag: str) -> LocaleNames | None:
    """Return the locale of a language tag, otherwise of its language; None if unknown."""
    table, code = cldr_table(), language_code(tag)
    others = re.split("[-_]", tag.strip().lower())[1:]
    for parts in (others, others[-1:], []):  # an implied script may be left out
        name = "-".join([code, *parts])
        name = table.aliases.get(name, name)
        if name in table.locales:
            fields = {"language": name.partition("-")[0]}
            for part in (fields["language"], name):  # what differs from the whole language
                fields |= msgspec.json.decode(table.locales[part])
            return msgspec.convert(fields, LocaleNames)
    return None


def pattern_tokens(pattern: str) -> list[PatternToken]:
    """Return the texts and the fields of a date format.

    >>> pattern_tokens("d. 'de' MMM")
    [('d', 1), '. de ', ('M', 3)]
    """
    tokens: list[PatternToken] = []
    for match in _FIELD_TOKEN.finditer(pattern):
        if match["letter"]:
            tokens.append((match["letter"], len(match["field"])))
        else:
            tokens.append(_QUOTED.sub(lambda q: q[1].replace("''", "'") or "'", match[0]))
    return tokens


class Calendar(msgspec.Struct, frozen=True):
    """Names in one or several languages; phrases are split by ``split_words``."""

    # A name or abbreviation means one month within a language, but may mean several across them.
    months: Mapping[str, frozenset[int]] = msgspec.field(default_factory=dict)
    weekdays: frozenset[str] = frozenset()
    eras: frozenset[Phrase] = frozenset()
    periods: frozenset[Phrase] = frozenset()
    hours: Mapping[str, int] = msgspec.field(
        default_factory=dict
    )  # 0 or 12, by word for a part of the day
    days: frozenset[Phrase] = frozenset()  # today, yesterday, the day before
    ago: frozenset[Phrase] = frozenset()  # "3 hours ago", with numbers as NUMBER


def known_code(code: str) -> str:
    """Return the code of a language that the CLDR has, otherwise an empty text.

    All unknown languages, of which pages name any number, then have the same tables.
    """
    return code if code and locale(code) is not None else ""


def date_tokens(text: str) -> list[str]:
    """Return the numbers and the words of a text; Indian vowel signs belong to the words."""
    return _TOKEN.findall(text.casefold())


def calendar(code: str) -> Calendar:
    """Return the names of a language and English, or of ``CALENDAR_LANGUAGES`` if unknown.

    English is included since many pages in other languages have English templates.
    """
    return _calendar(known_code(code))


@lru_cache(maxsize=64)
def _calendar(code: str) -> Calendar:
    codes = (code, "en") if code else CALENDAR_LANGUAGES
    languages = [language_calendar(name) for name in dict.fromkeys(codes)]

    def union(name: str) -> frozenset[Any]:
        return frozenset().union(*(getattr(language, name) for language in languages))

    periods = union("periods") - _ORDINARY.get(code, frozenset())
    return Calendar(
        months=_merged(language.months for language in languages),
        weekdays=union("weekdays"),
        eras=union("eras"),
        periods=periods if code else frozenset(filter(_is_clear, periods)),
        hours={word: n for language in reversed(languages) for word, n in language.hours.items()},
        days=union("days"),
        ago=union("ago"),
    )


def _merged(languages: Iterable[Mapping[str, frozenset[int]]]) -> dict[str, frozenset[int]]:
    """Return the months that each name means in any of several languages."""
    months: dict[str, frozenset[int]] = {}
    for language in languages:
        for name, numbers in language.items():
            months[name] = months.get(name, frozenset()) | numbers
    return months


@lru_cache(maxsize=64)
def language_calendar(code: str) -> Calendar:
    """Return the names of one language; empty for a language that the CLDR lacks."""
    locale_names = locale(code)
    if locale_names is None:
        return Calendar()
    months = _merged({name: frozenset({n})} for n, name in _names(locale_names.months))
    for prefix in _prefixes(locale_names):
        months.update({prefix + name: numbers for name, numbers in list(months.items())})
    named = ((split_words(name), hours) for name, hours in locale_names.periods)
    periods = {phrase: hours for phrase, hours in named if phrase}
    return Calendar(
        months=months,
        weekdays=frozenset(name for _, name in _names(locale_names.days)),
        eras=frozenset(filter(_is_long, map(split_words, locale_names.eras))),
        periods=frozenset(filter(_is_long, periods)),
        hours=dict(_hours(periods)),
        days=frozenset(map(split_words, locale_names.today)),
        ago=frozenset(tuple(phrase.split(" ")) for phrase in locale_names.ago),
    )


def month_names(code: str) -> Mapping[str, frozenset[int]]:
    """Return the months that words mean in a language and English, or in many if it is unknown.

    Abbreviations count as well: each beginning of a name, of at least three letters, that no other
    month of the language has. A word means several months only across languages.
    """
    return _merged_month_names(known_code(code))


@lru_cache(maxsize=64)
def _merged_month_names(code: str) -> Mapping[str, frozenset[int]]:
    tags = (code, "en") if code else (*CALENDAR_LANGUAGES, *_OTHER_LANGUAGES)
    locales = [names for names in map(locale, tags) if names is not None]
    months = [_month_names(names) for names in locales]
    merged = _merged({name: frozenset({n}) for name, n in names.items()} for names in months)
    for names in months:
        for start, number in _beginnings(names).items():
            merged.setdefault(start, frozenset({number}))
    return merged


def _month_names(names_of_locale: LocaleNames) -> dict[str, int]:
    months = {name: number for number, name in _names(names_of_locale.months)}
    for n in _ABBREVIATED:
        for number, name in enumerate(names_of_locale.months[n], start=1):
            parts = date_tokens(name)
            if len(parts) > 1 and "." in name.strip("."):
                months["".join(parts)] = number
    tables: Mapping[str, Mapping[str, int]] = language_table("calendars")["months"]
    others = tables.get(names_of_locale.language, {})
    months = {name: number for name, number in months.items() if len(name) > 1}
    joined = {
        prefix + name: n for prefix in _prefixes(names_of_locale) for name, n in months.items()
    }
    return joined | months | dict(others)


def _beginnings(names: Mapping[str, int]) -> dict[str, int]:
    months_of: dict[str, set[int]] = {}
    for name, number in names.items():
        for length in range(_CLEAR, len(name)):
            months_of.setdefault(name[:length], set()).add(number)
    return {start: min(numbers) for start, numbers in months_of.items() if len(numbers) == 1}


def _names(lists: Iterable[Sequence[str]]) -> Iterator[tuple[int, str]]:
    """Yield the number and the longest word of each name: ``març`` of "de març"."""
    for names in lists:
        for number, name in enumerate(names, start=1):
            longest = max(date_tokens(name), key=len, default="")
            if len(longest) > 1 and not any(c.isdigit() for c in name):
                yield number, longest


def _prefixes(names: LocaleNames) -> set[str]:
    """Return the letters that a language joins to a month's name, such as the Hebrew "in"."""
    pattern = names.formats[FIELDS.index("long")]
    chars = [token for token in pattern_tokens(pattern) if isinstance(token, str)]
    lasts = (split_words(text)[-1] for text in chars if split_words(text) and text[-1].isalpha())
    return {last for last in lasts if f"{last}MMM" in pattern}


def _hours(periods: Mapping[Phrase, int]) -> Iterator[tuple[str, int]]:
    """Yield single words and abbreviations without their dots: ``μμ`` for "μ.μ."."""
    for phrase, hours in periods.items():
        name = "".join(phrase)
        is_short = len(phrase) == 1 or max(map(len, phrase)) == 1
        if is_short and (len(name) > 1 or name > SHARED_LETTERS):
            yield name, hours


def _is_clear(phrase: Phrase) -> bool:
    """Return whether a phrase is unlikely to mean something else in another language."""
    letters = "".join(phrase)
    return len(letters) >= _CLEAR or letters in ("am", "pm") or letters > SHARED_LETTERS


def _is_long(phrase: Phrase) -> bool:
    return len("".join(phrase)) > 1  # a single letter is too ambiguous
