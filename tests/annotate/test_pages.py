"""Pages that are opened for labelling: files, the same again, others of one name, saved ones."""

from __future__ import annotations

import pytest

from structce.annotate.pages import add_sources
from structce.annotate.scheme import default_scheme
from structce.annotate.workspace import Workspace, create_workspace
from structce.corpus.corpus import Corpus
from structce.rendering import Source
from structce.rendering.static import StaticRenderer

MARKED = """<!doctype html>
<!--structce-page {"format":1,"url":"https://post.example/1","model":"m"}-->
<html><head><title>No ferry</title></head><body><nav><!--structce boilerplate-->Home</nav>
<h2>New</h2><p><!--structce content-->The ferry will not sail today, the company said on Monday.</p>
</body></html>
"""


@pytest.fixture
def empty_workspace(tmp_path):
    create_workspace(tmp_path / "gold", default_scheme(), "gold")
    return tmp_path / "gold"


def add(folder, *names):
    with Workspace(folder) as workspace:
        failed = add_sources(workspace, list(map(str, names)), StaticRenderer(), Source.read)
        return failed, workspace.names


def test_files_become_unlabelled_pages(empty_workspace, tmp_path, article_html):
    pages = tmp_path / "pages"
    pages.mkdir()
    for n in range(2):
        (pages / f"Story {n}.html").write_text(article_html(n))
    (pages / "empty.html").write_text("")
    failed, names = add(empty_workspace, pages)
    assert names == ["Story-0", "Story-1"]
    assert len(failed) == 1
    assert "empty.html" in failed[0]
    corpus = Corpus.load(empty_workspace)
    assert {label for page in corpus for label in page.labels} == {"?"}
    assert {page.site for page in corpus} == {"pages"}
    with Workspace(empty_workspace) as workspace:
        assert workspace.source("Story-1") == article_html(1)


def test_only_the_same_file_is_skipped(empty_workspace, tmp_path, article_html):
    for n, name in enumerate(("a", "b")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(article_html(n))
    assert add(empty_workspace, tmp_path / "a" / "index.html")[1] == ["index"]
    assert add(empty_workspace, tmp_path / "a" / "index.html")[1] == ["index"]
    assert add(empty_workspace, tmp_path / "b" / "index.html")[1] == ["index", "index-2"]
    assert add(empty_workspace, tmp_path / "b" / "index.html")[1] == ["index", "index-2"]


def test_pages_of_the_extension_bring_their_labels(empty_workspace, tmp_path):
    (tmp_path / "ferry.labelled.html").write_text(MARKED)
    assert add(empty_workspace, tmp_path / "ferry.labelled.html") == ([], ["ferry"])
    assert add(empty_workspace, tmp_path / "ferry.labelled.html") == ([], ["ferry"])
    (page,) = Corpus.load(empty_workspace)
    labels = dict(zip(page.page.text, page.labels, strict=True))
    assert labels["Home"] == "None"
    assert "Paragraph" in labels["The ferry will not sail today, the company said on Monday."]
    assert labels["New"] == "?"  # nobody judged it
    with Workspace(empty_workspace) as workspace:
        assert "structce" not in workspace.source("ferry")


def test_pages_of_the_extension_with_one_name_are_all_added(empty_workspace, tmp_path):
    saved = tmp_path / "Downloads"
    (saved / "other").mkdir(parents=True)
    (saved / "ferry.labelled.html").write_text(MARKED)
    (saved / "ferry.labelled (1).html").write_text(MARKED.replace("today", "tomorrow"))
    (saved / "other" / "ferry.labelled.html").write_text(MARKED.replace("today", "on Sunday"))
    for _ in range(2):
        failed, names = add(empty_workspace, saved)
        assert failed == []
        assert sorted(names) == ["ferry", "ferry-1", "ferry-2"]
    for page in Corpus.load(empty_workspace):
        assert page.labels[list(page.page.text).index("Home")] == "None"
