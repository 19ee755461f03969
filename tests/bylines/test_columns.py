"""Columns of tokens: what the page states, neighbours, parts of lines and mark-up."""

from structce.bylines.columns import NOTHING_STATED, PageNames, columns_of
from structce.bylines.tokens import byline_of, hints_at, tokens_of


def columns(byline, names=NOTHING_STATED, given=(), hints=(), code="en"):
    tokens = tokens_of(byline)
    rows = columns_of(tokens, code, names, given, hints)
    return {token.text: set(row) for token, row in zip(tokens, rows, strict=True)}


def test_a_word_is_compared_with_what_the_page_states():
    names = PageNames.of(["Ann Lee"], ["Harbour Post"], "Ferry to stop")
    by_token = columns("Ann Rost, Post Ferry", names)
    assert "stated" in by_token["Ann"]
    assert "not-stated" in by_token["Rost"]
    assert "site" in by_token["Post"]
    assert "in-title" in by_token["Ferry"]
    assert "states-none" in columns("Ann")["Ann"]


def test_neighbours_and_the_part_between_marks_are_told():
    by_token = columns("By Ann Lee, Reporter", given={"ann"})
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
