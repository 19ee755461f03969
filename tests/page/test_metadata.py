"""What a page states of itself: meta elements, JSON-LD and microdata."""

import pytest

from structce.page import pack_page, unpack_page

HTML = """<html><head><title> A  title </title>
<meta name="Author" content="Ann Lee"><meta property="og:title" content="OG title">
<meta property="article:author" content="https://social.example/ann">
<script type="application/ld+json">{"@graph": [{"@type": "NewsArticle", "headline": "LD title",
"author": [{"name": "Tom Rost"}, "Ann Lee"], "datePublished": "2026-03-01"}]}</script>
<script type="application/ld+json">{"broken": </script>
</head><body><time datetime="2026-03-02">x</time><svg><title>icon</title></svg></body></html>"""


def test_statements_of_a_page_are_read_from_every_place(make_page):
    metadata = make_page(HTML).metadata
    assert metadata.title == "A title"
    assert metadata.headlines == ("LD title", "OG title", "A title")
    assert metadata.authors == ("Tom Rost", "Ann Lee")
    assert metadata.dates == ("2026-03-01",)
    assert metadata.times == ("2026-03-02",)


@pytest.mark.parametrize("depth", [60, 300, 900])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"author":', "}")])
def test_json_ld_that_nests_without_reason_is_left_out(make_page, depth, start, end):
    inner = '{"headline": "x"}'
    script = f'<script type="application/ld+json">{start * depth}{inner}{end * depth}</script>'
    page = make_page(script + "<p>text</p>")
    assert page.metadata.json_ld == ()
    assert page.metadata.authors == ()
    assert page.text == ("text",)


ARTICLE = """<html><body>
<article itemscope itemtype="https://schema.org/NewsArticle">
 <h1 itemprop="headline">Ferry <b>stops</b><!-- note --></h1>
 <span itemprop="author" itemscope itemtype="https://schema.org/Person">
  By <a itemprop="url" href="/ann"><span itemprop="name">Ann Lee</span></a></span>
 <time itemprop="datePublished" datetime="2026-03-01T09:30Z">yesterday</time>
 <meta itemprop="datemodified" content="2026-03-02">
 <div itemprop="publisher" itemscope itemtype="https://schema.org/Organization">
  <meta itemprop="name" content="The Post"></div>
 <figure itemprop="image" itemscope itemtype="https://schema.org/ImageObject">
  <img itemprop="url" src="/quay.jpg"></figure>
 <img itemprop="image thumbnailUrl" src="/pier.jpg">
 <div itemprop="comment" itemscope itemtype="https://schema.org/Comment">
  <b itemprop="author">A reader</b><time itemprop="datePublished" datetime="2026-03-09">x</time>
 </div>
</article>
<div itemscope itemtype="https://schema.org/NewsArticle"><h3 itemprop="headline">Teaser</h3></div>
</body></html>"""


def test_the_first_articles_properties_are_read(make_page):
    metadata = make_page(ARTICLE).metadata
    assert metadata.microdata == {
        "headline": ("Ferry stops",),
        "author": ("Ann Lee",),
        "datePublished": ("2026-03-01T09:30Z",),
        "dateModified": ("2026-03-02",),
        "publisher": ("The Post",),
        "image": ("/quay.jpg", "/pier.jpg"),
        "thumbnailUrl": ("/pier.jpg",),
    }
    assert metadata.authors == ("Ann Lee",)
    assert metadata.headlines == ("Ferry stops",)
    assert metadata.published_dates == ("2026-03-01T09:30Z",)
    assert metadata.modified_dates == ("2026-03-02",)


@pytest.mark.parametrize(
    "html",
    [
        '<p itemprop="author"></p><p>x</p>',
        '<p itemprop="author">' + "long " * 300,
        '<p itemprop="author" itemscope>no name of its own</p>',
        '<div itemscope itemtype="https://schema.org/Product"><p itemprop="author">Ann</p></div>',
        '<p itemprop="colour">red</p>',
    ],
)
def test_microdata_of_other_things_is_left_out(make_page, html):
    assert make_page(html).metadata.microdata == {}


