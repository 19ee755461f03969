"""The extension's document of a test package: what a person selected, in a full Chromium."""

from pathlib import Path

import pytest

from structce.datasets import READERS
from structce.rendering import search_browser

SOURCE = Path(__file__).parents[2] / "extension" / "src"
ARTICLE = """<!doctype html><html lang="de-AT"><meta charset=utf-8><title>No ferry</title><body>
<nav><a href="/">Home</a></nav><h1>No ferry</h1><p>The ferry, they <b>said</b>,
will not sail.</p><p id=end>It is the caf\u00e9.</p><noscript><img src="/count.gif"></noscript>
<footer>All rights reserved</footer></body></html>"""
SELECT = """async (said) => {
  const { selectedDocument } = await import("http://quay.example/src/selected_document.js");
  const range = document.createRange();
  range.setStartBefore(document.querySelector("h1"));
  range.setEndAfter(document.querySelector("#end"));
  if (said.isSelected) getSelection().addRange(range);
  const { language, isFragmented, hasSeveral } = said;
  return selectedDocument(document, { language, isFragmented, hasSeveral });
}"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def ferry_tab():
    sync_api = pytest.importorskip("playwright.sync_api")
    installed = search_browser().browser
    if installed is None:
        pytest.skip("no browser")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(installed.path))
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto("http://quay.example/ferry")
        yield page
        browser.close()


def answer(route):
    name = route.request.url.rpartition("/")[2]
    path = SOURCE / name
    if path.is_file():
        kind = "text/javascript" if path.suffix == ".js" else "application/json"
        route.fulfill(body=path.read_text(encoding="utf-8"), content_type=kind)
    else:
        route.fulfill(body=ARTICLE, content_type="text/html; charset=utf-8")


def said(**more):
    flags = {"language": "de-AT", "isFragmented": False, "hasSeveral": True, "isSelected": True}
    return flags | more


def test_the_selection_is_a_document_that_a_package_can_hold(ferry_tab, tmp_path):
    for file in ferry_tab.evaluate(SELECT, said()):
        (tmp_path / file["name"]).write_text(file["text"], encoding="utf-8")
    (tmp_path / "description.package").write_text("name: mine\n")
    (document,) = READERS["gottron"].read(tmp_path)
    lines = ["No ferry", "The ferry, they said, will not sail.", "It is the caf\u00e9."]
    assert document.gold.text.split("\n") == lines
    about = {"language": "de-AT", "fragmented": "no", "several articles": "yes"}
    assert dict(document.gold.about) == about
    assert (document.url, document.site) == ("http://quay.example/ferry", "quay.example")
    html = document.document().html
    assert "caf\u00e9" in html
    assert "<noscript><img" in html
    assert "structce" not in html


def test_without_a_selection_there_is_no_document(ferry_tab):
    ferry_tab.evaluate("() => getSelection().removeAllRanges()")
    with pytest.raises(Exception, match="no text is selected"):
        ferry_tab.evaluate(SELECT, said(isSelected=False))
