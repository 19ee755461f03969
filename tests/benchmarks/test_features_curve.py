"""The curve of features: prices of sets, which features go first, and the loss that tells."""

import json
from itertools import combinations

import numpy as np
import pytest

from benchmarks.features.curve import Prices, _loss, eliminate

PRICES = Prices(
    own={"a": 1.0, "b": 0.5, "c": 2.0, "d": 0.1},
    shared={"tree": 4.0, "words": 1.0},
    users={"tree": frozenset("ab"), "words": frozenset("bcd")},
)


def test_a_shared_part_is_paid_once_by_all_that_need_it():
    assert PRICES.of("a") == pytest.approx(5)
    assert PRICES.of("ab") == pytest.approx(1.5 + 4 + 1)
    assert PRICES.of("abcd") == pytest.approx(3.6 + 5)
    assert PRICES.of("") == 0


def test_features_that_share_a_part_are_one_group_and_each_is_one_by_itself():
    groups = PRICES.groups(frozenset("abc"))
    assert groups == {frozenset("ab"), frozenset("bc"), *map(frozenset, "abc")}


def test_features_that_share_a_dear_part_go_together_though_none_is_worth_dropping_alone():
    worths = {"a": 0.3, "b": 0.2, "c": 0.9, "d": 0.9}
    assert eliminate(frozenset("abcd"), worths, PRICES, 2) == frozenset("cd")
    without = [combination for n in (1, 2) for combination in combinations("abcd", n)]
    saved = {
        combination: PRICES.of("abcd") - PRICES.of(set("abcd") - set(combination))
        for combination in without
    }
    assert min(
        saved, key=lambda combination: sum(worths[x] for x in combination) / saved[combination]
    ) == ("a", "b")


def test_what_makes_the_loss_larger_goes_first():
    worths = {"a": 0.3, "b": 0.2, "c": 0.9, "d": -0.01}
    assert eliminate(frozenset("abcd"), worths, PRICES, 3) == frozenset("abc")


def test_the_loss_counts_every_label_the_same_and_no_unknown_region():
    scores = np.array([[2.0, 0.0], [0.5, 0.0], [0.0, 0.0], [9.0, 0.0]])
    y = np.array([0, 0, 1, -1])
    # 0 and 0.5 for the first label, 1 for the second.
    assert _loss(scores, y) == pytest.approx((0.25 + 1) / 2)


def test_prices_are_read_from_the_costs_that_were_measured(tmp_path):
    figures = {
        "features": {"a": {"own": 1.0}},
        "shared": {"tree": {"ms": 4.0, "features": ["a", "b"]}},
    }
    file = tmp_path / "costs.json"
    file.write_text(json.dumps(figures))
    assert Prices.load(file).of(["a"]) == 5
