from pathlib import Path

import pytest

from structce.alignment.annotations import labels_of_marks
from structce.datasets.base import GoldPage, Lost
from structce.datasets.crf_article_extractor import read_crf_article_extractor
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

HTML = """<html><head><link rel="canonical" href="https://www.post.co.uk/1"></head><body>
<nav><a>Home</a></nav><h1>No ferry</h1>
<div><p>The <a>ferry</a> will not sail. <b>Read this</b></p><h2>No end</h2>
<p><strong>In bold</strong></p><p>Café Zoë is shut.</p></div>
<footer>Imprint</footer></body></html>"""
ROWS = """ignore	0	html	None	[]	[]
ignore	1	head	html	[]	[]
ignore	2	body	html	[]	[]
ignore	3	nav	body	[]	[]
ignore	4	a	nav	['Home']	[]
ignore	5	h1	body	['No ferry']	[]
ignore	6	div	body	[]	[]
content	7	p	div	['The ', ' will not sail. ']	['The', 'will not sail.']
content	8	a	p	['ferry']	[]
ignore	9	b	p	[u'Read\\xa0this']	['Read\\xc2\\xa0this']
content	10	h2	div	['No end']	[]
ignore	11	p	div	[]	[]
content	12	strong	p	['In bold']	[]
content	13	p	div	"[u'Caf\\xe9 Zo\\xeb is shut.']"	[]
ignore	14	footer	body	['Imprint']	[]
"""


@pytest.fixture
def data_set_folder(tmp_path):
    """One page in the layout of the data set."""
    for split in ("train", "validation", "test"):
        for kind in ("html", "tsv"):
            (tmp_path / "data" / split / kind).mkdir(parents=True)
    write(tmp_path, HTML, ROWS)
    return tmp_path


def write(folder: Path, html: str, rows: str) -> None:
    (folder / "data/train/html/post.html").write_text(html, encoding="utf-8")
    (folder / "data/train/tsv/post.tsv").write_text(rows, encoding="utf-8")


def read_one(folder: Path) -> GoldPage:
    (page,) = read_crf_article_extractor(folder)
    assert isinstance(page, GoldPage)
    return page


def test_rows_become_labels_of_the_elements_that_they_tell_of(data_set_folder):
    page = read_one(data_set_folder)
    assert (page.id, page.site, page.url) == (
        "train-post",
        "post.co.uk",
        "https://www.post.co.uk/1",
    )
    rendered = StaticRenderer().render(page.document())
    labels, matches = labels_of_marks(rendered, page.gold)
    assert list(zip(rendered.text, labels, strict=True)) == [
        ("Home", "None"),
        ("No ferry", UNKNOWN),
        ("The", "Paragraph"),
        ("ferry", "Paragraph"),
        ("will not sail.", "Paragraph"),
        ("Read this", UNKNOWN),
        ("No end", "Subtitle"),
        ("In bold", UNKNOWN),
        ("Café Zoë is shut.", "Paragraph"),
        ("Imprint", "None"),
    ]
    assert {match.state for match in matches} == {"found"}


def test_paragraphs_are_covered_where_all_of_the_text_is_told(data_set_folder):
    assert read_one(data_set_folder).gold.covers == frozenset()
    rows = ROWS.replace("content	12	strong", "ignore	12	strong")
    write(data_set_folder, HTML, rows)
    assert read_one(data_set_folder).gold.covers == {"Paragraph", "Subtitle"}


def test_elements_without_rows_do_not_shift_the_others(data_set_folder):
    write(data_set_folder, HTML.replace("<div>", "<script>f()</script><meta><br><div>"), ROWS)
    marks = {mark.xpath: mark.label for mark in read_one(data_set_folder).gold.marks}
    assert marks["/html[1]/body[1]/div[1]/p[3]"] == "Paragraph"


def test_a_page_without_an_address_is_a_site_of_its_own(data_set_folder):
    write(data_set_folder, HTML.replace("canonical", "author"), ROWS)
    assert read_one(data_set_folder).site == "post"


@pytest.mark.parametrize(
    ("html", "rows", "why"),
    [
        (HTML.replace("Zoë", "Zola"), ROWS, "1 rows of content match no element"),
        (HTML, "content\t1\n", "row 1: expected content or ignore and five more columns"),
        (HTML, "content\t1\tp\tdiv\t[broken\t[]\n", "SyntaxError"),
        ("\x89PNG", ROWS, "PNG"),
    ],
    ids=["text changed", "too few columns", "no list", "no page"],
)
def test_a_bad_page_is_lost_with_its_reason(data_set_folder, html, rows, why):
    write(data_set_folder, html, rows)
    if html.startswith("\x89"):
        (data_set_folder / "data/train/html/post.html").write_bytes(b"\x89PNG")
    (page,) = read_crf_article_extractor(data_set_folder)
    assert why in page.why


def test_a_page_without_rows_is_lost(data_set_folder):
    (data_set_folder / "data/test/html/alone.html").write_text(HTML)
    _, page = read_crf_article_extractor(data_set_folder)
    assert isinstance(page, Lost)
    assert page.id == "test-alone"


def test_the_real_rows_of_content_all_find_their_elements(shared_data):
    pages = list(read_crf_article_extractor(shared_data("crf-article-extractor.zip")))
    given = [page for page in pages if isinstance(page, GoldPage)]
    assert len(given) == len(pages) >= 38
    marks = [mark for page in given for mark in page.gold.marks if mark.kind == "content"]
    assert len(marks) > 380
    assert sum(mark.label == "Paragraph" for mark in marks) > 0.9 * len(marks)
