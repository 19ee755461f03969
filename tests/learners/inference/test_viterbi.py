import numpy as np
import pytest

from structce.learners.crf import LinearChainCRF
from structce.learners.inference.viterbi import (
    count_edges,
    max_marginals,
    max_marginals_batch,
    sequence_score,
    viterbi,
    viterbi_batch,
    viterbi_concatenated,
)
from structce.learners.structured_svm import StructuredSVM

LENGTHS = [[], [0], [0, 0], [3], [1, 7, 0, 7, 30, 2, 1, 0], [40, 0, 90, 35, 1], [120], [0, 500, 3]]


@pytest.fixture
def chain():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 3)), random.normal(size=(3, 3))


def clear_integers(random, n_regions, n_labels, *, width, forbidden=0.0):
    """Integer scores, so that sums are exact and ties abound; the wider, the clearer."""
    emissions = random.integers(0, width, size=(n_regions, n_labels)).astype(float)
    masked = random.random(emissions.shape) < forbidden
    masked[np.arange(n_regions), random.integers(n_labels, size=n_regions)] = False
    emissions[masked] = -np.inf
    return emissions, random.integers(-1, 2, size=(n_labels, n_labels)).astype(float)


@pytest.mark.parametrize("n_regions", [1, 2, 5])
def test_viterbi_finds_the_best_of_all_sequences(chain, all_sequences, n_regions):
    emissions, transitions = chain[0][:n_regions], chain[1]
    best = max(all_sequences(n_regions, 3), key=lambda y: sequence_score(emissions, transitions, y))
    assert viterbi(emissions, transitions).tolist() == best.tolist()
    assert viterbi_concatenated(emissions, [n_regions], transitions).tolist() == best.tolist()


def test_viterbi_takes_transitions_of_each_step(chain, all_sequences):
    emissions = chain[0]
    steps = np.random.default_rng(5).normal(size=(len(emissions) - 1, 3, 3))

    def total(y):
        places = np.arange(len(y))
        return emissions[places, y].sum() + steps[places[:-1], y[:-1], y[1:]].sum()

    best = max(all_sequences(len(emissions), 3), key=total)
    assert viterbi(emissions, steps).tolist() == best.tolist()
    same = np.broadcast_to(chain[1], steps.shape)
    assert viterbi(emissions, same).tolist() == viterbi(emissions, chain[1]).tolist()


@pytest.mark.parametrize("width", [2, 4, 7, 12])
@pytest.mark.parametrize("forbidden", [0.0, 0.3])
def test_viterbi_gives_a_tie_to_the_lower_index_from_the_last_region_on(
    all_sequences, width, forbidden
):
    random = np.random.default_rng(width)
    for n_regions in [1, 2, 3, 4] * 25:
        emissions, transitions = clear_integers(
            random, n_regions, 3, width=width, forbidden=forbidden
        )
        sequences = list(all_sequences(n_regions, 3))
        scores = [sequence_score(emissions, transitions, y) for y in sequences]
        tied = [y.tolist() for y, s in zip(sequences, scores, strict=True) if s == max(scores)]
        expected = min(tied, key=lambda y: y[::-1])
        assert viterbi(emissions, transitions).tolist() == expected
        assert viterbi_batch([emissions], transitions)[0].tolist() == expected


def test_viterbi_at_the_ends_of_a_page_counts_on_no_neighbour(all_sequences):
    # A label 0 in the middle wins by its neighbours' transitions; one at an end has a side less.
    random = np.random.default_rng(8)
    for n_regions in [1, 2, 3] * 30:
        emissions = random.integers(0, 4, size=(n_regions, 2)).astype(float)
        transitions = np.array([[random.integers(5), 0], [random.integers(9), 0]], dtype=float)
        for page, steps in ((emissions, transitions), (emissions[::-1], transitions.T)):
            best = max(sequence_score(page, steps, y) for y in all_sequences(n_regions, 2))
            path = viterbi_concatenated(page, [n_regions], steps)
            assert sequence_score(page, steps, path) == best


def test_viterbi_of_an_empty_page_is_empty_and_one_label_is_always_right():
    assert viterbi(np.empty((0, 3)), np.zeros((3, 3))).shape == (0,)
    assert viterbi(np.ones((4, 1)), np.ones((1, 1))).tolist() == [0, 0, 0, 0]
    assert viterbi(np.ones((99, 1)), np.ones((1, 1))).tolist() == [0] * 99


def test_viterbi_leaves_its_arguments_as_they_were(chain):
    emissions, transitions = np.tile(chain[0], (10, 1)), chain[1].copy()
    before = emissions.copy()
    viterbi(emissions, transitions)
    viterbi_batch([emissions, emissions], transitions)
    max_marginals(emissions, transitions)
    max_marginals_batch([emissions] * 9, transitions)
    assert np.array_equal(emissions, before)
    assert np.array_equal(transitions, chain[1])


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("width", [2, 5, 9, 30])
def test_pages_decoded_together_are_labelled_as_by_the_textbook(lengths, width):
    random = np.random.default_rng(1)
    emissions, transitions = clear_integers(random, sum(lengths), 4, width=width, forbidden=0.1)
    pages = np.split(emissions, np.cumsum(lengths)[:-1]) if lengths else []
    labels = viterbi_batch(pages, transitions)
    expected = [viterbi(page, transitions).tolist() for page in pages]
    assert [y.tolist() for y in labels] == expected
    together = viterbi_concatenated(emissions, lengths, transitions)
    assert together.tolist() == [label for y in expected for label in y]
    assert all(y.dtype == np.int64 for y in [*labels, together])


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0, 10.0, 1e6])
def test_fast_decoding_is_that_of_the_textbook_however_much_transitions_weigh(spread):
    random = np.random.default_rng(5)
    pages = [random.normal(size=(n, 9)) for n in random.integers(1, 200, size=40)]
    transitions = spread * random.normal(size=(9, 9))
    labels = viterbi_batch(pages, transitions)
    assert [y.tolist() for y in labels] == [viterbi(page, transitions).tolist() for page in pages]


