"""Languages of generated pages: complete, filled in, and read back by the package itself."""

import random
import re
from datetime import datetime

import pytest

from structce.bylines import shipped_reader
from structce.language.dates import find_dates
from structce.synthetic.language import expand, read_language
from structce.synthetic.sites import draw_site, site_options
from structce.synthetic.stories import write_story

CODES = sorted(set(site_options()["languages"]))
FOREIGN = ("ar", "ja", "ru")
TOPIC_LISTS = ("headlines", "standfirsts", "sentences", "headings", "tags")
NAMED_LATIN = {"RSS", "C", "XIV", "XV", "XVI", "XVII"}
"""A technique, a unit and centuries, which are written so everywhere."""

UNREAD = {("ru", "medium"), ("fr", "medium")}
"""The finder of dates drops the year behind the dot of a month's short form."""

_SLOT = re.compile(r"\{(\w+)\}")
_LATIN = re.compile(r"[A-Za-z]+")
OF_CALLERS = {"author": "A", "names": "A", "by": "by", "site": "S", "section": "s"}
"""Slots that templates fill beside those of the story."""


def sentences(code):
    """All sentences of a language by table and key, topics by their place."""
    language = read_language(code)
    tables = {"words": language.words, "lists": language.lists, "text": language.text}
    topics = {f"topic {i}": topic for i, topic in enumerate(language.topics)}
    topics |= {f"kind {name}": topic for name, topic in language.kinds.items()}
    tables |= {
        name: {key: getattr(topic, key) for key in TOPIC_LISTS} for name, topic in topics.items()
    }
    return {
        f"{name} {key}": texts for name, table in tables.items() for key, texts in table.items()
    }


def slots(texts):
    return {slot for text in texts for slot in _SLOT.findall(text)}


def expansions(code):
    """Every sentence of a language, filled in a few times, without the callers' slots."""
    rng = random.Random(3)
    language = read_language(code)
    story = write_story(language, language.locales[0], rng)
    filled = {**story.slots, **dict.fromkeys(OF_CALLERS, "…")}
    for texts in sentences(code).values():
        for text in texts:
            yield from (expand(text, rng, filled) for _ in range(3))


@pytest.fixture(scope="module")
def english():
    return sentences("en")


@pytest.mark.parametrize("code", CODES)
def test_every_slot_is_filled_by_the_story_or_the_template(code, english):
    language = read_language(code)
    story = write_story(language, language.locales[0], random.Random(0)).slots.keys()
    for key, texts in sentences(code).items():
        assert slots(texts) <= story | (slots(english[key]) & OF_CALLERS.keys()), key
    for key, slot in (("signed", "names"), ("bios", "author")):
        assert all(slot in slots([text]) for text in language.lists[key])


@pytest.mark.parametrize("code", CODES)
def test_choices_and_slots_leave_nothing_behind(code):
    for text in expansions(code):
        assert not re.search(r"[\[\]{}|]", text), text
        assert not re.search(r"  |^ | $", text), text
        if code in FOREIGN:
            assert set(_LATIN.findall(text)) <= NAMED_LATIN, text


@pytest.mark.parametrize("code", CODES)
def test_a_shown_date_is_found(code):
    """With a day above twelve: of two smaller numbers, which is the day is another question."""
    site = draw_site(site_options()["languages"].index(code), ["blog"], seed=0)
    days = [(datetime(2024, month, 23, 9, 5), "") for month in (1, 3, 5, 8, 12)]
    keys = ("published", "updated") if code in FOREIGN else ("published",)
    days += [(days[1][0], f"{word} ") for key in keys for word in site.language.words[key]]
    for style in set(site_options()["dates"]) - {style for lang, style in UNREAD if lang == code}:
        for when, intro in days:
            text = intro + site.format_moment(style, when)
            assert [moment.date() for moment in find_dates(text, code)] == [when.date()], text


@pytest.mark.parametrize("code", ["ar", "de", "ru"])
def test_bylines_are_read_back(code):
    language = read_language(code)
    pairs = zip(language.names["given"], language.names["surnames"], strict=False)
    people = [language.person.format(given=given, surname=last) for given, last in pairs]
    for sign in language.lists["signed"]:
        for by in language.words["by"]:
            for joint in language.words["and"]:
                for authors in ([people[0]], people[1:3], people[4:6]):
                    line = sign.format(by=by, names=f" {joint} ".join(authors))
                    names = shipped_reader().read(line, code)
                    assert [name.text for name in names] == authors, line


@pytest.mark.parametrize("code", ["en", "ja", "ar"])
def test_pieces_joined_are_the_text(code):
    language = read_language(code)
    assert all("".join(language.pieces(text)) == text for text in expansions(code))
