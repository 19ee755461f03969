"""Sets of labels in gold: their integers, what they allow, and how they are scored."""

from itertools import combinations

import numpy as np
import pytest

from structce.arrays import UNKNOWN_INDEX, allowed_labels, any_of, resolve_sets

SETS = [set(combination) for size in (1, 2, 3, 4) for combination in combinations(range(4), size)]


@pytest.mark.parametrize("indices", SETS, ids=str)
def test_an_integer_allows_what_its_set_holds(indices):
    gold = any_of(indices, 4)
    allowed = allowed_labels(np.array([gold]), 4)[0]
    assert set(np.flatnonzero(allowed).tolist()) == indices
    assert (gold >= 0) == (len(indices) == 1)
    assert (gold == UNKNOWN_INDEX) == (len(indices) == 4)


def test_label_set_counts_as_its_most_frequent_label():
    both = any_of({1, 2}, 4)
    gold = np.array([2, 2, 1, both, both, UNKNOWN_INDEX, 0])
    predicted = np.array([2, 0, 1, 1, 3, 3, 0])
    assert resolve_sets(gold, predicted, 4).tolist() == [2, 2, 1, 1, 2, UNKNOWN_INDEX, 0]
