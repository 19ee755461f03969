import gzip
import json
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

from structce.datasets.base import GoldPage, Lost
from structce.datasets.wcxb import read_wcxb

VALUES = {
    "title": "Ferry stops in June",
    "author": "Ann Lee and Tom Rost",
    "publish_date": "2026-03-14",
    "main_content": "The ferry  sails.\n\n- Salt &amp; sand\n\n| Noon | Late |\n***\n2. Wait",
    "with": ["- Salt\n- sand"],
    "without": ["All rights reserved", "***"],
}


def add_page(root: Path, number: str, part: str, values: dict[str, Any], url: str = "") -> None:
    """Write one page and its values in the layout of the data set."""
    for folder in ("html", "ground-truth"):
        (root / part / folder).mkdir(parents=True, exist_ok=True)
    (root / part / "html" / f"{number}.html.gz").write_bytes(gzip.compress(b"<p>Hello</p>"))
    row = {"url": url, "ground_truth": values}
    (root / part / "ground-truth" / f"{number}.json").write_text(json.dumps(row))


def add_list(root: Path, **splits: str) -> Path:
    files = {
        name[1:]: {"split": split, "page_type": "article", "domain": "blog.post.co.uk"}
        for name, split in splits.items()
    }
    (root / "metadata.json").write_text(json.dumps({"files": files}))
    return root


def test_a_page_comes_with_its_type_and_its_text_without_marks(tmp_path):
    add_page(tmp_path, "0001", "dev", VALUES)
    (page,) = read_wcxb(add_list(tmp_path, _0001="dev"))
    assert (page.id, page.site, page.url) == ("article-0001", "post.co.uk", "")
    gold = page.gold
    assert gold.authors == ("Ann Lee", "Tom Rost")
    assert (gold.title, gold.date) == ("Ferry stops in June", date(2026, 3, 14))
    lines = ("The ferry sails.", "Salt & sand", "Noon | Late", "2. Wait")
    assert gold.body == tuple(("Text", line) for line in lines)
    assert (gold.must, gold.must_not) == (("Salt sand",), ("All rights reserved",))
    assert gold.about == {"page_type": "article", "split": "dev"}
    assert gold.covers == {"Title", "Author", "Date", "Paragraph", "Subtitle"}


def test_what_is_not_given_is_not_covered(tmp_path):
    values = {
        "title": "Ferry",
        "author": None,
        "publish_date": "2026-03",
        "with": [],
        "without": [],
    }
    add_page(tmp_path, "0001", "dev", values, url="https://quay.example/1")
    (page,) = read_wcxb(add_list(tmp_path, _0001="dev"))
    assert (page.site, page.gold.date, page.gold.authors) == ("quay.example", None, ())
    assert page.gold.covers == {"Title"}
    assert page.gold.about["date"] == "2026-03"


def test_a_page_of_both_parts_is_given_once(tmp_path):
    add_page(tmp_path, "0002", "dev", VALUES)
    add_page(tmp_path, "0002", "test", VALUES)
    second, page = read_wcxb(add_list(tmp_path, _0002="test"))
    why = "a second copy of the page in test"
    assert second == Lost("article-0002-dev", why, is_known=True)
    assert page.gold.about["split"] == "test"


def test_a_page_that_is_listed_but_absent_is_lost(tmp_path):
    add_page(tmp_path, "0001", "dev", VALUES)
    page, lost = read_wcxb(add_list(tmp_path, _0001="dev", _0002="dev"))
    assert isinstance(page, GoldPage)
    assert (lost.id, lost.is_known) == ("article-0002", False)


def test_every_real_page_is_read(shared_data):
    archive_path = shared_data("wcxb.zip")
    with zipfile.ZipFile(archive_path) as archive:
        rows = json.loads(archive.read("metadata.json"))["files"]
        names = archive.namelist()
    items = list(read_wcxb(archive_path))
    pages = [item for item in items if isinstance(item, GoldPage)]
    assert len({page.id for page in pages}) == len(pages) == len(items) == len(rows)
    assert len(pages) == sum("/ground-truth/" in n and n.endswith(".json") for n in names)
    wanted = sum(row["page_type"] == "article" for row in rows.values())
    assert sum(page.id.startswith("article-") for page in pages) == wanted
    assert all(page.gold.title for page in pages)
    assert sum(not page.gold.body for page in pages) < 5
    assert sum("date" in page.gold.about or "author" in page.gold.about for page in pages) < 5
