"""Generated pages: reproducible, clean, and not too easy."""

import functools
import re
from collections import Counter, defaultdict

import pytest
from lxml import etree
from lxml import html as lxml_html

from structce.labels import NEWS
from structce.synthetic.dom import join, node, serialise
from structce.synthetic.generate import synthesise
from structce.synthetic.sites import draw_site, read_words


@pytest.fixture(scope="module")
def synthetic_pages():
    return list(synthesise())


@pytest.fixture(scope="module")
def leaves_by_page(synthetic_pages, leaves):
    return {page.id: leaves(page) for page in synthetic_pages}


def test_one_seed_gives_the_same_pages():
    assert list(synthesise(4, 2, seed=5)) == list(synthesise(4, 2, seed=5))


def test_another_seed_gives_other_pages():
    first, second = list(synthesise(4, 1, seed=1)), list(synthesise(4, 1, seed=2))
    assert all(a.html != b.html for a, b in zip(first, second, strict=True))


def test_a_page_does_not_depend_on_how_many_are_asked_for(synthetic_pages):
    few = {page.id: page for page in synthesise(3, 2)}
    assert few == {page.id: page for page in synthetic_pages if page.id in few}
    assert len(few) == 6


def test_nothing_asked_for_gives_nothing():
    assert list(synthesise(0)) == []
    assert list(synthesise(2, 0)) == []


def test_ids_and_addresses_are_unique(synthetic_pages):
    assert (
        len({page.id for page in synthetic_pages})
        == len({page.url for page in synthetic_pages})
        == len(synthetic_pages)
    )
    assert all(page.url.startswith(f"https://{page.site}/") for page in synthetic_pages)


def test_sites_stay_apart_when_there_are_many():
    read = functools.cache(read_words)
    hosts = [draw_site(index, ["blog"], seed=0, read=read).host for index in range(60)]
    assert len(set(hosts)) == len(hosts)


def test_marks_are_the_only_difference(synthetic_pages):
    for page in synthetic_pages:
        assert "data-gold" not in page.html
        assert re.sub(r' data-gold="\w+"', "", page.marked_html) == page.html


def test_marked_and_clean_pages_are_the_same_tree(synthetic_pages):
    for page in synthetic_pages:
        marked = lxml_html.document_fromstring(page.marked_html)
        etree.strip_attributes(marked, "data-gold")
        assert etree.tostring(marked) == etree.tostring(lxml_html.document_fromstring(page.html))


def test_pages_point_to_no_real_host(synthetic_pages):
    for page in synthetic_pages:
        hosts = re.findall(r"(?:https?:)?//([\w.-]+)", page.html)
        assert all(host.endswith(".example") for host in hosts), page.id


def test_all_labels_occur_on_many_sites(synthetic_pages, leaves_by_page):
    sites = defaultdict(set)
    for page in synthetic_pages:
        for leaf in leaves_by_page[page.id]:
            sites[leaf.gold].add(page.site)
    assert set(sites) == set(NEWS.names)
    assert min(len(pages) for pages in sites.values()) >= 6


@pytest.mark.parametrize("kind", ["classes", "above"])
def test_no_class_name_gives_a_label_away(leaves_by_page, kind):
    everything = [leaf for leaves in leaves_by_page.values() for leaf in leaves]
    support = Counter(leaf.gold for leaf in everything)
    both = Counter((name, r.gold) for r in everything for name in set(getattr(r, kind)))
    total = Counter(name for r in everything for name in set(getattr(r, kind)))
    for (name, gold), n in both.items():
        easy = n / total[name] > 0.5 and n / support[gold] > 0.5
        assert not easy or gold == "None", (name, gold)


def test_class_names_mislead_on_some_sites(leaves_by_page):
    everything = [leaf for leaves in leaves_by_page.values() for leaf in leaves]
    for name, gold in (("title", "Title"), ("author", "Author"), ("date", "Date")):
        assert any(name in r.above and r.gold == gold for r in everything)
        assert any(name in r.above and r.gold != gold for r in everything)


def test_sites_differ_in_family_and_style_sheet(synthetic_pages):
    sheets = defaultdict(set)
    for page in synthetic_pages:
        sheets[page.site].add(re.search(r"<style>(.*?)</style>", page.html, re.DOTALL)[1])
    assert all(len(sheet) == 1 for sheet in sheets.values())
    assert len(set.union(*sheets.values())) == 20
    assert len({page.family for page in synthetic_pages}) == 20


def test_pages_of_a_site_tell_different_stories(synthetic_pages):
    """Some sites have pages with one of few names, as an encyclopedia's or a firm's have."""
    texts = {
        re.sub(r"<style>.*?</style>|\d", "", page.html, flags=re.DOTALL) for page in synthetic_pages
    }
    assert len(texts) == len(synthetic_pages)
    assert len({page.values.title for page in synthetic_pages}) >= 0.85 * len(synthetic_pages)


def test_serialising_escapes_and_marks():
    tree = node("p", "a < b & c", node("a", "x", href='"'), gold="Paragraph", id="k")
    plain = '<p id="k">a &lt; b &amp; c<a href="&quot;">x</a></p>'
    assert serialise(tree) == f"<!DOCTYPE html>\n{plain}\n"
    assert 'id="k" data-gold="Paragraph"' in serialise(tree, marked=True)


def test_white_space_is_written_between_blocks_only():
    tree = node("div", node("p", node("b", "x"), node("i", "y")), node("p", "z"))
    expected = "<div>\n<p><b>x</b><i>y</i></p>\n<p>z</p>\n</div>"
    assert serialise(tree).split("\n", 1)[1] == f"{expected}\n"
    assert "\n" not in serialise(tree, minified=True).split("\n", 1)[1].strip()


def test_a_separator_stands_between_parts_only():
    assert join("-", ["a", "b", "c"]) == ["a", "-", "b", "-", "c"]
    assert join("-", []) == []
