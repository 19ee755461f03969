"""Export of names and formats of the CLDR from Babel to :mod:`structce.language.calendars`.

Run it to update the table to another release of Babel. It needs dateparser as well, which has the
words for today and yesterday that Babel lacks.

    pip install -U babel dateparser
    python -m tools.cldr_export
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Literal

import babel
from babel import Locale, UnknownLocaleError, localedata
from babel.core import get_global
from babel.dates import format_timedelta
from babel.localedata import LocaleDataDict, locale_identifiers

from structce.language.calendars import FIELDS, NUMBER, SKELETONS, TABLE
from structce.language.text import split_words

Entry = dict[str, object]

_COUNTS = {"seconds": 21, "minutes": 21, "hours": 21, "days": 6, "weeks": 3}
_PLURALS = (1, 2, 3, 5, 11, 21)  # one number for each plural form in any language
_MINUS = ("-", "−", "–")  # in narrow forms of some languages, for "ago"; such forms are no cue
_WIDTHS: tuple[Literal["long", "short", "narrow"], ...] = ("long", "short", "narrow")
_YESTERDAY = ("0 day ago", "1 day ago", "2 day ago")
_EARLY = ("am", "morning1", "morning2")
_LATE = ("pm", "afternoon1", "afternoon2", "evening1", "evening2")
_COUNTRY = re.compile("[A-Z]{2}")
_CONTEXTS = tuple(product(("format", "stand-alone"), ("wide", "abbreviated")))


def export_table() -> dict[str, object]:
    """Return the table as JSON values; its keys are those of ``CldrTable``."""
    tags = sorted(name.replace("_", "-") for name in locale_identifiers())
    return {
        "babel": babel.__version__,
        "locales": dict(_locales(tags)),
        "aliases": dict(_aliases(tags)),
    }


def _locales(tags: Sequence[str]) -> Iterator[tuple[str, Entry]]:
    """Yield the entry of each locale; a language comes before its more specific locales."""
    wholes: dict[str, Entry] = {}
    for tag in tags:
        localedata._cache.clear()  # else a language's data replace its locales'
        known = Locale.parse(tag, sep="-", resolve_likely_subtags=False)
        if tag == known.language:
            wholes[tag] = names = locale_entry(known)
            yield tag, names
            continue
        whole = wholes[known.language]
        own = {key: value for key, value in _dated(known).items() if value != whole[key]}
        yield tag, ({"territory": known.territory} if known.territory else {}) | own


def locale_entry(known: Locale) -> Entry:
    """Return the entry of a language in the table."""
    return {
        **_dated(known),
        "eras": list(dict.fromkeys(n for names in known.eras.values() for n in names.values())),
        "periods": list(dict(_periods(known)).items()),
        "ago": sorted({" ".join(phrase) for phrase in _ago(known)}),
        "today": list(_today(known.language)),
    }


def _dated(known: Locale) -> Entry:
    """Return names and formats of dates, which differ between the locales of a language."""
    skeletons = known.datetime_skeletons
    return {
        "months": [_listed(known.months, *kind) for kind in _CONTEXTS],
        "days": [_listed(known.days, *kind) for kind in _CONTEXTS],
        "formats": [known.date_formats[name].pattern for name in FIELDS],
        "skeletons": [skeletons[n].pattern if n in skeletons else "" for n in SKELETONS],
    }


def _listed(table: LocaleDataDict, context: str, width: str) -> list[str]:
    names = table[context][width]
    return [names[number] for number in sorted(names)]


def _periods(known: Locale) -> Iterator[tuple[str, int]]:
    for context in ("format", "stand-alone"):
        for names in known.day_periods.get(context, {}).values():
            for kinds, hours in ((_EARLY, 0), (_LATE, 12)):
                for kind in kinds:
                    if kind in names:
                        yield names[kind], hours


def _ago(known: Locale) -> Iterator[tuple[str, ...]]:
    """Yield the phrases for something a number of seconds, minutes, ... or years ago."""
    spans = [timedelta(**{unit: -n}) for unit, most in _COUNTS.items() for n in _upto(most)]
    spans += [timedelta(days=-31 * n) for n in _upto(11)]
    spans += [timedelta(days=-366 * n) for n in _upto(21)]
    for span in spans:
        for width in _WIDTHS:
            text = _since(known, span, width)
            phrase = tuple(NUMBER if word.isdigit() else word for word in split_words(text))
            if len(phrase) > 1 and not text.lstrip("\u200e\u200f").startswith(_MINUS):
                yield phrase


def _upto(most: int) -> list[int]:
    return [n for n in _PLURALS if n <= most]


def _since(known: Locale, span: timedelta, width: Literal["long", "short", "narrow"]) -> str:
    try:
        return format_timedelta(span, threshold=1, add_direction=True, format=width, locale=known)
    except KeyError:  # Babel 2.18, where the CLDR names no narrow form (Ukrainian)
        return ""


def _today(code: str) -> Iterator[str]:
    """Yield the words for today, yesterday and the day before; none for an unknown language."""
    try:
        info = import_module(f"dateparser.data.date_translation_data.{code}").info
    except ModuleNotFoundError as error:
        if error.name == "dateparser":
            raise
        return
    for name in _YESTERDAY:
        yield from info.get("relative-type", {}).get(name, ())


def _aliases(tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield lower-case aliases of locales, from their own tags and from equivalent ones."""
    own = {tag.lower(): tag for tag in tags}
    yield from ((lower, tag) for lower, tag in own.items() if lower != tag)
    for tag in sorted({*_short_tags(tags), *_replaced_tags(tags)}):
        if tag.lower() not in own and (resolved := _resolved(tag)):
            yield tag.lower(), resolved


def _short_tags(tags: Iterable[str]) -> Iterator[str]:
    """Yield the tags of locales without their scripts, and with their country alone."""
    for tag in tags:
        code, last = tag.partition("-")[0], tag.rpartition("-")[2]
        if _COUNTRY.fullmatch(last):
            yield from (f"{code}-{last}", f"und-{last}")


def _replaced_tags(tags: Iterable[str]) -> Iterator[str]:
    """Yield the tags of locales with older codes of their languages."""
    older: dict[str, list[str]] = {}
    for code, now in get_global("language_aliases").items():
        if re.fullmatch("[a-z]{2,3}", code):
            older.setdefault(now.partition("_")[0], []).append(code)
    for tag in tags:
        language, last = tag.partition("-")[0], tag.rpartition("-")[2]
        ends = {"", f"-{last}" if _COUNTRY.fullmatch(last) else ""}
        yield from (f"{code}{end}" for code in older.get(language, ()) for end in ends)


def _resolved(tag: str) -> str:
    """Return the tag of the locale to which Babel resolves a tag; empty if to none."""
    try:
        return str(Locale.parse(tag, sep="-")).replace("_", "-")
    except (ValueError, UnknownLocaleError):
        return ""


def table_text(table: Mapping[str, object]) -> str:
    """Return the table as JSON, with one locale per line."""
    parts = (f"{_json(key)}:{_lines(value)}" for key, value in table.items())
    return _braces(parts)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(value: object) -> str:
    if not isinstance(value, dict):
        return _json(value)
    return _braces(f"{_json(key)}:{_json(entry)}" for key, entry in value.items())


def _braces(lines: Iterable[str]) -> str:
    return "{\n" + ",\n".join(lines) + "\n}"


def main() -> None:
    """Write the table into the package."""
    text = table_text(export_table())
    path = Path(__file__).resolve().parents[1] / "structce" / "language" / TABLE
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
