"""Bylines in the languages of the tables: names come out whole, and nothing else does."""

import pytest

from structce.language.bylines import split_byline
from structce.language.text import language_code
from structce.language.vocabulary import word_list

TABLES = {kind: word_list(kind) for kind in ("before", "between", "role", "others")}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en-GB", "Written by Ann Lee and Tom Rost"),
        ("en", "BY ANN LEE AND TOM ROST"),
        ("de-AT", "Von Ann Lee und Tom Rost"),
        ("fr", "Propos recueillis par Ann Lee et Tom Rost"),
        ("es", "Por Ann Lee y Tom Rost"),
        ("it", "Di Ann Lee e Tom Rost"),
        ("pt-BR", "Por Ann Lee e Tom Rost"),
        ("nl", "Door Ann Lee en Tom Rost"),
        ("da", "Af Ann Lee og Tom Rost"),
        ("no", "Av Ann Lee og Tom Rost"),
        ("sv", "Av Ann Lee och Tom Rost"),
        ("fi", "Kirjoittanut Ann Lee ja Tom Rost"),
        ("is", "Eftir Ann Lee og Tom Rost"),
        ("pl", "Autor: Ann Lee i Tom Rost"),
        ("cs", "Autoři: Ann Lee a Tom Rost"),
        ("sl", "Piše: Ann Lee in Tom Rost"),
        ("hr", "Piše Ann Lee i Tom Rost"),
        ("ro", "De Ann Lee și Tom Rost"),
        ("hu", "Írta: Ann Lee és Tom Rost"),
        ("tr", "Yazan: Ann Lee ve Tom Rost"),
        ("el", "Γράφει ο Ann Lee και Tom Rost"),
        ("ru", "Автор: Ann Lee и Tom Rost"),
        ("uk", "Автори: Ann Lee та Tom Rost"),
        ("bg", "Автор: Ann Lee и Tom Rost"),
        ("lt", "Parengė Ann Lee ir Tom Rost"),
        ("et", "Autor: Ann Lee ja Tom Rost"),
        ("ca", "Per Ann Lee i Tom Rost"),
        ("vi", "Tác giả: Ann Lee và Tom Rost"),
        ("id", "Oleh Ann Lee dan Tom Rost"),
        ("ar", "بقلم: Ann Lee و Tom Rost"),
        ("he", "מאת: Ann Lee, Tom Rost"),
        ("hi", "लेखक: Ann Lee और Tom Rost"),
        ("zh", "作者：Ann Lee、Tom Rost"),
    ],
)
def test_a_byline_gives_its_names_in_the_language_of_the_page(lang, text):
    names = split_byline(text, lang)
    assert [name.title() for name in names] == ["Ann Lee", "Tom Rost"]


@pytest.mark.parametrize(
    ("lang", "text", "names"),
    [
        ("", "", []),
        ("", "By Ann Lee", ["Ann Lee"]),
        ("", "Ann Lee and Tom Rost", ["Ann Lee", "Tom Rost"]),
        ("", "Von Jan Rost, Mia Öz und Ann Lee", ["Jan Rost", "Mia Öz", "Ann Lee"]),
        ("", "Par Zoé d’Arc", ["Zoé d’Arc"]),
        ("", "By Ann Lee, 14 March 2026", ["Ann Lee"]),
        ("", "By Ann Lee | a.lee@post.example", ["Ann Lee"]),
        ("", "佐藤花子", ["佐藤花子"]),
        ("", "De Gaulle", ["De Gaulle"]),
        ("", "Per Olov Enquist", ["Per Olov Enquist"]),
        ("de", "Von Trier", ["Von Trier"]),
        ("de", "Von dpa", ["dpa"]),
        ("en", "John E Lee", ["John E Lee"]),
        ("en", "By Ann Lee in Berlin", ["Ann Lee"]),
        ("en", "By Ann Lee (London)", ["Ann Lee"]),
        ("en", "By Ann Lee, Senior Reporter", ["Ann Lee"]),
        ("de", "Redakteurin Ann Lee", ["Ann Lee"]),
        ("ko", "홍길동 기자", ["홍길동"]),
        ("ja", "記者 大渡", ["大渡"]),
    ],
)
def test_a_name_is_neither_cut_nor_made_longer(lang, text, names):
    assert split_byline(text, lang) == names


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_the_same_languages(name):
    assert len(TABLES[name]) >= 15
    assert TABLES[name].keys() == word_list("before").keys()
    assert all(language_code(code) == code for code in TABLES[name])