def test_nested_items_take_linear_time(make_page):
    deep = '<div itemprop="author" itemscope itemtype="x/Article">' * 1500
    assert make_page(deep + "<p>text</p>").metadata.microdata == {}


def json_ld(text):
    return f'<script type="application/ld+json">{text}</script><p>x'


def test_author_by_reference_has_the_name_of_its_object(make_page):
    graph = """{"@graph": [{"@type": "NewsArticle", "author": {"@id": "#/person/1"}},
    {"@type": "WebPage", "author": "#nobody"}, {"@type": "Person", "@id": "#/person/1",
    "name": "Ann Lee"}]}"""
    assert make_page(json_ld(graph)).metadata.authors == ("Ann Lee",)


@pytest.mark.parametrize(
    "author", ['"https://post.example/ann"', '{"@id": "#ann"}', '[{"url": "/author/ann/"}]']
)
def test_an_address_as_author_leaves_the_word_to_other_sources(make_page, author):
    html = '<meta name="parsely-author" content="Ann Lee">' + json_ld(f'{{"author": {author}}}')
    assert make_page(html).metadata.authors == ("Ann Lee",)


@pytest.mark.parametrize(
    "text",
    [
        '{"headline": "Ferry stops",}',
        '{"headline": "Ferry stops", "keywords": ["a", "b",\n]}',
        '//<![CDATA[\n{"headline": "Ferry stops"}\n//]]>',
        '/* <![CDATA[ */{"headline": "Ferry stops"}/* ]]> */',
        '<!--{"headline": "Ferry stops"}-->',
        '{"@type": "Person"} {"headline": "Ferry stops"};',
        '{"@type": "Person"},{"headline": "Ferry stops"}',
        '{"headline": "Ferry stops", "description": "one\ntwo\tthree"}',
        '{"headline": "Ferry stops", "description": "it\\\'s"}',
        "{&quot;headline&quot;: &quot;Ferry stops&quot;}",
        '\ufeff{"headline":\u00a0"Ferry stops"}',
        "{'headline': 'Ferry stops', 'description': 'it\\\\'s'}",
        '{"headline": "Ferry stops", "description": "a "whole", and so"}',
        '{"headline": "Ferry stops", // once\n "url": "http://x/y" /* here */}',
        '{"headline": "Ferry stops", "author": {"name": "Ann Lee"}, "pub',
        '[{"headline": "Ferry stops"}',
        '{"@type": "schema:NewsArticle", "schema:headline": "Ferry stops"}',
    ],
)
def test_slightly_broken_json_ld_is_read(make_page, text):
    assert make_page(json_ld(text)).metadata.headlines == ("Ferry stops",)


@pytest.mark.parametrize("text", ["Ferry to stop in June", "", "var x = 1", "[[[", "null"])
def test_json_ld_that_is_no_json_is_left_out(make_page, text):
    assert make_page(json_ld(text)).metadata.json_ld == ()


@pytest.mark.parametrize(
    ("head", "stated"),
    [
        ('<link rel="canonical" href=" /ferry ">', "/ferry"),
        ('<link rel="Alternate Canonical" href="https://x.example/1">', "https://x.example/1"),
        ("<link rel=canonical href><link rel=canonical href=/2><link rel=canonical href=/3>", "/2"),
        ("<link rel=canonical-ish href=/ferry><link rel=canonical>", ""),
        (f"<link rel=canonical href=/{'long' * 300}>", ""),
        ("<link itemprop=url href=/ferry>", ""),
    ],
)
def test_the_address_that_a_page_gives_itself_is_read(make_page, head, stated):
    page = make_page(f"<html><head>{head}<body><p>The ferry stops.")
    assert page.metadata.canonical == stated
    assert unpack_page(pack_page(page), "page").metadata == page.metadata


def test_organisations_are_those_that_json_ld_calls_so(make_page):
    graph = """[{"@type": "NewsArticle", "author": [{"@type": "Person", "name": "Ann Lee"},
    {"@type": "Organization", "name": "News  Desk"}], "publisher": {"@type":
    ["NewsMediaOrganization"], "name": "The Post"}}, {"@type": "WebSite", "name": "Ann Lee"}]"""
    assert make_page(json_ld(graph)).metadata.organisations == {"News Desk", "The Post"}
