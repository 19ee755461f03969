"""Microdata of a page: whose properties count, and what their values are."""

import pytest

from structce.snapshot import pack_page, unpack_page

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


def test_microdata_is_kept_in_a_snapshot(make_page):
    page = make_page(ARTICLE)
    assert unpack_page(pack_page(page), "page").metadata == page.metadata


@pytest.mark.parametrize(
    "html",
    [
        '<p itemprop="author">Ann Lee</p>',
        '<main itemscope><p itemprop="AUTHOR"> Ann  Lee </p></main>',
        '<main itemscope itemtype="http://schema.org/WebPage/"><p itemprop="author">Ann Lee</p>',
    ],
)
def test_properties_of_no_item_or_of_the_page_count(make_page, html):
    assert make_page(html).metadata.microdata == {"author": ("Ann Lee",)}


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
def test_what_states_nothing_of_the_article_is_left_out(make_page, html):
    assert make_page(html).metadata.microdata == {}


def test_items_nested_without_reason_cost_no_more_than_their_number(make_page):
    deep = '<div itemprop="author" itemscope itemtype="x/Article">' * 1500
    assert make_page(deep + "<p>text</p>").metadata.microdata == {}
