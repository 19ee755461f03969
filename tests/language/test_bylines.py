"""Words around names in bylines: what introduces a name, and names that are no persons'."""

import pytest

from structce.language import is_organisation, strip_byline_prefix


@pytest.mark.parametrize(
    ("lang", "text", "rest"),
    [
        ("en", "Written by Ann Lee and Tom Rost", "Ann Lee and Tom Rost"),
        ("en", "BY ANN LEE", "ANN LEE"),
        ("de", "Von Ann Lee und Tom Rost", "Ann Lee und Tom Rost"),
        ("fr", "Propos recueillis par Ann Lee", "Ann Lee"),
        ("tr", "Yazan: Ann Lee", "Ann Lee"),
        ("el", "Γράφει ο Ann Lee", "Ann Lee"),
        ("ar", "بقلم: Ann Lee", "Ann Lee"),
        ("zh", "作者：张三", "张三"),
        ("", "De Gaulle", "De Gaulle"),
        ("de", "Von Trier", "Von Trier"),
        ("de", "Von dpa", "dpa"),
        ("en", "Ann Lee", "Ann Lee"),
    ],
)
def test_words_before_a_name_are_removed(lang, text, rest):
    assert strip_byline_prefix(text, lang) == rest


@pytest.mark.parametrize(
    ("name", "is_group"),
    [
        ("Reuters", True),
        ("dpa", True),
        ("News Desk", True),
        ("admin", True),
        ("@annlee", True),
        ("Redaktion", True),
        ("Ann Lee", False),
        ("mike", False),
        ("佐藤花子", False),
        ("Jan Deskins", False),
    ],
)
def test_an_agency_or_a_department_is_no_person(name, is_group):
    assert is_organisation(name) == is_group
