"""The reader for LlamaIndex."""

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core.schema import MetadataMode

from structce.adapters import LlamaIndexReader


def test_a_page_is_a_document_with_metadata(tmp_path, article_html):
    (tmp_path / "0.html").write_text(article_html())
    (document,) = LlamaIndexReader().load_data([tmp_path])
    assert "will not sail before noon" in document.text
    assert document.metadata["authors"] == "Ann Lee"


def test_places_are_hidden_from_embeddings(tmp_path, article_html):
    (tmp_path / "0.html").write_text(article_html())
    document, *_ = LlamaIndexReader(by="chunk").load_data([tmp_path])
    embedded = document.get_content(metadata_mode=MetadataMode.EMBED)
    assert document.metadata["xpath"] not in embedded
    assert document.metadata["title"] in embedded
