"""Stories: headline, standfirst, paragraphs, people and dates, drawn from a topic's sentences."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from babel.dates import get_day_names, get_month_names
from babel.numbers import format_decimal

from structce.synthetic.language import Language, Slot, Topic, expand

_LAST_DAY = datetime(2026, 3, 31, 20, 0)
_N_DAYS = 500  # days over which stories are spread


@dataclass(frozen=True)
class Teaser:
    """Teaser of a story on another page."""

    section: str
    headline: str
    standfirst: str
    published: datetime


@dataclass(frozen=True)
class Section:
    """Part of a story under a heading."""

    heading: str
    paragraphs: Sequence[str]


@dataclass(frozen=True)
class Story(Teaser):
    """Content of a page; ``slots`` fill sentences about the same people and places."""

    authors: Sequence[str]
    updated: datetime
    paragraphs: Sequence[str]
    headings: Sequence[str]
    captions: Sequence[str]
    points: Sequence[str]
    instants: Sequence[str]
    opinions: Sequence[str]
    tags: Sequence[str]
    slots: Mapping[str, Slot]

    @property
    def lead(self) -> Sequence[str]:
        """Paragraphs before the first of the sections."""
        return self.paragraphs[: max(0, len(self.paragraphs) - self._size * len(self.headings))]

    @property
    def sections(self) -> list[Section]:
        """Paragraphs after the lead, in groups of one size under the story's headings."""
        first = len(self.paragraphs) - self._size * len(self.headings)
        starts = [first + self._size * i for i in range(len(self.headings))]
        return [
            Section(heading, self.paragraphs[max(0, start) : max(0, start + self._size)])
            for heading, start in zip(self.headings, starts, strict=True)
        ]

    @property
    def _size(self) -> int:
        return max(1, len(self.paragraphs) // (len(self.headings) + 1))


def write_teaser(
    language: Language, locale: str, rng: random.Random, kind: Topic | None = None
) -> Teaser:
    """Return the teaser of a news story, or of a story of another kind."""
    topic = kind or rng.choice(language.topics)
    return _teaser(topic, rng, _story_slots(topic, language, locale, rng))


def write_story(
    language: Language, locale: str, rng: random.Random, kind: Topic | None = None
) -> Story:
    """Return a story of 6 to 14 paragraphs; those of kinds other than news have 5 to 8."""
    topic = kind or rng.choice(language.topics)
    general = () if kind else (*topic.sentences, *language.text["sentences"])
    lengths = range(5, 9) if kind else range(6, 15)
    slots = _story_slots(topic, language, locale, rng)
    teaser = _teaser(topic, rng, slots)

    def drawn(templates: Sequence[str], n: int) -> list[str]:
        return [expand(text, rng, slots) for text in _cycle(templates, n, rng)]

    sentences = drawn((*topic.sentences, *general), 140)
    return Story(
        **asdict(teaser),
        authors=[person_name(language, rng) for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3)))],
        updated=teaser.published + timedelta(minutes=rng.randint(20, 2000)),
        paragraphs=_paragraphs(sentences, rng.choice(lengths), language, rng),
        headings=[expand(text, rng, slots) for text in kind.headings]
        if kind
        else drawn(topic.headings, 4),
        captions=drawn(language.text["captions"], 12),
        points=drawn(language.text["lists"], 5),
        instants=drawn(language.text["instants"], 3),
        opinions=drawn(language.lists["opinions"], 4),
        tags=topic.tags,
        slots=slots,
    )


def _teaser(topic: Topic, rng: random.Random, slots: Mapping[str, Slot]) -> Teaser:
    return Teaser(
        section=topic.section,
        headline=expand(rng.choice(topic.headlines), rng, slots),
        standfirst=expand(rng.choice(topic.standfirsts), rng, slots),
        published=_LAST_DAY - timedelta(minutes=rng.randrange(_N_DAYS * 24 * 60)),
    )


def _cycle(templates: Sequence[str], n: int, rng: random.Random) -> list[str]:
    """Return ``n`` templates in random order, none repeated before all have been used."""
    distinct = list(dict.fromkeys(templates))
    drawn: list[str] = []
    while len(drawn) < n:
        drawn += rng.sample(distinct, len(distinct))
    return drawn[:n]


def _paragraphs(
    sentences: Sequence[str], n: int, language: Language, rng: random.Random
) -> list[str]:
    """Return sentences joined to paragraphs of 20 to 90 words; one in eight is shorter."""
    paragraphs: list[str] = []
    rest = list(sentences)
    for _ in range(n):
        n_words = rng.choice((8, 22, 28, 35, 35, 45, 55, 70))
        paragraph = rest.pop(0)
        while language.n_words(paragraph) < n_words and rest:
            paragraph += language.gap + rest.pop(0)
        paragraphs.append(paragraph)
    return paragraphs


def person_name(language: Language, rng: random.Random) -> str:
    """Return a name in the language's order."""
    given, surname = (rng.choice(language.names[key]) for key in ("given", "surnames"))
    return language.person.format(given=given, surname=surname)


def _story_slots(
    topic: Topic, language: Language, locale: str, rng: random.Random
) -> Mapping[str, Slot]:
    """Return people and places that stay the same, and numbers that are drawn at each use."""
    names = language.names
    place, town = rng.sample(names["places"], 2)
    slots: dict[str, Slot] = {"place": place, "town": town, "org": rng.choice(names["orgs"])}
    for role in ("lead", "critic", "expert"):
        given, surname = rng.choice(names["given"]), rng.choice(names["surnames"])
        slots[f"{role}last"] = surname
        slots[role] = language.person.format(given=given, surname=surname)
    slots["office"] = expand(rng.choice(topic.offices), rng, slots)
    slots["brand"] = rng.choice(language.lists["brands"])
    return slots | _numbers(language, locale, rng)


def _numbers(language: Language, locale: str, rng: random.Random) -> dict[str, Slot]:
    days = [str(name) for name in get_day_names("wide", locale=locale).values()]
    months = [str(name) for name in get_month_names("wide", locale=locale).values()]
    numbers: dict[str, Slot] = {
        "n": lambda: str(rng.randint(3, 48)),
        "year": lambda: str(rng.randint(1948, 2019)),
        "many": lambda: format_decimal(rng.randint(12, 980) * 10, locale=locale),
        "decimal": lambda: format_decimal(rng.randint(11, 98) / 10, locale=locale),
        "percent": lambda: format_decimal(rng.randint(11, 398) / 10, locale=locale),
        "weekday": lambda: rng.choice(days),
        "month": lambda: rng.choice(months),
    }
    money = language.lists["money"]
    return numbers | {"money": lambda: expand(rng.choice(money), rng, numbers)}
