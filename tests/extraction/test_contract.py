"""What every registered extractor keeps to; registering one puts it under these tests."""

import contextlib
import random
import re
from functools import cache
from html import unescape

import pytest

from structce.errors import ExtractionError, MissingExtraError, StructceError
from structce.extraction import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extraction,
    ParsedDocument,
    TrainedExtractor,
    Training,
    extract,
    make_extractor,
    read_trained,
    save_trained,
)
from structce.extraction.boilernet import BoilerNet
from structce.extraction.peers import Peer
from structce.extraction.trained import STORED_EXTRACTORS
from structce.extraction.web2text import Web2Text
from structce.neural import Tagger

SENTENCE = "The ferry to the island will stop in June, the harbour master said on Monday. "
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(12)) + "</ul>"
ARTICLE = f"""<!DOCTYPE html><html lang=en><head><title>Ferry to stop</title>
<style>p {{ margin: 0 }}</style></head><body><nav>{MENU}</nav><!-- begin of <b>text</b> -->
<div id=main><h1>Ferry to stop</h1>
<p>{SENTENCE * 4}</p><p>Prices rose by 5&nbsp;&euro; &amp; more.&#32;{SENTENCE * 3}</p>
<script>var text = "<p>not shown</p>";</script>
<p>{SENTENCE * 2}<em>Sl</em>ow boats, <a href=/x>fast cars</a>,<br>old trains. {SENTENCE}</p>
</div><footer>{MENU}<p>Imprint</p></footer></body></html>"""

OTHERS = (
    "A library in the old town opens its doors again after many years, said its director. ",
    "Storms took the roof off that pier; fishermen went looking for it at dawn, neighbours say. ",
    "Bread costs more this spring since mills have little wheat, bakers complain loudly again. ",
)

PAGES = {
    "an article": ARTICLE,
    "an empty page": "",
    "blanks": " \n\t&nbsp; ",
    "a text without tags": SENTENCE * 3,
    "tags without a text": "<html><body><div><p></p><br><img src=a></div></body></html>",
    "an end tag": "</p>",
    "scripts alone": "<script>var a = 1;</script><style>p { }</style><title>No</title>",
    "broken markup": f"<div><p class='a>{SENTENCE}<p>{SENTENCE * 2}</div></b><td>{SENTENCE}<",
    "an open comment": f"<p>{SENTENCE}</p><!-- {SENTENCE}",
    "an open script": f"<p>{SENTENCE}</p><script> {SENTENCE}",
    "entities at borders": f"<p>&quot;{SENTENCE}&hellip;</p><p>&nbsp;{SENTENCE}&nbsp;</p>&lt;b&gt;",
    "entities without ends": "<p>&amp&ampx &notit; &#65 &#x41; &#0; &bogus; AT&T &nbspa&nbspb</p>",
    "odd characters": "<p>a\0b \ud800 \u200b\u00ad \x1c \ufeff c</p>" + SENTENCE,
    "no spaces": "<html lang=zh><body><p>" + "渡船将于六月停运，港务长周一说。" * 9 + "</p>",
    "frames": "<frameset><frame src=a><noframes>No frames</noframes></frameset>" + SENTENCE,
    "a drawing": f"<svg><title>A</title><text>In a drawing</text></svg><p>{SENTENCE}</p>",
    "one word": "<p>Word</p>",
}


HOSTILE = {  # large enough for every limit of the renderer, and to hang what takes quadratic time
    "nested blocks": "<div>" * 40_000 + SENTENCE,
    "nested links": "<a href=x>a" * 22_000,
    "nested formatting": "<b><p>" * 20_000 + SENTENCE,
    "end tags": "</div>" * 40_000,
    "open tags": "<" * 200_000,
    "open scripts": "<body><script " * 70_000,
    "ampersands": "<p>" + "&" * 100_000 + " &amp" * 20_000,
    "one long word": "<p>" + "a" * 300_000,
    "table cells": "<table>" + "<tr><td>a" * 22_000,
    "words": "a " * 60_000,
}


QUICK = {"boilernet": "n_epochs=10", "web2text": "n_steps=200", "web2text-unary": "n_steps=200"}
"""Parameters with which a network is trained soon."""


@cache
def made(name):
    """The extractor of a name; a method that must see pages has learnt from articles first."""
    articles = [ARTICLE.replace(SENTENCE, other) for other in OTHERS]
    pages = [ParsedDocument(article) for article in articles]
    if name in PAGE_CLASS_METHODS:
        return PAGE_CLASS_METHODS.make(name).learn(pages)
    if name in TRAINABLE_METHODS:
        mains = (own[own.index("<div id=main>") : own.index("<footer>")] for own in articles)
        texts = [extract(main, "plain").text for main in mains]
        return TRAINABLE_METHODS.make(f"{name} {QUICK.get(name, '')}").fit(pages, texts)
    return make_extractor(name)


@cache
def hostile_pages():
    """All hostile pages, which are parsed once for all systems."""
    return [ParsedDocument(html, name=name) for name, html in HOSTILE.items()]