def test_what_a_page_is_given_does_not_depend_on_the_pages_beside_it():
    random = np.random.default_rng(6)
    pages = [random.normal(size=(n, 5)).round(1) for n in (300, 40, 1, 80, 33)]
    transitions = random.normal(size=(5, 5)).round(1) / 3
    together = viterbi_batch(pages, transitions)
    assert all(
        np.array_equal(viterbi_batch([page], transitions)[0], y)
        for page, y in zip(pages, together, strict=True)
    )


@pytest.mark.parametrize("n_regions", [1, 3, 60])
def test_viterbi_obeys_forbidden_transitions(n_regions):
    transitions = np.array([[-np.inf, 0.0], [0.0, -np.inf]])
    emissions = np.zeros((n_regions, 2))
    emissions[0, 0] = 1
    expected = [r % 2 for r in range(n_regions)]
    assert viterbi(emissions, transitions).tolist() == expected
    assert viterbi_concatenated(emissions, [n_regions], transitions).tolist() == expected


@pytest.mark.parametrize("n_regions", [1, 2, 5])
@pytest.mark.parametrize("kind", ["random", "tied", "forbidden"])
def test_max_marginals_are_the_best_of_all_sequences_with_a_label(all_sequences, n_regions, kind):
    random = np.random.default_rng(2)
    if kind == "random":
        emissions, transitions = random.normal(size=(n_regions, 3)), random.normal(size=(3, 3))
    else:
        forbidden = 0.4 if kind == "forbidden" else 0.0
        emissions, transitions = clear_integers(random, n_regions, 3, width=3, forbidden=forbidden)
    expected = np.full((n_regions, 3), -np.inf)
    for y in all_sequences(n_regions, 3):
        reached = expected[np.arange(n_regions), y]
        expected[np.arange(n_regions), y] = np.maximum(
            reached, sequence_score(emissions, transitions, y)
        )
    np.testing.assert_allclose(max_marginals(emissions, transitions), expected, rtol=1e-12)
    for batch in ([emissions], [emissions] * 9):
        for scores in max_marginals_batch(batch, transitions):
            np.testing.assert_allclose(scores, expected, rtol=1e-12)


@pytest.mark.parametrize("lengths", [*LENGTHS, [5] * 20])
def test_max_marginals_over_a_batch_equal_page_by_page(lengths):
    random = np.random.default_rng(4)
    pages = [clear_integers(random, n, 4, width=5, forbidden=0.2)[0] for n in lengths]
    transitions = random.integers(-3, 4, size=(4, 4)).astype(float)
    together = max_marginals_batch(pages, transitions)
    assert len(together) == len(pages)
    for scores, page in zip(together, pages, strict=True):
        assert scores.shape == page.shape
        assert np.array_equal(scores, max_marginals(page, transitions))


def test_the_highest_max_marginal_of_every_region_is_the_score_of_the_best_sequence():
    random = np.random.default_rng(7)
    emissions, transitions = random.normal(size=(50, 6)), random.normal(size=(6, 6))
    best = sequence_score(emissions, transitions, viterbi(emissions, transitions))
    np.testing.assert_allclose(max_marginals(emissions, transitions).max(axis=1), best)


@pytest.mark.parametrize("kind", [LinearChainCRF, StructuredSVM])
def test_chain_learners_give_max_marginals_whose_highest_label_is_predicted(kind, make_pages):
    X, y = make_pages(12, noise=0.3)
    fitted = kind().fit(X, y, n_labels=3)
    max_marginals = fitted.max_marginals([*X, X[0][:0]])
    assert max_marginals[-1].shape == (0, 3)
    for page_scores, labels, scores in zip(
        max_marginals, fitted.predict(X), fitted.scores(X), strict=False
    ):
        assert page_scores.argmax(axis=1).tolist() == labels.tolist()
        np.testing.assert_allclose(
            page_scores.max(axis=1), sequence_score(scores, fitted.transitions_, labels)
        )
    assert fitted.max_marginals([]) == []


def test_score_adds_emissions_and_transitions():
    emissions = np.array([[1.0, 2.0], [10.0, 20.0]])
    transitions = np.array([[100.0, 200.0], [300.0, 400.0]])
    assert sequence_score(emissions, transitions, np.array([1, 0])) == 2 + 10 + 300
    assert sequence_score(emissions[:0], transitions, np.array([], dtype=np.int64)) == 0


def test_edges_are_counted_from_a_label_to_the_next():
    counts = count_edges(np.array([0, 1, 1, 0, 1]), 3)
    assert counts.tolist() == [[0, 2, 0], [1, 1, 0], [0, 0, 0]]
    assert count_edges(np.array([], dtype=np.int64), 2).sum() == 0
