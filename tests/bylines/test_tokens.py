"""Tokens of bylines and the lists that they are in."""

import pytest

from structce.bylines.tokens import lists_of, tokens_of


def texts(byline):
    return [token.text for token in tokens_of(byline)]


@pytest.mark.parametrize(
    ("byline", "tokens"),
    [
        ("", []),
        ("By Ann Lee", ["By", "Ann", "Lee"]),
        ("Dr. Ann Lee-Öz, Jr.", ["Dr.", "Ann", "Lee-Öz", ",", "Jr."]),
        ("J. R. O'Neil.", ["J.", "R.", "O'Neil", "."]),
        ("J.R. Lee", ["J.R.", "Lee"]),
        ("It stops. Ann", ["It", "stops", ".", "Ann"]),
        ("ann@post.example · @annlee", ["ann@post.example", "·", "@annlee"]),
        ("post.com/ann 2026", ["post.com/ann", "2026"]),
        ("记者 张三", ["记", "者", "张", "三"]),
        ("홍길동 기자", ["홍", "길", "동", "기", "자"]),
        ("mike99 at 9am", ["mike99", "at", "9", "am"]),
        ("By\nAnn", ["By", "\n", "Ann"]),
        ("प्रिया शर्मा", ["प्रिया", "शर्मा"]),
    ],
)
def test_words_marks_numbers_and_line_breaks_are_tokens(byline, tokens):
    assert texts(byline) == tokens


@pytest.mark.parametrize(
    ("byline", "lang", "place", "kind"),
    [
        ("Written by Ann Lee", "en", 0, "before+"),
        ("Von Mia Öz", "de", 0, "before"),
        ("Ann Lee, Staff Writer", "en", 4, "others+"),
        ("Ann Lee, AP", "en", 3, "agency"),
        ("本报记者 张三", "zh", 2, "role+"),
        ("홍길동 기자", "ko", 0, "family"),
        ("Ann Lee in Berlin", "en", 2, "place"),
    ],
)
def test_words_of_phrases_are_marked_with_their_list(byline, lang, place, kind):
    assert kind in lists_of(tokens_of(byline), lang)[place]