@pytest.fixture(scope="module", params=[*EXTRACTORS, *PAGE_CLASS_METHODS, *TRAINABLE_METHODS])
def system(request):
    try:
        return made(request.param)
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.fixture
def own_system(system):
    """A system that runs in our own code; the bounds of others are theirs."""
    if isinstance(system, Peer):
        pytest.skip("a peer")
    return system


def test_an_extraction_has_its_places_in_the_source(system):
    for name, html in PAGES.items():
        document = ParsedDocument(html, name=name)
        try:
            extraction = system.extract(document)
        except ExtractionError:
            assert isinstance(system, Peer), name
            continue
        assert isinstance(extraction, Extraction), name
        check_places(extraction, document)


def check_places(extraction, document):
    html, name = document.html, document.name
    places = [place for span in extraction.spans for place in span]
    assert places == sorted(places), name
    assert all(start < end for start, end in extraction.spans), name
    assert not places or (places[0] >= 0 and places[-1] <= len(html)), name
    if extraction.spans:
        shown = " ".join(shown_text(html[start:end]) for start, end in extraction.spans)
        assert "".join(shown.split()) == "".join(extraction.text.split()), name


_MARKUP = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|$))
    | </?[a-zA-Z](?:=\s*(?:"[^"]*"|'[^']*')|[^>])*(?:>|$)
    | <[!?/][^>]*(?:>|$)""",
    re.DOTALL | re.VERBOSE,
)


def shown_text(source):
    """A piece of HTML without tags and comments, entities resolved."""
    return unescape(_MARKUP.sub("", source))


PIECES = [
    *"<p> </p> </div> <a href=x> </a> <b> </b> <br/> <td> <table> <tr> </table> <li>".split(),
    *"<script> </script> <style> </style> <!-- --> <! <?x> </> < > &amp; &nbsp; & &#65".split(),
    *"&#x41; &lt;p&gt; a ' \" <P CLASS=x <title> </title> <textarea> </textarea> <select>".split(),
    *"<option> </select> <svg> <title/> </svg> <noscript> </noscript> <body> </body>".split(),
    *"<head> </head> <html> <iframe> </iframe> <template> </template> <form>".split(),
    *("<div class='a>b'>", "<!-- c -->", "<3 ", "word ", "two words ", "\n", "\t", "\u6e21\u8239"),
    *("<![CDATA[x]]>", "\x1c", "\xa0", "\u3000", "<img src=a>", "<a\n", "<a href=x>"),
]


def test_pages_of_random_pieces_are_read(own_system):
    rng = random.Random(2)
    for _ in range(60):
        html = "".join(rng.choices(PIECES, k=rng.randint(1, 60)))
        document = ParsedDocument(html, name=html)
        check_places(own_system.extract(document), document)


def test_an_article_is_found_in_part_at_least(system):
    extraction = system.extract(ParsedDocument(ARTICLE))
    assert SENTENCE.strip() in " ".join(extraction.text.split())
    assert "not shown" not in extraction.text
    assert "margin" not in extraction.text
    assert system.extract(ParsedDocument(ARTICLE)) == extraction


@pytest.mark.parametrize("page", [name for name in PAGES if "without a text" in name])
def test_a_page_without_a_text_gives_none(own_system, page):
    assert own_system.extract(ParsedDocument(PAGES[page])) == Extraction("")


def test_a_hostile_page_is_read_or_refused(own_system):
    if isinstance(own_system, BoilerNet) and isinstance(own_system.network, Tagger):
        pytest.skip("slow in NumPy; the shipped network is tested")
    if isinstance(own_system, Web2Text) and own_system is not made("web2text-wcxb"):
        pytest.skip("the shipped network is tested")
    for page in hostile_pages():
        with contextlib.suppress(StructceError):
            check_places(own_system.extract(page), page)


def test_what_was_learnt_extracts_the_same_from_a_file(system, tmp_path):
    if type(system) not in STORED_EXTRACTORS.values():
        pytest.skip("nothing learnt, or stored in a form of its own")
    save_trained(tmp_path / "a", TrainedExtractor("a", system, Training()))
    loaded = read_trained(tmp_path / "a").extractor
    for page in (ARTICLE, *PAGES.values()):
        assert loaded.extract(ParsedDocument(page)) == system.extract(ParsedDocument(page))


@pytest.mark.parametrize("name", PAGE_CLASS_METHODS)
def test_what_compares_pages_needs_two_that_differ(name):
    for pages in ([], [ARTICLE], [ARTICLE, ARTICLE], [ARTICLE, "", "<p></p>"]):
        with pytest.raises(ExtractionError, match=r"at least two"):
            PAGE_CLASS_METHODS.make(name).learn(map(ParsedDocument, pages))


@pytest.mark.parametrize("name", PAGE_CLASS_METHODS)
def test_hostile_pages_are_learnt_from_or_refused(name):
    for page in hostile_pages():
        with contextlib.suppress(ExtractionError):
            template = PAGE_CLASS_METHODS.make(name).learn([page, ParsedDocument(ARTICLE)])
            check_places(template.extract(page), page)


@pytest.mark.parametrize("name", TRAINABLE_METHODS)
def test_no_pages_teach_nothing(name):
    with pytest.raises((ExtractionError, MissingExtraError)):
        TRAINABLE_METHODS[name]().fit([], [])
