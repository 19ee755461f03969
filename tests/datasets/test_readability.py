import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from structce.datasets.base import GoldPage
from structce.datasets.readability import read_readability

SOURCE = "<link rel=canonical href='//www.post.co.uk/1'><p>The ferry"
EXPECTED = """<div id="readability-page-1"><p>The <b>ferry</b><br>will<!-- not --> stop.</p>
Nobody knows. <h2><a href="#">No end</a></h2><ul><li>Salt</li><li>Sand</li></ul>
<figure><img src="q.jpg"><figcaption>The quay.</figcaption></figure><p>—</p></div>"""
VALUES: dict[str, Any] = {
    "title": "Ferry stops",
    "byline": "By\n   Ann Lee and Tom Rost\n   March 14, 2026",
    "lang": "en",
    "siteName": "The Harbour Post",
    "excerpt": None,
    "publishedTime": "2026-03-14T10:30:00Z",
}


def add_case(root: Path, name: str, source: str = SOURCE, **values: object) -> None:
    """Write one case in the layout of the data set."""
    folder = root / "test/test-pages" / name
    folder.mkdir(parents=True)
    (folder / "source.html").write_text(source)
    (folder / "expected.html").write_text(EXPECTED)
    (folder / "expected-metadata.json").write_text(json.dumps(VALUES | values))


def test_blocks_of_the_expected_page_are_the_body(tmp_path):
    add_case(tmp_path, "post-1")
    (page,) = read_readability(tmp_path)
    assert page.gold.body == (
        ("Paragraph", "The ferry will stop."),
        ("Paragraph", "Nobody knows."),
        ("Subtitle", "No end"),
        ("Paragraph", "Salt"),
        ("Paragraph", "Sand"),
    )
    assert page.gold.captions == ("The quay.",)
    assert page.gold.covers == frozenset()


def test_values_come_from_the_expected_metadata(tmp_path):
    add_case(tmp_path, "post-1")
    (page,) = read_readability(tmp_path)
    assert page.gold.authors == ("Ann Lee", "Tom Rost")
    assert page.gold.date == datetime(2026, 3, 14, 10, 30, tzinfo=UTC)
    assert page.gold.others["sitename"] == ("The Harbour Post",)
    assert "excerpt" not in page.gold.others


def test_a_byline_that_is_a_date_and_an_unread_date_are_kept_aside(tmp_path):
    add_case(tmp_path, "a", byline="Last Updated: May 2, 2026", publishedTime="last week")
    (page,) = read_readability(tmp_path)
    assert (page.gold.authors, page.gold.date) == ((), None)
    assert page.gold.others["byline"] == ("Last Updated: May 2, 2026",)
    assert page.gold.about["date"] == "last week"


def test_sites_and_families_keep_together_what_belongs_together(tmp_path):
    add_case(tmp_path, "post-1")
    add_case(tmp_path, "quay-1", "<p>One")
    add_case(tmp_path, "quay-2", "<link rel=canonical href='/2'><p>Two")
    add_case(tmp_path, "tiny", "<p>Lorem ipsum")
    pages = [page for page in read_readability(tmp_path) if isinstance(page, GoldPage)]
    assert [(page.site, page.family, page.url) for page in pages] == [
        ("post.co.uk", "post.co.uk", "https://www.post.co.uk/1"),
        ("quay", "quay", ""),
        ("quay", "quay", ""),
        ("tiny", "lorem-ipsum", ""),
    ]


def test_an_empty_page_is_lost_with_its_reason(tmp_path):
    add_case(tmp_path, "empty", "")
    add_case(tmp_path, "post-1")
    lost, page = read_readability(tmp_path)
    assert lost.id == "empty"
    assert "empty" in lost.why
    assert page.id == "post-1"


def test_every_real_page_is_read(shared_data):
    archive_path = shared_data("readability.zip")
    with zipfile.ZipFile(archive_path) as archive:
        names = {n.split("/")[2] for n in archive.namelist() if n.endswith("/source.html")}
    pages = [page for page in read_readability(archive_path) if isinstance(page, GoldPage)]
    assert [page.id for page in pages] == sorted(names)
    assert all(page.gold.body for page in pages)
    assert sum(page.gold.date is not None for page in pages) > 0.2 * len(pages)
    assert not any(c.isdigit() for page in pages for name in page.gold.authors for c in name)
