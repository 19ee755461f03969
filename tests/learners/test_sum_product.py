import numpy as np
import pytest

from structce.learners.chain import count_edges, score
from structce.learners.sum_product import forward_backward, forward_backward_batch, softmax


@pytest.fixture
def chain():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 3)), random.normal(size=(3, 3))


@pytest.mark.parametrize("n_regions", [1, 2, 4])
def test_forward_backward_equals_the_sum_over_all_sequences(chain, all_sequences, n_regions):
    emissions, transitions = chain[0][:n_regions], chain[1]
    sequences = list(all_sequences(n_regions, 3))
    weights = np.exp([score(emissions, transitions, y) for y in sequences])
    nodes, edges = np.zeros((n_regions, 3)), np.zeros((3, 3))
    for y, probability in zip(sequences, weights / weights.sum(), strict=True):
        nodes[np.arange(n_regions), y] += probability
        edges += probability * count_edges(y, 3)
    log_partition, node_marginals, edge_marginal_sum = forward_backward(emissions, transitions)
    assert log_partition == pytest.approx(np.log(weights.sum()))
    assert np.allclose(node_marginals, nodes)
    assert np.allclose(edge_marginal_sum, edges)


def test_forward_backward_survives_scores_that_exp_does_not():
    emissions = np.array([[0.0, 2000.0], [3000.0, 0.0], [0.0, 900.0]])
    log_partition, nodes, edges = forward_backward(emissions, np.zeros((2, 2)))
    assert log_partition == pytest.approx(5900)
    assert nodes.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert edges.tolist() == [[0, 1], [1, 0]]


def test_forward_backward_over_a_batch_equals_page_by_page():
    random = np.random.default_rng(5)
    pages = [random.normal(size=(n, 3)) for n in (4, 0, 9, 1, 4)]
    transitions = random.normal(size=(3, 3))
    partitions, nodes, edges = forward_backward_batch(pages, transitions)
    single = [forward_backward(page, transitions) for page in pages]
    assert np.allclose(partitions, [one[0] for one in single])
    assert all(np.allclose(a, b[1]) for a, b in zip(nodes, single, strict=True))
    assert np.allclose(edges, sum(one[2] for one in single))


def test_forward_backward_of_an_empty_page_is_certain_of_nothing():
    log_partition, nodes, edges = forward_backward(np.empty((0, 2)), np.ones((2, 2)))
    assert log_partition == 0
    assert nodes.shape == (0, 2)
    assert edges.sum() == 0


def test_softmax_rows_are_probabilities():
    probabilities = softmax(np.array([[1000.0, 1000.0], [0.0, np.log(3)]]))
    assert np.allclose(probabilities, [[0.5, 0.5], [0.25, 0.75]])
    assert softmax(np.empty((0, 2))).shape == (0, 2)


def test_forward_backward_leaves_its_arguments_as_they_were(chain):
    emissions, transitions = chain[0].copy(), chain[1].copy()
    forward_backward(emissions, transitions)
    assert np.array_equal(emissions, chain[0])
    assert np.array_equal(transitions, chain[1])
