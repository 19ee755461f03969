"""Viterbi and max-marginals against all sequences of small chains, ties included."""

import numpy as np
import pytest

from structce.learners.inference.viterbi import (
    max_marginals,
    sequence_score,
    viterbi,
    viterbi_batch,
)

LENGTHS = [[], [0], [0, 0], [3], [1, 7, 0, 7, 30, 2, 1, 0], [40, 0, 90, 35, 1], [0, 200, 3]]


def integer_scores(random, n_regions, n_labels, *, width, forbidden=0.0):
    """Integer scores, so that sums are exact and ties abound."""
    emissions = random.integers(0, width, size=(n_regions, n_labels)).astype(float)
    masked = random.random(emissions.shape) < forbidden
    masked[np.arange(n_regions), random.integers(n_labels, size=n_regions)] = False
    emissions[masked] = -np.inf
    return emissions, random.integers(-1, 2, size=(n_labels, n_labels)).astype(float)


@pytest.mark.parametrize("width", [2, 7])
@pytest.mark.parametrize("forbidden", [0.0, 0.3])
def test_viterbi_is_the_best_of_all_sequences(all_sequences, width, forbidden):
    """On a tie the lower index wins, from the last region to the first."""
    random = np.random.default_rng(width)
    for n_regions in [1, 2, 3, 4] * 25:
        emissions, transitions = integer_scores(
            random, n_regions, 3, width=width, forbidden=forbidden
        )
        sequences = list(all_sequences(n_regions, 3))
        scores = [sequence_score(emissions, transitions, y) for y in sequences]
        tied = [y.tolist() for y, s in zip(sequences, scores, strict=True) if s == max(scores)]
        expected = min(tied, key=lambda y: y[::-1])
        assert viterbi(emissions, transitions).tolist() == expected


def test_viterbi_takes_transitions_of_each_step(all_sequences):
    random = np.random.default_rng(5)
    emissions, steps = random.normal(size=(5, 3)), random.normal(size=(4, 3, 3))

    def total(y):
        places = np.arange(len(y))
        return emissions[places, y].sum() + steps[places[:-1], y[:-1], y[1:]].sum()

    best = max(all_sequences(5, 3), key=total)
    assert viterbi(emissions, steps).tolist() == best.tolist()


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("width", [2, 30])
def test_batches_are_labelled_like_single_pages(lengths, width):
    random = np.random.default_rng(1)
    emissions, transitions = integer_scores(random, sum(lengths), 4, width=width, forbidden=0.1)
    pages = np.split(emissions, np.cumsum(lengths)[:-1]) if lengths else []
    before = emissions.copy(), transitions.copy()
    labels = viterbi_batch(pages, transitions)
    assert [y.tolist() for y in labels] == [viterbi(p, transitions).tolist() for p in pages]
    assert all(y.dtype == np.int64 for y in labels)
    assert np.array_equal(emissions, before[0])
    assert np.array_equal(transitions, before[1])


@pytest.mark.parametrize("n_regions", [1, 2, 5])
@pytest.mark.parametrize("forbidden", [0.0, 0.4])
def test_max_marginals_are_the_best_with_each_label(all_sequences, n_regions, forbidden):
    random = np.random.default_rng(2)
    emissions, transitions = integer_scores(random, n_regions, 3, width=3, forbidden=forbidden)
    expected = np.full((n_regions, 3), -np.inf)
    for y in all_sequences(n_regions, 3):
        places = np.arange(n_regions), y
        score = sequence_score(emissions, transitions, y)
        expected[places] = np.maximum(expected[places], score)
    np.testing.assert_allclose(max_marginals(emissions, transitions), expected, rtol=1e-12)
