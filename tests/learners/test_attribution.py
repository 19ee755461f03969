from itertools import chain, combinations

import numpy as np
import pytest
from scipy import sparse

from structce.errors import LearnerError
from structce.learners.attribution import attribute_label, find_counterfactual
from structce.learners.base import Learner
from structce.learners.inference.viterbi import sequence_score
from structce.learners.linear import LinearLearner
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.registry import LEARNERS
from structce.learners.structured_svm import StructuredSVM

LINEAR = sorted(name for name, kind in LEARNERS.items() if issubclass(kind, LinearLearner))
every_learner = pytest.mark.parametrize("name", LINEAR)
every_explained_learner = pytest.mark.parametrize("name", [*LINEAR, "boosted-trees"])


@pytest.fixture
def leaning(fitted):
    """Return learners that lean on their columns and on what stands beside them."""
    pages = {"n_pages": 12, "stay": 0.6, "noise": 0.4, "seed": 5}
    return lambda name: fitted(name, pages, lambda_=0.05)


def by_hand(kind, emissions, **weights):
    """Return a learner with weights of our choice, as if fitted."""
    learner = kind()
    learner.n_columns_, learner.n_labels_ = np.shape(emissions)
    learner.temperature_, learner.emissions_ = 1.0, np.array(emissions, dtype=float)
    for key, value in weights.items():
        setattr(learner, key, np.array(value, dtype=float))
    return learner


def pages_of(random, n_pages=12, n_columns=12):
    """Yield pages of one to five regions with few columns, some of them negative."""
    for n in range(n_pages):
        shape = (1 + n % 5, n_columns)
        cells = (random.random(shape) < 0.35) * random.choice([1.0, 1.0, 0.5, -1.0], size=shape)
        yield sparse.csr_matrix(cells)


@every_explained_learner
def test_columns_and_terms_add_up_to_the_margin(name, leaning):
    learner = leaning(name)
    for page in pages_of(np.random.default_rng(0)):
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            pair = [attribution.chosen, attribution.runner_up]
            columns = attribution.contributions[:, pair].sum(axis=0)
            terms = np.sum([term.scores for term in attribution.terms], axis=0)
            assert attribution.labels.tolist() == learner.predict([page])[0].tolist()
            assert attribution.labels[i] == attribution.chosen != attribution.runner_up
            np.testing.assert_allclose(columns + terms, attribution.label_scores[pair], atol=1e-12)
            parts = columns + terms
            assert parts[0] - parts[1] == pytest.approx(attribution.margin, abs=1e-12)
            assert attribution.margin >= -1e-12
            assert (
                attribution.label_scores <= attribution.label_scores[attribution.chosen] + 1e-12
            ).all()


@every_learner
def test_contributions_are_values_times_weights(name, leaning):
    learner = leaning(name)
    (page,) = pages_of(np.random.default_rng(1), n_pages=1)
    attribution = attribute_label(learner, page, 0)
    dense = page.toarray()[0]
    assert attribution.columns.tolist() == np.flatnonzero(dense).tolist()
    assert attribution.values.tolist() == dense[dense != 0].tolist()
    expected = dense[attribution.columns, None] * learner.emissions_[attribution.columns]
    np.testing.assert_array_equal(attribution.contributions, expected)
    emissions = learner.scores([page])[0]
    np.testing.assert_allclose(attribution.contributions.sum(axis=0), emissions[0], atol=1e-12)


def test_label_scores_are_the_best_of_all_sequences(leaning, all_sequences):
    learner = leaning("structured-svm")
    for page in pages_of(np.random.default_rng(2), n_pages=5):
        emissions, transitions = learner.scores([page])[0], learner.transitions_
        sequences = list(all_sequences(page.shape[0], 3))
        scores = np.array([sequence_score(emissions, transitions, y) for y in sequences])
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            best = [scores[[y[i] == label for y in sequences]].max() for label in range(3)]
            np.testing.assert_allclose(attribution.label_scores, best, atol=1e-12)


def test_terms_of_a_chain_are_its_transitions(leaning, all_sequences):
    learner = leaning("linear-chain-crf")
    seen_changes = 0
    for page in pages_of(np.random.default_rng(3), n_pages=20):
        emissions, transitions = learner.scores([page])[0], learner.transitions_
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            y, z = attribution.labels, attribution.labels.copy()
            z[i] = attribution.runner_up
            for region, label in attribution.flips:
                assert y[region] != label
                z[region] = label
            seen_changes += len(attribution.flips)
            assert sequence_score(emissions, transitions, z) == pytest.approx(
                attribution.label_scores[attribution.runner_up]
            )
            offsets = [term.offset for term in attribution.terms]
            beside = [offset for offset in (-1, 1) if 0 <= i + offset < len(y)]
            assert offsets == [*beside, None] if beside else offsets == []
            for offset, labels, scores in attribution.terms[:-1]:
                assert labels == (y[i + offset], z[i + offset])
                edges = [
                    sequence[min(i, i + offset) : max(i, i + offset) + 1] for sequence in (y, z)
                ]
                assert scores == tuple(transitions[tuple(edge)] for edge in edges)
    assert seen_changes > 0


@every_learner
def test_no_smaller_set_of_columns_changes_the_label(name, leaning):
    learner = leaning(name)
    flipped, held = 0, 0
    for page in pages_of(np.random.default_rng(6), n_pages=30):
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            flip = find_counterfactual(learner, page, i, attribution)
            smallest = brute_force_flip(learner, page, i, attribution)
            if smallest is None:
                assert flip.columns == ()
                held += 1
            else:
                assert len(flip.columns) == len(smallest)
                assert flip.flips == ()
                assert (
                    flip.label
                    == label_without(learner, page, i, flip.columns)
                    != attribution.chosen
                )
                flipped += 1
    assert flipped > 20
    assert held > 0


