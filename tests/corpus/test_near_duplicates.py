from itertools import combinations

import numpy as np
import pytest

from structce.corpus.duplicates import (
    SimilarPair,
    candidates,
    find_duplicates,
    find_leaks,
    jaccard,
    refuse_leaks,
    shingle_words,
    shingles,
    without_common_texts,
    without_duplicates,
)
from structce.errors import CorpusError
from structce.labels import UNKNOWN


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
    assert named(find_duplicates(corpus)) == {
        ("a-original", "b-edited"),
        ("a-original", "c-syndicated"),
        ("b-edited", "c-syndicated"),
    }


def test_the_similarity_is_that_of_sets_of_five_words(build, story_of, collect):
    whole, half = story_of(1, 10), story_of(1, 10)[:5]
    corpus = collect(build("a", "a.example", whole), build("b", "b.example", half))
    (pair,) = find_duplicates(corpus)
    # 200 and 100 distinct words in a row: 196 and 96 shingles, the latter all among the former.
    assert pair == SimilarPair("a", "b", round(96 / 196, 4))


def test_candidates_miss_no_pair_that_all_pairs_find(story_of, build):
    sentences = [story_of(seed, 40) for seed in range(2)]
    rng = np.random.default_rng(0)
    pages = []
    for n in range(60):
        own = story_of(1_000 + n, 40)
        share = min(40, rng.integers(0, 60))
        pages.append(build(f"p{n}", "x.example", [*sentences[n % 2][:share], *own[share:]]))
    texts = [shingles(page.page) for page in pages]
    for threshold in (0.3, 0.5, 0.7, 1.0):
        exact = {
            (i, j)
            for i, j in combinations(range(60), 2)
            if jaccard(texts[i], texts[j]) >= threshold
        }
        missed = exact - set(candidates(texts, threshold))
        assert len(exact) > 10 or threshold == 1
        assert len(missed) <= 0.02 * len(exact)


def test_the_frame_of_a_site_makes_no_duplicates(build, story_of, collect):
    frame = story_of(1, 20)  # a long pitch, four times the page's own text
    pages = [build(f"p{n}", "one.example", [*story_of(10 + n, 5), *frame]) for n in range(6)]
    assert find_duplicates(collect(*pages)) == []


def test_copies_are_found_beside_the_frame_of_their_site(build, story_of, collect):
    frame = story_of(1, 20)
    pages = [build(f"p{n}", "one.example", [*story_of(10 + n, 5), *frame]) for n in range(4)]
    copy = build("z-copy", "one.example", [*story_of(10, 5), *frame], title="p0")
    assert named(find_duplicates(collect(*pages, copy))) == {("p0", "z-copy")}


def test_text_that_several_unlike_pages_share_does_not_count(build, story_of):
    notice = story_of(1, 6)
    pages = [build(f"p{n}", f"s{n}.example", [*story_of(10 + n, 9), *notice]) for n in range(4)]
    texts = [shingles(page.page) for page in pages]
    assert jaccard(texts[0], texts[1]) > 0.2
    own = without_common_texts(texts, [0, 1, 2, 3])
    assert jaccard(own[0], own[1]) == 0
    assert len(own[0]) > 150
    as_copies = without_common_texts(texts, [0, 0, 0, 1])
    assert [len(copy) for copy in as_copies] == [len(copy) for copy in texts]


def test_pages_without_running_text_are_not_compared(build, story_of, collect):
    tiny = [build(f"tiny{n}", "a.example", ["Please turn on scripts. " * 6]) for n in range(2)]
    empty = [build(f"empty{n}", "a.example", []) for n in range(2)]
    menus = [build(f"menu{n}", "a.example", ["Home", "Sport"] * 90) for n in range(2)]
    assert find_duplicates(collect(*tiny, *empty, *menus)) == []
    assert find_duplicates(collect()) == []


@pytest.mark.parametrize("threshold", [0, 1.1])
def test_a_threshold_out_of_range_is_an_error(collect, threshold):
    with pytest.raises(CorpusError, match="expected more than 0"):
        find_duplicates(collect(), threshold=threshold)


def test_the_page_with_most_known_labels_stays(build, story_of, collect):
    corpus = collect(
        build("a", "a.example", story_of(1), label=UNKNOWN),
        build("b", "b.example", story_of(1), label="Paragraph"),
        build("c", "c.example", story_of(1), label="Paragraph"),
        build("d", "d.example", story_of(2), label=UNKNOWN),
    )
    kept = without_duplicates(corpus, find_duplicates(corpus))
    assert [page.id for page in kept] == ["b", "d"]
    assert kept.notes["duplicates"] == {"a": "b", "c": "b"}


def test_signs_are_words_in_scripts_without_spaces():
    assert shingle_words("東京 News２４, l’été") == ["東", "京", "news24", "l", "été"]


NAMES = [f"gazette-{letter}" for letter in "abcdefghijklmnop"]


def test_a_clean_split_has_no_leaks(build, story_of, collect):
    parts = {
        name: collect(build(name, f"{name}.example", story_of(n)))
        for n, name in enumerate(("train", "test"))
    }
    assert find_leaks(parts) == []
    refuse_leaks(parts)


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
    with pytest.raises(CorpusError, match=r"duplicate: a in train and b in test; .* dedupe --out"):
        refuse_leaks(parts)


def test_a_message_names_a_few_leaks_and_counts_the_others(build, story_of, collect):
    parts = {
        name: collect(*(build(f"{name}{n}", f"s{n}.example", []) for n in range(8)))
        for name in ("one", "two")
    }
    with pytest.raises(CorpusError, match="and 3 more"):
        refuse_leaks(parts)
