"""Pages and sites that are alike, groups of them, and leaks of a split."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import log
from string import ascii_lowercase

import numpy as np
import pytest
from msgspec import structs

from structce.corpus.duplicates import (
    SimilarPair,
    find_duplicates,
    find_leaks,
    find_templates,
    refuse_leaks,
    similar_sets,
    with_families,
    with_groups,
)
from structce.errors import CorpusError


def named(pairs):
    return {(pair.first, pair.second) for pair in pairs}


def test_planted_copies_are_found_among_other_pages(build, story_of, collect):
    others = [build(f"other{n}", f"site{n % 7}.example", story_of(100 + n)) for n in range(30)]
    first = story_of(1)
    edited = [*first[:8], *story_of(2, 3), *first[8:]]
    corpus = collect(
        build("a-original", "one.example", first),
        *others,
        build("b-edited", "one.example", edited),
        build("c-syndicated", "two.example", ["By our reporter", *first], title="Another headline"),
    )
    copies = combinations(("a-original", "b-edited", "c-syndicated"), 2)
    assert named(find_duplicates(corpus)) == set(copies)


def test_the_similarity_is_that_of_sets_of_five_words(build, story_of, collect):
    whole, half = story_of(1, 10), story_of(1, 10)[:5]
    corpus = collect(build("a", "a.example", whole), build("b", "b.example", half))
    (pair,) = find_duplicates(corpus)
    # 200 and 100 distinct words in a row: 196 and 96 shingles, the latter all among the former.
    assert pair == SimilarPair("a", "b", round(96 / 196, 4))


@pytest.mark.parametrize("is_weighted", [False, True])
def test_similar_sets_are_those_that_all_pairs_give(is_weighted):
    rng = np.random.default_rng(0)
    sets = [np.unique(rng.integers(0, 40, size=rng.integers(0, 40))) for _ in range(30)]
    n_sets = Counter(code for codes in sets for code in codes.tolist())
    weight = {code: log(1 + 30 / n) if is_weighted else 1 for code, n in n_sets.items()}
    expected = {}
    for (i, first), (j, second) in combinations(enumerate(map(set, sets)), 2):
        shared = sum(weight[code] for code in first & second)
        share = shared / max(sum(weight[code] for code in first | second), 1)
        if share >= 0.3 and len(first & second) >= 3:
            expected[i, j] = pytest.approx(share)
    found = similar_sets(sets, 0.3, least=3, is_weighted=is_weighted)
    assert {(i, j): share for i, j, share in found} == expected
    assert len(expected) > 20


def test_the_frame_of_a_site_makes_no_duplicates(build, story_of, collect):
    frame = story_of(1, 20)  # a long pitch, four times the page's own text
    pages = [build(f"p{n}", "one.example", [*story_of(10 + n, 5), *frame]) for n in range(6)]
    assert find_duplicates(collect(*pages)) == []


@pytest.mark.parametrize("threshold", [0, 1.1])
def test_a_threshold_out_of_range_is_an_error(collect, threshold):
    with pytest.raises(CorpusError, match="expected more than 0"):
        find_duplicates(collect(), threshold=threshold)


def own(site, n=26):
    return [f"{site}-{letter}" for letter in ascii_lowercase[:n]]


NAMES = own("gazette", 16)


def test_copies_templates_and_pages_on_two_sides_are_named(build, story_of, collect):
    twice = build("twice", "twice.example", story_of(3))
    train = collect(
        build("a", "a.example", story_of(1)),
        build("east", "east.example", story_of(5), classes=NAMES),
        twice,
    )
    test = collect(
        build("b", "b.example", story_of(1)),
        build("west", "west.example", story_of(6), classes=NAMES),
        build("n", "n.example", story_of(7), family="Group"),
        twice,
    )
    validation = collect(build("m", "m.example", story_of(8), family="Group"))
    parts = {"train": train, "validation": validation, "test": test}
    assert find_leaks(parts) == [
        "page: twice in train and twice in test",
        "duplicate: a in train and b in test",
        "template: m.example in validation and n.example in test",
        "template: east.example in train and west.example in test",
    ]
    with pytest.raises(CorpusError, match=r"duplicate: a in train and b .*; .* export --dedupe"):
        refuse_leaks(parts)
    refuse_leaks({"train": train})


PLAIN = ("plain", "bare", "lone", "sole", "odd")
FRAMEWORK = own("block")


@pytest.fixture
def planted(build, collect):
    """Ten sites on one framework; two of one publisher, three of another one in a row."""
    sites = {name: own(name) for name in PLAIN}
    sites |= {name: [*own("gazette", 20), *own(name, 5)] for name in ("east", "west")}
    press, daily = own("press", 12), own("daily", 12)
    sites |= {"north": press, "middle": press + daily, "south": daily}
    return collect(*(build(name, f"{name}.example", [], classes=FRAMEWORK + names)
                     for name, names in sites.items()))  # fmt: skip


def test_sites_of_one_template_are_found(planted):
    assert named(find_templates(planted, threshold=0.3)) == {
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


def test_families_join_in_a_row_and_with_known_ones(planted, build, collect):
    joined = with_families(planted, pairs=find_templates(planted, threshold=0.3))
    families = {page.site: page.family for page in joined}
    assert families["north.example"] == families["south.example"] == "middle.example"
    assert families["east.example"] == families["west.example"] == "east.example"
    assert families["plain.example"] == "plain.example"
    far = [build(f"far-{name}", f"{name}.example", [], family="Group") for name in ("far", "west")]
    known = collect(*planted, *far)
    joined = with_families(known)
    assert {p.family for p in joined if p.site in ("east.example", "far.example")} == {"Group"}
    assert [page.id for page in joined] == [page.id for page in known]


def test_groups_join_copies_publishers_and_templates(build, story_of, collect):
    classes = own("quay", 16)
    lost = build("lost", "lost", story_of(1))
    stated = structs.replace(lost.page.metadata, meta={"og:url": ("https://www.quay.com/1",)})
    lost = replace(lost, page=structs.replace(lost.page, url="", metadata=stated))
    rows = (
        ("quay.com", 2, ()), ("quay.co.uk", 3, ()),
        ("salt.example", 4, ()), ("sand.test", 4, ()),
        ("zdf.de", 5, ()), ("zdfheute.de", 6, ()),
        ("east.example", 7, classes), ("west.example", 8, classes),
        *((f"other{n}.example", n, ["post"]) for n in range(10, 18)),
    )  # fmt: skip
    pages = [build(f"p{n}", site, story_of(seed), classes=names)
             for n, (site, seed, names) in enumerate(rows)]  # fmt: skip
    corpus = with_groups(collect(lost, *pages))
    groups = {page.id: page.family for page in corpus}
    assert groups["lost"] == groups["p0"] == groups["p1"]
    assert all(groups[f"p{n}"] == groups[f"p{n + 1}"] for n in (2, 4, 6))
    assert len(set(groups.values())) == 4 + 8
    for part in corpus.folds(4, seed=1):
        families = {page.family for page in part}
        assert len(part) == sum(page.family in families for page in corpus)
