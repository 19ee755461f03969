"""Commands with a model that compares the pages of a site with one another."""

import json

import pytest

from structce.article import PageReader, page_loaders
from structce.labelling import ModelChoice, RegionLabeller
from structce.rendering import Document, Source, StaticRenderer

SETTINGS = ("--learner", "multiclass-svm", "--set", "max-epochs=3")


@pytest.fixture
def model(run, tmp_path, make_corpus):
    """A model trained on two sites with three pages each."""
    make_corpus(6, pages_per_site=3).save(tmp_path / "corpus")
    families = ("--families", "text,dom,style,task,site")
    code, _, err = run("train", tmp_path / "corpus", *families, "--out", tmp_path / "m", *SETTINGS)
    assert code == 0, err
    assert "warning: no site" not in err
    return tmp_path / "m"


def test_such_a_model_is_trained_measured_and_used(run, model, tmp_path, article_html, caplog):
    assert any(name.startswith("site.") for name in RegionLabeller.load(model).features.columns_)
    code, out, err = run("evaluate", model, tmp_path / "corpus", "--format", "json")
    assert code == 0, err
    rows = {row["label"]: row for row in json.loads(out)}
    assert rows["macro"]["f1"] > 0.5
    folder = tmp_path / "pages"
    for n in range(4):
        path = folder / f"site{n // 2}" / f"{n}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(article_html(n))
    (folder / "site0" / "0b.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    code, out, _ = run("label", folder, "--model", model)
    assert code == 1
    records = [json.loads(line) for line in out.splitlines()]
    assert ["error" in record for record in records] == [False, True, False, False, False]
    assert "no two" not in caplog.text
    assert run("label", folder / "site0" / "0.html", "--model", model)[0] == 0
    assert "no two of these share a site" in caplog.text


def test_pages_are_of_the_site_of_their_address_or_folder(model, article_html, monkeypatch):
    def read(source):
        url = source.name if source.name.startswith("http") else ""
        return Document(article_html(len(source.name)), url=url, name=source.name)

    monkeypatch.setattr(Source, "read", read)
    sources = ["https://www.news.com/1", "https://m.news.com/2", "https://news.org/1", "-"]
    sources += ["here.html", "https://news.com/3", "here/3.html"]
    reader = PageReader(StaticRenderer(), ModelChoice(model))
    outcomes = reader.pipe(
        page_loaders(sources, Source.read), lambda _, reading: reading.labelling.page.site
    )
    sites = [outcome.value for outcome in outcomes]
    assert [0 if site is None else site.n_pages for site in sites] == [3, 3, 0, 0, 0, 3, 0]


def test_a_corpus_of_single_pages_gives_a_warning(run, small, tmp_path):
    families = ("--families", "site,text")
    code, _, err = run("train", small, *families, "--out", tmp_path / "model", *SETTINGS)
    assert code == 0, err
    assert "no site has two pages" in err
