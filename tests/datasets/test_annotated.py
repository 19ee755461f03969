"""Pages that annotators marked, in the layout of each data set."""

import pytest

from structce.alignment.annotations import labels_of_blocks, labels_of_marks
from structce.datasets import READERS, GoldPage
from structce.gold import GoldMark
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer


def read_one(name, folder):
    (page,) = READERS[name].read(folder)
    assert isinstance(page, GoldPage)
    return page


L3S_ORIGINAL = """<html><head><title>Ferry stops in June - The Post</title></head><body>
<a href="/">Home</a><h1>Ferry stops in June</h1><b>By Ann Lee</b>
<p>The ferry will not <a href="/sail">sail</a> before noon.</p><h2>No end in sight</h2>
<p>Nobody could say how long. <i>The quay.</i></p><div>More ferries</div></body></html>"""
L3S_ANNOTATED = """<html><head><style>.x-nc-sel0 { display: block } </style>
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
L3S_KINDS = [
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
def l3s_folder(tmp_path):
    """One page in the layout of the data set."""
    for twin, html in (("original", L3S_ORIGINAL), ("annotated", L3S_ANNOTATED)):
        (tmp_path / twin).mkdir()
        (tmp_path / twin / "1a-2b.html").write_text(html)
    row = "<urn:uuid:1a-2b>\thttp://news.post.co.uk/1?a=b&c\n"
    (tmp_path / "url-mapping.txt").write_text(row)
    return tmp_path


def test_l3s_pages_are_originals_with_a_block_per_text(l3s_folder):
    page = read_one("l3s-gn1", l3s_folder)
    assert (page.id, page.site) == ("1a-2b", "post.co.uk")
    assert page.url == "http://news.post.co.uk/1?a=b&c"
    assert page.data.decode() == L3S_ORIGINAL
    assert [(block.kind, block.text, block.label) for block in page.gold.blocks] == L3S_KINDS
    assert page.gold.rest == "None"
    assert page.gold.covers == {"Paragraph", "Title"}


@pytest.mark.parametrize("is_cut", [False, True], ids=["original", "annotated"])
def test_both_copies_of_an_l3s_page_give_the_same_labels(l3s_folder, is_cut):
    if is_cut:
        (l3s_folder / "original/1a-2b.html").write_text("<title>Ferry st<p>lost</p>")
    page = read_one("l3s-gn1", l3s_folder)
    html = page.document().html
    assert not is_cut or ("x-nc" not in html and "<span" not in html and "<b>By Ann" in html)
    rendered = StaticRenderer().render(page.document())
    labels, matches = labels_of_blocks(rendered, page.gold)
    assert rendered.text[-1] == "More ferries"
    content = ["Title", UNKNOWN, *["Paragraph"] * 3, UNKNOWN, "Paragraph", UNKNOWN]
    assert labels == ["None", *content, "None"]
    assert {match.state for match in matches} == {"found"}


def test_of_several_headlines_the_title_element_decides(l3s_folder):
    more = L3S_ANNOTATED.replace("<h2>", '<h3 class="x-nc-sel1">What the council said</h3><h2>')
    (l3s_folder / "annotated/1a-2b.html").write_text(more)
    gold = read_one("l3s-gn1", l3s_folder).gold
    assert [b.label for b in gold.blocks if b.kind == "headline"] == ["Title", UNKNOWN]
    untitled = more.replace("<title>Ferry stops in June", "<title>")
    (l3s_folder / "annotated/1a-2b.html").write_text(untitled)
    gold = read_one("l3s-gn1", l3s_folder).gold
    assert [b.label for b in gold.blocks if b.kind == "headline"] == [UNKNOWN, UNKNOWN]
    assert gold.covers == {"Paragraph"}


BLOCKS_PLACE = "dataset-popular/www.post.example/www.post.example"
BLOCKS_MARKED = """<html><head><meta charset="us-ascii">
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
def blocks_folder(tmp_path):
    """One page in the layout of the data set, with its style sheet."""
    root = tmp_path / "semantic-blocks"
    (root / BLOCKS_PLACE / "s").mkdir(parents=True)
    (root / BLOCKS_PLACE / "index.blocks.html").write_text(BLOCKS_MARKED, encoding="utf-8")
    (root / BLOCKS_PLACE / "s/main.css").write_text("p {color: blue}")
    row = f'"http://www.post.example/" : "/opt/{BLOCKS_PLACE}/index.html",\n'
    (root / "dataset-popular/mapping.txt").write_text(f'"http://other.example" : "x",\n{row}')
    (root / "dataset-random").mkdir()
    (root / "dataset-random/mapping.txt").write_text("")
    return root


