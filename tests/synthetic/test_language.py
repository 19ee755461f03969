"""Languages of generated pages: complete, filled in, and read back by the package itself."""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from importlib import resources

import pytest
from babel import Locale

from structce.language.bylines import split_byline
from structce.language.dates import find_dates
from structce.synthetic.draft import format_moment
from structce.synthetic.language import (
    SITE_LANGUAGES,
    Language,
    Topic,
    expand,
    own_slots,
    read_kind_words,
    read_language,
    templates,
)
from structce.synthetic.sites import DATE_STYLES, draw_site
from structce.synthetic.stories import write_story

CODES = sorted(set(SITE_LANGUAGES))
FOREIGN = ("ar", "ja", "ru")
LISTS_OF_TOPICS = ("headlines", "standfirsts", "sentences", "headings", "tags")
NAMED_LATIN = {"RSS", "C", "XIV", "XV", "XVI", "XVII"}
"""A technique, a unit and centuries, which are written so everywhere."""

UNREAD = {("ru", "medium"), ("fr", "medium")}
"""The finder of dates drops the year behind the dot of a month's short form."""

_SLOT = re.compile(r"\{(\w+)\}")
_LATIN = re.compile(r"[A-Za-z]+")


def keyed(code: str) -> dict[str, tuple[str, ...]]:
    """All templates of a language by file, table and key, topics by their place."""
    language, kinds = read_language(code), read_kind_words(code)
    tables: dict[str, Mapping[str, tuple[str, ...]]] = {
        "words": language.words,
        "lists": language.lists,
        "text": language.text,
        "kind words": kinds.words,
        "kind lists": kinds.lists,
    }
    words = {
        f"{name} {key}": texts for name, table in tables.items() for key, texts in table.items()
    }
    topics = {f"topic {i}": topic for i, topic in enumerate(language.topics)} | {
        f"kind {name}": topic for name, topic in kinds.topics.items()
    }
    for name, topic in topics.items():
        words |= {f"{name} {key}": getattr(topic, key) for key in LISTS_OF_TOPICS}
    return words


def slots(text: str) -> set[str]:
    return set(_SLOT.findall(text))


def values(language: Language) -> dict[str, str]:
    """Slots that callers fill beside those of the story."""
    person = language.person(language.names["given"][0], language.names["surnames"][0])
    site = language.site_name(language.names["name_first"][0], language.names["name_last"][0])
    section = language.topics[0].section
    return {
        "author": person,
        "names": person,
        "by": language.words["by"][0],
        "site": site,
        "section": section,
    }


def expansions(code: str) -> Iterator[str]:
    """Every template of a language, filled in a few times."""
    rng = random.Random(3)
    language = read_language(code)
    story = write_story(language, language.locales[0], rng)
    filled = {**story.slots, **values(language)}
    for texts in keyed(code).values():
        for text in texts:
            yield from (expand(text, rng, filled) for _ in range(3))


@pytest.fixture(scope="module")
def english():
    return keyed("en")


@pytest.mark.parametrize("folder", ["languages", "kinds"])
def test_every_file_is_of_a_language_that_sites_speak(folder):
    files = (resources.files("structce.synthetic") / folder).iterdir()
    assert sorted(f.name[:2] for f in files if f.name.endswith(".toml")) == CODES


def test_there_are_six_languages_in_two_scripts_and_more():
    assert len(CODES) >= 6
    first = {code: read_language(code).names["given"][0][0] for code in CODES}
    assert {code for code, letter in first.items() if letter > "\u024f"} == set(FOREIGN)


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_the_keys_of_english(code, english):
    assert keyed(code).keys() == english.keys()
    assert read_language(code).names.keys() == read_language("en").names.keys()
    assert all(texts for texts in keyed(code).values())


@pytest.mark.parametrize("code", CODES)
def test_every_locale_has_its_date_patterns(code):
    language = read_language(code)
    assert {"numeric", "stamp", "weekday"} <= language.dates.keys() <= set(DATE_STYLES)
    assert all(set(patterns) == set(language.locales) for patterns in language.dates.values())


@pytest.mark.parametrize("code", CODES)
def test_a_template_has_no_slot_that_nobody_fills(code, english):
    language = read_language(code)
    story = write_story(language, language.locales[0], random.Random(0)).slots.keys()
    for key, texts in keyed(code).items():
        of_caller = {slot for text in english[key] for slot in slots(text)} & values(
            language
        ).keys()
        assert {slot for text in texts for slot in slots(text)} <= story | of_caller, key


@pytest.mark.parametrize("code", CODES)
def test_what_a_caller_fills_in_is_in_every_wording(code, english):
    for key, wanted in (("lists signed", "names"), ("lists bios", "author")):
        assert all(wanted in slots(text) for text in english[key])
        assert all(wanted in slots(text) for text in keyed(code)[key]), key


@pytest.mark.parametrize("code", CODES)
def test_choices_and_slots_leave_nothing_behind(code):
    for text in expansions(code):
        assert not re.search(r"[\[\]{}|]", text), text
        assert not re.search(r"  |^ | $", text), text


@pytest.mark.parametrize("code", FOREIGN)
def test_other_scripts_have_no_latin_words(code):
    for text in expansions(code):
        assert set(_LATIN.findall(text)) <= NAMED_LATIN, text


