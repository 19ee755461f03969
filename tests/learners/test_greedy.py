import numpy as np
import pytest

from structce.learners.greedy import greedy_decode


@pytest.fixture
def chain():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 3)), random.normal(size=(3, 3))


def test_greedy_decoding_equals_the_obvious_loop():
    random = np.random.default_rng(2)
    emissions, weights = random.normal(size=(9, 3)), random.normal(size=(4, 3, 3))
    labels: list[int] = []
    for r, emission in enumerate(emissions):
        scores = emission.copy()
        for back in range(1, min(4, r) + 1):
            scores += weights[back - 1, labels[r - back]]
        labels.append(int(scores.argmax()))
    found, scores_seen = greedy_decode(emissions, weights)
    assert found.tolist() == labels
    assert scores_seen.shape == (9, 3)
    assert np.allclose(scores_seen[-1], scores)


def test_greedy_decoding_without_context_takes_the_best_emission():
    emissions = np.array([[0.0, 1.0], [1.0, 1.0]])
    labels, scores = greedy_decode(emissions, np.zeros((0, 2, 2)))
    assert labels.tolist() == [1, 0]
    assert np.array_equal(scores, emissions)


def test_greedy_decoding_of_an_empty_page_is_empty():
    labels, scores = greedy_decode(np.empty((0, 2)), np.ones((3, 2, 2)))
    assert labels.shape == (0,)
    assert scores.shape == (0, 2)
