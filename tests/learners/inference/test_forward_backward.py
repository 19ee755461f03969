import numpy as np
import pytest

from structce.learners.inference.forward_backward import (
    WIDEST,
    forward_backward,
    forward_backward_batch,
)
from structce.learners.inference.viterbi import count_edges, sequence_score


@pytest.fixture
def chain():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 3)), random.normal(size=(3, 3))


@pytest.fixture
def by_brute_force(all_sequences):
    """Partition and marginals as sums over all sequences, the highest score taken out."""

    def compute(emissions, transitions):
        n_regions, n_labels = emissions.shape
        sequences = list(all_sequences(n_regions, n_labels))
        scores = np.array([sequence_score(emissions, transitions, y) for y in sequences])
        weights = np.exp(scores - scores.max())
        nodes, edges = np.zeros((n_regions, n_labels)), np.zeros((n_labels, n_labels))
        for y, probability in zip(sequences, weights / weights.sum(), strict=True):
            nodes[np.arange(n_regions), y] += probability
            edges += probability * count_edges(y, n_labels)
        return scores.max() + np.log(weights.sum()), nodes, edges

    return compute


def both(emissions, transitions):
    """Return what the textbook's recursion gives, and the fast one."""
    partitions, nodes, edges = forward_backward_batch([emissions], transitions)
    return forward_backward(emissions, transitions), (partitions[0], nodes[0], edges)


def assert_same(sums, expected):
    for array, other in zip(sums, expected, strict=True):
        assert np.allclose(array, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n_regions", [1, 2, 4])
def test_marginals_are_sums_over_all_sequences(chain, by_brute_force, n_regions):
    emissions, transitions = chain[0][:n_regions], chain[1]
    for sums in both(emissions, transitions):
        assert_same(sums, by_brute_force(emissions, transitions))


@pytest.mark.parametrize("wide", [1.0, 60.0, WIDEST, 1.01 * WIDEST, 5000.0])
@pytest.mark.parametrize("steep", [1.0, 100.0, 5000.0])
def test_forward_backward_is_exact_for_scores_of_any_size(by_brute_force, wide, steep):
    random = np.random.default_rng(int(wide + steep))
    for _ in range(10):
        emissions = random.normal(size=(5, 3)) * steep
        transitions = random.random((3, 3))
        transitions = (transitions - transitions.min()) / np.ptp(transitions) * wide - wide / 3
        expected = by_brute_force(emissions, transitions)
        for sums in both(emissions, transitions):
            assert_same(sums, expected)


def test_infinite_emissions_forbid_labels(chain, by_brute_force):
    emissions, transitions = chain
    emissions[0, [0, 2]] = emissions[2, 1] = emissions[4, [1, 2]] = -np.inf
    for widened in (transitions, transitions * 500):
        expected = by_brute_force(emissions, widened)
        for sums in both(emissions, widened):
            assert_same(sums, expected)
            assert not sums[1][np.isneginf(emissions)].any()


def test_long_pages_lose_no_precision():
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(300, 2)) * 200, random.normal(size=(2, 2)) * 20
    textbook, fast = both(emissions, transitions)
    assert_same(fast, textbook)
    for log_partition, nodes, edges in (textbook, fast):
        assert np.isfinite(log_partition)
        assert np.allclose(nodes.sum(axis=1), 1, rtol=1e-12)
        assert edges.sum() == pytest.approx(299, rel=1e-12)


def test_batches_have_the_marginals_of_the_textbook():
    random = np.random.default_rng(5)
    pages = [random.normal(size=(n, 3)) for n in (4, 0, 9, 1, 4)]
    transitions = random.normal(size=(3, 3))
    partitions, nodes, edges = forward_backward_batch(pages, transitions)
    single = [forward_backward(page, transitions) for page in pages]
    assert np.allclose(partitions, [sums_of_page[0] for sums_of_page in single])
    assert all(np.allclose(a, b[1]) for a, b in zip(nodes, single, strict=True))
    assert np.allclose(edges, sum(sums_of_page[2] for sums_of_page in single))


@pytest.mark.parametrize("pages", [[], [np.empty((0, 2))]])
@pytest.mark.parametrize("scale", [1.0, -np.inf])
def test_empty_pages_have_no_marginals(pages, scale):
    partitions, nodes, edges = forward_backward_batch(pages, np.full((2, 2), scale))
    assert partitions.tolist() == [0.0] * len(pages)
    assert [page.shape for page in nodes] == [(0, 2)] * len(pages)
    assert not edges.any()
