"""Names and formats of the CLDR that dates are written with, from a table in the package.

The table, ``cldr.json``, is exported from Babel by ``tools/cldr_export.py``. Babel itself would
need half a second to load the data of the languages that dates are searched in. The data are
Unicode's (see ``LICENSE.unicode``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from structce.language.text import language_code

TABLE = "cldr.json"  # name of the file, in this folder
FIELDS = ("full", "long", "medium", "short")  # names of the date formats of a locale
SKELETONS = ("yMMMEd", "yMMMd", "yMd", "MMMMd", "MMMd", "yMMMM", "yMMM")
"""Other date formats in the table, by their fields."""

PatternToken = str | tuple[str, int]
"""Part of a date format: text, or the letter of a field and its number of repetitions."""

_TOKEN = re.compile(r"(?P<field>(?P<letter>[A-Za-z])(?P=letter)*)|(?:'(?:[^']|'')*'|[^A-Za-z'])+")
_QUOTED = re.compile(r"'((?:[^']|'')*)'")


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
    territories: dict[str, str]  # country with most speakers of each language
    zones: dict[str, tuple[str, ...]]  # names by country; countries with many are left out


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
            return _read(table.locales, name)
    return None


def _read(locales: Mapping[str, msgspec.Raw], name: str) -> LocaleNames:
    own = msgspec.json.decode(locales[name])
    language = name.partition("-")[0]
    whole = msgspec.json.decode(locales[language]) if language != name else {}
    return msgspec.convert({"language": language, **whole, **own}, LocaleNames)


def time_zones(tag: str) -> tuple[str, ...]:
    """Return the names of the time zones of a language tag's country; none if it has many.

    Without a country in the tag, it is the country with most speakers of the language.
    """
    table, known = cldr_table(), locale(tag)
    territory = known.territory if known is not None else ""
    return table.zones.get(territory or table.territories.get(language_code(tag), ""), ())


def pattern_tokens(pattern: str) -> list[PatternToken]:
    """Return the texts and the fields of a date format.

    >>> pattern_tokens("d. 'de' MMM")
    [('d', 1), '. de ', ('M', 3)]
    """
    tokens: list[PatternToken] = []
    for match in _TOKEN.finditer(pattern):
        if match["letter"]:
            tokens.append((match["letter"], len(match["field"])))
        else:
            tokens.append(_QUOTED.sub(lambda q: q[1].replace("''", "'") or "'", match[0]))
    return tokens
