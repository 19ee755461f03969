"""Statistics: pooled scores worked by hand, paired tests, ranks, contrasts, power."""

import itertools

import msgspec
import numpy as np
import pytest
from scipy import stats

from structce.evaluation import (
    critical_difference,
    detectable_difference,
)
from structce.experiments.report import Pair, Study
from structce.experiments.statistics import (
    EvaluatedPages,
    compare_learners,
    contrast_studies,
    corrected,
    estimate_power,
    is_certain,
    learner_scores,
    pool,
    rank_learners,
    rank_subjects,
    turned,
)
from structce.labels import LabelSet

LETTERS = LabelSet(("A", "B", "N"), background="N")
MIXED_PAGES = [("b1", "ABN"), ("a1", "NN"), ("b2", "A?"), ("a2", "??"), ("c1", "")]
MIXED_WORDS = ["ABA", "NA", "AB", "AB", ""]

# Eight pages of four sites, two regions each.
PAGES = [(f"{site}{i}", "AB") for site in "abcd" for i in range(2)]
RIGHT, HALF, WRONG = ["AB"] * 8, ["AN"] * 8, ["NN"] * 8
SOME = ["AB", "AN", "NN", "AB", "AB", "AB", "AN", "AB"]


def pool_words(pages, words):
    """Pool predictions, one word per page; a site is the first letter of its pages' ids."""
    tests = EvaluatedPages(
        label_set=LETTERS,
        ids=tuple(name for name, _ in pages),
        sites=tuple(name[0] for name, _ in pages),
        gold=tuple(LETTERS.encode(word) for _, word in pages),
        blocks=tuple(np.arange(len(word), dtype=np.int32) // 2 for _, word in pages),
    )
    return pool(tests, [LETTERS.encode(word).tolist() for word in words])


def scores_of(pooled):
    found = learner_scores("study", "x", pooled, 0)
    return {(score.measure, score.label): score for score in found}


@pytest.fixture(scope="module")
def mixed():
    return pool_words(MIXED_PAGES, MIXED_WORDS)


@pytest.fixture(scope="module")
def pooled():
    words = {"right": RIGHT, "half": HALF, "some": SOME, "wrong": WRONG}
    return {name: pool_words(PAGES, own) for name, own in words.items()}


def test_known_regions_are_counted_together(mixed):
    # Gold in rows; B is right once, N goes to A twice.
    assert mixed.by_site.sum(axis=0).tolist() == [[2, 0, 0], [0, 1, 0], [2, 0, 1]]
    a, b, _ = mixed.by_site.tolist()
    assert a == [[0, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert b == [[2, 0, 0], [0, 1, 0], [1, 0, 0]]
    scores = scores_of(mixed)
    assert scores["accuracy", ""].value == 4 / 6
    # F1 of A is 2 * 2 / (2 + 4), of B 1, of N 2 / (3 + 1).
    assert scores["macro_f1", ""].value == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)
    assert scores["page_exactness", ""].value == 1 / 3  # of the three, b2 alone
    # A is on b1 (one region too many), on b2 (exact), and wrongly on a1.
    assert (scores["n_exact_pages", "A"].value, scores["n_pages", "A"].value) == (1, 3)
    assert mixed.accuracy == {"a1": 1 / 2, "b1": 2 / 3, "b2": 1}


def test_segments_end_with_their_blocks():
    # Blocks are of two regions each: of gold AA, A and of the prediction A, A.
    same, other = (scores_of(pool_words([("a1", "AAAN")], [word])) for word in ("AAAN", "ANAN"))
    assert same["segment_f1", "A"].value == 1
    assert other["segment_f1", "A"].value == 1 / 2
    assert ("segment_f1", "N") not in same  # the background has no segments


def compare(first, second, seed=0):
    return compare_learners("subjects", "study", ("one", "two"), (first, second), seed)


def test_a_difference_is_first_minus_second(pooled):
    pair = compare(pooled["right"], pooled["half"])
    assert (pair.difference, pair.low, pair.high, pair.effect) == (0.5, 0.5, 0.5, 1)
    assert (pair.n_units, pair.n_differ) == (8, 8)
    # F1 of A is 1 twice; that of B is 1 and 0. N is in one prediction, and not in gold.
    assert pair.macro_difference == pytest.approx(1 - 1 / 2)
    assert pair.macro_low == pair.macro_high == pytest.approx(1 / 2)
    # All eight differences are one way: two of 2 ** 8 signings are as extreme.
    assert pair.p == pair.p_holm == pytest.approx(2 / 2**8)
    assert is_certain(pair)


def test_an_exchanged_pair_has_all_signs_turned(pooled):
    there, back = compare(pooled["some"], pooled["half"]), compare(pooled["half"], pooled["some"])
    exchanged = msgspec.structs.asdict(turned(there)) | {"first": "one", "second": "two"}
    assert exchanged == pytest.approx(msgspec.structs.asdict(back))


def test_p_values_are_corrected_for_their_number(pooled):
    pair = compare(pooled["right"], pooled["half"])
    several = [msgspec.structs.replace(pair, p=p) for p in (0.04, 0.01, 0.03)]
    assert [one.p_holm for one in corrected(several)] == pytest.approx([0.06, 0.03, 0.06])
    assert corrected([]) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"p_holm": 0.06}, False),
        ({"low": -0.01}, False),
        ({"low": None}, False),
        ({"effect": -0.1}, False),
        ({"difference": -0.1, "low": -0.2, "high": -0.05, "effect": -0.3}, True),
        ({"macro_difference": 0.1}, False),
        ({"macro_difference": 0.1, "macro_low": 0.05, "macro_high": 0.2}, True),
        ({"macro_difference": 0.1, "macro_low": -0.05, "macro_high": 0.2}, False),
    ],
)
def test_certain_is_what_pages_and_sites_both_show(changes, expected):
    pair = Pair(kind="subjects", study="s", first="a", second="b", difference=0.1, low=0.05,
                high=0.2, p=0.01, p_holm=0.04, effect=0.3)  # fmt: skip
    assert is_certain(msgspec.structs.replace(pair, **changes)) == expected


