"""Statements of titles, authors and dates: what they say, where, and in which order."""

import pytest

from structce.metadata import Metadata
from structce.statements import (
    SOURCES,
    Statement,
    stated_dates,
    stated_names,
    stated_titles,
    without_site,
)


def test_a_title_is_stated_whole_and_without_its_site():
    meta = {"og:title": ("Ferry  stops | The Post",), "og:site_name": ("The Post",)}
    found = stated_titles(Metadata(title="Ferry stops - Harbour - The Post", meta=meta))
    assert found == (
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
        ("Ferry stops: why", (), ("The Post",), "Ferry stops: why"),
        ("The Post", (), ("The Post",), "The Post"),
        ("Re-opened", ("Re",), ("opened",), "Re-opened"),
    ],
)
def test_a_site_is_cut_where_a_heading_or_its_name_says_so(title, headings, publishers, rest):
    assert without_site(title, headings, publishers) == rest


def test_the_site_as_author_is_an_organisation():
    meta = {"author": ("Ann Lee", "The Post"), "og:site_name": ("The Post",)}
    assert stated_names(Metadata(meta=meta)) == (
        Statement("Ann Lee", "meta"),
        Statement("The Post", "meta", is_organisation=True),
    )


def test_dates_come_with_their_source_and_kind():
    metadata = Metadata(
        json_ld=({"@type": "NewsArticle", "datePublished": "2026-03-01T09:00:00+01:00"},),
        meta={"og:updated_time": ("2026-03-04",), "citation_date": ("soon",)},
        times=("2026-03-02",),
    )
    assert stated_dates(metadata, "https://post.example/2026/02/28/ferry") == (
        Statement("2026-03-01T09:00:00+01:00", "json-ld"),
        Statement("2026-03-04", "og", is_modified=True),
        Statement("2026-03-02", "time"),
        Statement("2026-02-28", "address"),
    )


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
    found = stated_dates(Metadata(), url)
    assert [one.value for one in found] == days
    assert all(one.source == "address" for one in found)


def test_every_source_is_of_the_closed_list():
    meta = dict.fromkeys(("dc.date", "parsely-pub-date", "sailthru.date", "date", "bt:pubdate"), ("2026-03-01",))
    assert {one.source for one in stated_dates(Metadata(meta=meta))} < set(SOURCES)
