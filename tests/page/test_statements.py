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


def test_bylines_are_the_texts_that_are_split_into_names():
    texts = "Ann Lee and Tom Rost (Post)", "@ann", "The Post", "ann@post.example", "Mia Lang / ML"
    meta = {"author": (*texts, "Ann Lee and Tom Rost"), "og:site_name": ("The Post",)}
    asked = []
    stated_names(Metadata(meta=meta), split=lambda text: asked.append(text) or [])
    assert stated_bylines(Metadata(meta=meta)) == tuple(dict.fromkeys(asked))
    assert set(asked) == {"Ann Lee and Tom Rost", "Mia Lang"}


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("author", "By Ann Lee, Senior Reporter and Tom Rost", ["Ann Lee", "Tom Rost"]),
        ("author", "Ann Lee, Tom Rost, and Mia Lang", ["Ann Lee", "Tom Rost", "Mia Lang"]),
        ("byl", "By ANN O'DONNELL", ["ANN O'DONNELL"]),
        ("citation_author", "Lee, Ann B.", ["Ann B. Lee"]),
        ("citation_author", "Ann B. Lee", ["Ann B. Lee"]),
        ("dc.creator", "Redacci&oacute;n Uno", ["Redacción Uno"]),
        ("parsely-author", "Ann Lee", ["Ann Lee"]),
        ("sailthru.author", "Ann Lee", ["Ann Lee"]),
        ("article:author", "https://social.example/ann", []),
        ("article:author", "Ann Lee", ["Ann Lee"]),
        ("author", "ann@post.example", []),
        ("author", "mike", ["mike"]),
    ],
)
def test_names_are_read_from_every_key(name, text, names):
    assert [statement.value for statement in stated_names(Metadata(meta={name: (text,)}))] == names


@pytest.mark.parametrize(
    "text", ["Reuters", "admin", "News Desk", "The Post", "Post Media", "@annlee"]
)
def test_organisations_among_authors_are_marked(text):
    publisher = {"@type": "Organization", "name": "Post Media"}
    key = "twitter:creator" if text.startswith("@") else "author"
    meta = {key: (text,), "og:site_name": ("The Post",)}
    (statement,) = stated_names(Metadata(meta=meta, json_ld=({"publisher": publisher},)))
    assert (statement.value, statement.is_organisation) == (text, True)


def test_names_come_in_order_of_precedence():
    twitter = {"label1": "Written by", "data1": "Mia Lang", "label2": "Reading time"}
    twitter["data2"] = "Four minutes"
    meta = {f"twitter:{key}": (text,) for key, text in twitter.items()} | {"author": ("Ann Lee",)}
    others = {"microdata": {"author": ("Zoé Lang",)}, "author_links": ("By Ann Lee",)}
    names = stated_names(Metadata(meta=meta, json_ld=({"author": {"name": "Tom Rost"}},), **others))
    sources = "json-ld microdata meta twitter rel".split()
    values = ("Tom Rost", "Zoé Lang", "Ann Lee", "Mia Lang", "Ann Lee")
    assert names == tuple(map(Statement, values, sources))


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
