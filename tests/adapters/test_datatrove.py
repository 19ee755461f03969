"""The extractor inside datatrove's own loop, with its child process."""

import pytest

pytest.importorskip("datatrove")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from structce.adapters import DatatroveExtractor
from structce.adapters.pages import METADATA
from structce.errors import StructceError
from structce.io import json_line


def documents(html):
    return [
        Document(html(0), "0", metadata={"url": "https://post.example/0"}),
        Document("no markup at all", "1"),
        Document(html(1), "2"),
        Document("", "3"),
    ]


def counts(extractor, *names):
    return [extractor.stats[name].total for name in names]


def test_document_has_text_and_metadata_of_the_article(article_html):
    extractor = DatatroveExtractor()
    first, second = extractor.run(documents(article_html))
    assert type(first.text) is str
    assert "will not sail before noon" in first.text
    assert first.metadata["url"] == "https://post.example/0"
    assert first.metadata["title"] == "Ferry to stop in June, part 0"
    assert first.metadata["authors"] == ["Ann Lee"]
    assert set(METADATA) <= set(first.metadata)
    assert second.metadata["title"] == "Library opens again, part 1"


def test_an_unreadable_page_is_counted_and_ends_no_process(article_html):
    extractor = DatatroveExtractor()
    assert len(list(extractor.run(documents(article_html)))) == 2
    assert counts(extractor, "total", "extracted", "clean_error", "dropped") == [4, 3, 1, 1]
    assert counts(extractor, "timeout", "broken_process") == [0, 0]


def test_an_empty_document_is_answered_with_an_empty_text():
    assert DatatroveExtractor().extract("") == ""


def test_an_error_is_returned_for_datatrove_to_count():
    assert isinstance(DatatroveExtractor().extract("no markup at all"), StructceError)


def test_a_pipeline_reads_and_writes_files(tmp_path, article_html):
    rows = [{"text": article_html(i), "id": str(i), "metadata": {}} for i in range(2)]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "pages.jsonl").write_text("\n".join(map(json_line, rows)))
    out = JsonlWriter(str(tmp_path / "out"), compression=None)
    steps = [JsonlReader(str(tmp_path / "in")), DatatroveExtractor(), out]
    LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "logs")).run()
    (written,) = (tmp_path / "out").glob("*.jsonl")
    assert len(written.read_text().splitlines()) == 2
