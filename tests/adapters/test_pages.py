"""What all adapters share, and what the door says of missing packages."""

import subprocess
import sys

import pytest

from structce import adapters
from structce.adapters.pages import METADATA, article_metadata, page_texts, read_html
from structce.errors import EmptyPageWarning, MissingExtraError, SourceError


def test_text_without_markup_is_never_the_name_of_a_file(tmp_path, article_html):
    path = tmp_path / "page.html"
    path.write_text(article_html())
    with pytest.raises(SourceError, match="no markup"):
        read_html(str(path))


def test_bytes_and_text_give_the_same_article(article_html):
    html = article_html()
    assert read_html(html.encode()).text == read_html(html).text != ""


def test_metadata_have_the_same_names_and_types_for_every_page(article_html):
    full = article_metadata(read_html(article_html(), "https://post.example/0"))
    with pytest.warns(EmptyPageWarning):
        empty = article_metadata(read_html("<p>"))
    assert tuple(full) == tuple(empty) == METADATA
    assert [type(value) for value in full.values()] == [type(value) for value in empty.values()]
    assert full["title"] == "Ferry to stop in June, part 0"
    assert full["authors"] == ["Ann Lee"]
    assert full["date"] == "2026-03-01"


def test_chunks_have_headings_and_their_place_in_the_source(tmp_path, article_html):
    path = tmp_path / "page.html"
    path.write_text(article_html())
    texts = list(page_texts([path], "chunk", 16))
    assert len(texts) > 2
    for text, metadata in texts:
        assert (metadata["source"], metadata["authors"]) == (str(path), "Ann Lee")
        assert metadata["xpath"].startswith("/html")
        assert text.startswith("Ferry to stop in June, part 0\n")
        assert metadata["headings"].startswith("Ferry to stop in June, part 0")
        first = metadata["quote"].split()[0]
        assert first in article_html()[metadata["start"] : metadata["end"]]
        assert all(isinstance(value, str | float | int) for value in metadata.values())


def test_a_page_that_cannot_be_read_is_left_out_with_a_warning(tmp_path, article_html, caplog):
    good, bad = tmp_path / "good.html", tmp_path / "bad.html"
    good.write_text(article_html())
    bad.write_text("no markup at all")
    (only,) = page_texts([bad, good], "page")
    assert only[1]["source"] == str(good)
    assert "bad.html" in caplog.text


def test_the_door_imports_no_adapter_before_its_name_is_used():
    code = "import sys, structce.adapters; print([m for m in sys.modules if 'adapters.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("DatatroveExtractor", "datatrove", "datatrove"),
        ("CuratorExtractor", "nemo_curator", "nemo-curator"),
        ("ScrapyPipeline", "scrapy", "scrapy"),
        ("LangChainLoader", "langchain_core", "langchain"),
    ],
)
def test_a_missing_package_is_an_error_that_names_the_extra(name, package, extra, monkeypatch):
    loaded = [key for key in sys.modules if key.partition(".")[0] == package]
    for key in [*loaded, adapters._HOMES[name]]:
        monkeypatch.delitem(sys.modules, key, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{name} needs .*\[{extra}\]"):
        getattr(adapters, name)
