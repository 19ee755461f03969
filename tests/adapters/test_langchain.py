"""The loader for LangChain."""

import asyncio

import pytest

pytest.importorskip("langchain_core")

from structce.adapters import LangChainLoader


def test_a_page_is_a_document_with_metadata(article_folder):
    first, second, _ = LangChainLoader([article_folder]).load()
    assert "will not sail before noon" in first.page_content
    assert first.metadata["title"] == "Ferry to stop in June, part 0"
    assert second.metadata["source"] == str(article_folder / "1.html")
    assert all(isinstance(value, str | float) for value in first.metadata.values())


def test_a_chunk_is_a_document_with_its_place(article_folder):
    first, *others = LangChainLoader([article_folder / "0.html"], by="chunk", max_tokens=16).load()
    assert first.page_content.startswith("Ferry to stop in June, part 0\n")
    assert others[0].metadata["start"] > first.metadata["start"]


def test_pages_are_loaded_again_and_asynchronously(article_folder):
    loader = LangChainLoader([article_folder], favour="precision")
    assert loader.load() == asyncio.run(loader.aload())
