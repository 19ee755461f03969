import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from structce.datasets.base import GoldPage
from structce.datasets.build import import_corpus
from structce.datasets.fundus import read_fundus, read_fundus_history
from structce.rendering.static import StaticRenderer

GOLD: dict[str, Any] = {
    "title": "Ferry stops in June",
    "authors": ["Ann Lee"],
    "publishing_date": "2026-03-14 10:30:00+00:00",
    "body": {
        "summary": ["What the council said."],
        "sections": [{"headline": [], "paragraphs": ["Not before noon.", "Or never."]}],
    },
}
HTML = """<html lang=en><h1>Ferry stops in June</h1><p>What the council said.</p>
<span>By Ann Lee</span><time>14 March 2026</time>
<figure><img src="quay.jpg"><figcaption>The quay.</figcaption></figure>
<p>Not before noon.</p><p>Or never.</p><p>No.</p><footer>Imprint</footer></html>"""


def add_page(root: Path, publisher: str, url: str | None, gold: dict[str, Any]) -> None:
    """Write one page in the layout of the data set."""
    name = f"uk/{publisher}_2026_03_14.0a1b2c3d.html.gz"
    (root / "pages/uk").mkdir(parents=True, exist_ok=True)
    (root / "pages" / name).write_bytes(gzip.compress(HTML.encode()))
    file = root / "gold.json"
    rows = json.loads(file.read_text()) if file.exists() else {}
    row = {"url": url, "publisher": publisher, "gold": gold}
    file.write_text(json.dumps({**rows, name: row}))


def test_a_label_without_a_value_is_unknown_and_not_absent(tmp_path):
    add_page(tmp_path, "HarbourPost", "https://news.post.co.uk/1", GOLD)
    corpus = import_corpus("fundus-history", tmp_path, StaticRenderer(), tmp_path / "out")
    labels = corpus.pages[0].labels
    assert labels[:6] == ("Title", "Subtitle", "Author", "Date", "Multimedia|None", "Caption|None")
    assert labels[6:] == ("Paragraph", "Paragraph", "None", "None")


def test_values_that_are_there_are_covered(tmp_path):
    images = [{"versions": [{"url": "https://x.example/quay.jpg"}], "caption": "The quay."}]
    add_page(tmp_path, "HarbourPost", "https://post.co.uk/1", {**GOLD, "images": images})
    (page,) = read_fundus_history(tmp_path)
    assert isinstance(page, GoldPage)
    assert page.gold.covers >= {"Title", "Author", "Date", "Caption", "Multimedia", "Subtitle"}


@pytest.mark.parametrize(
    ("publisher", "url", "site", "family"),
    [
        ("Taz", None, "taz.de", "taz.de"),
        ("BBC", "https://www.bbc.co.uk/sport/1", "bbc.com", "bbc.com"),
        ("NDR", "https://www.ndr.de/1", "ndr.de", "MDR"),
        ("HarbourPost", None, "harbourpost", "harbourpost"),
    ],
)
def test_a_publisher_has_the_site_and_family_of_its_new_pages(
    tmp_path, publisher, url, site, family
):
    add_page(tmp_path, publisher, url, GOLD)
    (page,) = read_fundus_history(tmp_path)
    assert isinstance(page, GoldPage)
    assert (page.site, page.family) == (site, family)
    assert page.id == f"uk-{publisher}_2026_03_14.0a1b2c3d"


def test_every_real_page_has_a_site_of_the_new_pages(shared_data):
    new = [page for page in read_fundus(shared_data("fundus.zip")) if isinstance(page, GoldPage)]
    old = list(read_fundus_history(shared_data("fundus-history.zip")))
    assert all(isinstance(page, GoldPage) for page in old)
    assert {page.site for page in old} <= {page.site for page in new}
    assert {page.family for page in old} <= {page.family for page in new}
    assert all(page.gold.title and page.gold.authors and page.gold.date for page in old)
