"""Overlaps of texts, blocks and lines: brute force, Hirschberg, and cases worked by hand."""

import random

import numpy as np
import pytest

from structce.evaluation import block_overlap, line_overlaps
from structce.evaluation.overlap import (
    FOUR,
    Overlap,
    _bit_masks,
    _common_places,
    bag_overlap,
    bit_parallel_lcs,
    character_overlap,
    four_overlaps,
    lcs_length,
    rouge_lsum,
    sequence_overlap,
    set_overlap,
    shingle_counts,
    shingle_overlap,
    words,
)


def hirschberg(first, second):
    """A longest common subsequence in linear space: D. S. Hirschberg (1975), algorithm C."""
    if not first:
        return []
    if len(first) == 1:
        return list(first) if first[0] in second else []
    middle = len(first) // 2
    ahead = last_row(first[:middle], second)
    behind = last_row(first[middle:][::-1], second[::-1])[::-1]
    cut = max(range(len(second) + 1), key=lambda k: ahead[k] + behind[k])
    head = hirschberg(first[:middle], second[:cut])
    return head + hirschberg(first[middle:], second[cut:])


def last_row(first, second):
    """Lengths of longest common subsequences of a text and each prefix of another."""
    row = [0] * (len(second) + 1)
    for word in first:
        above, row = row, [0]
        for k, other in enumerate(second):
            row.append(above[k] + 1 if word == other else max(row[-1], above[k + 1]))
    return row


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(symbol in rest for symbol in part)


def random_pairs(n_pairs, alphabet, longest, seed):
    rng = random.Random(seed)
    for _ in range(n_pairs):
        yield [rng.choices(alphabet, k=rng.randrange(longest)) for _ in range(2)]


@pytest.mark.parametrize("alphabet", ["ab", "abcdefgh", [chr(0x4E00 + n) for n in range(600)]])
def test_the_longest_common_subsequence_is_that_of_hirschberg(alphabet):
    lengths = set()
    for first, second in random_pairs(40, alphabet, 70, seed=5):
        common = hirschberg(first, second)
        assert is_subsequence(common, first)
        assert is_subsequence(common, second)
        assert bit_parallel_lcs(first, second) == len(common)
        assert bit_parallel_lcs(second, first) == len(common)
        assert lcs_length(first, second) == len(common)
        lengths.add(len(common))
    assert len(lengths) > 3


def backtracked(first, second):
    """Places of a longest common subsequence, by the whole table and the rule of rouge-score."""
    table = [last_row(first[:i], second) for i in range(len(first) + 1)]
    i, j, places = len(first), len(second), []
    while i and j:
        if first[i - 1] == second[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


@pytest.mark.parametrize("alphabet", ["ab", "abcdefgh"])
def test_longest_subsequence_agrees_with_the_table(alphabet):
    for first, second in random_pairs(60, alphabet, 25, seed=8):
        places = list(_common_places(first, second, _bit_masks(first)))
        assert places == backtracked(first, second)


def test_the_four_measures_see_more_or_less():
    text, gold = "b a a c", "a b a"
    # characters "b a a c" and "a b a": "b a" is common, 3 of 7 and of 5
    assert character_overlap(text, gold) == Overlap(3 / 7, 3 / 5)
    assert sequence_overlap(text, gold) == Overlap(2 / 4, 2 / 3)
    assert bag_overlap(text, gold) == Overlap(3 / 4, 3 / 3)
    assert set_overlap(text, gold) == Overlap(2 / 3, 2 / 2)
    expected = [measure(text, gold) for measure in MEASURES[:4]]
    assert four_overlaps(text, gold) == dict(zip(FOUR, expected, strict=True))


MEASURES = [character_overlap, sequence_overlap, bag_overlap, set_overlap, rouge_lsum]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("", "", (1, 1)),
        ("a", "", (0, 1)),
        ("", "a", (0, 0)),
        ("b", "a", (0, 0)),
        ("a", "a", (1, 1)),
    ],
)
def test_empty_texts_are_measured_alike(measure, text, gold, expected):
    overlap = measure(text, gold)
    assert (overlap.precision, overlap.recall) == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_precision_and_recall_change_places_with_the_texts(measure):
    rng = random.Random(4)
    for _ in range(20):
        text, gold = (" ".join(rng.choices("abcdef", k=rng.randrange(1, 30))) for _ in range(2))
        forward, other = measure(text, gold), measure(gold, text)
        assert forward.precision == pytest.approx(other.recall)
        assert 0 <= forward.f1 <= 1


