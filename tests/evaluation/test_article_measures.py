import itertools
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from structce.evaluation.article_measures import (
    Overlap,
    SegmentTally,
    author_overlap,
    bag_overlap,
    is_day,
    is_title,
    rouge_lsum,
    shingle_counts,
    shingle_overlap,
    words,
)


def test_words_are_characters_only_where_the_script_writes_no_spaces():
    assert words("Ein Tag in 東京, Straße!") == ["ein", "tag", "in", "東", "京", "strasse"]
    assert words("서울의 하루") == ["서울의", "하루"]
    assert words("--- …") == []


def test_one_wide_character_does_not_cut_the_other_words():
    assert bag_overlap("a quiet day 東", "a quiet day").recall == 1
    assert bag_overlap("quite a day 東", "a quiet day").recall == pytest.approx(2 / 3)


def test_bags_count_a_word_as_often_as_both_have_it():
    found = bag_overlap("the day the night", "the the the day")
    assert (found.precision, found.recall) == (3 / 4, 3 / 4)
    assert found.f1 == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [("", "", (1, 1)), ("a", "", (0, 1)), ("", "a", (0, 0)), ("b", "a", (0, 0))],
)
def test_texts_without_words_are_measured(found, gold, expected):
    bag = bag_overlap(found, gold)
    assert (bag.precision, bag.recall) == expected
    assert rouge_lsum(found, gold) == bag


def test_a_title_may_differ_in_marks_and_one_word_of_many():
    assert is_title("The river rose: in the night", "THE RIVER ROSE IN THE NIGHT!")
    long = "one two three four five six seven eight nine ten"
    assert is_title(long, f"{long} eleven")
    assert not is_title("The river rose | News", "The river rose")
    assert not is_title("", "The river rose")


def test_authors_are_a_set_of_names():
    found = author_overlap(["Ann Lee", "ann  lee", "Tom Rost"], ["ANN LEE", "Ida Berg"])
    assert (found.precision, found.recall) == (1 / 2, 1 / 2)
    assert author_overlap([], []).f1 == 1
    assert author_overlap(["--"], []).f1 == 1
    assert author_overlap(["Ann Lee"], []).f1 == 0
    assert author_overlap([], ["Ann Lee"]).f1 == 0


def test_a_date_is_the_day_as_written_in_its_own_zone():
    evening = datetime(2024, 5, 3, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert is_day(date(2024, 5, 3), evening)
    assert not is_day(evening.astimezone(UTC), evening)
    assert not is_day(None, evening)


def longest_common(first, second):
    """All index sets of ``first`` that make a longest common subsequence, by trying them all."""
    for size in range(len(first), -1, -1):
        found = [
            places
            for places in itertools.combinations(range(len(first)), size)
            if is_subsequence([first[i] for i in places], second)
        ]
        if found:
            return found
    return [()]


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(word in rest for word in part)


def possible_hits(found, gold):
    """Hits of ROUGE-LSum for every choice among subsequences that are equally long."""
    lines, gold_lines = ([line.split() for line in text.split("\n")] for text in (found, gold))
    states = {(0, tuple(sorted(word for line in lines for word in line)))}
    for line in gold_lines:
        unions = {()}
        for other in lines:
            options = longest_common(line, other)
            unions = {tuple(sorted({*u, *o})) for u in unions for o in options}
        states = {
            spend(n, left, [line[i] for i in union])
            for (n, left), union in itertools.product(states, unions)
        }
    return {n for n, _ in states}


def spend(n_hits, left, line):
    rest = Counter(left)
    hits = Counter(line) & rest
    return n_hits + hits.total(), tuple(sorted((rest - hits).elements()))


def test_rouge_is_the_union_of_longest_common_subsequences():
    random = np.random.default_rng(3)
    n_words = []
    for _ in range(150):
        texts = [
            "\n".join(" ".join(random.choice(list("abcde"), 4)) for _ in range(2)) for _ in range(2)
        ]
        score = rouge_lsum(*texts)
        hits = round(score.recall * 8)
        assert hits in possible_hits(*texts), texts
        n_words.append(hits)
    assert len(set(n_words)) > 3


def test_rouge_by_hand():
    # Lin (2004), section 3.2: one sentence, two candidates, union of w1 w2 and w1 w3 w5
    score = rouge_lsum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert score.recall == pytest.approx(4 / 5)
    assert score.precision == pytest.approx(4 / 10)


def test_rouge_sees_order_and_may_split_at_white_space_alone():
    assert rouge_lsum("b a", "a b").recall == 1 / 2
    assert bag_overlap("b a", "a b").recall == 1
    assert rouge_lsum("end.", "end").f1 == 1
    assert rouge_lsum("end.", "end", str.split).f1 == 0


def test_shingles_are_shares_so_that_a_long_page_weighs_no_more():
    assert shingle_counts("a b c d e", "a b c d f") == (1 / 3, 1 / 3, 1 / 3)
    assert shingle_counts("a b", "a b") == (1, 0, 0)  # fewer words than a shingle has
    assert shingle_counts("a b", "a b c") == (0, 1 / 2, 1 / 2)
    assert shingle_counts("", "a") == (0, 0, 1)
    assert shingle_counts("", "") == (0, 0, 0)
    long = " ".join(f"w{n}" for n in range(50))
    assert sum(shingle_counts(long, f"{long} x")) == pytest.approx(1)


def test_shingle_f1_is_of_the_means_and_a_page_without_an_answer_has_no_precision():
    whole, empty = shingle_counts("a b c d", "a b c d"), shingle_counts("", "a b c d")
    assert shingle_overlap([whole, empty]) == Overlap(1.0, 0.5)
    assert shingle_overlap([]) == Overlap(0.0, 0.0)


def test_segments_are_counted_both_ways():
    text = "The  river\nrose in the night. Share this"
    tally = SegmentTally.of(
        text, ["river rose", "fields"], ["Share this", "Read more", "Subscribe"]
    )
    assert tally == SegmentTally(n_found=1, n_lost=1, n_wrong=1, n_absent=2)
    assert tally.accuracy == 3 / 5
    assert (tally.overlap.precision, tally.overlap.recall) == (1 / 2, 1 / 2)
    both = tally + SegmentTally.of("", ["a"], [])
    assert (both.n_lost, both.n_segments) == (2, 6)
    assert SegmentTally().accuracy == 0
