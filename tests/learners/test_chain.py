import numpy as np

from structce.learners.inference.viterbi import count_edges, sequence_score


def test_score_adds_emissions_and_transitions():
    emissions = np.array([[1.0, 2.0], [10.0, 20.0]])
    transitions = np.array([[100.0, 200.0], [300.0, 400.0]])
    assert sequence_score(emissions, transitions, np.array([1, 0])) == 2 + 10 + 300
    assert sequence_score(emissions[:0], transitions, np.array([], dtype=np.int64)) == 0


def test_edges_are_counted_from_a_label_to_the_next():
    counts = count_edges(np.array([0, 1, 1, 0, 1]), 3)
    assert counts.tolist() == [[0, 2, 0], [1, 1, 0], [0, 0, 0]]
    assert count_edges(np.array([], dtype=np.int64), 2).sum() == 0
