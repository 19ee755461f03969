"""Tokens of bylines, the lists they are in, their columns, and scores by sums that are kept."""

import random

import numpy as np
import pytest

from structce.bylines import shipped_reader
from structce.bylines.columns import NOTHING_STATED, ColumnSums, PageNames, columns_of
from structce.bylines.tokens import (
    LIST_BITS,
    byline_of,
    hints_at,
    lists_of,
    spans_of,
    tokens_of,
)


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
        ("Dr . Lee, Dr.. Öz", ["Dr", ".", "Lee", ",", "Dr.", ".", "Öz"]),
        ("प्रिया शर्मा", ["प्रिया", "शर्मा"]),
    ],
)
def test_words_marks_numbers_and_line_breaks_are_tokens(byline, tokens):
    assert tokens_of(byline) == tokens
    assert [byline[start:end] for start, end in spans_of(byline, tokens)] == tokens


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
    assert lists_of(tokens_of(byline), lang)[place] & LIST_BITS[kind]


def columns(byline, names=NOTHING_STATED, given=frozenset(), hints=(), code="en"):
    rows = columns_of(byline, code, names, given, hints)
    return {token: set(row) for token, row in zip(tokens_of(byline), rows, strict=True)}


def test_a_word_is_compared_with_what_the_page_states():
    names = PageNames.of(["Ann Lee"], ["Harbour Post"], "Ferry to stop")
    by_token = columns("Ann Rost, Post Ferry", names)
    assert "stated" in by_token["Ann"]
    assert "not-stated" in by_token["Rost"]
    assert "site" in by_token["Post"]
    assert "in-title" in by_token["Ferry"]
    assert "states-none" in columns("Ann")["Ann"]


def test_neighbours_and_the_part_between_marks_are_told():
    by_token = columns("By Ann Lee, Reporter", given=frozenset({"ann"}))
    assert {"given", "right-after-by", "-1:in=before", "form=Xx Xx Xx"} <= by_token["Ann"]
    assert {"-2:given", "has=given"} <= by_token["Lee"] | by_token[","]
    assert "form=Xx" in by_token["Reporter"]
    assert "after-by" not in by_token["By"]


def test_mark_up_speaks_of_its_own_line(make_page):
    page = make_page('<p><span class="byline">Ann Lee</span> <a href="/author/x">Tom</a> <b>on</b>')
    text, hints, starts = byline_of(page, range(len(page)))
    assert text == "Ann Lee\nTom\non"
    assert starts == [0, 8, 12]
    assert "author" in hints[0]
    assert {"link", "profile"} <= hints[1]
    assert hints_at(page, 2) == hints[2]
    by_token = columns(text, hints=hints)
    assert {"mark=author", "mark=author Xx Xx"} <= by_token["Lee"]
    assert {"mark=profile", "beside=author"} <= by_token["Tom"]


BYLINES = (
    "By Ann Lee and Tom Rost, AP | 3 May 2026",
    "Von Dr. Mia Öz\nRedaktion Politik\nFoto: dpa",
    "李雷 韩梅梅\n记者",
    "Ann Lee",
    "",
    "·",
    "Published 12:30 by @annlee, photo by Tom Rost and others in Berlin",
)
ODD = """
    By BY by written photo Photo: and Ann ANN Lee-Öz O'Neil J. Dr. AP , | · ( 3 2026 12:30 @lee
    post.com/x 李 雷 記者 한 ﬁ ß \u212a İ \n \n x.y ferry staff writer Tom, Post
""".split(" ")
draw = random.Random(5)
BYLINES += tuple(" ".join(draw.choices(ODD, k=n)) for n in range(60))
NAMES = PageNames.of(["Ann Lee"], ["Harbour Post"], "Ferry of Tom to stop")
HINTS = (frozenset({"author", "link"}), frozenset({"date"}))


def obvious_scores(reader, bylines, code, hints):
    rows = [
        row for byline in bylines for row in columns_of(byline, code, NAMES, reader.given, hints)
    ]
    weights = reader.learner.emissions_
    known = [[reader.columns[name] for name in row if name in reader.columns] for row in rows]
    return np.array([weights[at].sum(axis=0) for at in known]).reshape(-1, weights.shape[1])


@pytest.mark.parametrize("hints", [(), HINTS])
@pytest.mark.parametrize("code", ["en", "de", ""])
def test_scores_are_the_sums_of_the_weights_of_columns(code, hints):
    reader = shipped_reader()
    sums = ColumnSums(reader.learner.emissions_, reader.columns, reader.given)
    for bylines in (BYLINES, BYLINES[:1], BYLINES[4:5], ()):
        tokens, scores = sums.scores(bylines, code, NAMES, [hints] * len(bylines))
        assert tokens == [*map(tokens_of, bylines)]
        assert np.allclose(scores, obvious_scores(reader, bylines, code, hints), atol=1e-12)


def test_a_phrase_ends_with_its_text():
    assert lists_of(["written", "by"], "en", [1, 2]) != lists_of(["written", "by"], "en")
    assert lists_of(["written", "by"], "en", [1, 2]) == [
        *lists_of(["written"], "en"),
        *lists_of(["by"], "en"),
    ]