def brute_force_flip(learner, page, i, attribution):
    """Return the first of all sets of a region's columns, by size, that changes its label."""
    columns = attribution.columns.tolist()
    sets = chain.from_iterable(combinations(columns, n + 1) for n in range(len(columns)))
    return next((s for s in sets if label_without(learner, page, i, s) != attribution.chosen), None)


def label_without(learner, page, i, columns):
    dense = page.toarray()
    dense[i, list(columns)] = 0
    return learner.predict([sparse.csr_matrix(dense)])[0][i]


def test_the_fewest_neighbours_that_change_a_label():
    random = np.random.default_rng(7)
    n_by_size = {0: 0, 1: 0, 2: 0}
    for _ in range(60):
        n_regions, n_labels = int(random.integers(1, 5)), 3
        emissions = random.normal(size=(n_regions, n_labels))
        transitions = random.normal(scale=1.5, size=(n_labels, n_labels))
        learner = by_hand(StructuredSVM, emissions, transitions_=transitions)
        page = sparse.csr_matrix(np.eye(n_regions))  # every region has one column of its own
        for i in range(n_regions):
            attribution = attribute_label(learner, page, i)
            flip = find_counterfactual(learner, page, i, attribution)
            if flip.columns:
                continue
            expected = fewest_neighbours(emissions, transitions, attribution.labels, i)
            n_by_size[len(flip.flips)] += 1
            assert (flip.flips, flip.label) == expected
    assert all(n_by_size.values())


def fewest_neighbours(emissions, transitions, y, i):
    """Return what `find_flip` must find: every choice tried, every sequence looked at."""
    n_regions, n_labels = emissions.shape
    grids = np.meshgrid(*[np.arange(n_labels)] * n_regions, indexing="ij")
    sequences = np.stack(grids, axis=-1).reshape(-1, n_regions)
    scores = np.array([sequence_score(emissions, transitions, z) for z in sequences])
    beside = [at for at in (i - 1, i + 1) if 0 <= at < n_regions]
    options = [[(at, label) for label in range(n_labels) if label != y[at]] for at in beside]
    tried = [(option,) for option in chain(*options)]
    if len(options) == 2:
        tried += [(option, other) for option in options[0] for other in options[1]]
    fewest = []
    for changes in tried:
        fits = np.all([sequences[:, at] == label for at, label in changes], axis=0)
        best = scores[fits].argmax()
        label = int(sequences[fits][best][i])
        if label != y[i]:
            fewest.append((len(changes), -scores[fits][best], changes, label))
    return min(fewest)[2:] if fewest else ((), None)


def test_columns_are_removed_from_the_region_alone():
    learner = by_hand(MulticlassSVM, [[3.0, 0.0], [0.0, 1.0]])
    page = sparse.csr_matrix([[1.0, 1.0], [1.0, 1.0]])
    before = page.copy()
    flip = find_counterfactual(learner, page, 1, attribute_label(learner, page, 1))
    assert flip == ((0,), (), 1)
    assert (page != before).nnz == 0
    assert learner.predict([page])[0].tolist() == [0, 0]


def test_a_tie_is_left_to_decoding():
    level = by_hand(MulticlassSVM, [[1.0, 0.0], [0.0, 1.0]])
    page = sparse.csr_matrix([[1.0, 1.0]])
    attribution = attribute_label(level, page, 0)
    assert (attribution.chosen, attribution.runner_up, attribution.margin) == (0, 1, 0.0)
    assert find_counterfactual(level, page, 0, attribution) == ((0,), (), 1)
    first = by_hand(MulticlassSVM, [[1.0, 0.0]])  # without its column a tie, which goes to it
    page = sparse.csr_matrix([[1.0]])
    assert find_counterfactual(first, page, 0, attribute_label(first, page, 0)) == ((), (), None)
    second = by_hand(MulticlassSVM, [[0.0, 1.0]])
    assert find_counterfactual(second, page, 0, attribute_label(second, page, 0)) == ((0,), (), 0)


def test_a_third_label_may_need_fewer_columns():
    # Four columns speak against the runner-up, a little each; one against the third, a lot.
    weak = [[0.5, 0.4, 0.5]] * 3
    learner = by_hand(MulticlassSVM, [[3.0, 2.9, 0.0], *weak, [0.0, 0.05, 2.0]])
    page = sparse.csr_matrix(np.ones((1, 5)))
    attribution = attribute_label(learner, page, 0)
    assert (attribution.chosen, attribution.runner_up) == (0, 1)
    assert find_counterfactual(learner, page, 0, attribution) == ((0,), (), 2)


def test_unexplainable_learners_are_refused():
    single = by_hand(MulticlassSVM, [[1.0]])
    with pytest.raises(LearnerError, match="no runner-up"):
        attribute_label(single, sparse.csr_matrix([[1.0]]), 0)

    class Odd(MulticlassSVM):
        name = "odd"
        weight_names = ("emissions_", "oddities_")

    with pytest.raises(LearnerError, match="odd cannot be explained"):
        attribute_label(by_hand(Odd, [[1.0, 0.0]]), sparse.csr_matrix([[1.0]]), 0)
    assert issubclass(Odd, Learner)
