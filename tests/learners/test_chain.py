import numpy as np
import pytest

from structce.learners.chain import (
    count_edges,
    forward_backward,
    forward_backward_batch,
    greedy_decode,
    score,
    softmax,
    viterbi,
    viterbi_batch,
)


@pytest.fixture
def chain():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 3)), random.normal(size=(3, 3))


def test_score_adds_emissions_and_transitions():
    emissions = np.array([[1.0, 2.0], [10.0, 20.0]])
    transitions = np.array([[100.0, 200.0], [300.0, 400.0]])
    assert score(emissions, transitions, np.array([1, 0])) == 2 + 10 + 300
    assert score(emissions[:0], transitions, np.array([], dtype=np.int64)) == 0


def test_edges_are_counted_from_a_label_to_the_next():
    counts = count_edges(np.array([0, 1, 1, 0, 1]), 3)
    assert counts.tolist() == [[0, 2, 0], [1, 1, 0], [0, 0, 0]]
    assert count_edges(np.array([], dtype=np.int64), 2).sum() == 0


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
    forward_backward(emissions, transitions)
    greedy_decode(emissions, np.ones((2, 3, 3)))
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
