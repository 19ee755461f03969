import gzip
import json

import pytest

from structce.datasets.base import READERS, Lost
from structce.datasets.build import aligned_pages, import_corpus
from structce.datasets.fundus import read_fundus
from structce.gold import AlignmentTally
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


def test_a_page_comes_with_its_gold_and_site(fixtures):
    (page,) = read_fundus(fixtures)
    assert (page.id, page.site) == ("uk-HarbourPost_2026_03_14", "post.co.uk")
    assert page.gold.title == "Ferry stops in June"
    assert [name for name, _ in page.gold.body] == [
        "Subtitle",
        "Paragraph",
        "Subtitle",
        "Paragraph",
    ]


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


def test_an_unreadable_page_is_counted_and_the_others_go_on(fixtures, tmp_path):
    folder = fixtures / "tests/resources/parser/test_data/uk"
    (folder / "HarbourPost_2026_03_15.html.gz").write_bytes(gzip.compress(b"\x89PNG\r\n"))
    versions = json.loads((fixtures / "gold_map.json").read_text())
    versions["uk/HarbourPost_2026_03_15.html.gz"] = versions["uk/HarbourPost_2026_03_14.html.gz"]
    (fixtures / "gold_map.json").write_text(json.dumps(versions))
    corpus = import_corpus("fundus", fixtures, StaticRenderer(), tmp_path / "out")
    assert len(corpus) == 1
    failed = corpus.notes["failed"]
    assert "PNG" in failed["uk-HarbourPost_2026_03_15"]


def test_a_page_without_gold_is_lost_with_its_reason(fixtures):
    (fixtures / "tests/resources/parser/test_data/uk/HarbourPost.json").write_text("{}")
    (page,) = read_fundus(fixtures)
    assert page == Lost("uk-HarbourPost_2026_03_14", "KeyError: 'V2'")


def test_the_real_fixtures_are_aligned_as_well_as_promised(shared_data):
    items = list(read_fundus(shared_data("fundus.zip")))
    assert len(items) > 100
    assert not [item for item in items if isinstance(item, Lost)]
    tally = AlignmentTally()
    with StaticRenderer(workers=2) as renderer:
        for page in aligned_pages(items, renderer, READERS["fundus"].labels):
            tally.add(page.matches)
    shares = {row["field"]: row["share"] for row in tally.rows()}
    floors = {
        "Title": 0.92,
        "Author": 0.89,
        "Date": 0.93,
        "Paragraph": 0.995,
        "Subtitle": 0.995,
        "Caption": 0.99,
        "Multimedia": 0.97,
    }
    assert {name: shares[name] for name, floor in floors.items() if shares[name] < floor} == {}
