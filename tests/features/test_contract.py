"""The contract of a feature: each clause broken by one, and all that are registered under it."""

from itertools import count

import numpy as np
import pytest
from msgspec.structs import replace

from structce.errors import FeatureError
from structce.features.contract import (
    ODD_HTML,
    check_docstring,
    check_feature,
    initial_styles,
    instability,
    lay_out,
)
from structce.features.encoding import CellSettings
from structce.features.registry import FAMILIES, REGISTRY, FeatureRegistry, feature, once_a_page
from structce.page import pack_page, unpack_page
from structce.rendering.chromium import STYLE_PROPERTIES
from structce.rendering.document import Document


def made(compute, doc="Something that helps, for a reason."):
    """Return the function as a feature under its own name."""
    registry = FeatureRegistry()
    compute.__doc__ = doc
    feature("text", name="mine", registry=registry)(compute)
    return registry["text.mine"]


@pytest.fixture
def two_paragraphs(make_page):
    return make_page("<p class=x>one</p><p>two</p>", url="https://www.post.example/1")


def changes_a_column(page):
    page.element[:] = 0
    return [True] * len(page)


def changes_an_attribute(page):
    page.attributes[0]["class"] = "y"
    return [True] * len(page)


calls = count()


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        (lambda page: [True], r"text\.mine returned 1 values for the 2 regions"),
        (lambda page: [1.5, 2.5], r"region 0 has 1\.5 \(float\); return numbers as a NumPy array"),
        (lambda page: [None, b"x"], r"region 1 has b'x' \(bytes\)"),
        (lambda page: [{"a"}, {1}], r"region 1 has \{1\} \(set\)"),
        (lambda page: np.array(["a", "b"]), r"1 dimensions and type <U1"),
        (lambda page: np.zeros((2, 2)), r"2 dimensions and type float64"),
        (lambda page: np.array([0.0, np.inf]), "region 1 is infinite"),
        (lambda page: np.array([-np.inf, 0.0]), "region 0 is infinite"),
        (lambda page: 1 / 0, r"ZeroDivisionError: .* \(.*test_contract\.py, line \d+"),
        (lambda page: page.styles["color"], r"KeyError: 'color' .*needs='layout'\?"),
        (changes_a_column, "the feature changed the page"),
        (changes_an_attribute, "the feature changed the page"),
        (lambda page: np.full(2, next(calls)), "region 0 has another value on the second call"),
        (lambda page: [None, str(next(calls))], "region 1 has another value on the second call"),
        (once_a_page(lambda page: np.full(2, next(calls))), "when the site is renamed"),
        (lambda page: [None, page.url], "region 1 has another value when the site is renamed"),
        (lambda page: ["post" in page.url] * 2, "learns sites, not labels"),
    ],
)
def test_broken_contract_is_an_error_with_its_reason(compute, message, two_paragraphs):
    with pytest.raises(FeatureError, match=message):
        check_feature(made(compute), [two_paragraphs])


@pytest.mark.parametrize("doc", [None, "", "Short.", "No full stop at the end of this"])
def test_a_feature_without_a_sentence_is_an_error(doc, two_paragraphs):
    with pytest.raises(FeatureError, match="docstring"):
        check_feature(made(lambda page: [True] * len(page), doc), [])


@pytest.mark.parametrize(
    "compute",
    [
        lambda page: np.array([np.nan, 1.0]),
        lambda page: np.array([True, False]),
        lambda page: np.array([3, 4], dtype=np.int32),
        lambda page: ["a", None],
        lambda page: [{"b", "a"}, frozenset()],
        lambda page: [["a", "b"], ()],
        lambda page: [True, np.False_],
    ],
)
def test_every_type_that_may_be_given_passes(compute, two_paragraphs):
    check_feature(made(compute), [two_paragraphs, replace(two_paragraphs, url="")])


def test_a_page_that_lacks_what_the_feature_needs_is_passed_over(two_paragraphs):
    registry = FeatureRegistry()

    @feature("style", needs="layout", registry=registry)
    def colour(page):
        """Colour of the text, as the browser names it."""
        return [str(value) for value in page.styles["color"]]

    check_feature(registry["style.colour"], [two_paragraphs, lay_out(two_paragraphs)])


def test_a_link_inside_the_site_stays_inside_it(make_page):
    """A feature may ask whether a link leaves the site, which is no name of a site."""
    html = "<a href=https://www.post.example/2>a</a><a href=https://other.example/>b</a>"
    page = make_page(html, url="https://www.post.example/1")

    def leaves(page):
        host = page.url.split("/")[2]
        return [host not in row["href"] for row in page.attributes]

    assert leaves(page) == [False, True]
    check_feature(made(leaves), [page])


def test_an_invented_layout_has_every_style_that_a_browser_gives(make_page):
    page = make_page(ODD_HTML["article"])
    laid_out = lay_out(page)
    assert laid_out.has_layout
    assert set(laid_out.elements.styles) == set(STYLE_PROPERTIES)
    assert not set(initial_styles()) & set(page.elements.styles)
    assert not np.isnan(laid_out.boxes).any()
    assert (laid_out.boxes[:, 2] == 0).any()
    assert (laid_out.boxes[:, 0] < 0).any()
    assert len(lay_out(make_page(ODD_HTML["empty"]))) == 0


each_feature = pytest.mark.parametrize("feature", REGISTRY.values(), ids=list(REGISTRY))


@pytest.fixture(scope="module")
def odd_pages(make_page, article_html):
    """Odd pages and a whole article, without layout and with one.

    Each has its name in its address, which is what an error tells of a page. Behind the last test
    no page may have changed; a change is looked for in each feature on a fresh copy of the page.
    """
    htmls = {**ODD_HTML, "whole article": article_html()}
    urls = [f"https://www.harbour-post.example/{name.replace(' ', '-')}" for name in htmls]
    plain = [make_page(html, url=url) for html, url in zip(htmls.values(), urls, strict=True)]
    pages = [*plain, *map(lay_out, plain)]
    packed = [pack_page(page) for page in pages]
    yield pages
    for page, before in zip(pages, packed, strict=True):
        if pack_page(page) != before:
            for entry in REGISTRY.values():
                check_feature(entry, [unpack_page(before, page.url)])
            pytest.fail(f"{page.url}: features together changed the page")


@pytest.fixture(scope="module")
def layout_page(chromium, article_html):
    return chromium.render(Document(article_html(), url="https://post.example/1"))


@each_feature
def test_it_keeps_its_contract_on_every_odd_page(feature, odd_pages):
    assert feature.family in FAMILIES
    assert feature.source
    check_docstring(feature)
    for page in odd_pages:
        assert not feature.is_known(page) or instability(feature, page) is None, page.url


def test_all_become_cells_of_every_odd_page(odd_pages):
    for page in odd_pages:
        cells = CellSettings(tuple(REGISTRY.values())).cells(page)
        assert len(cells.rows) == len(cells.codes) == len(cells.values), page.url


@pytest.mark.browser
def test_all_keep_their_contract_on_a_page_with_layout(layout_page):
    for entry in REGISTRY.values():
        check_feature(entry, [layout_page])
