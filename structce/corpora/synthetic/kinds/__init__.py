"""Words of pages that are no plain news: forums, shops, recipes; read from ``kinds/*.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from structce.corpora.synthetic.language import Topic, own_slots, templates


@dataclass(frozen=True)
class KindWords:
    """Labels and lists beside those of the language's own file, and a topic for every kind."""

    words: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, Topic]


def read_kind_words(code: str) -> KindWords:
    """Return the words of the language of a two-letter code."""
    file = resources.files(__package__) / f"{code}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    own = own_slots(code)
    return KindWords(
        words=templates(data["words"], own),
        lists=templates(data["lists"], own),
        topics={name: _topic(kind, own) for name, kind in data["kind"].items()},
    )


def _topic(data: Mapping[str, str | list[str]], own: Mapping[str, str]) -> Topic:
    """Return a kind as a topic; its sentences name nobody's office."""
    lists = {key: value for key, value in data.items() if isinstance(value, list)}
    return Topic(str(data["section"]), offices=("",), **templates(lists, own))
