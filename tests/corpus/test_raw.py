import json
from pathlib import Path

import pytest

from structce.corpus.corpus import open_corpus, save_raw
from structce.errors import CorpusError
from structce.rendering.renderers import start_renderer
from structce.synthetic.generate import sample_pages
from structce.synthetic.renderer import template_families

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
