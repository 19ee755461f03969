import gzip
import json

import pytest

from structce.datasets.base import GoldPage
from structce.datasets.build import import_corpus
from structce.datasets.programs import read_fundus_history
from structce.rendering.static import StaticRenderer

GOLD = {
    "title": "Ferry stops in June",
    "authors": ["Ann Lee"],
    "publishing_date": "2026-03-14 10:30:00+00:00",
    "body": {
        "summary": ["What the council said."],
        "sections": [
            {"headline": [], "paragraphs": ["The ferry will not sail before noon."]},
            {"headline": ["No end in sight"], "paragraphs": ["Nobody could say how long."]},
        ],
    },
    "images": [
        {"versions": [{"url": "https://x.example/quay-in-rain.jpg?w=1"}], "caption": "The quay."}
    ],
}
HTML = """<html lang=en><h1>Ferry stops in June</h1><p>What the council said.</p>
<span>By Ann Lee</span><time>14 March 2026</time>
<figure><img src="https://x.example/quay-in-rain.jpg"><figcaption>The quay.</figcaption></figure>
<p>The ferry will not sail <a>before</a> noon.</p><h2>No end in sight</h2>
<p>Nobody could say how long.</p></html>"""


@pytest.fixture
def fixtures(tmp_path):
    """One page in the layout of the data set."""
    root = tmp_path / "fundus"
    folder = root / "tests/resources/parser/test_data/uk"
    folder.mkdir(parents=True)
    (folder / "HarbourPost_2026_03_14.html.gz").write_bytes(gzip.compress(HTML.encode()))
    (folder / "HarbourPost.json").write_text(json.dumps({"V1": {"title": "old"}, "V2": GOLD}))
    row = {"gold_key": "V2", "url": "https://news.post.co.uk/1"}
    (root / "gold_map.json").write_text(json.dumps({"uk/HarbourPost_2026_03_14.html.gz": row}))
    return root


def test_an_import_labels_every_field_and_reports_the_shares(fixtures, tmp_path):
    corpus = import_corpus("fundus", fixtures, StaticRenderer(), tmp_path / "out")
    assert corpus.pages[0].labels == tuple(
        """
        Title Subtitle Author Date Multimedia Caption Paragraph Paragraph Paragraph Subtitle
        Paragraph
    """.split()
    )
    shares = corpus.notes["alignment"]
    assert {row["field"]: row["share"] for row in shares} == dict.fromkeys(
        ("Title", "Author", "Date", "Paragraph", "Subtitle", "Caption", "Multimedia"), 1.0
    )


OLD_GOLD = {
    "title": "Ferry stops in June",
    "authors": ["Ann Lee"],
    "publishing_date": "2026-03-14 10:30:00+00:00",
    "body": {
        "summary": ["What the council said."],
        "sections": [{"headline": [], "paragraphs": ["Not before noon.", "Or never."]}],
    },
}
OLD_HTML = """<html lang=en><h1>Ferry stops in June</h1><p>What the council said.</p>
<span>By Ann Lee</span><time>14 March 2026</time>
<figure><img src="quay.jpg"><figcaption>The quay.</figcaption></figure>
<p>Not before noon.</p><p>Or never.</p><p>No.</p><footer>Imprint</footer></html>"""


def add_old_page(root, publisher, url, gold):
    """Write one page in the layout of the data set."""
    name = f"uk/{publisher}_2026_03_14.0a1b2c3d.html.gz"
    (root / "pages/uk").mkdir(parents=True, exist_ok=True)
    (root / "pages" / name).write_bytes(gzip.compress(OLD_HTML.encode()))
    file = root / "gold.json"
    rows = json.loads(file.read_text()) if file.exists() else {}
    row = {"url": url, "publisher": publisher, "gold": gold}
    file.write_text(json.dumps({**rows, name: row}))


def test_a_label_without_a_value_is_unknown(tmp_path):
    add_old_page(tmp_path, "HarbourPost", "https://news.post.co.uk/1", OLD_GOLD)
    corpus = import_corpus("fundus-history", tmp_path, StaticRenderer(), tmp_path / "out")
    labels = corpus.pages[0].labels
    assert labels[:6] == ("Title", "Subtitle", "Author", "Date", "Multimedia|None", "Caption|None")
    assert labels[6:] == ("Paragraph", "Paragraph", "None", "None")


@pytest.mark.parametrize(
    ("publisher", "url", "site", "family"),
    [
        ("Taz", None, "taz.de", "taz.de"),
        ("BBC", "https://www.bbc.co.uk/sport/1", "bbc.com", "bbc.com"),
        ("NDR", "https://www.ndr.de/1", "ndr.de", "MDR"),
        ("HarbourPost", None, "harbourpost", "harbourpost"),
    ],
)
def test_an_old_page_has_the_site_of_new_pages(tmp_path, publisher, url, site, family):
    add_old_page(tmp_path, publisher, url, OLD_GOLD)
    (page,) = read_fundus_history(tmp_path)
    assert isinstance(page, GoldPage)
    assert (page.site, page.family) == (site, family)
    assert page.id == f"uk-{publisher}_2026_03_14.0a1b2c3d"