def test_tokens_between_white_space_keep_their_punctuation():
    # one of three tokens replaced: 2 of 6 tokens are in no common subsequence
    assert sequence_overlap("a x c", "a b c", str.split).f1 == pytest.approx(4 / 6)
    assert sequence_overlap("a b.", "a b", str.split).f1 == pytest.approx(2 / 4)


def test_words_are_characters_in_scripts_without_spaces():
    assert words("Ein Tag in 東京, Straße!") == ["ein", "tag", "in", "東", "京", "strasse"]
    assert words("서울의 하루") == ["서울의", "하루"]
    assert words("--- …") == []


def test_shingles_are_shares_so_that_a_long_page_weighs_no_more():
    assert shingle_counts("a b c d e", "a b c d f") == (1 / 3, 1 / 3, 1 / 3)
    assert shingle_counts("a b", "a b") == (1, 0, 0)  # fewer words than a shingle has
    assert shingle_counts("a b", "a b c") == (0, 1 / 2, 1 / 2)
    assert shingle_counts("", "a") == (0, 0, 1)
    assert shingle_counts("", "") == (0, 0, 0)
    long = " ".join(f"w{n}" for n in range(50))
    assert sum(shingle_counts(long, f"{long} x")) == pytest.approx(1)


def test_shingle_f1_is_of_mean_precision_and_recall():
    whole, empty = shingle_counts("a b c d", "a b c d"), shingle_counts("", "a b c d")
    assert shingle_overlap([whole, empty]) == Overlap(1.0, 0.5)
    assert shingle_overlap([]) == Overlap(0.0, 0.0)


CHOSEN = np.array([True, True, True, False, False])
RELEVANT = np.array([True, True, False, True, False])
NONE = np.zeros(5, dtype=bool)


@pytest.mark.parametrize(
    ("chosen", "relevant", "weights", "expected"),
    [
        (CHOSEN, RELEVANT, None, (2 / 3, 2 / 3)),  # r / t, and r / (r + m)
        (CHOSEN, RELEVANT, np.array([80, 10, 10, 90, 500]), (90 / 100, 90 / 180)),
        (NONE, NONE, None, (1, 1)),
        (CHOSEN, NONE, None, (0, 1)),
        (NONE, RELEVANT, None, (0, 0)),
        (NONE[:0], NONE[:0], None, (1, 1)),
    ],
)
def test_blocks_are_chosen_or_missed(chosen, relevant, weights, expected):
    overlap = block_overlap(chosen, relevant, weights)
    assert (overlap.precision, overlap.recall) == pytest.approx(expected)


def test_line_may_continue_over_line_breaks():
    gold = "The ferry stops.\nIn June, a bridge opens.\n\nNo more boats."
    overlap = line_overlaps("the ferry STOPS in june a\nbridge opens\nmenu", gold)["lines"]
    assert (overlap.precision, overlap.recall) == pytest.approx((2 / 3, 2 / 3))


def test_all_text_is_present_or_not():
    gold = "One two.\nThree."
    assert line_overlaps("one two three", gold)["all-present"].f1 == 1
    assert line_overlaps("one two four", gold)["all-present"].f1 == 0
    more = line_overlaps("menu\none two\nthree", gold)["all-present"]
    assert (more.precision, more.recall) == (0, 1)
    part = line_overlaps("three", gold)["all-present"]
    assert (part.precision, part.recall) == (1, 0)


def test_texts_without_words():
    assert line_overlaps("", "...")["lines"].f1 == 1
    assert line_overlaps("a", "")["lines"].precision == 0
    assert line_overlaps("", "a b")["all-present"].f1 == 0


def test_lost_lines_are_told_by_length_and_place():
    gold = "Head.\n" + "long " * 12 + "\nTail."
    kept = {name: one.recall for name, one in line_overlaps("long " * 12 + "tail", gold).items()}
    assert kept == {
        "lines": pytest.approx(2 / 3), "short-lines": 0.5, "long-lines": 1, "first-line": 0,
        "middle-lines": 1, "last-line": 1, "all-present": 0,
    }  # fmt: skip
