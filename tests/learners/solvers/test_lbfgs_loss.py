import numpy as np
import pytest
from scipy import optimize

from structce.arrays import UNKNOWN_INDEX, allowed_labels, any_of
from structce.learners.inference.viterbi import sequence_score
from structce.learners.solvers.lbfgs import ChainLoss, chain_objective, pages_with_labels


@pytest.fixture
def scores():
    random = np.random.default_rng(1)
    return random.normal(size=(4, 3)) * 2, random.normal(size=(3, 3)) * 2


@pytest.fixture
def partly_known(make_pages):
    """Pages of which every second has unknown labels, and the third nothing else."""
    X, y = make_pages(9, stay=0.6, noise=0.3)
    random = np.random.default_rng(0)
    for labels in y[::2]:
        labels[random.random(len(labels)) < 0.5] = UNKNOWN_INDEX
    y[2][:] = UNKNOWN_INDEX
    return X, y


def agrees(sequence, y):
    return allowed_labels(np.asarray(y), 3)[np.arange(len(y)), sequence].all()


LOW, ENDS = any_of([0, 1], 3), any_of([0, 2], 3)


@pytest.mark.parametrize(
    "y",
    [
        [0, 2, 2, 1],
        [0, -1, 2, 1],
        [-1, 1, -1, -1],
        [2, -1, -1, 0],
        [-1, -1, -1, -1],
        [LOW, 2, ENDS, -1],
        [ENDS, LOW, LOW, ENDS],
    ],
)
def test_the_loss_is_minus_the_log_probability_of_what_agrees_with_the_labels(
    scores, all_sequences, y
):
    labels = np.array(y)
    weights = {tuple(z): np.exp(sequence_score(*scores, z)) for z in all_sequences(4, 3)}
    right = sum(weight for z, weight in weights.items() if agrees(z, labels))
    loss, _, _ = ChainLoss([labels], 3)(*scores)
    assert loss == pytest.approx(-np.log(right / sum(weights.values())), abs=1e-12)


@pytest.mark.parametrize("y", [[0, 2, 2, 1], [0, -1, 2, -1], [-1, -1, -1, -1]])
def test_label_weights_raise_the_scores_of_wrong_labels_in_the_partition_alone(
    scores, all_sequences, y
):
    labels, label_weights = np.array(y), np.array([3.0, 0.2, 1.7])
    right = wrong = 0.0
    for z in all_sequences(4, 3):
        cost = sum(
            label_weights[gold] - 1
            for gold, predicted in zip(labels, z, strict=True)
            if gold not in (UNKNOWN_INDEX, predicted)
        )
        wrong += np.exp(sequence_score(*scores, z) + cost)
        right += np.exp(sequence_score(*scores, z)) * agrees(z, labels)
    loss, _, _ = ChainLoss([labels], 3, label_weights)(*scores)
    assert loss == pytest.approx(np.log(wrong / right), abs=1e-12)


def test_weights_of_one_are_the_plain_loss(scores):
    y = [np.array([0, UNKNOWN_INDEX, 1]), np.array([2])]
    plain, weighted = ChainLoss(y, 3)(*scores), ChainLoss(y, 3, np.ones(3))(*scores)
    assert all(np.allclose(array, other) for array, other in zip(plain, weighted, strict=True))


def test_losses_of_pages_add_up(scores):
    emissions, transitions = scores
    first, second = np.array([0, UNKNOWN_INDEX]), np.array([1, 2])
    none = np.array([], dtype=np.int64)
    both = ChainLoss([first, none, second], 3)(emissions, transitions)
    alone = ChainLoss([first], 3)(emissions[:2], transitions)
    other = ChainLoss([second], 3)(emissions[2:], transitions)
    assert both[0] == pytest.approx(alone[0] + other[0])
    assert np.allclose(both[1], np.concatenate([alone[1], other[1]]))
    assert np.allclose(both[2], alone[2] + other[2])
    assert np.allclose(both[1].sum(axis=1), 0)


@pytest.mark.parametrize("label_weights", [None, np.array([0.5, 1.0, 4.0])])
def test_the_gradient_equals_finite_differences(partly_known, label_weights):
    X, y = partly_known

    def flat(weights):
        emissions, transitions = np.split(weights, [36])
        value, gradients = chain_objective(
            X, y, emissions.reshape(12, 3), transitions.reshape(3, 3), 0.3, label_weights
        )
        return value, np.concatenate([gradient.ravel() for gradient in gradients])

    weights = np.random.default_rng(0).normal(size=45)
    numeric = optimize.approx_fprime(weights, lambda w: flat(w)[0], epsilon=1e-6)
    assert np.allclose(flat(weights)[1], numeric, atol=1e-4)


def test_a_page_about_which_nothing_is_known_has_no_loss_and_counts_in_the_mean(make_pages):
    X, y = make_pages(4)
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(12, 3)), random.normal(size=(3, 3))
    none = [np.full_like(labels, UNKNOWN_INDEX) for labels in y]
    assert pages_with_labels([*none, y[0], y[0][:0]]) == [4]
    value, gradients = chain_objective(X, none, emissions, transitions, 0.0)
    assert value == 0
    assert not any(gradient.any() for gradient in gradients)
    alone, _ = chain_objective(X[:1], y[:1], emissions, transitions, 0.0)
    diluted, _ = chain_objective(X, [y[0], *none[1:]], emissions, transitions, 0.0)
    assert diluted == pytest.approx(alone / 4)
