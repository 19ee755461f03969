"""Losses of taggers: their gradients by finite differences, and cases worked by hand."""

import numpy as np
import pytest

from structce.arrays import UNKNOWN_INDEX
from structce.neural import BinaryCrossEntropy, SoftmaxCrossEntropy, balanced_weights

NO_CHAIN = np.zeros((0, 0))


def check_gradient(loss, labels, scores):
    _, slope, edges = loss(labels, scores, NO_CHAIN)
    assert edges.shape == (0, 0)
    for place in np.ndindex(scores.shape):
        step = np.zeros_like(scores)
        step[place] = 1e-5
        ahead, behind = (loss(labels, scores + s * step, NO_CHAIN)[0] for s in (1, -1))
        assert slope[place] == pytest.approx((ahead - behind) / 2e-5, abs=1e-7)


def test_the_gradient_of_the_binary_cross_entropy():
    labels = [np.array([0, 1, UNKNOWN_INDEX]), np.array([1, 1])]
    scores = np.random.default_rng(0).normal(size=(5, 1)) * 3
    check_gradient(BinaryCrossEntropy((0.7, 1.9)), labels, scores)


def test_the_gradient_of_the_softmax_cross_entropy():
    labels = [np.array([0, 2, UNKNOWN_INDEX]), np.array([1, 1])]
    scores = np.random.default_rng(0).normal(size=(5, 3)) * 3
    check_gradient(SoftmaxCrossEntropy(np.array([0.5, 1.0, 2.0])), labels, scores)


def test_the_binary_cross_entropy_by_hand():
    labels, scores = [np.array([0, 1, UNKNOWN_INDEX])], np.log([[3.0], [3.0], [9.0]])
    loss, _, _ = BinaryCrossEntropy((1.0, 2.0))(labels, scores, NO_CHAIN)
    assert loss == pytest.approx((-np.log(1 / 4) - 2 * np.log(3 / 4)) / 2)


def test_the_softmax_cross_entropy_is_the_mean_of_pages():
    labels, scores = [np.array([0]), np.array([1])], np.log([[1.0, 3.0], [1.0, 3.0]])
    loss, _, _ = SoftmaxCrossEntropy(np.ones(2))(labels, scores, NO_CHAIN)
    assert loss == pytest.approx((-np.log(1 / 4) - np.log(3 / 4)) / 2)


@pytest.mark.parametrize("score", [-1e4, 1e4])
def test_large_scores_give_finite_losses(score):
    for loss in (BinaryCrossEntropy(), SoftmaxCrossEntropy(np.ones(2))):
        width = 1 if isinstance(loss, BinaryCrossEntropy) else 2
        value, slope, _ = loss([np.array([0])], np.full((1, width), score), NO_CHAIN)
        assert np.isfinite(value)
        assert np.isfinite(slope).all()


def test_balanced_labels_count_alike_in_all():
    zero, positive = balanced_weights([np.array([0, 0, 0, 1, UNKNOWN_INDEX])])
    assert 3 * zero == pytest.approx(positive)
    assert 3 * zero + positive == pytest.approx(4)
