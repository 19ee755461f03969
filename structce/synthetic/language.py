"""Words, sentences and date patterns of a language, read from ``words/*.toml``."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

_SPACED = re.compile(r"\s*\S+\s*")
_UNSPACED = re.compile(r"[^ぁ-ん、。」]*[ぁ-ん]*[、。」]*")
_WORD_SIZE = 2  # approximate characters per word in languages without spaces
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")

Slot = str | Callable[[], str]
"""The value of a slot, or a function that draws a new one for every use."""

Sentences = Sequence[str]
"""Sentence patterns: ``[a|b]`` is a choice, ``{slot}`` a value of the story."""


@dataclass(frozen=True)
class Topic:
    """Subject of stories: a section of a newspaper, or a kind of pages such as recipes."""

    section: str
    headlines: Sentences
    standfirsts: Sentences
    sentences: Sentences
    headings: Sentences
    tags: Sentences
    offices: Sentences = ("",)


@dataclass(frozen=True)
class Language:
    """Words and sentences of a language, as ``words/*.toml`` has them.

    ``names`` are people, places, organisations and the halves of sites' names, which ``latin`` has
    in Latin letters. ``words`` are labels in a few wordings, ``lists`` open lists such as comments,
    ``text`` sentences of any story, ``topics`` those of news and ``kinds`` those of other pages.
    ``dates`` are patterns by style and locale. ``person`` and ``site`` order the parts of a name.
    """

    code: str
    locales: Sequence[str]
    names: Mapping[str, Sequence[str]]
    words: Mapping[str, Sentences]
    lists: Mapping[str, Sentences]
    text: Mapping[str, Sentences]
    dates: Mapping[str, Mapping[str, str]]
    topics: Sequence[Topic]
    kinds: Mapping[str, Topic]
    latin: Mapping[str, str]
    direction: str = "ltr"
    person: str = "{given} {surname}"
    site: str = "{first} {last}"
    gap: str = " "
    stop: str = "."

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
        pattern = _SPACED if self.gap else _UNSPACED
        return [piece for piece in pattern.findall(text) if piece]

    def n_words(self, text: str) -> int:
        """Return the number of words; half the characters if there are no spaces between words."""
        return len(text.split()) if self.gap else len(text) // _WORD_SIZE

    def first_sentence(self, text: str) -> str:
        """Return a text up to the end of its first sentence."""
        end = self.stop + self.gap
        return text if end not in text else text.split(end)[0] + self.stop


def read_language(code: str) -> Language:
    """Return the language with a two-letter code."""
    data = _fill(read_toml(f"words/{code}.toml"))
    names = {key: value.split(", ") for key, value in data.items() if isinstance(value, str)}
    return Language(
        code=code,
        locales=data["locales"],
        names=names,
        **{key: data[key] for key in ("words", "lists", "text", "dates")},
        topics=[Topic(**topic) for topic in data["topic"]],
        kinds={name: Topic(**topic) for name, topic in data["kind"].items()},
        latin=data.get("latin", {}),
        **data.get("forms", {}),
    )


def read_toml(path: str) -> dict[str, Any]:
    """Return the content of a file of this package."""
    file = resources.files(__package__) / path
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _fill(data: dict[str, Any]) -> dict[str, Any]:
    """Replace a language's own slots in all its sentences.

    Russian needs "on Wednesday" as one word form, Arabic numbers above ten, and so on.
    """
    own = data.get("slots", {})

    def filled(value: Any) -> Any:
        if isinstance(value, list):
            return [filled(item) for item in value]
        if isinstance(value, dict):
            return {key: filled(item) for key, item in value.items()}
        return _SLOT.sub(lambda slot: own.get(slot[1], slot[0]), value)

    tables = {key: filled(data[key]) for key in ("words", "lists", "text", "topic", "kind")}
    return data | tables


def expand(template: str, rng: random.Random, slots: Mapping[str, Slot]) -> str:
    """Return a template with its choices drawn and its slots filled.

    Choices may be nested; innermost ones are drawn first. Raises KeyError if the template names a
    slot that ``slots`` does not have.
    """
    while _CHOICE.search(template):
        template = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)

    def value(match: re.Match[str]) -> str:
        slot = slots[match[1]]
        return slot if isinstance(slot, str) else slot()

    return _SLOT.sub(value, template)
