from dataclasses import replace

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.datasets.base import READERS, GoldPage, Skipped
from structce.datasets.gottron import (
    gold_text,
    is_fragmented,
    main_text,
    read_gottron,
    write_gold_packages,
    write_package,
)
from structce.errors import CorpusError
from structce.gold import Gold, GoldBlock
from structce.labels import UNKNOWN

HTML = "<html><h1>The quay</h1><p>Café in rain.</p></html>"


@pytest.fixture
def package(tmp_path):
    """A package of one page, as somebody may write it by hand."""
    (tmp_path / "description.package").write_text("name: By hand\n")
    (tmp_path / "quay (1).html").write_text(HTML, encoding="cp1252")
    (tmp_path / "quay (1).txt").write_text("The quay\n\nCafé in  rain.\n", encoding="utf-8-sig")
    facts = "URL: http://www.post.co.uk/1\nlanguage: en\nencoding: windows-1252\nnote: x\n"
    (tmp_path / "quay (1).meta").write_text(facts)
    return tmp_path


def test_a_document_is_tied_together_by_its_name(package):
    (page,) = read_gottron(package)
    assert (page.id, page.url, page.site) == ("quay-1", "http://www.post.co.uk/1", "post.co.uk")
    assert page.gold.body == (("Text", "The quay"), ("Text", "Café in rain."))
    assert page.gold.covers == {"Paragraph", "Subtitle"}
    assert "Café" in page.document().html


def test_language_and_flags_are_facts_about_the_page(package):
    (page,) = read_gottron(package)
    assert page.gold.about == {"language": "en"}
    (package / "quay (1).meta").write_text("Fragmented: YES\nseveral articles: no\n")
    (page,) = read_gottron(package)
    assert page.gold.about == {"fragmented": "yes", "several articles": "no"}
    (package / "quay (1).meta").write_text("fragmented: perhaps\n")
    (lost,) = read_gottron(package)
    assert "expected yes or no" in lost.reason


FERRY_HTML = """<html lang="de-AT"><h1>The quay</h1><div>By Ann</div>
<p>It <a>rains</a>, again.</p><aside>Buy a boat.</aside><h2>Why</h2><p>Nobody knows.</p></html>"""
LABELS = ("Title", "Author", *["Paragraph"] * 3, "Advertisement", "Subtitle", "Paragraph")


@pytest.fixture
def labelled_page(make_page):
    return LabelledPage("quay", "post.example", "post.example", make_page(FERRY_HTML), LABELS)


def original(page, html=FERRY_HTML):
    return GoldPage(page.id, page.site, page.family, page.page.url, html.encode(), Gold())


def files(folder, ending):
    return {file.name: file.read_text("utf-8") for file in folder.glob(f"*{ending}")}


@pytest.mark.parametrize(
    ("between", "expected"),
    [("Advertisement", True), ("None", True), ("Caption", False), ("?", None)],
    ids=["advertisement", "background", "caption", "unknown"],
)
def test_content_may_be_fragmented(labelled_page, between, expected):
    labels = tuple(between if label == "Advertisement" else label for label in LABELS)
    assert is_fragmented(replace(labelled_page, labels=labels), "None") is expected


def test_a_package_holds_page_text_and_metadata(labelled_page, tmp_path):
    corpus = Corpus("small", (labelled_page,))
    assert write_package(corpus, [original(labelled_page)], tmp_path / "out") == {}
    with pytest.raises(CorpusError, match="not empty"):
        write_package(corpus, [original(labelled_page)], tmp_path / "out")
    assert files(tmp_path / "out", ".html") == {"quay.html": FERRY_HTML}
    assert files(tmp_path / "out", ".txt") == {"quay.txt": main_text(labelled_page) + "\n"}
    facts = "url: https://post.example/1\nlanguage: de-AT\nfragmented: yes\n"
    assert files(tmp_path / "out", ".meta") == {"quay.meta": facts}
    assert files(tmp_path / "out", ".package") == {"description.package": "name: small\n"}


def test_pages_that_cannot_be_written_are_named_with_the_reason(labelled_page, tmp_path):
    unknown = replace(labelled_page, id="unknown", labels=("?",) * len(LABELS))
    others = [replace(labelled_page, id=name) for name in ("changed", "lost", "missing")]
    corpus = Corpus("small", (labelled_page, unknown, *others))
    originals = [original(labelled_page), original(unknown)]
    originals.append(original(others[0], FERRY_HTML + "<p>More"))
    originals += [Skipped("lost", "an empty file"), Skipped("elsewhere", "not in the corpus")]
    assert write_package(corpus, originals, tmp_path) == {
        "unknown": "its main text is unknown",
        "changed": "its HTML in the source differs from that in the corpus",
        "lost": "an empty file",
        "missing": "its HTML is not in the source",
    }
    assert set(files(tmp_path, ".txt")) == {"quay.txt"}


def gold_page(name, gold, site):
    return GoldPage(name, site, site, "", b"<p>x</p>", gold)


def test_a_gold_without_a_body_gives_the_blocks_of_main_content():
    blocks = (
        GoldBlock("headline", "The quay", "Title"),
        GoldBlock("menu", "Home", "None"),
        GoldBlock("full text", "It  rains.", "Paragraph"),
        GoldBlock("source", "Post", UNKNOWN),
    )
    assert gold_text(Gold(blocks=blocks)) == "The quay\nIt rains."
    whole = Gold(title="The quay", body=(("Text", "It rains."),), blocks=blocks)
    assert gold_text(whole) == "The quay\nIt rains."
    assert gold_text(Gold(title="The quay")) == ""


def test_a_data_set_becomes_packages_without_being_rendered(tmp_path):
    body = Gold(body=(("Text", "It rains."),), about={"language": "de"})
    pages = [
        *(gold_page(f"a{n}", body, "a.example") for n in range(2)),
        gold_page("b", body, "b.example"),
        gold_page("c", body, "c.example"),
        gold_page("d", Gold(), "a.example"),
        Skipped("e", "cut off"),
        Skipped("f", "known to be empty", is_known=True),
    ]

    def folder_of(page):
        return None if page.site == "c.example" else tmp_path / page.site

    written, lost = write_gold_packages(pages, folder_of, "MIT")
    assert written == {tmp_path / "a.example": 2, tmp_path / "b.example": 1}
    assert lost == {"d": "its gold has no main text", "e": "cut off"}
    read = list(READERS["gottron"].read(tmp_path / "a.example"))
    assert [page.id for page in read] == ["a0", "a1"]
    assert {(page.site, page.gold.text) for page in read} == {("a.example", "It rains.")}
    assert read[0].gold.about == {"language": "de"}
    with pytest.raises(CorpusError, match="not empty"):
        write_gold_packages(pages, folder_of, "MIT")
