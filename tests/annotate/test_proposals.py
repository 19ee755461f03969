"""Decoding of proposals: fast where regions stand alone, and the same as by the chain."""

import numpy as np
import pytest

from structce.annotate.proposals import PageScores, PreparedPage, decode, propose
from structce.labels import LabelSet
from structce.learners import forward_backward_batch, viterbi

ABC = LabelSet(("A", "B", "C"), "A")


def test_independent_regions_are_decoded_as_a_chain_does():
    emissions = np.random.default_rng(3).normal(size=(50, 3))
    emissions[4, 1] = -np.inf
    labels, marginals = decode(emissions, np.zeros((3, 3)))
    _, (expected,), _ = forward_backward_batch([emissions], np.zeros((3, 3)))
    np.testing.assert_allclose(marginals, expected, atol=1e-12)
    assert labels.tolist() == viterbi(emissions, np.zeros((3, 3))).tolist()


def prepared(emissions, keys):
    scores = PageScores(np.array(emissions, dtype=float), np.zeros((3, 3)))
    return PreparedPage(scores, [(key, key, "") for key in keys])


def test_fixed_and_forbidden_labels_are_respected():
    page = prepared([[3, 0, 0], [3, 0, 0], [3, 2, 1]], ["x", "y", "z"])
    proposal = propose(page, ABC, {0: "C", 2: "B|C", 1: "?"})
    assert proposal.labels == ("C", "A", "B")
    assert proposal.confidence[0] == pytest.approx(1)


def test_given_labels_count_for_similar_regions_only():
    page = prepared([[2, 0, 0]] * 6, ["x", "x", "x", "x", "y", "y"])
    proposal = propose(page, ABC, {0: "B", 1: "B"})
    assert proposal.labels == ("B", "B", "B", "B", "A", "A")
    alone = propose(page, ABC, {})
    assert proposal.confidence[4] == pytest.approx(alone.confidence[4])


def test_an_empty_page_has_no_proposals():
    scores = PageScores(np.zeros((0, 3)), np.zeros((3, 3)))
    assert propose(PreparedPage(scores, []), ABC, {}).labels == ()


def test_label_of_a_similar_region_is_proposed_next():
    page = prepared([[6, 0, 1], [6, 0, 1]], ["x", "x"])
    assert propose(page, ABC, {}).others[1, 0] == ABC.index("C")
    again = propose(page, ABC, {0: "B"})
    assert (again.labels[1], again.others[1, 0]) == ("A", ABC.index("B"))
