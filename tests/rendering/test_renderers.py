"""Choice of a renderer by what is installed."""

import sys

import pytest

from structce.errors import MissingExtraError
from structce.rendering import start_renderer
from structce.rendering.chromium import discovery


@pytest.fixture
def without_playwright(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)


def test_no_browser_is_taken_unless_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(discovery, "search_browser", lambda _: pytest.fail("looked for a browser"))
    assert start_renderer().name == "static"


@pytest.mark.usefixtures("without_playwright")
def test_missing_playwright_is_reported_before_any_search(monkeypatch):
    monkeypatch.setattr(discovery, "search_browser", lambda _: discovery.Search(None))
    with (
        pytest.raises(MissingExtraError, match=r"needs playwright: .*structce\[browser\]"),
        start_renderer("chromium"),
    ):
        pass
