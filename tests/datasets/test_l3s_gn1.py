from itertools import islice
from pathlib import Path

import pytest

from structce.alignment.annotations import labels_of_blocks
from structce.datasets.base import GoldPage, Lost
from structce.datasets.l3s_gn1 import read_l3s_gn1
from structce.errors import CorpusError
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

ORIGINAL = """<html><head><title>Ferry stops in June - The Post</title></head><body>
<a href="/">Home</a><h1>Ferry stops in June</h1><b>By Ann Lee</b>
<p>The ferry will not <a href="/sail">sail</a> before noon.</p><h2>No end in sight</h2>
<p>Nobody could say how long. <i>The quay.</i></p><div>More ferries</div></body></html>"""
ANNOTATED = """<html><head><style>.x-nc-sel0 { display: block } </style>
<title>Ferry stops in June - The Post</title></head><body class="wide x-nc-linearized">
<a href="javascript:void(0)">Home</a>
<h1><span class="x-nc-sel1">Ferry stops in June</span></h1>
<b class="x-nc-sel3">By Ann Lee</b>
<p><span class="x-nc-sel2">The ferry will not <a href="javascript:void(0)">sail</a> before noon.
</span></p><h2><span class="x-nc-sel2">No end in sight</span></h2>
<p><span class="x-nc-sel2">Nobody could say how long.
<i><span class="x-nc-sel3">The quay.</span></i></span><span class="x-nc-sel0"></span></p>
<div><span class="x-nc-sel4">More ferries</span></div><form class="x-nc-invisible"></form>
</body></html>"""
KINDS = [
    ("not content", "Home", "None"),
    ("headline", "Ferry stops in June", "Title"),
    ("supplemental", "By Ann Lee", UNKNOWN),
    ("full text", "The ferry will not sail before noon.", "Paragraph"),
    ("full text", "No end in sight", UNKNOWN),
    ("full text", "Nobody could say how long.", "Paragraph"),
    ("supplemental", "The quay.", UNKNOWN),
    ("related", "More ferries", "None"),
]


@pytest.fixture
def data_set_folder(tmp_path):
    """One page in the layout of the data set."""
    for twin, html in (("original", ORIGINAL), ("annotated", ANNOTATED)):
        (tmp_path / twin).mkdir()
        (tmp_path / twin / "1a-2b.html").write_text(html)
    row = "<urn:uuid:1a-2b>\thttp://news.post.co.uk/1?a=b&c\n"
    (tmp_path / "url-mapping.txt").write_text(row)
    return tmp_path


def read_one(folder: Path) -> GoldPage:
    (page,) = read_l3s_gn1(folder)
    assert isinstance(page, GoldPage)
    return page


def test_the_original_is_given_with_a_block_for_each_text(data_set_folder):
    page = read_one(data_set_folder)
    assert (page.id, page.site, page.url) == (
        "1a-2b",
        "post.co.uk",
        "http://news.post.co.uk/1?a=b&c",
    )
    assert page.data.decode() == ORIGINAL
    assert [(block.kind, block.text, block.label) for block in page.gold.blocks] == KINDS
    assert page.gold.rest == "None"
    assert page.gold.covers == {"Paragraph", "Title"}


@pytest.mark.parametrize("is_cut", [False, True], ids=["original", "annotated"])
def test_regions_get_the_labels_of_either_twin(data_set_folder, is_cut):
    if is_cut:
        (data_set_folder / "original/1a-2b.html").write_text("<title>Ferry st<p>lost</p>")
    page = read_one(data_set_folder)
    rendered = StaticRenderer().render(page.document())
    labels, matches = labels_of_blocks(rendered, page.gold)
    assert rendered.text[-1] == "More ferries"
    assert labels == (
        ["None", "Title", UNKNOWN, *["Paragraph"] * 3, UNKNOWN, "Paragraph", UNKNOWN, "None"]
    )
    assert {match.state for match in matches} == {"found"}


def test_an_annotated_page_is_given_without_traces(data_set_folder):
    (data_set_folder / "original/1a-2b.html").write_text("<title>Ferry st<p>lost</p>")
    html = read_one(data_set_folder).document().html
    assert "x-nc" not in html
    assert "<span" not in html
    assert '<body class="wide">' in html
    assert "<b>By Ann Lee</b>" in html


def test_of_several_headlines_the_one_in_the_title_element_is_the_title(data_set_folder):
    more = ANNOTATED.replace("<h2>", '<h3 class="x-nc-sel1">What the council said</h3><h2>')
    (data_set_folder / "annotated/1a-2b.html").write_text(more)
    headlines = [b.label for b in read_one(data_set_folder).gold.blocks if b.kind == "headline"]
    assert headlines == ["Title", UNKNOWN]
    (data_set_folder / "annotated/1a-2b.html").write_text(
        more.replace("<title>Ferry stops in June", "<title>")
    )
    page = read_one(data_set_folder)
    assert [b.label for b in page.gold.blocks if b.kind == "headline"] == [UNKNOWN, UNKNOWN]
    assert page.gold.covers == {"Paragraph"}


@pytest.mark.parametrize("twin", ["original", "annotated"])
def test_a_page_without_its_twin_is_lost_with_the_reason(data_set_folder, twin):
    (data_set_folder / twin / "1a-2b.html").unlink()
    (page,) = read_l3s_gn1(data_set_folder)
    assert "FileNotFoundError" in page.why
    assert not page.is_known


def test_a_page_without_an_address_is_lost(data_set_folder):
    (data_set_folder / "original/3c.html").write_text(ORIGINAL)
    _, page = read_l3s_gn1(data_set_folder)
    assert page == Lost("3c", "url-mapping.txt does not list it, so its site is unknown")


def test_another_form_of_the_addresses_is_a_clear_error(data_set_folder):
    (data_set_folder / "url-mapping.txt").write_text("1a-2b http://x.example\n")
    with pytest.raises(CorpusError, match="expected rows of '<urn:uuid"):
        list(read_l3s_gn1(data_set_folder))


def test_the_real_pages_are_found_nearly_whole(shared_data):
    renderer, states, n_pages = StaticRenderer(), [], 0
    for page in islice(read_l3s_gn1(shared_data("l3s-gn1.zip")), 60):
        assert b"x-nc-" not in page.data
        n_pages += 1
        if n_pages % 5 == 0:
            _, matches = labels_of_blocks(renderer.render(page.document()), page.gold)
            states += [match.state for match in matches]
    assert n_pages == 60
    assert states.count("found") >= 0.98 * len(states)
