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


def test_a_block_is_a_document_with_its_place(article_folder):
    blocks = LangChainLoader([article_folder / "0.html"], by="block").load()
    (heading,) = [block for block in blocks if block.metadata["kind"] == "heading"]
    assert heading.page_content == "No end in sight"
    start, end = heading.metadata["start"], heading.metadata["end"]
    assert (article_folder / "0.html").read_text()[start:end] == "No end in sight"


def test_pages_are_loaded_again_and_asynchronously(article_folder):
    loader = LangChainLoader([article_folder], favour="precision")
    assert loader.load() == asyncio.run(loader.aload())
