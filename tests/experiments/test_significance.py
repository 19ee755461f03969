"""One rule says what is certain: test, effect, difference and interval agree."""

import math

import pytest

from structce.experiments.results import PairedTest
from structce.experiments.significance import Evidence, evidence, is_certain, is_certain_pair

SURE = {"p_holm": 0.01, "interval": (0.01, 0.05), "difference": 0.03, "effect": 0.6}


def paired(numbers):
    return PairedTest(p=0.005, n_pages=60, n_differ=31, **numbers)


def turned(numbers):
    low, high = numbers["interval"]
    mirrored = {name: -numbers[name] for name in ("difference", "effect")}
    return {**numbers, **mirrored, "interval": (-high, -low)}


@pytest.mark.parametrize("turn", [dict, turned])
def test_all_that_agrees_is_certain_in_both_directions(turn):
    assert is_certain(paired(turn(SURE)))


@pytest.mark.parametrize(
    "doubt",
    [
        {"p_holm": math.nextafter(0.05, 1)},
        {"interval": (-0.001, 0.05)},
        {"interval": (0.0, 0.05)},
        {"interval": (-1.0, 1.0)},  # too few sites
        {"difference": -0.03},
        {"difference": 0.0},
        {"effect": -0.1},
    ],
)
@pytest.mark.parametrize("turn", [dict, turned])
def test_what_one_of_them_does_not_show_is_not_certain(doubt, turn):
    assert not is_certain(paired(turn({**SURE, **doubt})))


def test_evidence_is_of_both_exactly_where_the_pair_is_certain(study):
    for pair in study.pairs:
        is_first = pair.macro_difference > 0
        assert (evidence(pair) is Evidence.BOTH) == (is_certain_pair(pair) and is_first)
