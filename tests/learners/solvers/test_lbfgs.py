import numpy as np
import pytest
from scipy import optimize

from structce.arrays import UNKNOWN_INDEX, allowed_labels, any_of
from structce.learners.inference.viterbi import sequence_score
from structce.learners.solvers.lbfgs import ChainLoss, ChainProblem, chain_objective


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
    [[0, 2, 2, 1], [0, -1, 2, 1], [-1, 1, -1, -1], [2, -1, -1, 0], [-1, -1, -1, -1],
     [LOW, 2, ENDS, -1], [ENDS, LOW, LOW, ENDS]],
)  # fmt: skip
def test_the_loss_is_that_of_all_agreeing_sequences(scores, all_sequences, y):
    labels = np.array(y)
    weights = {tuple(z): np.exp(sequence_score(*scores, z)) for z in all_sequences(4, 3)}
    right = sum(weight for z, weight in weights.items() if agrees(z, labels))
    loss, _, _ = ChainLoss([labels], 3)(*scores)
    assert loss == pytest.approx(-np.log(right / sum(weights.values())), abs=1e-12)


@pytest.mark.parametrize("y", [[0, 2, 2, 1], [0, -1, 2, -1], [-1, -1, -1, -1]])
def test_label_weights_raise_wrong_labels_in_the_partition(scores, all_sequences, y):
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


@pytest.fixture
def chain_data(make_pages):
    """Pages of which some have unknown labels, with columns that never occur."""
    X, y = make_pages(12, stay=0.6, noise=0.3)
    y[3][::2] = y[5][:] = UNKNOWN_INDEX
    rare = [page.multiply(np.arange(12) % 5 > 0).tocsr() for page in X]
    for page in rare:
        page.eliminate_zeros()
    return rare, y


@pytest.fixture
def chain_problem(chain_data):
    return ChainProblem(*chain_data, 4, 0.3, np.array([1.0, 2.0, 0.5, 1.0]))


def zero(problem):
    return problem.vector(np.zeros((12, 4)), np.zeros((4, 4)))


def test_the_problem_is_the_objective_in_fewer_numbers(chain_data, chain_problem):
    vector = np.random.default_rng(0).normal(size=len(zero(chain_problem)))
    value, gradient = chain_problem(vector)
    expected, gradients = chain_objective(
        *chain_data, *chain_problem.weights(vector), 0.3, np.array([1.0, 2.0, 0.5, 1.0])
    )
    norm = np.sqrt(sum((gradient**2).sum() for gradient in gradients))
    assert value == pytest.approx(expected)
    assert np.linalg.norm(gradient) == pytest.approx(norm)
    assert chain_problem.gradient_norm() == pytest.approx(norm)
