"""Word lists by language: what pages write around bylines, dates, pictures, links and notices.

The words are in ``vocabulary.toml``, one table per language, which says what each kind means; to
add a language, only this file is edited. Names from the CLDR, such as months, are in
:mod:`structce.language.calendars`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any


@cache
def word_list(kind: str) -> Mapping[str, str]:
    """Return the phrases of one kind by language code, in lower case, separated by commas.

    The result is empty for an unknown kind.
    """
    tables = toml_table("vocabulary").items()
    return MappingProxyType({code: kinds[kind] for code, kinds in tables if kind in kinds})


def has_words(code: str) -> bool:
    """Return whether there are words of any kind in a language."""
    return code in toml_table("vocabulary")


@cache
def agencies() -> frozenset[str]:
    """Return the names of news agencies, in lower case."""
    return frozenset(word_list("agency")["en"].split(", "))


@cache
def toml_table(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return a table that comes with this package, by its name without ``.toml``."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def name_table(part: str) -> Mapping[str, str]:
    """Return one part of ``names.toml``: words in names, or hints of the mark-up around them."""
    return toml_table("names")[part]


@cache
def name_words(kind: str) -> frozenset[str]:
    """Return the words in and around names of one kind."""
    return frozenset(name_table("words")[kind].split())
