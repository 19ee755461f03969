import json
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

from structce.datasets.base import GoldPage, Lost
from structce.datasets.newspaper4k import read_newspaper4k

VALUES: dict[str, Any] = {
    "url": "https://news.post.co.uk/1",
    "title": "Ferry stops in June",
    "authors": ["Ann Lee", "www.post.example"],
    "publish_date": "2026-03-14T00:00:00",
    "top_image": "https://post.example/quay.jpg",
    "images": ["https://post.example/quay.jpg", "https://post.example/logo.gif"],
    "meta_site_name": "The Harbour Post",
    "text": "It sails.",
}


def add_page(root: Path, name: str, values: dict[str, Any], text: str | None = None) -> None:
    """Write one page in the layout of the data set."""
    folders = [root / "tests/data" / kind for kind in ("html", "metadata", "txt")]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    (folders[0] / f"{name}.html").write_text("<p>It sails.</p>")
    (folders[1] / f"{name}.json").write_text(json.dumps(values))
    if text is not None:
        (folders[2] / f"{name}.txt").write_text(text)


def test_a_page_comes_with_its_values_and_nothing_is_covered(tmp_path):
    add_page(tmp_path, "post_001", VALUES, "It sails.\n\n—\n\nLate.")
    (page,) = read_newspaper4k(tmp_path)
    assert (page.id, page.site) == ("post_001", "post.co.uk")
    gold = page.gold
    assert (gold.title, gold.authors) == ("Ferry stops in June", ("Ann Lee",))
    assert gold.date == date(2026, 3, 14)
    assert gold.body == (("Text", "It sails."), ("Text", "Late."))
    assert gold.images == (("https://post.example/quay.jpg",),)
    assert gold.about["images"] == "https://post.example/logo.gif"
    assert gold.covers == frozenset()


def test_an_entry_in_the_old_form_has_its_site_by_name_and_no_authors(tmp_path):
    old = {"title": "Ferry", "authors": ["on March"], "meta_site_name": "post.co.uk"}
    add_page(tmp_path, "old", old)
    (page,) = read_newspaper4k(tmp_path)
    assert (page.site, page.url, page.gold.authors, page.gold.body) == ("post.co.uk", "", (), ())
    assert page.gold.about["author"] == "on March"


def test_a_page_that_is_not_there_is_lost(tmp_path):
    add_page(tmp_path, "a", VALUES)
    add_page(tmp_path, "b", VALUES)
    (tmp_path / "tests/data/html/a.html").unlink()
    lost, page = read_newspaper4k(tmp_path)
    assert isinstance(lost, Lost)
    assert lost.id == "a"
    assert page.id == "b"


def test_every_real_page_is_read(shared_data):
    archive_path = shared_data("newspaper4k.zip")
    with zipfile.ZipFile(archive_path) as archive:
        n_pages = sum("/metadata/" in n and n.endswith(".json") for n in archive.namelist())
    pages = [page for page in read_newspaper4k(archive_path) if isinstance(page, GoldPage)]
    assert len(pages) == n_pages
    assert all(page.gold.title and page.gold.body and "." in page.site for page in pages)
    assert not any("www." in name for page in pages for name in page.gold.authors)
