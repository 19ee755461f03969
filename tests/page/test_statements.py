"""Statements of titles, authors and dates: what they say, where, and in which order."""

import pytest

from structce.page import (
    Metadata,
    Statement,
    stated_bylines,
    stated_dates,
    stated_names,
    stated_titles,
    without_site,
)


def test_a_title_is_stated_whole_and_without_its_site():
    meta = {"og:title": ("Ferry  stops | The Post",), "og:site_name": ("The Post",)}
    titles = stated_titles(Metadata(title="Ferry stops - Harbour - The Post", meta=meta))
    assert titles == (
        Statement("Ferry stops", "og"),
        Statement("Ferry stops | The Post", "og"),
        Statement("Ferry stops - Harbour", "window"),
        Statement("Ferry stops - Harbour - The Post", "window"),
    )


@pytest.mark.parametrize(
    ("title", "headings", "publishers", "rest"),
    [
        ("Ferry stops | The Post", (), ("The Post",), "Ferry stops"),
        ("The Post: Ferry stops", (), ("the post",), "Ferry stops"),
        ("The Post » Ferry stops « Harbour", ("Ferry stops",), (), "Ferry stops"),
        ("Ferry stops—The Post", ("Ferry stops",), (), "Ferry stops"),
        ("渡輪停駛_郵報", ("渡輪停駛",), (), "渡輪停駛"),
        ("Ferry stops - Post", (), ("Post.com",), "Ferry stops"),
        ("Ferry stops - Post", (), ("Post and Courier of Elsewhere",), "Ferry stops - Post"),
        ("渡輪停駛-郵報", (), ("郵報",), "渡輪停駛"),
        ("Ferry stops: why", (), ("The Post",), "Ferry stops: why"),
        ("The Post", (), ("The Post",), "The Post"),
        ("Re-opened", ("Re",), ("opened",), "Re-opened"),
    ],
)
def test_a_site_is_cut_where_a_heading_or_its_name_says_so(title, headings, publishers, rest):
    assert without_site(title, headings, publishers) == rest


def names_in(metadata, names_of=None):
    """Return the stated names; texts without entry are one name."""
    bylines = stated_bylines(metadata)
    whole = {byline.plain: [(byline.plain, False)] for byline in bylines if byline.plain}
    return stated_names(metadata, bylines, whole | (names_of or {}))


def test_names_are_read_in_texts_that_are_no_account_site_or_address():
    texts = "Ann Lee and Tom Rost (Post)", "@ann", "The Post", "ann@post.example", "Mia Lang / ML"
    meta = {"author": (*texts, "Ann Lee and Tom Rost"), "og:site_name": ("The Post",)}
    bylines = stated_bylines(Metadata(meta=meta))
    assert {byline.plain for byline in bylines} - {""} == {"Ann Lee and Tom Rost", "Mia Lang"}
    split = {"Ann Lee and Tom Rost": [("Ann Lee", False), ("The Post", False)]}
    assert [(name, is_group) for name, _, _, is_group in names_in(Metadata(meta=meta), split)] == [
        ("Ann Lee", False),
        ("The Post", True),
        ("@ann", True),
        ("Mia Lang", False),
    ]


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("byl", "ANN O'DONNELL", ["ANN O'DONNELL"]),
        ("citation_author", "Lee, Ann B.", ["Ann B. Lee"]),
        ("citation_author", "Ann B. Lee", ["Ann B. Lee"]),
        ("dc.creator", "Redacci&oacute;n Uno", ["Redacción Uno"]),
        ("parsely-author", "Ann Lee", ["Ann Lee"]),
        ("sailthru.author", "Ann Lee", ["Ann Lee"]),
        ("article:author", "https://social.example/ann", []),
        ("article:author", "Ann Lee", ["Ann Lee"]),
        ("author", "ann@post.example", []),
    ],
)
def test_names_are_read_from_every_key(name, text, names):
    assert [statement.value for statement in names_in(Metadata(meta={name: (text,)}))] == names


@pytest.mark.parametrize(
    ("name", "text"),
    [("author", "The Post"), ("author", "Post Media"), ("twitter:creator", "@ann")],
)
def test_organisations_of_the_site_among_authors_are_marked(name, text):
    publisher = {"@type": "Organization", "name": "Post Media"}
    metadata = Metadata(
        meta={name: (text,), "og:site_name": ("The Post",)}, json_ld=({"publisher": publisher},)
    )
    names = [(statement.value, statement.is_organisation) for statement in names_in(metadata)]
    assert names == [(text, True)]


def test_names_come_in_order_of_precedence():
    metadata = Metadata(
        meta={
            "twitter:label1": ("Written by",),
            "twitter:data1": ("Mia Lang",),
            "twitter:label2": ("Reading time",),
            "twitter:data2": ("Four minutes",),
            "author": ("Ann Lee",),
        },
        json_ld=({"author": {"name": "Tom Rost"}},),
        microdata={"author": ("Zoé Lang",)},
        author_links=("Ann Lee",),
    )
    assert names_in(metadata) == (
        Statement("Tom Rost", "json-ld"),
        Statement("Zoé Lang", "microdata"),
        Statement("Ann Lee", "meta"),
        Statement("Mia Lang", "twitter"),
        Statement("Ann Lee", "rel"),
    )


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025/12/18", "2025-12-18"),
        ("Dec 19th 2025", "2025-12-19"),
        ("11/01/2023 12:43:42", "2023-11-01T12:43:00"),
        ("01.11.2023", "2023-11-01"),
        ("Fri, 19 Dec 2025 10:00:00 GMT", "2025-12-19T10:00:00+00:00"),
        ("1772357400", "2026-03-01T09:30:00+00:00"),
        ("20 minutes", None),
        ("0001-01-01", None),
    ],
)
def test_a_stated_date_is_read_in_the_notation_of_pages(text, day):
    dates = stated_dates(Metadata(meta={"date": (text,)}))
    assert [statement.value for statement in dates] == ([day] if day else [])


@pytest.mark.parametrize(
    ("url", "days"),
    [
        ("https://post.example/2024/03/05/ferry", ["2024-03-05"]),
        ("https://post.example/20240305-ferry", ["2024-03-05"]),
        ("https://post.example/ferry-05-03-2024.html", ["2024-03-05"]),
        ("https://post.example/2024/13/05/ferry", []),
        ("https://post.example/9920240305123", []),
    ],
)
def test_a_day_in_the_address_is_read(url, days):
    dates = stated_dates(Metadata(), url)
    assert [statement.value for statement in dates] == days
    assert all(statement.source == "address" for statement in dates)
