"""Benchmarks are no part of what is installed, so the tests say where they are."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


@pytest.fixture
def folder(tmp_path, article_html):
    """Three small articles."""
    for n in range(3):
        (tmp_path / f"{n}.html").write_text(article_html(n), encoding="utf-8")
    return tmp_path


@pytest.fixture
def documents(folder):
    from benchmarks.rendering.pages import read_documents  # found once the path is set

    return read_documents(folder, None)


@pytest.fixture
def browser(chromium):
    """A plain browser; without one, ``chromium`` skips."""
    from benchmarks.rendering.plain import PlainBrowser

    with PlainBrowser() as plain:
        yield plain
