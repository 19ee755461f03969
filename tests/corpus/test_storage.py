"""Corpora on disk: labels that change, pages that are added, raw pages."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus, open_corpus, save_raw
from structce.corpus.storage import CorpusEditor, Head, create_corpus, is_page_id
from structce.errors import CorpusError, LabelError
from structce.labels import NEWS
from structce.rendering.renderers import start_renderer
from structce.synthetic.generate import sample_pages
from structce.synthetic.renderer import template_families


@pytest.fixture
def corpus_folder(tmp_path: Path, make_corpus) -> Path:
    make_corpus(2).save(tmp_path / "small")
    return tmp_path / "small"


def test_changed_labels_are_loaded_again(corpus_folder: Path):
    editor = CorpusEditor(corpus_folder)
    page = editor.page("page0")
    labels = ("?", "Caption|Paragraph", *page.labels[2:])
    assert editor.set_labels(page, labels).labels == labels
    assert Corpus.load(corpus_folder).pages[0].labels == labels
    assert CorpusEditor(corpus_folder).digest == editor.digest


def test_labels_outside_the_set_leave_the_corpus_as_it_was(corpus_folder: Path):
    editor = CorpusEditor(corpus_folder)
    page = editor.page("page0")
    with pytest.raises(LabelError, match="Headline"):
        editor.set_labels(page, ("Headline", *page.labels[1:]))
    assert Corpus.load(corpus_folder).pages[0].labels == page.labels


def test_pages_are_added_to_a_corpus_that_was_empty(tmp_path: Path, make_corpus):
    create_corpus(tmp_path / "new", Head("new", NEWS, NEWS.foreground))
    editor = CorpusEditor(tmp_path / "new")
    pages = make_corpus(3).pages
    assert editor.add(pages[:2]) == 2
    assert editor.add(pages[2:]) == 1
    loaded = Corpus.load(tmp_path / "new")
    assert [page.id for page in loaded] == ["page0", "page1", "page2"]
    with pytest.raises(CorpusError, match="cannot have the name 'page0'"):
        editor.add(pages[:1])
    with pytest.raises(CorpusError, match="cannot have the name"):
        editor.add([replace(pages[0], id="../page9")])


def test_an_interrupted_change_is_refused_or_completed(corpus_folder: Path):
    path = corpus_folder / "labels" / "page0.json"
    path.write_text("{}")  # as where the process ended before the manifest was written
    with pytest.raises(CorpusError, match="changed since"):
        CorpusEditor(corpus_folder)
    CorpusEditor(corpus_folder, trusts_labels=True)
    assert set(Corpus.load(corpus_folder).pages[0].labels) == {"None"}


@pytest.mark.parametrize("name", ["../page0", "..", "a/b", "a\\b", "", "c:x", " a", "x" * 201])
def test_names_that_lead_elsewhere_are_refused(corpus_folder: Path, name: str):
    assert not is_page_id(name)
    manifest = json.loads((corpus_folder / "manifest.json").read_text())
    manifest["pages"][0]["id"] = name
    (corpus_folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(CorpusError, match="leads to another folder"):
        CorpusEditor(corpus_folder)


def test_raw_pages_and_folders_of_others_are_refused(corpus_folder: Path, tmp_path: Path):
    with pytest.raises(CorpusError, match="raw HTML"):
        CorpusEditor(Path(__file__).parents[2] / "data" / "sample")
    with pytest.raises(CorpusError, match="neither empty nor a corpus"):
        create_corpus(corpus_folder, Head("new", NEWS, NEWS.foreground))


SAMPLE = Path(__file__).parents[2] / "data" / "sample"


def test_raw_pages_are_rendered_when_opened(raw_corpus: Path) -> None:
    corpus = open_corpus(raw_corpus, "static", start_renderer)
    assert corpus.renderer == "static"
    expected = {page.id: page.labels for page in sample_pages(2, 1, seed=5)}
    for page in corpus:
        named = {
            xpath: label
            for xpath, label in zip(page.page.xpath, page.labels, strict=True)
            if label != "None"
        }
        assert named == expected[page.id]


def test_a_rendered_corpus_of_another_renderer_is_refused(raw_corpus: Path, tmp_path: Path) -> None:
    open_corpus(raw_corpus, "static", start_renderer).save(tmp_path / "rendered")
    assert len(open_corpus(tmp_path / "rendered", None, start_renderer)) == 2
    with pytest.raises(CorpusError, match="--renderer chromium"):
        open_corpus(tmp_path / "rendered", "chromium", start_renderer)


def test_a_changed_page_is_refused(raw_corpus: Path) -> None:
    page = next((raw_corpus / "pages").glob("*.html"))
    page.write_text(page.read_text().replace("</body>", "<p>more</p></body>"))
    with pytest.raises(CorpusError, match="changed since"):
        open_corpus(raw_corpus, "static", start_renderer)


def test_a_missing_page_is_an_error_that_names_it(raw_corpus: Path) -> None:
    next((raw_corpus / "pages").glob("*.html")).unlink()
    with pytest.raises(CorpusError, match="page site"):
        open_corpus(raw_corpus, "static", start_renderer)


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    pages = list(sample_pages(1, 1, seed=9))
    for name in ("a", "b"):
        save_raw(tmp_path / name, "c", pages, licence="MIT")
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert files
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_the_sample_has_pages_of_every_template() -> None:
    pages = json.loads((SAMPLE / "manifest.json").read_text())["pages"]
    assert len({row["site"] for row in pages}) == 91
    assert {row["family"] for row in pages} == template_families().keys()
