import json
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from structce.datasets.base import GoldPage, Lost
from structce.datasets.htmldate import read_htmldate


def add_list(root: Path, name: str, folder: str, rows: dict[str, dict[str, Any]]) -> None:
    """Write an evaluation in the layout of the data set."""
    (root / "tests" / folder).mkdir(parents=True)
    for row in rows.values():
        page = "<meta charset=latin1><p>Übermorgen</p>"
        (root / "tests" / folder / row["file"]).write_text(page, encoding="utf-8")
    (root / "tests" / name).write_text(json.dumps(rows))


@pytest.fixture
def evaluation(tmp_path):
    rows = {
        "https://www.post.co.uk/1": {"file": "2.html", "date": "2026-03-14"},
        "https://news.google.com/rss/x": {"file": "1.html", "date": "2026-03-15"},
        "https://quay.example/": {"file": "3.html", "date": float("nan")},
    }
    add_list(tmp_path, "eval_mediacloud_2020.json", "test_set", rows)
    return tmp_path


def test_the_day_is_all_that_a_page_has(evaluation):
    _, page, _ = read_htmldate(evaluation)
    assert (page.id, page.site, page.gold.date) == ("2", "post.co.uk", date(2026, 3, 14))
    assert page.gold.covers == {"Date"}


def test_pages_are_read_as_they_were_stored_not_as_they_once_were(evaluation):
    page = next(read_htmldate(evaluation))
    assert "Übermorgen" in page.document().html


def test_a_page_reached_by_a_forwarder_is_a_site_of_its_own(evaluation):
    page = next(read_htmldate(evaluation))
    assert (page.id, page.site) == ("1", "1")


def test_a_page_without_a_date_is_known_to_be_lost(evaluation):
    *_, lost = read_htmldate(evaluation)
    assert lost == Lost("3", "the data set gives no date", is_known=True)


def test_both_evaluations_are_read_where_both_are_there(evaluation):
    row = {"file": "1.html", "date": "14. 3. 2026"}
    add_list(evaluation, "eval_default.json", "eval", {"https://b.example/": row})
    pages = list(read_htmldate(evaluation))
    assert [page.id for page in pages] == ["1", "2", "3", "1-2"]
    last = pages[-1]
    assert (last.gold.about, last.gold.covers) == ({"date": "14. 3. 2026"}, frozenset())


def test_a_page_that_is_not_there_is_lost(evaluation):
    (evaluation / "tests/test_set/2.html").unlink()
    lost = list(read_htmldate(evaluation))[1]
    assert (lost.id, lost.is_known) == ("2", False)


def test_every_real_page_is_read_or_known_to_be_without_date(shared_data):
    archive_path = shared_data("htmldate.zip")
    with zipfile.ZipFile(archive_path) as archive:
        rows = json.loads(archive.read("tests/eval_mediacloud_2020.json"))
    items = list(read_htmldate(archive_path))
    lost = [item for item in items if isinstance(item, Lost)]
    assert all(item.is_known for item in lost)
    assert len(lost) == sum(not isinstance(row["date"], str) for row in rows.values())
    pages = [item for item in items if isinstance(item, GoldPage)]
    assert len(pages) >= len(rows) - len(lost)
    assert all(page.gold.date for page in pages)
    assert "google.com" not in {page.site for page in pages}
