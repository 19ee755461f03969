"""Generated pages: reproducible, clean, and not too easy."""

import re
from collections import Counter, defaultdict

import pytest

from structce.labels import NEWS
from structce.synthetic.generate import synthesise


@pytest.fixture(scope="module")
def synthetic_pages():
    return list(synthesise())


@pytest.fixture(scope="module")
def leaves_by_page(synthetic_pages, leaves):
    return {page.id: leaves(page) for page in synthetic_pages}


def test_one_seed_gives_the_same_pages_and_another_others():
    first = list(synthesise(4, 1, seed=1))
    assert list(synthesise(4, 1, seed=1)) == first
    other = synthesise(4, 1, seed=2)
    assert all(a.html != b.html for a, b in zip(first, other, strict=True))


def test_a_page_does_not_depend_on_the_number_of_pages(synthetic_pages):
    few = {page.id: page for page in synthesise(3, 2)}
    assert few == {page.id: page for page in synthetic_pages if page.id in few}
    assert len(few) == 6
    assert list(synthesise(0)) == list(synthesise(2, 0)) == []


def test_gold_is_the_only_difference_of_a_marked_page(synthetic_pages):
    for page in synthetic_pages:
        assert "data-label" not in page.html
        assert re.sub(r' data-label="\w+"', "", page.marked_html) == page.html


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
