"""Bylines in the languages of the tables: names come out whole, and nothing else does."""

import pytest

from structce.language.bylines import is_organisation, split_byline
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


@pytest.mark.parametrize(
    ("lang", "text", "names"),
    [
        ("en", "By Ann Lee, Senior Reporter, 3 May 2026", ["Ann Lee"]),
        ("en", "By Norah O'Donnell", ["Norah O'Donnell"]),
        ("en", "By NORAH O’DONNELL and ANN VAN DER BERG", ["NORAH O’DONNELL", "ANN VAN DER BERG"]),
        ("nl", "Door Jan van der Berg en Mia de Wit", ["Jan van der Berg", "Mia de Wit"]),
        ("en", "Ann Lee, Tom Rost & Mia Öz", ["Ann Lee", "Tom Rost", "Mia Öz"]),
        ("en", "By Ann Lee, MD, PhD and Tom Rost, CPA", ["Ann Lee", "Tom Rost"]),
        ("en", "Ann Lee PhD", ["Ann Lee"]),
        ("en", "By Dr. Ann Lee, Jr.", ["Dr. Ann Lee Jr."]),
        ("de", "Prof. Dr. Mia Lang-Öz", ["Prof. Dr. Mia Lang-Öz"]),
        ("en", "Ann Lee, Reuters", ["Ann Lee"]),
        ("de", "Von Mia Öz | Redaktion", ["Mia Öz"]),
        ("de", "Text: Mia Öz, Fotos: Jan Rost", ["Mia Öz"]),
        ("de", "Text von Mia Öz Illustration von Jan Rost", ["Mia Öz"]),
        ("de", "Von Mia Öz (Text) und Jan Rost (Fotos)", ["Mia Öz"]),
        ("de", "Autor: Mia Öz", ["Mia Öz"]),
        ("de", "3. Mai 2026 von Mia Öz", ["Mia Öz"]),
        ("de", "von Cortyn", ["Cortyn"]),
        ("en", "Posted on 3 May 2026 by Ann Lee", ["Ann Lee"]),
        ("en", "Posted by mike on 3 May 2026", ["mike"]),
        ("en", "Posted by mike99", ["mike99"]),
        ("en", "Ann Lee on Monday, May 3, 2026", ["Ann Lee"]),
        ("en", "Ann Lee - 3 May 2026", ["Ann Lee"]),
        ("en", "Ann Lee May 3, 2026", ["Ann Lee"]),
        ("en", "All articles by Ann Lee", ["Ann Lee"]),
        ("en", "More from Ann Lee", ["Ann Lee"]),
        ("en", "Ann Lee is a reporter for The Post.", ["Ann Lee"]),
        ("en", "© 2026 Ann Lee. All rights reserved.", ["Ann Lee"]),
        ("en", "Amanda “Tania Mae” Tan", ["Amanda “Tania Mae” Tan"]),
        ("en", "(Ann Lee)", ["Ann Lee"]),
        ("it", "di Luca della Robbia", ["Luca della Robbia"]),
        ("de", "Autorin und Netzphilosophin Mia Öz", []),
        ("en", "mike99 wrote:", ["mike99"]),
        ("en", "Who is Ann Lee?", []),
        ("en", "@annlee", []),
        ("en", "a.lee@post.example", []),
        ("en", "https://post.example/ann-lee", []),
        ("en", "post.example/2026/05/ann", []),
        ("en", "3 May 2026", []),
        ("de", "Foto: Jan Rost", []),
        ("en", "Why do ferries stop so often in winter?", []),
        ("zh", "记者 张三 李四", ["张三", "李四"]),
        ("zh", "（记者 张三）", ["张三"]),
        ("zh", "来源：河口日报 作者：张三", ["张三"]),
        ("zh", "来源：河口日报 编辑：苏亮", ["苏亮"]),
        ("zh", "来源：河口日报", []),
        ("zh", "作者：约翰·史密斯", ["约翰·史密斯"]),
        ("zh-TW", "記者王小明／台北報導", ["王小明"]),
        ("ja", "文・山田太郎", ["山田太郎"]),
        ("ja", "山田 太郎 記者", ["山田 太郎"]),
        ("ja", "ジョン・スミス", ["ジョン・スミス"]),
        ("ko", "홍길동 기자 hong@post.example", ["홍길동"]),
        ("ko", "홍길동기자", ["홍길동"]),
    ],
)
def test_names_are_read_out_of_what_surrounds_them(lang, text, names):
    assert split_byline(text, lang) == names


def test_a_text_that_is_too_long_for_a_byline_names_nobody():
    assert split_byline("By Ann Lee and " + "Tom Rost, " * 100) == []


@pytest.mark.parametrize(
    ("name", "is_group"),
    [
        ("Reuters", True),
        ("dpa", True),
        ("News Desk", True),
        ("admin", True),
        ("Staff", True),
        ("@annlee", True),
        ("Redaktion", True),
        ("The Post Editors", True),
        ("Ann Lee", False),
        ("mike", False),
        ("佐藤花子", False),
        ("Jan Deskins", False),
    ],
)
def test_an_agency_or_a_department_is_no_person(name, is_group):
    assert is_organisation(name) == is_group


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_the_same_languages(name):
    assert len(TABLES[name]) >= 15
    assert TABLES[name].keys() == word_list("before").keys()
    assert all(language_code(code) == code for code in TABLES[name])
