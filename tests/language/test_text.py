import doctest
import unicodedata

import pytest

import structce.language.text
from structce.language import phrases
from structce.language.text import (
    display_width,
    fold_digits,
    has_joined,
    is_european,
    normalise,
    printable,
    split_words,
)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("„Nie“ – sagte er…", '"nie" sagte er'),
        ("Kapi\u00adtän", "KAPITÄN"),
        ("ﬁnal ｗｉｄｅ", "final wide"),
        ("a\u00a0b\u200bc", "abc"),
    ],
)
def test_the_same_words_are_the_same(text, other):
    assert normalise(text) == normalise(other)


def test_the_fast_way_is_the_obvious_way_for_every_character():
    for code in (*range(0xD800), *range(0xE000, 0x20000)):
        text = f"a{chr(code)}b"
        folded = unicodedata.normalize("NFKC", text).casefold()
        kept = [c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M"]
        assert normalise(text) == "".join(kept), hex(code)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It isn\u2019t \u201cfair\u201d\u2026", ("it", "isn", "t", "fair")),
        ("snake_case, Covid19\u2014and 4,000", ("snake", "case", "covid", "19", "and", "4", "000")),
        ("Straße ٣", ("strasse", "٣")),
        ("", ()),
    ],
)
def test_words_are_parted_at_marks_and_at_numbers(text, words):
    assert split_words(text) == words


def test_european_text_has_no_wide_characters():
    known = {character for character in map(chr, range(0x20000)) if is_european(character)}
    assert set("aéłß“–€²αώя") < known
    assert not any(unicodedata.category(character)[0] == "M" for character in known)
    assert display_width("".join(known)) == len(known)
    assert not has_joined("".join(known))
    assert not is_european("Ann Lee 张")


def test_chinese_and_korean_letters_are_joined_and_emoji_are_not():
    joined = [has_joined(text) for text in ("Ann 张", "한", "Москва", "Ann 😀")]
    assert joined == [True, True, False, False]


def test_digits_of_every_script_are_folded():
    assert fold_digits("١٤ مارس ２０２６") == "14 مارس 2026"


def test_what_a_terminal_or_xml_obeys_is_not_shown():
    assert printable("a\x1b[31mb\x00c\x9bd") == "a�[31mb�c�d"
    assert printable("a\nb\tc\u00a0d\u2028e") == "a b c d e"
    assert printable("\u202eleft\u2066 \u00adsoft") == "left soft"
    assert printable("\ud800\ufffe") == "��"
    assert printable("Ö 日本 é <b>") == "Ö 日本 é <b>"


def test_long_texts_are_cut_to_columns_and_may_keep_their_end():
    assert printable("abcdef", 6) == "abcdef"
    assert printable("abcdefg", 6) == "abcde…"
    assert printable("abcdefghij:4", 8, tail=2) == "abcde…:4"
    assert printable("日本語日本語", 6) == "日本…"
    assert printable("ab cdefg", 4) == "ab…"
    assert len(printable("x" * 10**6, 10)) == 10


@pytest.mark.parametrize(("tag", "has_short"), [("de", True), ("", True), ("it-CH", False)])
def test_short_words_count_in_their_own_language(tag, has_short):
    listed = phrases("before", tag)
    assert {"by", "verfasst von"} <= {*listed}
    assert ("von" in listed) == has_short


def test_the_examples_of_the_module_run():
    assert doctest.testmod(structce.language.text) == (0, 1)
