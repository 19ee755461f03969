"""Choice of a renderer by what is installed."""

import logging
import sys

import pytest

from structce.errors import MissingExtraError
from structce.rendering import start_renderer
from structce.rendering.chromium import discovery


@pytest.fixture
def without_playwright(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)


@pytest.mark.usefixtures("without_playwright")
def test_a_missing_playwright_is_called_that(caplog):
    with caplog.at_level(logging.WARNING):
        assert start_renderer().name == "static"
    assert "no Playwright, which drives browsers: pages are rendered" in caplog.text


def test_a_missing_browser_is_called_that(caplog, monkeypatch):
    pytest.importorskip("playwright")
    monkeypatch.setattr(discovery, "find_browser", lambda _: None)
    with caplog.at_level(logging.WARNING):
        assert start_renderer().name == "static"
    assert "no browser: pages are rendered" in caplog.text


@pytest.mark.usefixtures("without_playwright")
def test_a_renderer_that_lacks_playwright_says_so_before_it_looks_for_a_browser(monkeypatch):
    monkeypatch.setattr(discovery, "find_browser", lambda _: None)
    with (
        pytest.raises(MissingExtraError, match=r"needs playwright: .*structce\[browser\]"),
        start_renderer("chromium"),
    ):
        pass
