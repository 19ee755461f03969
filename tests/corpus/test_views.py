"""Views of a page: less of its metadata, or some of its regions."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from structce.corpus import VIEWS, Corpus, hide_metadata, keep_regions, views_of
from structce.errors import CorpusError

HTML = """<html lang=en><head><title>Ferry stops | Post</title>
<meta property="og:title" content="Ferry stops"><meta name=author content="Ann Lee">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Ferry stops"}</script>
</head><body itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop=headline>Ferry</h1>
<span class=author itemprop=author>Ann Lee</span><b typeof=Person property=author>Ann</b>
<time datetime="2026-03-14" itemprop=datePublished>14 March</time><p id=one>It stops.</p>
<a rel=author href=/x>Ann</a>
</body></html>"""
STRUCTURED = {"itemprop", "itemscope", "itemtype", "typeof", "property"}
EQUAL = dict.fromkeys(VIEWS, 0.25)


@pytest.fixture
def page(make_page):
    return make_page(HTML)


def attribute_names(page):
    return {name for row in page.elements.attributes for name in row}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_lacks_metadata_and_no_region(page, view):
    names, stated, hidden = attribute_names(page), page.metadata, hide_metadata(page, view)
    kept = VIEWS.index(view)
    assert (hidden.text, hidden.xpath, hidden.url) == (page.text, page.xpath, page.url)
    assert bool(hidden.metadata.json_ld) == bool(hidden.metadata.microdata) == (kept < 1)
    assert hidden.metadata.meta == (stated.meta if kept < 2 else {})
    assert hidden.metadata.times == (stated.times if kept < 2 else ())
    assert hidden.metadata.author_links == (("Ann",) if kept < 3 else ())
    lacking = [set(), STRUCTURED, STRUCTURED | {"datetime"}, STRUCTURED | {"datetime", "rel"}]
    assert names - attribute_names(hidden) == lacking[kept]
    assert attribute_names(page) == names


def view_of(page):
    """Return which view of the page above this is."""
    metadata = page.metadata
    if metadata.json_ld:
        return "stated"
    return "unstructured" if metadata.meta else "bare" if metadata.title else "nothing"


@pytest.fixture
def many(page, make_corpus):
    """One article under many ids, each of a site of its own."""
    corpus = make_corpus(1)
    first = replace(corpus.pages[0], page=page, labels=("None",) * len(page))
    rows = [replace(first, id=f"p{n}", site=f"s{n}", family=f"s{n}") for n in range(400)]
    return replace(corpus, pages=tuple(rows))


def test_views_are_drawn_with_their_shares(many):
    shares = {"stated": 0.5, "bare": 0.3, "nothing": 0.2}
    views = views_of(many, shares, seed=7)
    counts = Counter(view_of(page.page) for page in views)
    assert views.notes["views"] == {name: counts[name] for name in shares}
    for name, share in shares.items():
        assert abs(counts[name] / 400 - share) < 0.1  # four standard deviations
    assert counts["unstructured"] == 0


def test_a_view_depends_on_page_and_seed(many):
    whole = {page.id: view_of(page.page) for page in views_of(many, EQUAL, seed=7)}
    part = many.subset(f"p{n}" for n in range(300, 400))
    assert all(whole[page.id] == view_of(page.page) for page in views_of(part, EQUAL, seed=7))
    assert whole != {page.id: view_of(page.page) for page in views_of(many, EQUAL, seed=8)}


def test_several_views_of_a_page_differ_and_stay_together(many, tmp_path):
    views = views_of(many.subset(["p1", "p2", "p3"]), EQUAL, n_views=3)
    assert len({page.id for page in views}) == len(views) == 9
    assert all(page.id.endswith(f".{view_of(page.page)}") for page in views)
    assert [len(part) for part in views.split([2 / 3, 1 / 3], by="site")] == [6, 3]
    views.save(tmp_path / "views")
    assert Corpus.load(tmp_path / "views").digest == views.digest


@pytest.mark.parametrize(
    ("shares", "n_views", "message"),
    [
        ({"stated": 0.5}, 1, "sum 1"),
        ({"stated": 1.5, "bare": -0.5}, 1, "below 0"),
        ({"naked": 1.0}, 1, "naked"),
        ({}, 1, "sum 1"),
        ({"stated": 1.0, "bare": 0.0}, 2, "1 to 1"),
    ],
)
def test_impossible_shares_are_errors(many, shares, n_views, message):
    with pytest.raises(CorpusError, match=message):
        views_of(many, shares, n_views=n_views)


def test_some_regions_of_a_page_are_a_page(make_page):
    page = make_page(
        "<!--a--><div><h1>Ferry</h1></div><!--b--><div><p>It <b>stops</b>.</p></div>"
        "<div id=none></div><pre>a\n b</pre><p>End</p>"
    )
    part = keep_regions(page, np.array([text not in {"Ferry", "stops"} for text in page.text]))
    assert list(part.text) == ["It", ".", "a b", "End"]
    assert [part.elements.tag[i] for i in part.element] == ["p", "p", "pre", "p"]
    assert part.elements.tag.count("div") == 1  # that of the headline is gone
    assert "b" not in part.elements.tag
    assert part.preformatted == {2: page.preformatted[4]}
    assert part.comments == page.comments
    assert part.comment_places.tolist() == [0] * len(page.comments)
    assert keep_regions(page, np.ones(len(page), dtype=bool)) is page
    nothing = keep_regions(page, np.zeros(len(page), dtype=bool))
    assert (len(nothing), len(nothing.elements)) == (0, 0)
