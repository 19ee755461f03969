from datetime import date, datetime
from zipfile import ZipFile

import pytest

from structce.datasets.text_formats import (
    decode_text,
    files_below,
    html_nodes,
    is_same_page,
    linked_site,
    parse_day,
    parse_names,
    shown_texts,
    stated_url,
    unique_id,
)
from structce.io import open_folder
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_is_read_in_any_encoding_that_editors_wrote(encoding):
    assert decode_text("Café – “no”".encode(encoding)) == "Café – “no”"


def test_a_page_states_its_address_only_with_a_host():
    relative = b'<link rel=canonical href="/news/1">'
    open_graph = b'<meta property="og:url" content=" https://post.example/1 ">'
    assert stated_url(relative) == ""
    assert stated_url(relative + open_graph) == "https://post.example/1"


def test_the_links_of_a_page_tell_its_site_where_most_agree():
    own, other = b'<a href="https://www.post.co.uk/1">', b'<a href="https://ads.example/">'
    assert linked_site(own * 2 + other + b'<a href="/2"><a href>') == "post.co.uk"
    assert linked_site(own + other) == ""
    assert linked_site(b"<p>no links") == ""


PAGE = """<!doctype html><html><head><title>T</title></head><body>
<p>One<b>two</b>three</p><!-- no --><p>four<script>var five;</script></p>
<table><tr><td>six</table><svg><text>seven</text></svg><ul><li>eight<li>nine</ul>"""


def test_elements_have_the_addresses_of_the_renderer():
    document = Document(PAGE)
    page = StaticRenderer().render(document)
    rendered = {xpath.rpartition("/text()")[0] or xpath for xpath in page.xpath}
    known = {node.xpath for node in html_nodes(document) if node.tag}
    assert rendered
    assert rendered <= known


@pytest.mark.parametrize(
    ("other", "is_same"), [("three two", True), ("one one", False), ("", False)]
)
def test_a_page_is_the_same_if_half_of_its_words_are(other, is_same):
    texts = list(shown_texts(Document("<p>One two <b>three</b>")))
    assert is_same_page(texts, f"<p>{other}</p>".encode(), "x") is is_same


def test_files_are_listed_alike_in_folders_and_archives(tmp_path):
    folder = tmp_path / "set"
    (folder / "a").mkdir(parents=True)
    (folder / "a/1.html").write_text("x")
    (folder / "2.html").write_text("x")
    with ZipFile(tmp_path / "set.zip", "w") as archive:
        for path in folder.rglob("*"):
            archive.write(path, path.relative_to(tmp_path))
    inside = open_folder(tmp_path / "set.zip") / "set/"
    assert files_below(folder) == files_below(inside) == ["2.html", "a/1.html"]


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("Ann Lee; Tom Rost", ("Ann Lee", "Tom Rost")),
        ("Ann Lee, Tom Rost, and Mira Okafor", ("Ann Lee", "Tom Rost", "Mira Okafor")),
        ("Ann Lee & Tom van Rost", ("Ann Lee", "Tom van Rost")),
        ("Von Ann Lee und Tom Rost", ("Ann Lee", "Tom Rost")),
        ("Lee, Ann", ("Lee, Ann",)),
        ("Ann Lee, Harbour Expert", ("Ann Lee, Harbour Expert",)),
        ("Ann Lee (with Tom Rost and Mira Okafor)", ("Ann Lee (with Tom Rost and Mira Okafor)",)),
        ("Ann Lee (https://a.example/)", ("Ann Lee",)),
        (["Ann Lee", "www.post.example", "ann@post.example"], ("Ann Lee",)),
        (None, ()),
    ],
    ids=str,
)
def test_only_what_is_a_list_of_names_is_taken_apart(stated, names):
    assert parse_names(stated, "de") == names


def test_days_and_moments_are_read_and_nothing_is_guessed():
    assert parse_day("2026-03-14") == date(2026, 3, 14)
    assert parse_day("2026-03-14T10:30") == datetime(2026, 3, 14, 10, 30)
    assert [parse_day(text) for text in ("2026-25-03", "2026-03", "", None)] == [None] * 4


def test_ids_are_plain_and_distinct():
    taken = set()
    files = ("Übermut (1).html", "übermut – 1.html", "神道.html")
    names = [unique_id(file, taken) for file in files]
    assert names == ["Ubermut-1", "ubermut-1-2", "page"]
