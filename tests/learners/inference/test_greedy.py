import numpy as np
import pytest

from structce.learners.inference.greedy import FEW_PAGES, greedy_decode, greedy_decode_batch


def test_each_label_is_the_best_given_the_labels_before_it():
    random = np.random.default_rng(2)
    emissions, weights = random.normal(size=(9, 3)), random.normal(size=(4, 3, 3))
    labels: list[int] = []
    for r, emission in enumerate(emissions):
        scores = emission.copy()
        for back in range(1, min(4, r) + 1):
            scores += weights[back - 1, labels[r - back]]
        labels.append(int(scores.argmax()))
    decoded, scores_seen = greedy_decode(emissions, weights)
    assert decoded.tolist() == labels
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


@pytest.mark.parametrize("context", [0, 1, 3, 10])
@pytest.mark.parametrize("n_pages", [1, FEW_PAGES, 3 * FEW_PAGES, 30])
def test_pages_decoded_together_are_to_the_last_bit_as_decoded_alone(context, n_pages):
    random = np.random.default_rng(context)
    weights = random.normal(size=(context, 4, 4))
    pages = [random.normal(size=(random.integers(0, 15), 4)) for _ in range(n_pages)]
    labels, scores = greedy_decode_batch(pages, weights)
    for page, decoded, seen in zip(pages, labels, scores, strict=True):
        alone, alone_seen = greedy_decode(page, weights)
        assert decoded.dtype == alone.dtype
        assert np.array_equal(decoded, alone)
        assert np.array_equal(seen, alone_seen)


@pytest.mark.parametrize("n_pages", [2, 30])
def test_on_a_tie_the_lower_label_wins_for_pages_decoded_together_too(n_pages):
    random = np.random.default_rng(5)
    weights = random.integers(-1, 2, size=(3, 3, 3)).astype(float)
    pages = [random.integers(0, 2, size=(9, 3)).astype(float) for _ in range(n_pages)]
    before = [page.copy() for page in pages]
    labels, scores = greedy_decode_batch(pages, weights)
    for decoded, seen in zip(labels, scores, strict=True):
        assert decoded.tolist() == [row.tolist().index(row.max()) for row in seen]
    assert all(map(np.array_equal, pages, before))


@pytest.mark.parametrize("pages", [[], [np.empty((0, 2))] * 3])
def test_no_pages_and_empty_pages_are_decoded_together(pages):
    labels, scores = greedy_decode_batch(pages, np.ones((3, 2, 2)))
    assert [array.shape for array in labels] == [(0,)] * len(pages)
    assert [array.shape for array in scores] == [(0, 2)] * len(pages)