@pytest.mark.parametrize("code", FOREIGN)
def test_other_scripts_are_as_varied_as_english(code, english):
    counts = {key: len(texts) for key, texts in keyed(code).items()}
    long = [key for key in english if key.split()[0] in ("text", "topic", "kind")]
    assert sum(counts[key] for key in long) >= 0.98 * sum(len(english[key]) for key in long)
    assert all(counts[key] >= 2 for key in long if len(english[key]) >= 2)


def test_an_own_slot_is_written_out_and_others_stay():
    table = templates({"a": ["{n} x", "{place}"]}, {"n": "[1|2]"})
    assert table == {"a": ("[1|2] x", "{place}")}
    assert own_slots("en") == {}


@pytest.mark.parametrize("code", ["ar", "ru"])
def test_own_numbers_all_take_the_same_form_of_a_noun(code):
    """CLDR's plural rules call the numbers alike."""
    numbers = [int(n) for n in re.findall(r"\d+", own_slots(code)["n"])]
    assert len(numbers) > 10
    assert {Locale(code).plural_form(n) for n in numbers} == {"many"}


@pytest.mark.parametrize("code", CODES)
def test_a_shown_date_is_found(code):
    """With a day above twelve: of two smaller numbers, which is the day is another question."""
    site = draw_site(SITE_LANGUAGES.index(code), ["blog"], seed=0)
    assert site.language.code == code
    days = [(datetime(2024, month, 23, 9, 5), "") for month in (1, 3, 5, 8, 12)]
    days += [(days[1][0], f"{word} ") for word in site.language.words["published"]]
    for locale in site.language.locales:
        located = replace(site, locale=locale)
        for style in (style for style in DATE_STYLES if (code, style) not in UNREAD):
            for when, intro in days:
                text = intro + format_moment(located, style, when)
                assert [moment.date() for moment in find_dates(text, code)] == [when.date()], text


@pytest.mark.parametrize("code", FOREIGN)
def test_a_date_of_update_is_found(code):
    site = draw_site(SITE_LANGUAGES.index(code), ["blog"], seed=0)
    shown = format_moment(site, "long", datetime(2024, 3, 14))
    for word in site.language.words["updated"]:
        assert [m.date().isoformat() for m in find_dates(f"{word} {shown}", code)] == ["2024-03-14"]


@pytest.mark.parametrize("code", ["de", "en", *FOREIGN])
def test_bylines_are_read_back(code):
    language = read_language(code)
    names = language.names
    people = [
        language.person(given, last)
        for given, last in zip(names["given"], names["surnames"], strict=False)
    ]
    lines = [
        (sign.format(by=by, names=f" {joint} ".join(authors)), authors)
        for sign in language.lists["signed"]
        for by in language.words["by"]
        for joint in language.words["and"]
        for authors in ([people[0]], people[1:3], people[4:6])
    ]
    for line, authors in lines:
        assert split_byline(line, code) == authors, line


@pytest.mark.parametrize("code", FOREIGN)
def test_names_of_sites_have_distinct_latin_forms(code):
    language = read_language(code)
    firsts, lasts = language.names["name_first"], language.names["name_last"]
    latin = {language.romanise(language.site_name(a, b)) for a in firsts for b in lasts}
    assert len(latin) == len(firsts) * len(lasts)
    assert all(re.fullmatch("[a-z]+ [a-z]+", name) for name in latin)


def test_names_in_latin_letters_stay_as_they_are():
    assert read_language("en").romanise("Harbour Post 2") == "Harbour Post 2"


def test_japanese_puts_the_family_first_and_no_spaces():
    language = read_language("ja")
    assert language.person("美波", "秋月") == "秋月美波"
    assert language.site_name("白砂", "新聞") == "白砂新聞"
    assert language.romanise("白砂新聞 2") == "shirasuna shimbun 2"
    assert language.n_words("港に船が着いた。") == 4
    assert language.first_sentence("船が着いた。人が待つ。") == "船が着いた。"


def test_european_languages_put_the_given_name_first():
    language = read_language("en")
    assert language.person("Ada", "Stroud") == "Ada Stroud"
    assert language.n_words("The ship is in.") == 4
    assert language.first_sentence("It is in. They wait.") == "It is in."
    assert language.first_sentence("It is in.") == "It is in."


@pytest.mark.parametrize("code", ["en", "ja", "ar"])
def test_pieces_are_the_text_and_end_where_words_do(code):
    language = read_language(code)
    assert all("".join(language.pieces(text)) == text for text in expansions(code))
    assert read_language("en").pieces("so it is") == ["so ", "it ", "is"]
    assert read_language("ja").pieces("港に船が着いた。「待った」") == [
        "港に",
        "船が",
        "着いた。",
        "「待った」",
    ]


def test_arabic_alone_runs_from_right_to_left():
    attributes = {code: read_language(code).attributes for code in CODES}
    assert attributes.pop("ar") == {"lang": "ar", "dir": "rtl"}
    assert attributes == {code: {"lang": code} for code in attributes}


def test_a_topic_knows_its_section():
    assert all(isinstance(topic, Topic) and topic.section for topic in read_language("ru").topics)
