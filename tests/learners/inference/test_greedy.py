import numpy as np
import pytest

from structce.learners.inference.greedy import greedy_decode, greedy_decode_batch


def test_each_label_is_the_best_given_the_labels_before_it():
    random = np.random.default_rng(2)
    emissions, weights = random.normal(size=(9, 3)), random.normal(size=(4, 3, 3))
    labels = []
    for r, emission in enumerate(emissions):
        scores = emission.copy()
        for back in range(1, min(4, r) + 1):
            scores += weights[back - 1, labels[r - back]]
        labels.append(int(scores.argmax()))
    decoded, scores_seen = greedy_decode(emissions, weights)
    assert decoded.tolist() == labels
    assert scores_seen.shape == (9, 3)
    assert np.allclose(scores_seen[-1], scores)


@pytest.mark.parametrize("context", [0, 1, 3, 10])
def test_batches_are_decoded_to_the_last_bit_like_pages(context):
    random = np.random.default_rng(context)
    weights = random.integers(-1, 2, size=(context, 4, 4)) + 0.1
    pages = [random.integers(0, 3, size=(random.integers(15), 4)) * 1.0 for _ in range(30)]
    before = [page.copy() for page in pages]
    labels, scores = greedy_decode_batch(pages, weights)
    for page, decoded, seen in zip(pages, labels, scores, strict=True):
        alone, alone_seen = greedy_decode(page, weights)
        assert decoded.dtype == alone.dtype
        assert np.array_equal(decoded, alone)
        assert np.array_equal(seen, alone_seen)
    assert all(map(np.array_equal, pages, before))
    assert greedy_decode_batch([], weights) == ([], [])
