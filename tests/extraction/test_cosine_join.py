"""The cosine join finds the pairs that comparing all with all finds."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array

from structce.extraction.content_extractor import SLACK, similar_pairs


def found_pairs(matrix, epsilon):
    return [
        (min(i, j), max(i, j))
        for first, second in similar_pairs(csr_array(matrix), epsilon)
        for i, j in zip(first.tolist(), second.tolist(), strict=True)
    ]


def all_pairs(matrix, epsilon):
    """The definition: the cosine of each pair of rows that have one."""
    lengths = np.linalg.norm(matrix, axis=1)
    return {
        (i, j)
        for i, j in itertools.combinations(range(len(matrix)), 2)
        if lengths[i] * lengths[j] > 0
        and matrix[i] @ matrix[j] / (lengths[i] * lengths[j]) > epsilon + SLACK
    }


def random_matrix(rng, largest):
    shape = rng.integers(0, 40), rng.integers(1, 15)
    return (rng.random(shape) < rng.random()) * rng.integers(1, largest, shape).astype(float)


@pytest.mark.parametrize("epsilon", [0.3, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("largest", [2, 4], ids=["bits", "counts"])
@pytest.mark.parametrize("last", [0.1, 1.0, 20.0])
def test_the_pairs_are_those_of_the_definition_each_once(epsilon, largest, last):
    rng = np.random.default_rng(7)
    n_found = 0
    for _ in range(60):
        matrix = random_matrix(rng, largest)
        matrix[:, -1] *= last
        pairs = found_pairs(matrix, epsilon)
        assert len(pairs) == len(set(pairs))
        assert set(pairs) == all_pairs(matrix, epsilon)
        n_found += len(pairs)
    assert n_found


def test_a_cosine_at_the_threshold_does_not_exceed_it():
    # nine words each, none in common: 81 / 90
    matrix = np.concatenate((np.full((2, 1), 9.0), np.repeat(np.eye(2), 9, axis=1)), axis=1)
    assert found_pairs(matrix, 0.9) == []
    assert found_pairs(matrix, 0.8999) == [(0, 1)]
