from pathlib import Path
from zipfile import ZipFile

import pytest

from structce.alignment.annotations import labels_of_marks
from structce.datasets.base import GoldPage, Lost
from structce.datasets.semantic_blocks import read_semantic_blocks
from structce.gold import GoldMark
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

PLACE = "dataset-popular/www.post.example/www.post.example"
MARKED = """<html><head><meta charset="us-ascii">
<style type="text/css">*[data-block] {outline: 1px solid blue !important; border: 0}
p {color: red}</style><link rel="stylesheet" href="s/main.css"></head><body>
<div data-block-type="Menu" data-block="1" class=""><a href="/">Home</a> <a href="/é">Café</a></div>
<div data-block="1" data-block-type="Content"><p class="">Words</p>
<div data-block="2" data-block-type="Ad" class="box"><img src="a.gif">Buy</div>
<div data-block="2" data-block-type="Image"><img src="b.jpg"><i>A caption</i></div>
<h2 data-block="2" data-block-type="Title">Harbour</h2>
<ul data-block="2" data-block-type="Menu Sidebar"><li>One</ul></div>
<p>Loose</p></body></html>"""


@pytest.fixture
def data_set_folder(tmp_path):
    """One page in the layout of the data set, with its style sheet."""
    root = tmp_path / "semantic-blocks"
    (root / PLACE / "s").mkdir(parents=True)
    (root / PLACE / "index.blocks.html").write_text(MARKED, encoding="utf-8")
    (root / PLACE / "s/main.css").write_text("p {color: blue}")
    row = f'"http://www.post.example/" : "/opt/{PLACE}/index.html",\n'
    (root / "dataset-popular/mapping.txt").write_text(f'"http://other.example" : "x",\n{row}')
    (root / "dataset-random").mkdir()
    (root / "dataset-random/mapping.txt").write_text("")
    return root


def read_one(folder: Path) -> GoldPage:
    (page,) = read_semantic_blocks(folder)
    assert isinstance(page, GoldPage)
    return page


def test_marks_become_labels_of_the_regions_inside(data_set_folder):
    page = read_one(data_set_folder)
    assert (page.id, page.site) == ("popular-www.post.example", "post.example")
    assert page.url == "http://www.post.example/"
    rendered = StaticRenderer().render(page.document())
    labels, matches = labels_of_marks(rendered, page.gold)
    pairs = zip([text or "<img>" for text in rendered.text], labels, strict=True)
    assert list(pairs) == [
        ("Home", "None"),
        ("Café", "None"),
        ("Words", UNKNOWN),
        ("<img>", "Advertisement"),
        ("Buy", "Advertisement"),
        ("<img>", "Multimedia"),
        ("A caption", UNKNOWN),
        ("Harbour", UNKNOWN),
        ("One", "None"),
        ("Loose", UNKNOWN),
    ]
    assert [m.field for m in matches] == ["Menu", "Content", "Ad", "Image", "Title", "Menu Sidebar"]
    assert {match.state for match in matches} == {"found"}


def test_the_page_holds_no_trace_of_the_marks(data_set_folder):
    html = read_one(data_set_folder).document().html
    assert "data-block" not in html
    assert 'class=""' not in html
    assert 'class="box"' in html
    assert "p {color: red}" in html


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_style_sheets_come_along(data_set_folder, tmp_path, form):
    source = data_set_folder
    if form == "zip":
        source = tmp_path / "set.zip"
        with ZipFile(source, "w") as archive:
            for path in sorted(data_set_folder.rglob("*")):
                archive.write(path, path.relative_to(tmp_path))
    resources = read_one(source).document().resources
    sheet = resources.get(resources.base.replace("index.html", "s/main.css"))
    assert sheet.data == b"p {color: blue}"


def test_a_mark_that_no_parser_sees_is_counted_as_missing(data_set_folder):
    hidden = MARKED.replace("Loose</p>", '</p><!-- <p data-block-type="Ad"> -->')
    (data_set_folder / PLACE / "index.blocks.html").write_text(hidden, encoding="utf-8")
    page = read_one(data_set_folder)
    assert page.gold.marks[-1] == GoldMark("Ad", "", "Advertisement")
    _, matches = labels_of_marks(StaticRenderer().render(page.document()), page.gold)
    assert [m.state for m in matches if m.field == "Ad"] == ["found", "missing"]


def test_pages_without_usable_marks_are_lost_with_the_reason(data_set_folder):
    site = data_set_folder / "dataset-random/www.empty.example"
    site.mkdir()
    (site / "index.html").write_text("<p>Words</p>")
    page = data_set_folder / PLACE / "index.blocks.html"
    page.write_text('<title>cut <p data-block-type="Ad">Buy</p>')
    cut, unmarked = read_semantic_blocks(data_set_folder)
    assert cut == Lost(
        "popular-www.post.example",
        "a parser sees none of its 1 marks: the file is broken upstream",
        is_known=True,
    )
    assert unmarked.is_known


def test_an_unknown_type_is_an_error_that_lists_the_known_ones(data_set_folder):
    page = data_set_folder / PLACE / "index.blocks.html"
    page.write_text('<body><p data-block-type="Poem">Words</p>')
    (lost,) = read_semantic_blocks(data_set_folder)
    assert "'Poem'; expected one of Ad, Article" in lost.why


def test_several_pages_of_one_site_have_ids_of_their_own(data_set_folder):
    second = data_set_folder / PLACE / "town.blocks.html"
    second.write_text(MARKED, encoding="utf-8")
    first, other = read_semantic_blocks(data_set_folder)
    assert (first.id, other.id) == ("popular-www.post.example", "popular-www.post.example-2")
    assert (other.url, other.site) == ("", "post.example")


def test_the_real_pages_are_read_and_what_is_lost_is_named(shared_data):
    pages = list(read_semantic_blocks(shared_data("semantic-blocks.zip")))
    given = [page for page in pages if isinstance(page, GoldPage)]
    lost = [page for page in pages if isinstance(page, Lost)]
    assert len(given) >= 140
    assert all(b"data-block" not in page.data for page in given)
    assert sum(len(page.gold.marks) for page in given) > 2_200
    assert len(lost) <= 5
    assert all(page.is_known for page in lost)
