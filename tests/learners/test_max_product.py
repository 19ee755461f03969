import numpy as np
import pytest

from structce.learners.chain import score
from structce.learners.max_product import viterbi, viterbi_batch


@pytest.fixture
def chain():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 3)), random.normal(size=(3, 3))


@pytest.mark.parametrize("n_regions", [1, 2, 5])
def test_viterbi_finds_the_best_of_all_sequences(chain, all_sequences, n_regions):
    emissions, transitions = chain[0][:n_regions], chain[1]
    best = max(all_sequences(n_regions, 3), key=lambda y: score(emissions, transitions, y))
    assert viterbi(emissions, transitions).tolist() == best.tolist()


def test_viterbi_gives_a_tie_to_the_lower_index_from_the_last_region_on(all_sequences):
    random = np.random.default_rng(0)
    for _ in range(50):
        emissions = random.integers(0, 2, size=(4, 3)).astype(float)
        transitions = random.integers(0, 2, size=(3, 3)).astype(float)
        sequences = list(all_sequences(4, 3))
        scores = [score(emissions, transitions, y) for y in sequences]
        tied = [y.tolist() for y, s in zip(sequences, scores, strict=True) if s == max(scores)]
        expected = min(tied, key=lambda y: y[::-1])
        assert viterbi(emissions, transitions).tolist() == expected
        assert viterbi_batch([emissions], transitions)[0].tolist() == expected


def test_viterbi_of_an_empty_page_is_empty_and_one_label_is_always_right():
    assert viterbi(np.empty((0, 3)), np.zeros((3, 3))).shape == (0,)
    assert viterbi(np.ones((4, 1)), np.ones((1, 1))).tolist() == [0, 0, 0, 0]


def test_viterbi_leaves_its_arguments_as_they_were(chain):
    emissions, transitions = chain[0].copy(), chain[1].copy()
    viterbi(emissions, transitions)
    viterbi_batch([emissions, emissions], transitions)
    assert np.array_equal(emissions, chain[0])
    assert np.array_equal(transitions, chain[1])


@pytest.mark.parametrize("lengths", [[], [0], [0, 0], [3], [1, 7, 0, 7, 30, 2, 1, 0]])
def test_viterbi_over_a_batch_equals_page_by_page(lengths):
    random = np.random.default_rng(1)
    pages = [random.integers(-2, 3, size=(n, 4)).astype(float) for n in lengths]
    transitions = random.integers(-1, 2, size=(4, 4)).astype(float)
    labels = viterbi_batch(pages, transitions)
    assert [y.tolist() for y in labels] == [viterbi(page, transitions).tolist() for page in pages]
    assert all(y.dtype == np.int64 for y in labels)
