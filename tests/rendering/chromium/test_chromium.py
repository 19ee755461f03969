"""A real browser: the same regions as without one, where HTML alone says what is shown."""

import pytest

from structce.rendering.document import Document, Resource
from structce.rendering.source_spans import with_spans
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import sample_pages

pytestmark = pytest.mark.browser


def same(first, other):
    parts = [
        (p.xpath, p.text, p.tag, p.comments, p.comment_places.tolist()) for p in (first, other)
    ]
    return parts[0] == parts[1]


def test_both_renderers_agree_on_whole_news_pages(chromium):
    for raw in sample_pages(4, 1, seed=11):
        document = Document(raw.html, name=raw.id)
        static, browser = StaticRenderer().render(document), chromium.render(document)
        assert same(static, browser), raw.id
        assert static.metadata == browser.metadata
        assert static.lang == browser.lang


def test_text_that_a_page_hides_until_its_scripts_run_is_shown(chromium):
    long = "This is the text of the article that a reader came for, and it is long enough. "
    main = f"<main class=wait><h1>T</h1><p>{long * 2}</p></main>"
    page = chromium.render(Document(f"<!doctype html><style>.wait{{display:none}}</style>{main}"))
    assert "T" in page.text
    short = chromium.render(Document(f"<style>.x{{display:none}}</style><p class=x>a</p><p>{long}"))
    assert "a" not in short.text


@pytest.mark.parametrize(
    "start", ["<body><iframe src='a'/>", "<head><title/></head><body>", "<script src='a'/><body>"]
)
def test_page_saved_as_xml_keeps_its_text(chromium, start):
    html = f"<html>{start}<p>The ferry will stop.</p></body></html>"
    page = chromium.render(Document(html))
    assert same(page, StaticRenderer().render(Document(html)))
    ((start, end),) = with_spans(page, html).spans.tolist()
    assert html[start:end] == "The ferry will stop."
    assert page.provenance.digest == Document(html).digest


class RedFiles:
    """A place with a file at every address, also at that of the page."""

    def __init__(self, base):
        self.base = base
        self.asked: list[str] = []

    def get(self, url):
        self.asked.append(url)
        return Resource(b"p { color: rgb(255, 0, 0) }", "text/css")


ODD_ADDRESSES = (
    *"urn:uuid:1 ftp://example.org/a chrome://version file:///etc/passwd about:blank".split(),
    *"javascript:alert(1) view-source:http://a.example/ page http://a_b.example/".split(),
    *"http://a.example:1 http://a.example:99999/ http:// http://1.2.3.4.5/ HTTP://A.EXAMPLE".split(),
    *"<http://a.example/> http://münchen.example/ //a.example/b http://a.example/../b/./c".split(),
    *"data:text/html,other http://a.example/b http://a.example/b#c mailto:a@b.example".split(),
    "",
    "http://exa mple/",
    f"http://{'a' * 70}.example/",
    "http://a.example/a b?c=ä#d",
)


@pytest.mark.parametrize("address", ODD_ADDRESSES)
def test_a_page_is_shown_whatever_its_address_and_keeps_it(chromium, address):
    files = RedFiles(address)
    html = "<!doctype html><title>t</title><link rel=stylesheet href=s.css><p>hello"
    page = chromium.render(Document(html, address, "odd", resources=files))
    assert page.text == ("hello",)
    assert page.url == address
    assert [url.endswith("/s.css") for url in files.asked] == [True]
    assert page.styles["color"][0] == "rgb(255, 0, 0)"
