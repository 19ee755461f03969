"""The loader for LangChain."""

import asyncio

import pytest

pytest.importorskip("langchain_core")

from structce.adapters import LangChainLoader


@pytest.fixture
def pages(tmp_path, article_html):
    for i in range(2):
        (tmp_path / f"{i}.html").write_text(article_html(i))
    return tmp_path


def test_a_page_is_a_document_with_metadata(pages):
    first, second = LangChainLoader([pages]).load()
    assert "will not sail before noon" in first.page_content
    assert first.metadata["title"] == "Ferry to stop in June, part 0"
    assert second.metadata["source"] == str(pages / "1.html")
    assert all(isinstance(value, str | float) for value in first.metadata.values())


def test_a_block_is_a_document_with_its_place(pages):
    blocks = LangChainLoader([pages / "0.html"], by="block").load()
    (heading,) = [block for block in blocks if block.metadata["kind"] == "heading"]
    assert heading.page_content == "No end in sight"
    start, end = heading.metadata["start"], heading.metadata["end"]
    assert (pages / "0.html").read_text()[start:end] == "No end in sight"


def test_pages_are_loaded_again_and_asynchronously(pages):
    loader = LangChainLoader([pages], favour="precision")
    assert loader.load() == asyncio.run(loader.aload())
