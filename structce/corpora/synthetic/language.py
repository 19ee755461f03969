"""The words of one language, read from ``languages/*.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

LANGUAGES = ("en", "de", "en", "fr", "en", "es", "en")
"""Languages of consecutive sites; seven, so that they go round every family."""


@dataclass(frozen=True)
class Topic:
    """What stories of one section are about; every field but the first holds templates."""

    section: str
    offices: tuple[str, ...]
    headlines: tuple[str, ...]
    standfirsts: tuple[str, ...]
    sentences: tuple[str, ...]
    headings: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Language:
    """Names, labels, templates and date patterns of a language.

    ``words`` are fixed labels with a few wordings each, ``lists`` are open lists (navigation,
    comments, advertisements), ``dates`` are patterns by style and locale.
    """

    code: str
    locales: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    words: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, tuple[str, ...]]
    text: Mapping[str, tuple[str, ...]]
    dates: Mapping[str, Mapping[str, str]]
    topics: tuple[Topic, ...]


def read_language(code: str) -> Language:
    """Return the language of a two-letter code."""
    file = resources.files(__package__) / "languages" / f"{code}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    named = {key: value for key, value in data.items() if isinstance(value, str)}
    return Language(
        code=code,
        locales=tuple(data["locales"]),
        names={key: tuple(value.split(", ")) for key, value in named.items()},
        words=_tuples(data["words"]),
        lists=_tuples(data["lists"]),
        text=_tuples(data["text"]),
        dates=data["dates"],
        topics=tuple(_topic(topic) for topic in data["topic"]),
    )


def _tuples(table: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in table.items()}


def _topic(data: dict[str, str | list[str]]) -> Topic:
    section = str(data.pop("section"))
    return Topic(section, **{key: tuple(values) for key, values in data.items()})