def test_power_is_that_of_the_pair_of_median_spread(pooled):
    rows = {name: pooled[name] for name in ("right", "some", "half")}
    spreads = {}
    for first, second in itertools.combinations(rows, 2):
        differences = np.subtract(*(list(rows[name].accuracy.values()) for name in (first, second)))
        spreads[float(differences.std(ddof=1))] = differences
    middle = sorted(spreads)[1]
    spread, detectable = estimate_power(rows)
    assert spread == pytest.approx(middle)
    assert detectable == pytest.approx(detectable_difference(spreads[middle]))
    assert estimate_power({"right": pooled["right"]}) == (None, None)


def make_study(name, by="site", path="news", renderer="static"):
    return Study(name=name, source=path, digest="0", n_pages=8, n_sites=4, by=by, renderer=renderer)


def of(**words):
    return {name: pool_words(PAGES, own) for name, own in words.items()}


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"by": "page"}, "by"),
        ({"path": "blogs"}, "corpus"),
        ({"renderer": "chromium"}, "renderer"),
        ({"by": "page", "path": "blogs"}, None),
        ({"path": "blogs", "renderer": "chromium"}, "renderer"),
        ({}, None),
    ],
)
def test_studies_that_differ_in_one_setting_are_contrasted(changes, setting):
    studies = make_study("one"), make_study("two", **changes)
    results = {"one": of(x=RIGHT), "two": of(x=HALF, y=HALF)}
    pairs = list(contrast_studies(studies, results, 0))
    assert [pair.setting for pair in pairs] == ([setting] if setting else [])
    assert [pair.difference for pair in pairs] == ([0.5] if setting else [])


def test_other_test_pages_are_contrasted_without_a_test():
    fewer = {"x": pool_words(PAGES[1:], HALF[1:])}
    studies = make_study("one"), make_study("two", by="page")
    (pair,) = contrast_studies(studies, {"one": of(x=RIGHT), "two": fewer}, 0)
    assert (pair.difference, pair.macro_difference) == (None, pytest.approx(1 / 2))
    elsewhere = make_study("one"), make_study("two", path="blogs")
    assert not list(contrast_studies(elsewhere, {"one": of(x=RIGHT), "two": fewer}, 0))


def test_subjects_are_ranked_over_studies():
    table = [(3, 2, 1), (3, 1, 2), (2, 3, 1), (3, 2, 2)]
    studies = {
        f"s{i}": dict(zip("xyz", map(float, row), strict=True)) for i, row in enumerate(table)
    }
    ranking = rank_subjects("macro_f1", studies)
    ranks = np.array([(1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2.5, 2.5)])
    assert ranking.ranks == pytest.approx(dict(zip("xyz", ranks.mean(axis=0), strict=True)))
    assert ranking.p_friedman == pytest.approx(stats.friedmanchisquare(*ranks.T).pvalue)
    assert ranking.critical_difference == critical_difference(3, 4)
    # Nemenyi: the distance of mean ranks over its standard error is a studentised range.
    distance = (ranking.ranks["z"] - ranking.ranks["x"]) / np.sqrt(3 * 4 / (6 * 4))
    expected = stats.studentized_range.sf(distance * np.sqrt(2), 3, np.inf)
    assert ranking.p_pairs["x"]["z"] == ranking.p_pairs["z"]["x"] == pytest.approx(expected)


@pytest.mark.parametrize(("n_subjects", "n_studies"), [(2, 3), (3, 2), (1, 3), (3, 1)])
def test_few_subjects_or_studies_are_not_tested(n_subjects, n_studies):
    scores = dict(list({"x": 3.0, "y": 2.0, "z": 1.0}.items())[:n_subjects])
    ranking = rank_subjects("macro_f1", {f"s{i}": scores for i in range(n_studies)})
    if min(n_subjects, n_studies) == 1:
        assert ranking is None
    else:
        assert list(ranking.ranks.values()) == [1.0, 2.0, 3.0][:n_subjects]
        assert (ranking.p_friedman, ranking.critical_difference) == (None, None)


def test_ways_to_split_and_renderers_are_ranked_apart():
    studies = [
        make_study(f"{path} {by}", by=by, path=path)
        for path in ("news", "blogs")
        for by in ("site", "page")
    ]
    results = {study.name: of(x=RIGHT, y=HALF) for study in studies}
    rankings = rank_learners(studies, results)
    assert [ranking.studies for ranking in rankings] == [
        ("news site", "blogs site"),
        ("news page", "blogs page"),
    ]
    rendered = [make_study("a"), make_study("b", renderer="chromium")]
    assert not rank_learners(rendered, {"a": of(x=RIGHT, y=HALF), "b": of(x=RIGHT, y=HALF)})
