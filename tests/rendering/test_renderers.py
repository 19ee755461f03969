"""Choice of a renderer by what is installed."""

import sys

import pytest

from structce.errors import MissingExtraError
from structce.rendering import start_renderer
from structce.rendering.chromium import discovery


def test_no_browser_is_taken_unless_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(discovery, "find_browser", lambda _: pytest.fail("looked for a browser"))
    assert start_renderer().name == "static"


def test_missing_playwright_is_reported_before_any_search(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setattr(discovery, "find_browser", lambda _: None)
    missing = pytest.raises(MissingExtraError, match=r"needs playwright: .*structce\[browser\]")
    with missing, start_renderer("chromium"):
        pass
