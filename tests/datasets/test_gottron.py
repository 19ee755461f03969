from pathlib import Path

import pytest

from structce.datasets.base import GoldPage, Lost
from structce.datasets.gottron import read_gottron, read_meta
from structce.errors import CorpusError

HTML = "<html><h1>The quay</h1><p>Café in rain.</p></html>"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of one page, as somebody may write it by hand."""
    (tmp_path / "description.package").write_text("name: By hand\n")
    (tmp_path / "quay (1).html").write_text(HTML, encoding="cp1252")
    (tmp_path / "quay (1).txt").write_text("The quay\n\nCafé in  rain.\n", encoding="utf-8-sig")
    (tmp_path / "quay (1).meta").write_text(
        "URL: http://www.post.co.uk/1\nlanguage: en\nencoding: windows-1252\nnote: x\n"
    )
    return tmp_path


def test_a_document_is_tied_together_by_its_name(package: Path) -> None:
    (page,) = read_gottron(package)
    assert isinstance(page, GoldPage)
    assert (page.id, page.url, page.site) == ("quay-1", "http://www.post.co.uk/1", "post.co.uk")
    assert page.gold.body == (("Text", "The quay"), ("Text", "Café in rain."))
    assert page.gold.covers == {"Paragraph", "Subtitle"}
    assert "Café" in page.document().html


def test_site_and_family_may_be_told(package: Path) -> None:
    (package / "quay (1).meta").write_text("site: post.example\nfamily: portals\n")
    (page,) = read_gottron(package)
    assert isinstance(page, GoldPage)
    assert (page.url, page.site, page.family) == ("", "post.example", "portals")


def test_a_document_without_metadata_is_a_site_of_its_own(package: Path) -> None:
    (package / "quay (1).meta").unlink()
    (page,) = read_gottron(package)
    assert isinstance(page, GoldPage)
    assert (page.site, page.family, page.content_type) == ("quay-1", "quay-1", "")


def test_names_that_differ_in_their_signs_are_two_documents(package: Path) -> None:
    for ending in (".html", ".txt"):
        data = (package / f"quay (1){ending}").read_bytes()
        (package / f"quay-1{ending}").write_bytes(data)
    assert len({page.id for page in read_gottron(package)}) == 2


def test_an_incomplete_document_is_lost_with_the_reason(package: Path) -> None:
    (package / "a.html").write_text(HTML)
    (package / "b.txt").write_text("The quay")
    (package / "c.html").write_text(HTML)
    (package / "c.txt").write_text(" \n")
    (package / "quay (1).meta").write_text("no colon here\n")
    lost = {item.id: item for item in read_gottron(package) if isinstance(item, Lost)}
    assert "a.txt" in lost["a"].why
    assert "b.html" in lost["b"].why
    assert "c.txt holds no text" in lost["c"].why
    assert "expected 'name: value'" in lost["quay-1"].why
    assert not any(item.is_known for item in lost.values())


def test_a_folder_without_a_description_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"description\.package is not here"):
        list(read_gottron(tmp_path))


def test_metadata_keep_colons_in_their_values() -> None:
    assert read_meta("URL : http://post.example/1\n\n") == {"url": "http://post.example/1"}
