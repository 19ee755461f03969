"""Word lists by language: what pages write around bylines, dates, pictures, links and notices.

The words are in ``vocabulary.toml``, one table per language, which says what each kind means; to
add a language, only this file is edited, and copied by ``python -m tools.tables``. Names from the
CLDR, such as months, are in :mod:`structce.language.calendars`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import cache, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from structce.language.text import SHARED_LETTERS, language_code

_NARROW = frozenset({"ca", "ro", "sw", "vi", "zu"})  # their short words begin names elsewhere
_LONG_WORD = 6  # letters; shorter words often have other meanings in another language
_EVERYWHERE = frozenset({"en"})


TABLES = "tables.json"
"""Name of the copy of all tables that pages are read with; see ``tools/tables.py``."""


@cache
def packaged_table(module: str, name: str) -> dict[str, Any]:
    """Return the content of a TOML file beside the file of a module, by its name."""
    table: dict[str, Any] = msgspec.json.decode(_tables()[f"{Path(module).parent.name}/{name}"])
    return table


@cache
def _tables() -> dict[str, msgspec.Raw]:
    data = Path(__file__).with_name(TABLES).read_bytes()
    return msgspec.json.decode(data, type=dict[str, msgspec.Raw])


language_table: Callable[[str], Mapping[str, Mapping[str, Any]]]
language_table = partial(packaged_table, __file__)


@cache
def word_list(kind: str) -> Mapping[str, str]:
    """Return the phrases of one kind by language code, in lower case, separated by commas.

    The result is empty for an unknown kind.
    """
    tables = language_table("vocabulary").items()
    return MappingProxyType({code: kinds[kind] for code, kinds in tables if kind in kinds})


def has_words(code: str) -> bool:
    """Return whether there are words of any kind in a language."""
    return code in language_table("vocabulary")


@lru_cache(maxsize=512)
def phrases(kind: str, tag: str = "") -> tuple[str, ...]:
    """Return the phrases of one kind that apply to a page of one language.

    They are all phrases of the page's language and of English. From other languages, only long
    phrases and those in scripts of few languages, since short words may have other meanings
    elsewhere. All phrases if the page's language is unknown.
    """
    code = language_code(tag)
    applying = {"en", code if code in word_list(kind) else ""}
    return tuple(
        phrase
        for phrase, codes in phrase_languages(kind).items()
        if phrase and not applying.isdisjoint(codes)
    )


@cache
def phrase_languages(kind: str) -> Mapping[str, Set[str]]:
    """Return the languages of the pages to which each phrase of one kind applies.

    ``en`` stands for pages in any language, "" for those in a language without such phrases; see
    :func:`phrases`.
    """
    languages: dict[str, frozenset[str]] = {}
    for code, line in word_list(kind).items():
        own = frozenset({code} if code in _NARROW else {code, ""})
        for phrase in line.split(", "):
            is_clear = len(phrase) >= _LONG_WORD or phrase[:1] > SHARED_LETTERS
            codes, known = _EVERYWHERE if is_clear else own, languages.get(phrase)
            languages[phrase] = codes if known is None else known | codes
    return languages


def name_table(part: str) -> Mapping[str, str]:
    """Return one part of ``names.toml``: words in names, or hints of the mark-up around them."""
    return language_table("names")[part]


@cache
def name_words(kind: str) -> frozenset[str]:
    """Return the words in and around names of one kind."""
    return frozenset(name_table("words")[kind].split())
