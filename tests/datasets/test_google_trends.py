from pathlib import Path

import pytest

from structce.alignment.annotations import labels_of_blocks
from structce.datasets import gold_text
from structce.datasets.base import GoldPage
from structce.datasets.google_trends import read_google_trends
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

PREPARED = """<html><body><a href="/"><span __boilernet_label="0"> Home </span></a>
<h1><span __boilernet_label="1">No ferry</span></h1>
<p><span __boilernet_label="1">The ferry will not</span><a href="/s"><span
__boilernet_label="1">sail</span></a><span class="end" __boilernet_label="1">before noon.</span></p>
<figure><p><span __boilernet_label="1">The quay.</span></p></figure></body></html>"""
PREPARED_CONTENT = "No ferry The ferry will not sail before noon. The quay."
RAW = """<html><head><title>No ferry</title></head><body><a href="/">Home</a><h1>No ferry</h1>
<!-- text --><p>The ferry will not <a href="/s">sail</a> <span class="end">before noon.</span></p>
<figure><p>The quay.</p></figure><script>f()</script></body></html>"""
LABELS = ["None", UNKNOWN, "Paragraph", "Paragraph", "Paragraph", UNKNOWN]


@pytest.fixture
def data_set_folder(tmp_path):
    """One page in the layout of BoilerNet."""
    (tmp_path / "prepared_html").mkdir()
    (tmp_path / "prepared_html/ferry news.html").write_text(PREPARED)
    (tmp_path / "50-30-100-split").mkdir()
    return tmp_path


def read_one(folder: Path) -> GoldPage:
    (page,) = read_google_trends(folder)
    assert isinstance(page, GoldPage)
    return page


def labels(page: GoldPage) -> list[str]:
    return labels_of_blocks(StaticRenderer().render(page.document()), page.gold)[0]


def test_a_prepared_page_is_given_without_its_labels(data_set_folder):
    page = read_one(data_set_folder)
    assert (page.id, page.site, page.url) == ("ferry-news", "ferry-news", "")
    html = page.document().html
    assert "__boilernet_label" not in html
    assert html.count("<span") == 1
    assert labels(page) == LABELS
    assert page.gold.covers == frozenset()
    assert gold_text(page.gold).split() == PREPARED_CONTENT.split()


def test_the_raw_page_is_given_where_it_is_the_same_page(data_set_folder):
    (data_set_folder / "raw_html").mkdir()
    raw = data_set_folder / "raw_html/ferry news.html"
    raw.write_text(RAW)
    page = read_one(data_set_folder)
    assert page.data.decode() == RAW
    assert labels(page) == LABELS
    raw.write_text("<p>Quite another page</p>")
    assert "another" not in read_one(data_set_folder).document().html


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<p>Words</p>", "no text has the attribute __boilernet_label"),
        ('<p __boilernet_label="2">Words</p>', "'2'; expected 0 or 1"),
        ("", "empty"),
    ],
    ids=["unlabelled", "other label", "empty"],
)
def test_a_bad_page_is_lost_with_its_reason(data_set_folder, html, why):
    (data_set_folder / "prepared_html/ferry news.html").write_text(html)
    (page,) = read_google_trends(data_set_folder)
    assert why in page.why
