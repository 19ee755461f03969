"""The contract of a feature, run over all that are registered: registering puts it under test."""

from collections.abc import Callable, Collection

import numpy as np
import pytest

from structce.features import FAMILIES, REGISTRY, Feature
from structce.features.cells import describe
from structce.page import Page
from structce.rendering import ChromiumRenderer, Document
from structce.snapshot import pack_page

ODD = {
    "empty": "<html><body></body></html>",
    "one word": "x",
    "one image": "<img>",
    "no letters": "<p>…</p><p>12:30</p><p>!!!</p>",
    "long": "<p>" + "word " * 5000 + "</p>",
    "many": "<ul>" + "<li><a href=#>entry</a></li>" * 400 + "</ul>",
    "scripts": "<h1>東京で地震</h1><p>שלום</p><p>١٤ مارس</p><p>नमस्ते दुनिया</p><p>Ωμέγα ß</p>",
    "bad attributes": "<p class='' id=' ' style=';;:' datetime=x><time datetime=99>y</time></p>",
    "bad metadata": "<meta property=og:image content='http://[bad'><meta name=author content=''>"
    "<script type=application/ld+json>{'x'}</script><p>text</p><img src='http://[worse'>",
}


@pytest.fixture(params=REGISTRY.values(), ids=list(REGISTRY))
def feature(request: pytest.FixtureRequest) -> Feature:
    result: Feature = request.param
    return result


@pytest.fixture(scope="module")
def layout_page(chromium: ChromiumRenderer, article_html: Callable[..., str]) -> Page:
    return chromium.render(Document(article_html()))


def check_values(feature: Feature, page: Page) -> None:
    values = feature.values(page)
    assert len(values) == len(page)
    if isinstance(values, np.ndarray):
        assert values.dtype.kind in "biuf"
        assert not np.isinf(values.astype(float)).any()
    else:
        kinds = (str, bool, np.bool_, type(None), Collection)
        assert all(isinstance(value, kinds) for value in values)
    describe(page, [feature])


@pytest.mark.parametrize("name", ODD)
def test_it_answers_for_every_region_of_an_odd_page(
    feature: Feature, name: str, make_page: Callable[..., Page]
) -> None:
    if feature.needs != "layout":
        check_values(feature, make_page(ODD[name]))


def test_it_answers_for_a_whole_article_and_leaves_it_as_it_was(
    feature: Feature, make_page: Callable[..., Page], article_html: Callable[..., str]
) -> None:
    if feature.needs == "layout":
        return
    page = make_page(article_html())
    before = pack_page(page)
    first, second = describe(page, [feature]), describe(page, [feature])
    assert pack_page(page) == before
    assert first.keys == second.keys
    np.testing.assert_array_equal(first.rows, second.rows)


@pytest.mark.browser
def test_it_answers_for_a_page_with_layout(feature: Feature, layout_page: Page) -> None:
    check_values(feature, layout_page)


def test_it_does_not_look_at_the_address_of_the_page(
    feature: Feature, make_page: Callable[..., Page], article_html: Callable[..., str]
) -> None:
    if feature.needs == "layout":
        return
    here = describe(make_page(article_html(), url="https://a.example/1"), [feature])
    there = describe(make_page(article_html(), url="https://b.example/long/name"), [feature])
    assert here.keys == there.keys
    np.testing.assert_array_equal(here.codes, there.codes)


def test_it_says_why_it_should_help(feature: Feature) -> None:
    assert feature.family in FAMILIES
    assert feature.summary.endswith(".") or feature.summary.endswith('".')
    assert len(feature.summary) > 10


def test_there_are_features_of_every_family() -> None:
    counts = dict.fromkeys(FAMILIES, 0)
    for feature in REGISTRY.values():
        counts[feature.family] += 1
    assert sum(counts.values()) >= 30
    assert min(counts.values()) >= 5
