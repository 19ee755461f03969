"""Bylines in the languages of the tables: names come out whole, and nothing else does."""

import pytest

from structce.language.bylines import is_organisation, split_byline


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en-GB", "Written by Ann Lee and Tom Rost"),
        ("en", "BY ANN LEE AND TOM ROST"),
        ("de-AT", "Von Ann Lee und Tom Rost"),
        ("fr", "Propos recueillis par Ann Lee et Tom Rost"),
        ("pt-BR", "Por Ann Lee e Tom Rost"),
        ("no", "Av Ann Lee og Tom Rost"),
        ("cs", "Autoři: Ann Lee a Tom Rost"),
        ("sl", "Piše: Ann Lee in Tom Rost"),
        ("tr", "Yazan: Ann Lee ve Tom Rost"),
        ("el", "Γράφει ο Ann Lee και Tom Rost"),
        ("ru", "Автор: Ann Lee и Tom Rost"),
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
        ("en", "By Ann Lee, Senior Reporter, 3 May 2026", ["Ann Lee"]),
        ("", "Von Jan Rost, Mia Öz und Ann Lee", ["Jan Rost", "Mia Öz", "Ann Lee"]),
        ("", "Per Olov Enquist", ["Per Olov Enquist"]),
        ("", "De Gaulle", ["De Gaulle"]),
        ("de", "Von Trier", ["Von Trier"]),
        ("de", "Von dpa", ["dpa"]),
        ("en", "John E Lee", ["John E Lee"]),
        ("en", "By NORAH O’DONNELL and ANN VAN DER BERG", ["NORAH O’DONNELL", "ANN VAN DER BERG"]),
        ("nl", "Door Jan van der Berg en Mia de Wit", ["Jan van der Berg", "Mia de Wit"]),
        ("en", "Ann Lee, Tom Rost & Mia Öz", ["Ann Lee", "Tom Rost", "Mia Öz"]),
        ("en", "By Ann Lee, MD, PhD and Tom Rost, CPA", ["Ann Lee", "Tom Rost"]),
        ("en", "By Dr. Ann Lee, Jr.", ["Dr. Ann Lee Jr."]),
        ("de", "Prof. Dr. Mia Lang-Öz", ["Prof. Dr. Mia Lang-Öz"]),
        ("en", "Ann Lee, Reuters", ["Ann Lee"]),
        ("de", "Von Mia Öz | Redaktion", ["Mia Öz"]),
        ("de", "Text: Mia Öz, Fotos: Jan Rost", ["Mia Öz"]),
        ("de", "Text von Mia Öz Illustration von Jan Rost", ["Mia Öz"]),
        ("de", "Von Mia Öz (Text) und Jan Rost (Fotos)", ["Mia Öz"]),
        ("de", "3. Mai 2026 von Mia Öz", ["Mia Öz"]),
        ("de", "von Cortyn", ["Cortyn"]),
        ("en", "Posted on 3 May 2026 by Ann Lee", ["Ann Lee"]),
        ("en", "Posted by mike on 3 May 2026", ["mike"]),
        ("en", "Ann Lee on Monday, May 3, 2026", ["Ann Lee"]),
        ("en", "All articles by Ann Lee", ["Ann Lee"]),
        ("en", "Ann Lee is a reporter for The Post.", ["Ann Lee"]),
        ("en", "© 2026 Ann Lee. All rights reserved.", ["Ann Lee"]),
        ("en", "Amanda “Tania Mae” Tan", ["Amanda “Tania Mae” Tan"]),
        ("it", "di Luca della Robbia", ["Luca della Robbia"]),
        ("de", "Autorin und Netzphilosophin Mia Öz", []),
        ("en", "mike99 wrote:", ["mike99"]),
        ("en", "Who is Ann Lee?", []),
        ("en", "@annlee", []),
        ("en", "https://post.example/ann-lee", []),
        ("en", "3 May 2026", []),
        ("de", "Foto: Jan Rost", []),
        ("zh", "记者 张三 李四", ["张三", "李四"]),
        ("zh", "来源：河口日报 作者：张三", ["张三"]),
        ("zh", "来源：河口日报 编辑：苏亮", ["苏亮"]),
        ("zh", "来源：河口日报", []),
        ("zh", "作者：约翰·史密斯", ["约翰·史密斯"]),
        ("zh-TW", "記者王小明／台北報導", ["王小明"]),
        ("ja", "文・山田太郎", ["山田太郎"]),
        ("ja", "山田 太郎 記者", ["山田 太郎"]),
        ("ja", "ジョン・スミス", ["ジョン・スミス"]),
        ("ko", "홍길동 기자 hong@post.example", ["홍길동"]),
    ],
)
def test_names_are_read_out_of_what_surrounds_them(lang, text, names):
    assert split_byline(text, lang) == names


GROUPS = "Reuters, dpa, News Desk, admin, Staff, @annlee, Redaktion, The Post Editors".split(", ")
PERSONS = ["Ann Lee", "mike", "佐藤花子", "Jan Deskins"]


@pytest.mark.parametrize("name", GROUPS + PERSONS)
def test_an_agency_or_a_department_is_no_person(name):
    assert is_organisation(name) == (name in GROUPS)
