import numpy as np
import pytest

from structce.learners.inference.batch import BatchLayout
from structce.learners.inference.forward_backward import (
    WIDEST,
    ForwardBackward,
    forward_backward,
    forward_backward_batch,
    marginals_batch,
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
def test_forward_backward_equals_the_sum_over_all_sequences(chain, by_brute_force, n_regions):
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


def test_what_transitions_win_back_of_hopeless_emissions_is_counted(by_brute_force):
    emissions = np.array([[0.0, -700.0], [0.0, -90.0], [-800.0, 0.0], [0.0, 0.0]])
    transitions = np.array([[0.0, -WIDEST], [-WIDEST, 0.0]])
    for scale in (1.0, 1.9, 4.0):
        expected = by_brute_force(emissions * scale, transitions * scale)
        for sums in both(emissions * scale, transitions * scale):
            assert_same(sums, expected)


def test_labels_with_an_emission_of_minus_infinity_are_forbidden(chain, by_brute_force):
    emissions, transitions = chain
    emissions[0, [0, 2]] = emissions[2, 1] = emissions[4, [1, 2]] = -np.inf
    for widened in (transitions, transitions * 500):
        expected = by_brute_force(emissions, widened)
        for sums in both(emissions, widened):
            assert_same(sums, expected)
            assert not sums[1][np.isneginf(emissions)].any()


def test_transitions_of_minus_infinity_are_forbidden(chain, by_brute_force):
    emissions, transitions = chain
    transitions[0, 1] = transitions[2, 2] = -np.inf
    for sums in both(emissions, transitions):
        assert_same(sums, by_brute_force(emissions, transitions))


def test_long_pages_lose_no_precision():
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(300, 2)) * 200, random.normal(size=(2, 2)) * 20
    textbook, fast = both(emissions, transitions)
    assert_same(fast, textbook)
    for log_partition, nodes, edges in (textbook, fast):
        assert np.isfinite(log_partition)
        assert np.allclose(nodes.sum(axis=1), 1, rtol=1e-12)
        assert edges.sum() == pytest.approx(299, rel=1e-12)


def test_forward_backward_survives_scores_that_exp_does_not():
    emissions = np.array([[0.0, 2000.0], [3000.0, 0.0], [0.0, 900.0]])
    for log_partition, nodes, edges in both(emissions, np.zeros((2, 2))):
        assert log_partition == pytest.approx(5900)
        assert np.allclose(nodes, [[0, 1], [1, 0], [0, 1]])
        assert np.allclose(edges, [[0, 1], [1, 0]])


def test_pages_together_have_the_marginals_of_the_textbook():
    random = np.random.default_rng(5)
    pages = [random.normal(size=(n, 3)) for n in (4, 0, 9, 1, 4)]
    transitions = random.normal(size=(3, 3))
    partitions, nodes, edges = forward_backward_batch(pages, transitions)
    single = [forward_backward(page, transitions) for page in pages]
    assert np.allclose(partitions, [sums_of_page[0] for sums_of_page in single])
    assert all(np.allclose(a, b[1]) for a, b in zip(nodes, single, strict=True))
    assert np.allclose(edges, sum(sums_of_page[2] for sums_of_page in single))


def test_memory_used_again_holds_nothing_of_the_call_before():
    random = np.random.default_rng(7)
    layout = BatchLayout.of([3, 0, 40, 12])
    compute = ForwardBackward(layout, 4)
    for scale in (1.0, 300.0, 0.0, 20.0):
        emissions = random.normal(size=(55, 4)) * scale
        transitions = random.normal(size=(4, 4)) * scale
        again = compute(emissions, transitions)
        fresh = ForwardBackward(layout, 4)(emissions, transitions)
        assert all(map(np.array_equal, again, fresh))


def test_no_pages_have_no_marginals():
    partitions, nodes, edges = forward_backward_batch([], np.ones((2, 2)))
    assert partitions.shape == (0,)
    assert nodes == []
    assert not edges.any()


def test_forward_backward_of_an_empty_page_is_certain_of_nothing():
    log_partition, nodes, edges = forward_backward(np.empty((0, 2)), np.ones((2, 2)))
    assert log_partition == 0
    assert nodes.shape == (0, 2)
    assert edges.sum() == 0


def test_forward_backward_leaves_its_arguments_as_they_were(chain):
    emissions, transitions = chain[0].copy(), chain[1].copy()
    forward_backward(emissions, transitions)
    assert np.array_equal(emissions, chain[0])
    assert np.array_equal(transitions, chain[1])


@pytest.mark.parametrize("n_regions", [64, 65, 80, 81, 82, 200, 323])
@pytest.mark.parametrize("steep", [1.0, 30.0])
def test_pages_cut_into_blocks_have_the_marginals_of_the_textbook(n_regions, steep):
    rng = np.random.default_rng(n_regions)
    emissions = steep * rng.normal(size=(n_regions, 4))
    transitions = steep * rng.normal(size=(4, 4))
    emissions[n_regions // 2, 1:] = -np.inf
    short = emissions[:5]
    marginals = marginals_batch([short, emissions, short], transitions)
    for own, page in zip(marginals, [short, emissions, short], strict=True):
        _, expected, _ = forward_backward(page, transitions)
        assert np.allclose(own, expected, atol=1e-12)


def test_no_pages_have_no_blocks():
    assert marginals_batch([], np.zeros((2, 2))) == []
