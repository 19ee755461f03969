import pytest

from structce.alignment.annotations import labels_of_blocks, labels_of_marks
from structce.datasets.base import GoldPage
from structce.datasets.news600 import read_news600
from structce.errors import CorpusError
from structce.rendering.static import StaticRenderer

HTML = "<html><body><a>Home</a><h1>No ferry</h1><p>It stops.</p></body></html>"
MAPPING = """
[files]
pages = "html/*.html"
labels = "labels/{name}.tsv"
addresses = "addresses.tsv"

[rows]
separator = "\\t"
skip = 1
xpath = 1
label = 2
rest = "None"

[labels]
"head line" = "Title"
"link" = "None"
"""
ROWS = "node\tlabel\n/HTML/BODY/H1[1]/text()\thead line\n/html/body/p/text()[1]\tParagraph\n"


@pytest.fixture
def data_set_folder(tmp_path):
    """One page in a layout of our own, with the mapping that tells of it."""
    (tmp_path / "html").mkdir()
    (tmp_path / "labels").mkdir()
    (tmp_path / "html/page[1].html").write_text(HTML)
    (tmp_path / "labels/page[1].tsv").write_text(ROWS)
    (tmp_path / "addresses.tsv").write_text("page[1].html\thttp://news.post.co.uk/1\n")
    (tmp_path / "mapping.toml").write_text(MAPPING)
    return tmp_path


def read_one(folder):
    (page,) = read_news600(folder)
    assert isinstance(page, GoldPage)
    return page


def test_addresses_of_nodes_become_labels(data_set_folder):
    page = read_one(data_set_folder)
    assert (page.id, page.site) == ("page-1", "post.co.uk")
    labels, matches = labels_of_marks(StaticRenderer().render(page.document()), page.gold)
    assert labels == ["None", "Title", "Paragraph"]
    assert [(match.field, match.state) for match in matches] == [
        ("head line", "found"),
        ("Paragraph", "found"),
    ]
    assert page.gold.covers == {"Paragraph", "Title"}


def test_texts_of_regions_become_labels(data_set_folder):
    (data_set_folder / "mapping.toml").write_text(
        MAPPING.replace("xpath = 1", "text = 1").replace('addresses = "addresses.tsv"', "")
    )
    rows = 'text\tlabel\nHome\tlink\nNo "ferry\thead line\nIt stops.\tParagraph\n'
    (data_set_folder / "labels/page[1].tsv").write_text(rows)
    page = read_one(data_set_folder)
    assert (page.site, page.url) == ("page-1", "")
    labels, _ = labels_of_blocks(StaticRenderer().render(page.document()), page.gold)
    assert labels == ["None", "Title", "Paragraph"]


def test_labels_that_the_mapping_leaves_out_are_all_named(data_set_folder):
    (data_set_folder / "html/page2.html").write_text(HTML)
    (data_set_folder / "labels/page2.tsv").write_text("node\tlabel\n/html/body/p\tpoem\n")
    rows = ROWS.replace("Paragraph", "ode")
    (data_set_folder / "labels/page[1].tsv").write_text(rows)
    with pytest.raises(CorpusError, match="leaves out 2: 'ode', 'poem'; give each one of Adv"):
        list(read_news600(data_set_folder))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("pages =", "page =", "unknown field"),
        ('= "Title"', '= "Headline"', "'Headline' is not one of Advertisement"),
        ("xpath = 1", "xpath = 1\ntext = 2", "expected either xpath or text"),
        ("xpath = 1", "", "expected either xpath or text"),
        ("label = 2", "label = 0", "columns from 1"),
        ("label = 2", "", "missing required field"),
        ("html/*.html", "pages/*.html", "no file matches 'pages/"),
        ("addresses.tsv", "lost.tsv", "FileNotFoundError: .*lost"),
        ("[files]", "[files", "mapping.toml"),
    ],
)
def test_a_wrong_mapping_is_a_clear_error(data_set_folder, old, new, why):
    (data_set_folder / "mapping.toml").write_text(MAPPING.replace(old, new))
    with pytest.raises(CorpusError, match=why):
        list(read_news600(data_set_folder))
