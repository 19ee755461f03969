import json
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from structce.datasets.base import GoldPage, Lost
from structce.datasets.text_formats import parse_day, parse_names, unique_id
from structce.datasets.trafilatura import read_trafilatura

ROW: dict[str, Any] = {
    "with": ["will not sail ", "before noon"],
    "without": ["All rights reserved"],
    "title": " Ferry stops\nin June",
    "author": "Ann Lee und Tom Rost",
    "date": "2026-03-14",
    "comments": ["About time."],
    "tags": ["harbour", "Fish &amp; chips"],
    "sitename": None,
}


def write(root: Path, rows: dict[str, dict[str, Any]], folder: str = "cache") -> Path:
    """Write pages in the layout of the data set."""
    (root / "tests" / folder).mkdir(parents=True)
    for row in rows.values():
        (root / "tests" / folder / row["file"]).write_text(f"<p>{row['file']}</p>")
    (root / "tests" / "evaldata.json").write_text(json.dumps(rows))
    return root


def test_a_page_comes_with_values_and_segments(tmp_path):
    rows = {"https://news.post.co.uk/1": ROW | {"file": "post.html"}}
    (page,) = read_trafilatura(write(tmp_path, rows))
    assert (page.id, page.site, page.url) == ("post", "post.co.uk", "https://news.post.co.uk/1")
    gold = page.gold
    assert (gold.title, gold.authors) == ("Ferry stops in June", ("Ann Lee", "Tom Rost"))
    assert (gold.date, gold.must) == (date(2026, 3, 14), ("will not sail", "before noon"))
    assert gold.must_not == ("All rights reserved",)
    assert gold.others == {"comment": ("About time.",), "tags": ("harbour", "Fish & chips")}
    assert gold.covers == {"Title", "Author", "Date"}


def test_empty_values_are_not_known_and_unread_ones_are_kept(tmp_path):
    row = {"with": ["a b"], "without": [], "file": "a.html", "title": "", "date": "2026-3.14"}
    (page,) = read_trafilatura(write(tmp_path, {"https://a.example/": row}))
    assert (page.gold.title, page.gold.date, page.gold.covers) == (None, None, frozenset())
    assert page.gold.about == {"date": "2026-3.14"}


@pytest.mark.parametrize(
    ("key", "site", "url"),
    [
        ("hard::post.com.pa-ferry.html", "post.com.pa", ""),
        ("hard::post.de.Ferry-Late.html", "post.de", ""),
        ("https://web.archive.org/web/20130131/http://www.post.de/a", "post.de", None),
        ("https://web.archive.org/web/20130131id_/post.de/a", "post.de", "http://post.de/a"),
    ],
    ids=["saved, two suffixes", "saved, a dotted name", "archived", "archived, no scheme"],
)
def test_the_site_is_the_publishers(tmp_path, key, site, url):
    (page,) = read_trafilatura(write(tmp_path, {key: ROW | {"file": "x.html"}}))
    assert page.site == site
    assert page.url == ("http://www.post.de/a" if url is None else url)


def test_a_page_that_is_not_there_is_lost_and_the_others_go_on(tmp_path):
    keys = {
        "https://a.example/": ROW | {"file": "a.html"},
        "https://b.example/": {"file": "b.html"},
    }
    write(tmp_path, keys, folder="eval")
    (tmp_path / "tests/eval/a.html").unlink()
    lost, other = read_trafilatura(tmp_path)
    assert (lost.id, lost.is_known) == ("a", False)
    assert "a.html" in lost.why
    assert other == Lost("b", "KeyError: 'with'")


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("Ann Lee; Tom Rost", ("Ann Lee", "Tom Rost")),
        ("Ann Lee, Tom Rost, and Mira Okafor", ("Ann Lee", "Tom Rost", "Mira Okafor")),
        ("Ann Lee & Tom van Rost", ("Ann Lee", "Tom van Rost")),
        ("Von Ann Lee und Tom Rost", ("Ann Lee", "Tom Rost")),
        ("Walter von Rost", ("Walter von Rost",)),
        ("Lee, Ann", ("Lee, Ann",)),
        ("Ann Lee, Ph.D.", ("Ann Lee, Ph.D.",)),
        ("Ann Lee, Harbour Expert", ("Ann Lee, Harbour Expert",)),
        ("Ann Lee (with Tom Rost and Mira Okafor)", ("Ann Lee (with Tom Rost and Mira Okafor)",)),
        ("Salt and Vinegar", ("Salt and Vinegar",)),
        ("dpa/post", ("dpa/post",)),
        ("Ann Lee (https://a.example/)", ("Ann Lee",)),
        (["Ann Lee", "www.post.example", "ann@post.example"], ("Ann Lee",)),
        ("", ()),
        (None, ()),
    ],
    ids=str,
)
def test_only_what_is_a_list_of_names_is_taken_apart(stated, names):
    assert parse_names(stated, "de") == names


def test_days_and_moments_are_read_and_nothing_is_guessed():
    assert parse_day("2026-03-14") == date(2026, 3, 14)
    assert parse_day("2026-03-14T10:30") == datetime(2026, 3, 14, 10, 30)
    assert [parse_day(text) for text in ("2026-25-03", "2026-03", "", None)] == [None] * 4


def test_ids_are_plain_and_distinct():
    taken = set()
    names = [
        unique_id(file, taken) for file in ("Übermut (1).html", "übermut – 1.html", "神道.html")
    ]
    assert names == ["Ubermut-1", "ubermut-1-2", "page"]


def test_every_real_page_is_read(shared_data):
    archive_path = shared_data("trafilatura.zip")
    with zipfile.ZipFile(archive_path) as archive:
        rows = json.loads(archive.read("tests/evaldata.json"))
    pages = [page for page in read_trafilatura(archive_path) if isinstance(page, GoldPage)]
    assert len({page.id for page in pages}) == len(rows)
    assert sum(len(page.gold.must) for page in pages) == sum(len(r["with"]) for r in rows.values())
    assert sum(page.gold.title is not None for page in pages) == sum(
        bool(row.get("title")) for row in rows.values()
    )
    unread = sum("date" in page.gold.about for page in pages)
    dates = sum(page.gold.date is not None for page in pages)
    assert dates + unread == sum(bool(row.get("date")) for row in rows.values())
    assert unread < 5
    assert {"archive.org", ""}.isdisjoint(page.site for page in pages)
