from math import log
from string import ascii_lowercase

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.duplicates import (
    find_duplicates,
    find_families,
    find_templates,
    page_steps,
    with_families,
)
from structce.corpus.storage import LabelledPage
from structce.datasets.fundus import read_fundus
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

PLAIN = ("plain", "bare", "lone", "sole", "odd")
FRAMEWORK = [f"block-{letter}" for letter in ascii_lowercase]


def own(site, n=26):
    return [f"{site}-{letter}" for letter in ascii_lowercase[:n]]


@pytest.fixture
def planted(build, collect):
    """Ten sites on one framework; two of one publisher, three of another one in a row."""
    sites = {name: own(name) for name in PLAIN}
    sites |= {name: [*own("gazette", 20), *own(name, 5)] for name in ("east", "west")}
    sites["north"] = [*own("press", 12)]
    sites["middle"] = [*own("press", 12), *own("daily", 12)]
    sites["south"] = [*own("daily", 12)]
    return collect(
        *(
            build(name, f"{name}.example", [], classes=[*FRAMEWORK, *names])
            for name, names in sites.items()
        )
    )


def test_sites_of_one_template_are_found(planted):
    pairs = {(pair.first, pair.second) for pair in find_templates(planted, threshold=0.3)}
    assert pairs == {
        ("east.example", "west.example"),
        ("middle.example", "north.example"),
        ("middle.example", "south.example"),
    }


def test_the_similarity_weighs_steps_by_how_rare_they_are(build, collect):
    corpus = collect(
        build("a", "a.example", [], classes=[*own("shared", 10), *FRAMEWORK[:4], "mine"]),
        build("b", "b.example", [], classes=[*own("shared", 10), *FRAMEWORK[:4]]),
        build("c", "c.example", [], classes=FRAMEWORK[:4]),
    )
    (pair,) = find_templates(corpus)
    shared = 10 * log(1 + 3 / 2) + 4 * log(1 + 3 / 3)
    assert pair.similarity == round(shared / (shared + log(1 + 3 / 1)), 4)


def test_few_shared_steps_are_no_template(build, collect):
    pages = [build(name, f"{name}.example", [], classes=own("x", 9)) for name in "ab"]
    assert find_templates(collect(*pages)) == []
    assert find_templates(collect()) == []


def test_steps_leave_out_numbers_order_and_the_names_of_pages(make_page):
    html = """<html class=a><body class="home b"><div class="row post-12 row"><p>x</p></div>
    <div class="post-7 row"><p class="">y</p></div></body></html>"""
    assert page_steps(make_page(html)) == {"div.post-0.row"}


def test_families_join_in_a_row_and_with_known_ones(planted, build, collect):
    families = find_families(planted, pairs=find_templates(planted, threshold=0.3))
    assert families["north.example"] == families["south.example"] == "middle.example"
    assert families["east.example"] == families["west.example"] == "east.example"
    assert families["plain.example"] == "plain.example"
    known = collect(
        *planted,
        build("far", "far.example", [], family="Group"),
        build("far2", "west.example", [], family="Group"),
    )
    joined = with_families(known)
    assert {page.family for page in joined if page.site in ("east.example", "far.example")} == {
        "Group"
    }
    assert [page.id for page in joined] == [page.id for page in known]


@pytest.fixture(scope="module")
def fundus(shared_data):
    """Return the real pages, rendered and without labels."""
    renderer, pages = StaticRenderer(), []
    for fixture in read_fundus(shared_data("fundus.zip")):
        page = renderer.render(fixture.document())
        labels = (UNKNOWN,) * len(page)
        pages.append(LabelledPage(fixture.id, fixture.site, fixture.family, page, labels))
    return Corpus("fundus", tuple(pages))


def test_the_listed_groups_of_real_sites_are_found(fundus):
    family = {fundu.site: fundu.family for fundu in fundus}
    known = {(a, b) for a in family for b in family if a < b and family[a] == family[b]}
    pairs = {(pair.first, pair.second) for pair in find_templates(fundus)}
    assert len(known) == 14
    assert known <= pairs
    assert pairs - known == {("zdf.de", "zdfheute.de")}  # one publisher, though nobody listed it


def test_real_pages_that_repeat_an_article_are_found(fundus):
    assert [(pair.first, pair.second) for pair in find_duplicates(fundus)] == [
        ("de-Taz_2023_04_28", "de-Taz_2024_10_23")  # an article, and a longer state of it
    ]
