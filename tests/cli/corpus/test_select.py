"""Test packages of a site's pages, made by one selector."""

from collections.abc import Callable
from pathlib import Path

import pytest

from structce.errors import ExtractionError
from structce.extraction import ParsedDocument, read_package, text_selector

Run = Callable[..., tuple[int, str, str]]

PAGE = """<meta charset=utf-8><ul><li>Home</ul><div id=text><h1>The quay {n}</h1>
<p>It rained <b>all</b> night.</p><div class=text><p>Caf\u00e9 closed.</p></div></div>
<p>Rights</p>"""
TEXT = "The quay 1\nIt rained all night.\nCaf\u00e9 closed."


@pytest.mark.parametrize(
    "selector", [{"css": "#text, .text"}, {"xpath": "//div[@id='text'] | //div[@class='text']"}]
)
def test_the_outermost_matches_are_the_main_text_a_line_a_block(selector):
    select = text_selector(**selector)
    assert select(ParsedDocument.of(PAGE.format(n=1))) == TEXT
    assert select(ParsedDocument.of("<p>other</p>")) == ""
    assert select(ParsedDocument.of("")) == ""


@pytest.mark.parametrize(
    ("selector", "why"),
    [
        ({}, "either a CSS selector or an XPath"),
        ({"css": "p", "xpath": "//p"}, "either a CSS selector or an XPath"),
        ({"css": "p["}, "CSS selector 'p\\['"),
        ({"xpath": "//p["}, "XPath"),
    ],
)
def test_a_selector_that_cannot_be_read_is_refused(selector, why):
    with pytest.raises(ExtractionError, match=why):
        text_selector(**selector)


def test_an_xpath_of_texts_is_refused():
    select = text_selector(xpath="//p/text()")
    with pytest.raises(ExtractionError, match="expected elements"):
        select(ParsedDocument.of("<p>one</p>"))


def test_a_site_becomes_a_package(run: Run, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for n in (1, 2):
        (site / f"day {n}.html").write_text(PAGE.format(n=n), encoding="utf-8")
    (site / "empty.html").write_text("<p>nothing here</p>")
    out = tmp_path / "quay"
    flags = ("--language", "de-AT", "--fragmented", "no", "--several-articles", "yes")
    code, _, err = run("corpus", "select", site, "--css", "#text", "--out", out, *flags)
    assert code == 1
    assert "empty.html: nothing matches '#text'" in err
    assert "2 pages in" in err
    package = read_package(out)
    assert [page.id for page in package.pages] == ["day-1", "day-2"]
    (first, _) = package.pages
    assert first.gold.text.split("\n") == TEXT.split("\n")
    about = {"language": "de-AT", "fragmented": "no", "several articles": "yes"}
    assert dict(first.gold.about) == about
    assert "Caf\u00e9" in first.document().html


def test_a_folder_that_is_there_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    code, _, err = run("corpus", "select", tmp_path / "page.html", "--css", "p", "--out", tmp_path)
    assert code != 0
    assert "not empty; expected an empty folder" in err
