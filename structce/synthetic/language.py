"""Words, templates and date patterns of a language, read from ``languages`` and ``kinds``."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

SITE_LANGUAGES = ("en", "de", "en", "ru", "fr", "en", "ja", "es", "en", "ar", "en")
"""Languages of consecutive sites; eleven, so that each family gets all of them."""

_SPACED = re.compile(r"\s*\S+\s*")
_UNSPACED = re.compile(r"[^ぁ-ん、。」]*[ぁ-ん]*[、。」]*")
_WORD_SIZE = 2  # approximate characters per word in languages without spaces
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")

Slot = str | Callable[[], str]
"""The value of a slot, or a function that draws a new one for every use."""


@dataclass(frozen=True)
class Forms:
    """Word order and punctuation of a language: those of English, unless its file differs."""

    direction: str = "ltr"  # or ``rtl``, as HTML's attribute ``dir``
    person: str = "{given} {surname}"
    site: str = "{first} {last}"  # the halves of a site's name
    gap: str = " "  # separator of words and sentences; may be empty
    stop: str = "."  # mark at the end of a sentence


@dataclass(frozen=True)
class Topic:
    """Subject of a section's stories; all fields except the first contain templates."""

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
    comments, advertisements), ``dates`` are patterns by style and locale, ``latin`` are the halves
    of sites' names in Latin letters, for languages in other scripts.
    """

    code: str
    locales: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    words: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, tuple[str, ...]]
    text: Mapping[str, tuple[str, ...]]
    dates: Mapping[str, Mapping[str, str]]
    topics: tuple[Topic, ...]
    forms: Forms = field(default_factory=Forms)
    latin: Mapping[str, str] = field(default_factory=dict)

    @property
    def attributes(self) -> dict[str, str]:
        """Attributes of the ``html`` element: the language, and its direction if right to left."""
        is_usual = self.forms.direction == "ltr"
        return {"lang": self.code} | ({} if is_usual else {"dir": self.forms.direction})

    def person(self, given: str, surname: str) -> str:
        """Return a person's name in the language's order."""
        return self.forms.person.format(given=given, surname=surname)

    def site_name(self, first: str, last: str) -> str:
        """Return a site's name from its halves."""
        return self.forms.site.format(first=first, last=last)

    def romanise(self, name: str) -> str:
        """Return a site's name in Latin letters, for its address.

        >>> read_language("ru").romanise("Береговой вестник")
        'beregovoy vestnik'
        """
        for native in sorted(self.latin, key=len, reverse=True):
            name = name.replace(native, f" {self.latin[native]} ")
        return " ".join(name.split())

    def pieces(self, text: str) -> list[str]:
        """Return the pieces into which a text may be cut: words with the space after them.

        Without spaces between words, a piece ends with a run of hiragana, as phrases mostly do.
        Joined, the pieces are the text again.
        """
        pattern = _SPACED if self.forms.gap else _UNSPACED
        return [piece for piece in pattern.findall(text) if piece]

    def n_words(self, text: str) -> int:
        """Return the number of words; half the characters if there are no spaces between words."""
        return len(text.split()) if self.forms.gap else len(text) // _WORD_SIZE

    def first_sentence(self, text: str) -> str:
        """Return a text up to the end of its first sentence."""
        end = self.forms.stop + self.forms.gap
        return text if end not in text else text.split(end)[0] + self.forms.stop


@dataclass(frozen=True)
class KindWords:
    """Labels and lists in addition to those of the language's file, and a topic per kind."""

    words: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, Topic]


def read_language(code: str) -> Language:
    """Return the language with a two-letter code."""
    data = _read_toml("languages", code)
    named = {key: value for key, value in data.items() if isinstance(value, str)}
    own = data.get("slots", {})
    return Language(
        code=code,
        locales=tuple(data["locales"]),
        names={key: tuple(value.split(", ")) for key, value in named.items()},
        words=templates(data["words"], own),
        lists=templates(data["lists"], own),
        text=templates(data["text"], own),
        dates=data["dates"],
        topics=tuple(_topic(topic, own) for topic in data["topic"]),
        forms=Forms(**data.get("forms", {})),
        latin=data.get("latin", {}),
    )


def read_kind_words(code: str) -> KindWords:
    """Return the words for pages other than plain news, in the language with a two-letter code."""
    data, own = _read_toml("kinds", code), own_slots(code)
    return KindWords(
        words=templates(data["words"], own),
        lists=templates(data["lists"], own),
        topics={  # their sentences name no office
            name: _topic({"offices": [""], **kind}, own) for name, kind in data["kind"].items()
        },
    )


def own_slots(code: str) -> Mapping[str, str]:
    """Return the slots that a language's file defines, for :func:`templates`."""
    slots: Mapping[str, str] = _read_toml("languages", code).get("slots", {})
    return slots


def _read_toml(folder: str, code: str) -> dict[str, Any]:
    file = resources.files(__package__) / folder / f"{code}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def templates(
    table: Mapping[str, Iterable[str]], own: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the templates of a table, with the language's own slots filled in.

    ``own`` has the template that replaces a slot: Russian needs "on Wednesday" as one word form,
    Arabic numbers above ten, and so on.
    """
    return {
        key: tuple(_SLOT.sub(lambda slot: own.get(slot[1], slot[0]), text) for text in texts)
        for key, texts in table.items()
    }


def _topic(data: Mapping[str, str | list[str]], own: Mapping[str, str]) -> Topic:
    lists = {key: value for key, value in data.items() if isinstance(value, list)}
    return Topic(str(data["section"]), **templates(lists, own))


def expand(template: str, rng: random.Random, slots: Mapping[str, Slot]) -> str:
    """Return a template with its choices drawn and its slots filled.

    Choices may be nested; innermost ones are drawn first. The first letter becomes a capital
    only if the template's own first letter is a capital.

    Raises KeyError if the template names a slot that ``slots`` does not have.
    """
    while _CHOICE.search(template):
        template = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)
    return _SLOT.sub(lambda match: _value(slots[match[1]]), template)


def _value(slot: Slot) -> str:
    return slot if isinstance(slot, str) else slot()
