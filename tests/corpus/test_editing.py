"""Corpora that change on disk: labels, new pages, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import CorpusEditor, Head, create_corpus, is_page_id
from structce.errors import CorpusError, LabelError
from structce.labels import NEWS


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
