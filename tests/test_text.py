import unicodedata

import pytest

from structce.text import fold_digits, normalise, width


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("„Nie“ – sagte er…", '"nie" sagte er'),
        ("Kapi\u00adtän", "KAPITÄN"),
        ("ﬁnal ｗｉｄｅ", "final wide"),
        ("a\u00a0b\u200bc", "abc"),
    ],
)
def test_the_same_words_are_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


def test_the_fast_way_is_the_obvious_way_for_every_character() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x20000)):
        text = f"a{chr(code)}b"
        folded = unicodedata.normalize("NFKC", text).casefold()
        kept = [c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M"]
        assert normalise(text) == "".join(kept), hex(code)


def test_marks_of_scripts_are_kept() -> None:
    assert normalise("हिन्दी") == "हिन्दी"


def test_wide_characters_count_twice() -> None:
    assert (width("abc"), width("東京abc"), width("서울"), width("")) == (3, 7, 4, 0)


def test_digits_of_every_script_are_folded() -> None:
    assert fold_digits("١٤ مارس ２０２６") == "14 مارس 2026"
