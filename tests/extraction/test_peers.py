"""Other people's extractors, with stand-ins for their packages: how they are called, and fail."""

import gzip
import json
import re
import sys
from html import unescape
from statistics import fmean
from types import ModuleType, SimpleNamespace

import pytest
from rapidfuzz.distance import Indel

from structce.errors import ExtractionError
from structce.extraction import ParsedDocument, make_extractor
from structce.io import open_folder
from structce.rendering import decode

PAGE = ParsedDocument("<html lang=de-AT><p>Text", url="https://a.example/b", name="page 7")


@pytest.fixture
def put_package(monkeypatch):
    """Return a function that puts a module with these names in the place of a package."""

    def put(name, **names):
        module = ModuleType(name)
        module.__spec__ = SimpleNamespace(name=name)  # find_spec looks at it
        vars(module).update(names)
        monkeypatch.setitem(sys.modules, name, module)
        return module

    return put


def extraction_of(name, page=PAGE):
    return make_extractor(name).extract(page)


def test_the_html_of_readability_is_read_as_text(put_package):
    class Document:
        def __init__(self, html, url):
            self.html = html

        def summary(self, html_partial):
            return "<div><h1>Head</h1><p>One &amp; <b>t</b>wo</p></div>"

    put_package("readability", Document=Document)
    assert extraction_of("readability-lxml").text == "Head\nOne & two"


NO_BOUNDS = {"stopwords_low": 0, "stopwords_high": 0}


@pytest.mark.parametrize(
    ("lang", "words", "bounds"),
    [("de-AT", {"German"}, {}), ("", {"English", "German"}, {}), ("tlh", set(), NO_BOUNDS)],
)
def test_justext_gets_the_stop_words_of_the_language(put_package, lang, words, bounds):
    def justext(html, stop_words, **others):
        assert (set(stop_words), others) == (words, bounds)
        texts = ("Menu", "One", "Two")
        return [SimpleNamespace(text=text, is_boilerplate=text == "Menu") for text in texts]

    put_package("justext", get_stoplist=lambda name: frozenset([name]), justext=justext)
    page = ParsedDocument(f"<html lang='{lang}'><p>Text")
    assert extraction_of("justext", page).text == "One\nTwo"


SENTENCE = "The ferry to the island will stop in June as the harbour master said on Monday "
PLAIN = SENTENCE * 3
MENU = "<a href=x>Link</a>" * 3
BOILERPIPE = ("", "-numwords", "-density", "-default", "-largest", "-canola")


@pytest.mark.parametrize("rules", BOILERPIPE)
def test_boilerpipe_keeps_blocks_of_many_words(rules):
    pytest.importorskip("boilerpy3")
    html = f"<p>{PLAIN}<p>So it seems<p>{PLAIN * 2}<ul><li>{MENU}</ul><ul><li>{MENU}</ul>"
    text = extraction_of(f"boilerpipe{rules}", ParsedDocument(html)).text
    assert text.split() == f"{PLAIN}So it seems {PLAIN * 2}".split()


@pytest.mark.parametrize(
    ("name", "system"), [("boilerpipe", "boilerpipe"), ("justext-lenient", "justext")]
)
def test_the_published_texts_are_reproduced(shared_data, name, system):
    """Mean Levenshtein ratio of words on English pages of the article extraction benchmark."""
    pages = shared_data("article-extraction-benchmark.zip")
    outputs = shared_data("published-outputs.zip")
    pytest.importorskip({"boilerpipe": "boilerpy3"}.get(name, "justext"))
    folder = open_folder(pages)
    lines = open_folder(outputs) / "sigir2023" / pages.stem / f"{system}.jsonl"
    ratios = []
    for row in map(json.loads, lines.read_text("utf-8").splitlines()[:60:3]):
        page = decode(gzip.decompress((folder / row["file"]).read_bytes()), name=row["file"])
        texts = extraction_of(name, ParsedDocument.of(page)).text, unescape(row["text"])
        ratios.append(Indel.normalized_similarity(*(re.findall(r"\w+", text) for text in texts)))
    assert fmean(ratios) > 0.9


@pytest.mark.parametrize("error", [RecursionError("deep"), ValueError("odd"), KeyError("body")])
def test_what_a_package_raises_names_page_and_package(put_package, error):
    def fail(html, **_):
        raise error

    put_package("trafilatura", extract=fail)
    with pytest.raises(ExtractionError, match=rf"page 7: trafilatura: {type(error).__name__}"):
        extraction_of("trafilatura")
