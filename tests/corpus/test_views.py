from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.views import VIEWS, hide_metadata, keep_regions, views_of
from structce.errors import CorpusError
from structce.page import Page

HTML = """<html lang=en><head><title>Ferry stops | Post</title>
<meta property="og:title" content="Ferry stops"><meta name=author content="Ann Lee">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Ferry stops"}</script>
</head><body itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop=headline>Ferry</h1>
<span class=author itemprop=author>Ann Lee</span><b typeof=Person property=author>Ann</b>
<time datetime="2026-03-14" itemprop=datePublished>14 March</time><p id=one>It stops.</p>
<a rel=author href=/x>Ann</a>
</body></html>"""
MARKS = {"itemprop", "itemscope", "itemtype", "typeof", "property"}


@pytest.fixture
def stated_page(make_page: Callable[..., Page]) -> Page:
    return make_page(HTML)


def attribute_names(page: Page) -> set[str]:
    return {name for row in page.elements.attributes for name in row}


def test_without_structure_meta_elements_and_moments_are_left(stated_page: Page) -> None:
    view = hide_metadata(stated_page, "unstructured")
    assert (view.metadata.json_ld, dict(view.metadata.microdata)) == ((), {})
    assert view.metadata.meta == stated_page.metadata.meta
    assert view.metadata.times == stated_page.metadata.times
    assert view.metadata.author_links == stated_page.metadata.author_links
    assert view.title == stated_page.title
    assert attribute_names(stated_page) - attribute_names(view) == MARKS
    assert view.attributes[view.text.index("14 March")] == {"datetime": "2026-03-14"}


def test_a_bare_page_has_its_title_element_alone(stated_page: Page) -> None:
    view = hide_metadata(stated_page, "bare")
    assert view.title == "Ferry stops | Post"
    assert (dict(view.metadata.meta), view.metadata.json_ld, view.metadata.times) == ({}, (), ())
    assert view.metadata.headlines == ("Ferry stops | Post",)
    assert attribute_names(view) == {"lang", "class", "id", "rel", "href"}
    assert view.metadata.author_links == ("Ann",)


@pytest.mark.parametrize("view", VIEWS)
def test_regions_stay_and_the_page_is_not_changed(stated_page: Page, view: str) -> None:
    stated, names, blocks = stated_page.metadata, attribute_names(stated_page), stated_page.blocks
    hidden = hide_metadata(stated_page, view)  # type: ignore[arg-type]
    assert (hidden.text, hidden.xpath, hidden.url, hidden.lang) == (
        stated_page.text,
        stated_page.xpath,
        stated_page.url,
        stated_page.lang,
    )
    np.testing.assert_array_equal(hidden.blocks, blocks)
    assert stated_page.metadata is stated
    assert attribute_names(stated_page) == names


def view_of(page: Page) -> str:
    """Which view of the page above this is."""
    metadata = page.metadata
    if metadata.json_ld:
        return "stated"
    return "unstructured" if metadata.meta else "bare" if metadata.title else "nothing"


@pytest.fixture
def many(make_page: Callable[..., Page], make_corpus: Callable[..., Corpus]) -> Corpus:
    """One article under many ids, each of its own site."""
    corpus = make_corpus(1)
    (original,) = corpus.pages
    page = make_page(HTML)
    rows = [
        replace(original, id=f"p{n}", site=f"s{n}", family=f"s{n}", page=page, labels=("None",) * 6)
        for n in range(400)
    ]
    return replace(corpus, pages=tuple(rows))


def test_views_are_drawn_with_their_shares(many: Corpus) -> None:
    shares = {"stated": 0.5, "bare": 0.3, "nothing": 0.2}
    views = views_of(many, shares, seed=7)
    assert [page.id for page in views] == [page.id for page in many]
    counts = Counter(view_of(page.page) for page in views)
    assert views.notes["views"] == {name: counts[name] for name in shares}
    for name, share in shares.items():
        assert abs(counts[name] / 400 - share) < 0.1  # four standard deviations
    assert counts["unstructured"] == 0


def test_a_view_depends_on_page_and_seed(many: Corpus) -> None:
    shares = dict.fromkeys(VIEWS, 0.25)
    whole = {page.id: view_of(page.page) for page in views_of(many, shares, seed=7)}
    part = many.subset(f"p{n}" for n in range(300, 400))
    assert all(whole[page.id] == view_of(page.page) for page in views_of(part, shares, seed=7))
    other = {page.id: view_of(page.page) for page in views_of(many, shares, seed=8)}
    assert whole != other


def test_several_views_of_a_page_differ_and_stay_on_one_side(many: Corpus, tmp_path: Path) -> None:
    views = views_of(many.subset(["p1", "p2", "p3"]), dict.fromkeys(VIEWS, 0.25), n_views=3)
    assert len({page.id for page in views}) == len(views) == 9
    assert all(page.id.endswith(f".{view_of(page.page)}") for page in views)
    larger, two = views.split([2 / 3, 1 / 3], by="site")
    assert (len(larger), len(two)) == (6, 3)
    views.save(tmp_path / "views")
    assert Corpus.load(tmp_path / "views").digest == views.digest


@pytest.mark.parametrize(
    ("shares", "n_views", "named"),
    [
        ({"stated": 0.5}, 1, "sum 1"),
        ({"stated": 1.5, "bare": -0.5}, 1, "below 0"),
        ({"naked": 1.0}, 1, "naked"),
        ({}, 1, "sum 1"),
        ({"stated": 1.0, "bare": 0.0}, 2, "1 to 1"),
        ({"stated": 1.0}, 0, "1 to 1"),
    ],
)
def test_shares_that_cannot_be_are_errors(
    many: Corpus, shares: dict[str, float], n_views: int, named: str
) -> None:
    with pytest.raises(CorpusError, match=named):
        views_of(many, shares, n_views=n_views)


def test_some_regions_of_a_page_are_a_page_of_their_own(make_page: Callable[..., Page]) -> None:
    page = make_page(
        "<!--a--><div><h1>Ferry</h1></div><!--b--><div><p>It <b>stops</b>.</p></div>"
        "<div id=none></div><pre>a\n b</pre><p>End</p>"
    )
    kept = np.array([text not in {"Ferry", "stops"} for text in page.text])
    part = keep_regions(page, kept)
    assert list(part.text) == ["It", ".", "a b", "End"]
    assert [part.elements.tag[i] for i in part.element] == ["p", "p", "pre", "p"]
    assert part.elements.tag.count("div") == 1  # that of the headline is gone
    assert "b" not in part.elements.tag
    assert part.preformatted == {2: page.preformatted[4]}
    assert part.comments == page.comments
    assert part.comment_places.tolist() == [0] * len(page.comments)
    assert [part.elements.parent[i] < i for i in range(len(part.elements))]
    assert all(
        part.elements.tag[up] in {"div", "body"}
        for up in (part.elements.parent[i] for i in part.element)
    )
    assert keep_regions(page, np.ones(len(page), dtype=bool)) is page
    nothing = keep_regions(page, np.zeros(len(page), dtype=bool))
    assert (len(nothing), len(nothing.elements)) == (0, 0)
