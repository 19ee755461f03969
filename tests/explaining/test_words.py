import pytest

from structce.explanation import flip_sentence, place, signed, visible


@pytest.mark.parametrize(
    ("offset", "name"),
    [
        (-1, "previous region"),
        (1, "next region"),
        (-3, "3 regions before"),
        (2, "2 regions after"),
        (None, "rest of the page"),
    ],
)
def test_places_have_names(offset: int | None, name: str) -> None:
    assert place(offset) == name


def test_sentences_say_what_changes_the_label() -> None:
    assert flip_sentence(["a"], [], "Date", has_context=True) == "Without a it would be Date."
    assert flip_sentence(["a", "b", "c"], [], "Date", has_context=True) == (
        "Without a, b and c it would be Date."
    )
    many = flip_sentence([f"c{n}" for n in range(9)], [], "Date", has_context=True)
    assert many == "Without c0, c1, c2, c3, c4, c5 and 3 more columns it would be Date."


def test_sentences_say_that_the_context_holds_a_label() -> None:
    changes = [(3, "None", "Title"), (5, "Date", "Author")]
    assert flip_sentence([], changes[:1], "Date", has_context=True) == (
        "No set of its own columns changes the label: the context holds it. "
        "With region 3 as Title instead of None it would be Date."
    )
    assert flip_sentence([], changes, "Date", has_context=True).endswith(
        "With region 3 as Title instead of None and region 5 as Author instead of Date "
        "it would be Date."
    )


def test_sentences_say_that_nothing_changes_the_label() -> None:
    held = "No set of its own columns changes the label"
    assert flip_sentence([], [], None, has_context=False) == f"{held}."
    assert flip_sentence([], [], None, has_context=True) == (
        f"{held}, and no other labels of the regions near it do."
    )


def test_what_a_terminal_or_xml_obeys_is_not_shown() -> None:
    assert visible("a\x1b[31mb\x00c\x9bd") == "a�[31mb�c�d"
    assert visible("a\nb\tc\u00a0d\u2028e") == "a b c d e"
    assert visible("\u202eleft\u2066 \u00adsoft") == "left soft"
    assert visible("\ud800\ufffe") == "��"
    assert visible("Ö 日本 é <b>") == "Ö 日本 é <b>"


def test_long_texts_are_cut_to_columns_and_may_keep_their_end() -> None:
    assert visible("abcdef", 6) == "abcdef"
    assert visible("abcdefg", 6) == "abcde…"
    assert visible("abcdefghij:4", 8, tail=2) == "abcde…:4"
    assert visible("日本語日本語", 6) == "日本…"
    assert visible("ab cdefg", 4) == "ab…"
    assert len(visible("x" * 10**6, 10)) == 10


@pytest.mark.parametrize(
    ("value", "largest", "text"),
    [
        (0.1234, 0.29, "+0.12"),
        (-0.001, 0.29, "0"),
        (-12.34, 45.0, "-12"),
        (1234.5, 1234.5, "+1234"),
        (0.0, 0.0, "0"),
        (3.0, 3.0, "+3.0"),
    ],
)
def test_numbers_have_a_sign_and_as_many_decimals_as_the_largest_needs(
    value: float, largest: float, text: str
) -> None:
    assert signed(value, largest) == text