def test_marked_blocks_become_labels_of_regions(blocks_folder):
    page = read_one("semantic-blocks", blocks_folder)
    assert (page.id, page.site) == ("popular-www.post.example", "post.example")
    assert page.url == "http://www.post.example/"
    html = page.document().html
    assert "data-block" not in html
    assert 'class=""' not in html
    assert 'class="box"' in html
    assert "p {color: red}" in html
    rendered = StaticRenderer().render(page.document())
    labels, matches = labels_of_marks(rendered, page.gold)
    assert (
        " ".join(rendered.text).split() == "Home Café Words Buy A caption Harbour One Loose".split()
    )
    images = ["Advertisement", "Advertisement", "Multimedia"]
    assert labels == ["None", "None", UNKNOWN, *images, UNKNOWN, UNKNOWN, "None", UNKNOWN]
    assert [m.field for m in matches] == ["Menu", "Content", "Ad", "Image", "Title", "Menu Sidebar"]
    assert {match.state for match in matches} == {"found"}


def test_a_mark_that_no_parser_sees_is_counted_as_missing(blocks_folder):
    hidden = BLOCKS_MARKED.replace("Loose</p>", '</p><!-- <p data-block-type="Ad"> -->')
    (blocks_folder / BLOCKS_PLACE / "index.blocks.html").write_text(hidden, encoding="utf-8")
    page = read_one("semantic-blocks", blocks_folder)
    assert page.gold.marks[-1] == GoldMark("Ad", "", "Advertisement")
    _, matches = labels_of_marks(StaticRenderer().render(page.document()), page.gold)
    assert [m.state for m in matches if m.field == "Ad"] == ["found", "missing"]


CRF_HTML = """<html><head><link rel="canonical" href="https://www.post.co.uk/1"></head><body>
<nav><a>Home</a></nav><h1>No ferry</h1>
<div><p>The <a>ferry</a> will not sail. <b>Read this</b></p><h2>No end</h2>
<p><strong>In bold</strong></p><p>Café Zoë is shut.</p></div>
<footer>Imprint</footer></body></html>"""
CRF_ROWS = """ignore	0	html	None	[]	[]
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
def crf_folder(tmp_path):
    """One page in the layout of the data set."""
    for split in ("train", "validation", "test"):
        for kind in ("html", "tsv"):
            (tmp_path / "data" / split / kind).mkdir(parents=True)
    crf_write(tmp_path, CRF_HTML, CRF_ROWS)
    return tmp_path


def crf_write(folder, html, rows):
    (folder / "data/train/html/post.html").write_text(html, encoding="utf-8")
    (folder / "data/train/tsv/post.tsv").write_text(rows, encoding="utf-8")


def test_rows_of_elements_become_labels(crf_folder):
    page = read_one("crf-article-extractor", crf_folder)
    assert (page.id, page.site) == ("train-post", "post.co.uk")
    assert page.url == "https://www.post.co.uk/1"
    assert page.gold.covers == frozenset()
    rendered = StaticRenderer().render(page.document())
    labels, matches = labels_of_marks(rendered, page.gold)
    by_label = {label: [] for label in labels}
    for text, label in zip(rendered.text, labels, strict=True):
        by_label[label].append(text)
    assert by_label == {
        "None": ["Home", "Imprint"],
        UNKNOWN: ["No ferry", "Read this", "In bold"],
        "Paragraph": ["The", "ferry", "will not sail.", "Café Zoë is shut."],
        "Subtitle": ["No end"],
    }
    assert {match.state for match in matches} == {"found"}
