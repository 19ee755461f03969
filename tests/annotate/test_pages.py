"""Pages that are opened for labelling: files, the same again, others of one name, saved ones."""

from shutil import make_archive

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


def add(folder, *names, rule=""):
    with Workspace(folder) as workspace:
        failed = add_sources(workspace, list(map(str, names)), StaticRenderer(), Source.read, rule)
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


CANONICAL = '<link rel="canonical" href="https://www.post.example/1"><p>Ferry'


SITES = "=pages post.example|address=bare post.example|page=bare stated|one=all all"


@pytest.mark.parametrize("row", [*SITES.split("|"), "folder=pages pages"])
def test_sites_are_those_of_stated_addresses_or_by_a_rule(empty_workspace, tmp_path, row):
    rule, _, sites = row.partition("=")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "bare.html").write_text("<p>Ferry")
    (pages / "stated.html").write_text(CANONICAL)
    add(empty_workspace, pages, rule=rule)
    assert [page.site for page in Corpus.load(empty_workspace)] == sites.split()


@pytest.mark.parametrize("is_archive", [False, True])
def test_style_sheets_beside_a_page_are_kept(empty_workspace, tmp_path, is_archive):
    pages = tmp_path / "pages"
    (pages / "css").mkdir(parents=True)
    (pages / "css" / "print.css").write_text("@import url('../base.css') screen; p {}")
    (pages / "base.css").write_text("@import 'css/print.css'; h1 {}")
    links = "<link rel='alternate stylesheet' media=print href=/css/print.css><link href=base.css>"
    (pages / "a.html").write_text(f"{links}<link rel=stylesheet href=lost.css><p>Ferry")
    name = make_archive(tmp_path / "pages", "zip", pages) if is_archive else pages / "a.html"
    add(empty_workspace, name)
    with Workspace(empty_workspace) as workspace:
        sheets = workspace.style_sheets(workspace.names[0])
    texts = [(sheet["media"], sheet["text"].split("; ")[1]) for sheet in sheets]
    assert texts == [("screen", "h1 {}"), ("print", "p {}")]


def test_only_the_same_file_is_skipped(empty_workspace, tmp_path, article_html):
    for n, name in enumerate(("a", "b")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(article_html(n))
    for folder, names in (("a", ["index"]), ("b", ["index", "index-2"])):
        for _ in range(2):
            assert add(empty_workspace, tmp_path / folder / "index.html")[1] == names


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
