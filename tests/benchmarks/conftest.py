"""Benchmarks are no part of what is installed, so the tests say where they are."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


@pytest.fixture
def documents(article_folder):
    from benchmarks.rendering.pages import read_documents  # found once the path is set

    return read_documents(article_folder, None)


@pytest.fixture
def browser(chromium):
    """A plain browser; without one, ``chromium`` skips."""
    from benchmarks.rendering.plain import PlainBrowser

    with PlainBrowser() as plain:
        yield plain
