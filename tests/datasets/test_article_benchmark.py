import gzip
import json
import zipfile

import pytest

from structce.datasets.article_benchmark import read_article_benchmark
from structce.datasets.base import READERS, GoldPage


@pytest.fixture
def benchmark(tmp_path):
    """Two pages in the layout of the data set, of which one has no HTML."""
    (tmp_path / "html").mkdir()
    page = "<p>Älter als der Hafen".encode()
    (tmp_path / "html" / "ab12.html.gz").write_bytes(gzip.compress(page))
    rows = {
        "cd34": {"articleBody": "Gone.", "url": "https://post.example/2"},
        "ab12": {
            "articleBody": "It  sails.\n\n...\n\nNo end in sight\n",
            "url": "https://a.b.de/1",
        },
    }
    (tmp_path / "ground-truth.json").write_text(json.dumps(rows))
    return tmp_path


def test_every_line_with_words_is_a_piece_of_the_text(benchmark):
    page, _ = read_article_benchmark(benchmark)
    assert (page.id, page.site, page.url) == ("ab12", "b.de", "https://a.b.de/1")
    assert page.gold.body == (("Text", "It sails."), ("Text", "No end in sight"))
    assert page.gold.covers == {"Paragraph", "Subtitle"}
    assert page.document().html == "<p>Älter als der Hafen"


def test_a_page_that_is_not_there_is_lost(benchmark):
    _, lost = read_article_benchmark(benchmark)
    assert lost.id == "cd34"
    assert "cd34.html.gz" in lost.why


def test_it_is_registered_by_the_name_of_the_data_set():
    assert READERS["article-extraction-benchmark"].labels == ("Paragraph", "Subtitle")


def test_every_real_page_is_read(shared_data):
    archive_path = shared_data("article-extraction-benchmark.zip")
    with zipfile.ZipFile(archive_path) as archive:
        rows = json.loads(archive.read("ground-truth.json"))
    pages = [page for page in read_article_benchmark(archive_path) if isinstance(page, GoldPage)]
    assert [page.id for page in pages] == sorted(rows)
    assert all(page.gold.body and "." in page.site for page in pages)
    words = sum(len(page.gold.text.split()) for page in pages)
    assert words > 0.999 * sum(len(row["articleBody"].split()) for row in rows.values())
