"""Type of a page: the columns of a page, and probabilities of all types."""

import numpy as np
import pytest

from structce.article.page_type import PAGE_COLUMNS, page_features, type_probabilities
from structce.article.quality import QUALITY_COLUMNS, certainty_features, page_quality
from structce.features.contract import ODD_HTML


@pytest.mark.parametrize("html", ["", "<html></html>", *ODD_HTML.values()])
def test_every_page_has_one_row_of_finite_numbers(html, make_page, see):
    facts = page_features(see(make_page(html)))
    assert facts.shape == (len(PAGE_COLUMNS),)
    assert np.isfinite(facts).all()


def by_name(evidence):
    return dict(zip(PAGE_COLUMNS, page_features(evidence), strict=True))


def test_elements_labels_and_text_are_counted(make_page, see):
    page = make_page("<body><p>12345</p><p>123</p><a href=/>12</a>", url="https://a.example/x/y1")
    row = by_name(see(page, ["Title", "Paragraph", "None"], [0.5, 0.8, 1]))
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
    assert by_name(see(make_page("<p>x", url=url)))[f"at_{kind}"] == 1
    assert by_name(see(make_page("<p>x", url="https://a.example/x")))[f"at_{kind}"] == 0


@pytest.mark.parametrize("html", ["", *ODD_HTML.values()])
def test_probabilities_of_types_are_of_sum_one(html, trees, make_page, see):
    p = type_probabilities(page_features(see(make_page(html))), trees.page_types)
    assert set(p) == {"article", "listing"}
    assert all(0 <= value <= 1 for value in p.values())
    assert sum(p.values()) == pytest.approx(1)


DOUBTS = QUALITY_COLUMNS[len(PAGE_COLUMNS) :]


def test_doubts_are_those_of_the_hand():
    chars = np.array([100.0, 50.0, 50.0, 200.0])
    p = np.array([0.0, 0.8, 0.4, 0.95])
    doubts = dict(zip(DOUBTS, certainty_features(chars, p), strict=True))
    assert doubts["doubt"] == pytest.approx((50 * 0.2 + 50 * 0.4 + 200 * 0.05) / 250)
    assert doubts["chars_inside"] == pytest.approx(np.log1p(250))
    assert doubts["sure_share"] == pytest.approx(300 / 400)
    assert doubts["mean_inside"] == pytest.approx((40 + 190) / 250)
    assert doubts["mean_outside"] == pytest.approx(20 / 150)
    assert doubts["n_runs"] == 2


@pytest.mark.parametrize("name", ODD_HTML)
def test_a_quality_is_a_probability(name, trees, make_page, see):
    evidence = see(make_page(ODD_HTML[name]))
    rng = np.random.default_rng(1)
    p, facts = rng.random(evidence.n_blocks), page_features(evidence)
    assert 0 <= page_quality(evidence, p, facts, "Ferry to stop. " * 9, trees.quality) <= 1
