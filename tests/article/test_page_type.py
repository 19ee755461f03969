"""Type of a page: the columns of a page, and probabilities of all types."""

import numpy as np
import pytest

from structce.article.page_type import PAGE_COLUMNS, page_facts, type_probabilities
from structce.features.contract import ODD_HTML


def test_every_column_is_named_once():
    assert len(set(PAGE_COLUMNS)) == len(PAGE_COLUMNS)


@pytest.mark.parametrize("html", ["", "<html></html>", *ODD_HTML.values()])
def test_every_page_has_one_row_of_finite_numbers(html, make_page, see):
    facts = page_facts(see(make_page(html)))
    assert tuple(facts) == PAGE_COLUMNS
    assert np.isfinite([*facts.values()]).all()


def test_elements_labels_and_text_are_counted(make_page, see):
    page = make_page("<body><p>12345</p><p>123</p><a href=/>12</a>", url="https://a.example/x/y1")
    row = page_facts(see(page, ["Title", "Paragraph", "None"], [0.5, 0.8, 1]))
    n_elements = len(page.elements)
    assert row["share_p"] == pytest.approx(2 / n_elements)
    assert row["share_a"] == pytest.approx(1 / n_elements)
    assert row["sum_paragraph"] == pytest.approx(np.log1p(0.8))
    assert (row["title_p"], row["longest"], row["mean_length"]) == (0.5, 5, pytest.approx(10 / 3))
    assert row["body_mass"] == pytest.approx(np.log1p(2.4))
    assert row["body_share"] == pytest.approx(0.24)
    assert row["link_share"] == pytest.approx(0.2)
    assert (row["path_depth"], row["path_digits"]) == (2, 1)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://a.example/viewtopic?x", "forum"),
        ("https://shop.example/p/3", "product"),
        ("https://a.example/tag/boats", "listing"),
        ("https://docs.a.example/x", "documentation"),
        ("https://a.example/pricing", "service"),
        ("https://a.example/2026/03/x", "article"),
        ("https://a.example/collections/x", "collection"),
    ],
)
def test_words_of_the_address_are_told(url, kind, make_page, see):
    assert page_facts(see(make_page("<p>x", url=url)))[f"at_{kind}"] == 1
    assert page_facts(see(make_page("<p>x", url="https://a.example/x")))[f"at_{kind}"] == 0


def test_what_metadata_states_is_told(make_page, see):
    html = (
        '<meta property="og:type" content="article"><script type="application/ld+json">'
        '{"@type": ["Thing", "NewsArticle"]}</script><p>x'
    )
    row = page_facts(see(make_page(html)))
    assert (row["states_article"], row["og_article"]) == (1, 1)
    assert (row["states_product"], row["og_product"]) == (0, 0)


def test_an_address_that_is_none_is_borne(make_page, see):
    row = page_facts(see(make_page("<p>x", url="http://[bad")))
    assert row["path_depth"] == 0


@pytest.mark.parametrize("html", ["", *ODD_HTML.values()])
def test_probabilities_of_types_are_of_sum_one(html, trees, make_page, see):
    p = type_probabilities(page_facts(see(make_page(html))), trees.page_types)
    assert set(p) == {"article", "listing"}
    assert all(0 <= value <= 1 for value in p.values())
    assert sum(p.values()) == pytest.approx(1)


def test_without_trees_no_type_is_told(make_page, see):
    assert type_probabilities(page_facts(see(make_page("<p>x"))), {}) == {}


def test_articles_are_told_from_listings(trees, make_corpus, make_page, see):
    article = make_corpus(31).pages[-1]
    listing = make_page(
        "<title>Latest</title><nav><a href=/>Home</a></nav><h1>Latest</h1><ul>"
        + "<li><a href=/x>Story of boats</a></li>" * 7
        + "</ul><p>Page 3 of ninety, updated every morning by the night desk.</p>",
        url="https://site99.example/news/",
    )
    for kind, evidence in {
        "article": see(article.page, article.labels),
        "listing": see(listing),
    }.items():
        assert type_probabilities(page_facts(evidence), trees.page_types)[kind] > 0.5
