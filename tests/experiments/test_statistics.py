"""Statistics: pooled scores worked by hand, paired tests, ranks."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from structce.experiments.statistics import (
    compare_learners,
    corrected,
    is_certain,
    learner_scores,
    pool,
    rank_studies,
    rank_subjects,
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
    labelled = []
    for name, word in pages:
        page = SimpleNamespace(blocks=np.arange(len(word), dtype=np.int32) // 2)
        labelled.append(SimpleNamespace(id=name, site=name[0], labels=tuple(word), page=page))
    return pool(LETTERS, labelled, [LETTERS.encode(word).tolist() for word in words])


def scores_of(pooled):
    return {(row["measure"], row["label"]): row["value"] for row in learner_scores(pooled, 0)}


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
    assert scores["accuracy", ""] == 4 / 6
    # F1 of A is 2 * 2 / (2 + 4), of B 1, of N 2 / (3 + 1).
    assert scores["macro_f1", ""] == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)
    assert scores["page_exactness", ""] == 1 / 3  # of the three, b2 alone
    assert mixed.accuracy == {"a1": 1 / 2, "b1": 2 / 3, "b2": 1}


def test_segments_end_with_their_blocks():
    # Blocks are of two regions each: of gold AA, A and of the prediction A, A.
    same, other = (scores_of(pool_words([("a1", "AAAN")], [word])) for word in ("AAAN", "ANAN"))
    assert same["segment_f1", "A"] == 1
    assert other["segment_f1", "A"] == 1 / 2
    assert ("segment_f1", "N") not in same  # the background has no segments


def compare(first, second, seed=0):
    return SimpleNamespace(**compare_learners(("one", "two"), (first, second), seed))


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


def test_p_values_are_corrected_for_their_number(pooled):
    pair = compare(pooled["right"], pooled["half"])
    several = [{**vars(pair), "p": p} for p in (0.04, 0.01, 0.03)]
    assert [one["p_holm"] for one in corrected(several)] == pytest.approx([0.06, 0.03, 0.06])
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
    pair = {"difference": 0.1, "low": 0.05, "high": 0.2, "p_holm": 0.04, "effect": 0.3}
    pair |= {"macro_difference": None, "macro_low": None, "macro_high": None}
    assert is_certain(SimpleNamespace(**{**pair, **changes})) == expected


def test_ranks_are_those_of_demsar():
    # Table 6 of Demsar (2006). In the row before the last it prints 0.975 twice, but ranks the
    # former as second.
    rows = """
        .763 .768 .771 .798  .599 .591 .590 .569  .954 .971 .968 .967  .628 .661 .654 .657
        .882 .888 .886 .898  .936 .931 .916 .931  .661 .668 .609 .685  .583 .583 .563 .625
        .775 .838 .866 .875  1 1 1 1  .940 .962 .965 .962  .619 .666 .614 .669
        .972 .981 .9751 .975  .957 .978 .946 .970"""
    values = np.array(rows.split(), dtype=float).reshape(14, 4).tolist()
    studies = {f"{i}": dict(zip("abcd", row, strict=True)) for i, row in enumerate(values)}
    ranking = rank_subjects("auc", studies)
    assert list(ranking["ranks"].values()) == pytest.approx([3.143, 2.0, 2.893, 1.964], abs=5e-4)
    p = stats.friedmanchisquare(*np.array(values).T).pvalue
    assert ranking["p_friedman"] == pytest.approx(p, abs=1e-3)
    json.dumps(ranking)  # plain numbers, as a report has them


@pytest.mark.parametrize(("n_subjects", "n_studies"), [(2, 3), (3, 2), (1, 3), (3, 1)])
def test_few_subjects_or_studies_are_not_tested(n_subjects, n_studies):
    scores = dict(list({"x": 3.0, "y": 2.0, "z": 1.0}.items())[:n_subjects])
    ranking = rank_subjects("macro_f1", {f"s{i}": scores for i in range(n_studies)})
    assert (ranking is not None) == (min(n_subjects, n_studies) > 1)
    if ranking:
        assert list(ranking["ranks"].values()) == [1.0, 2.0, 3.0][:n_subjects]
        assert "p_friedman" not in ranking


def test_groups_of_studies_are_ranked_apart():
    names = [(path, by) for path in ("news", "blogs") for by in ("site", "page")]
    studies = [{"name": f"{path} {by}", "by": by} for path, by in names]
    scores = [
        {"study": study["name"], "subject": subject, "measure": measure, "value": value}
        for study in studies
        for subject, value in (("x", 1.0), ("y", 0.5))
        for measure in ("macro_f1", "accuracy")
    ]
    rows = {"studies": studies, "scores": scores}
    rankings = rank_studies(rows, "macro_f1", lambda study: ("", study["by"]))
    expected = [("news site", "blogs site"), ("news page", "blogs page")]
    assert [ranking["studies"] for ranking in rankings] == expected
    assert not rank_studies(rows, "macro_f1", lambda study: ("", study["name"]))
