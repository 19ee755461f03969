import numpy as np
import pytest
from scipy import optimize, sparse

from structce.learners import LinearChainCRF
from structce.learners.crf import chain_objective


@pytest.fixture
def problem(make_pages):
    return make_pages(15, stay=0.6, noise=0.3)


def flat_objective(weights, X, y, n_labels, lambda_):
    n_columns = X[0].shape[1]
    emissions, transitions = np.split(weights, [n_columns * n_labels])
    value, gradients = chain_objective(
        X, y, emissions.reshape(n_columns, -1), transitions.reshape(n_labels, -1), lambda_
    )
    return value, np.concatenate([gradient.ravel() for gradient in gradients])


def test_the_objective_is_minus_the_log_probability_of_the_right_sequences(problem, all_sequences):
    longest = int(np.argmax([len(labels) for labels in problem[1]]))
    X, y = [problem[0][longest][:3]], [problem[1][longest][:3]]
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(12, 3)), random.normal(size=(3, 3))
    scores = X[0] @ emissions

    def weight(z):
        return np.exp(
            scores[np.arange(3), z].sum() + transitions[z[0], z[1]] + transitions[z[1], z[2]]
        )

    probability = weight(y[0]) / sum(map(weight, all_sequences(3, 3)))
    norm = (emissions**2).sum() + (transitions**2).sum()
    value, _ = chain_objective(X, y, emissions, transitions, 0.5)
    assert value == pytest.approx(0.25 * norm - np.log(probability))


def test_the_gradient_equals_finite_differences(problem):
    X, y = problem
    weights = np.random.default_rng(0).normal(size=12 * 3 + 9)
    _, gradient = flat_objective(weights, X, y, 3, 0.3)
    numeric = optimize.approx_fprime(
        weights, lambda w: flat_objective(w, X, y, 3, 0.3)[0], epsilon=1e-6
    )
    assert np.allclose(gradient, numeric, atol=1e-4)


@pytest.mark.parametrize("lambda_", [0.1, 1.0])
def test_lambda_means_the_same_to_crfsuite_as_to_us(problem, lambda_):
    X, y = problem
    fitted = LinearChainCRF(lambda_=lambda_, tol=1e-9).fit(X, y, n_labels=3)
    _, gradients = chain_objective(X, y, fitted.emissions_, fitted.transitions_, lambda_)
    assert max(np.abs(gradient).max() for gradient in gradients) < 1e-3
    assert fitted.gradient_norm_ < 5e-3


def test_the_optimum_is_that_of_another_optimiser_with_a_label_that_never_occurs(problem):
    X, y = problem
    fitted = LinearChainCRF(lambda_=0.2, tol=1e-9).fit(X, y, n_labels=4)
    best = optimize.minimize(
        flat_objective, np.zeros(12 * 4 + 16), args=(X, y, 4, 0.2), jac=True, tol=1e-10
    )
    emissions, transitions = np.split(best.x, [48])
    assert fitted.objective_ == pytest.approx(best.fun, rel=1e-6)
    assert np.allclose(fitted.emissions_, emissions.reshape(12, 4), atol=1e-3)
    assert np.allclose(fitted.transitions_, transitions.reshape(4, 4), atol=1e-3)
    assert (fitted.transitions_[:, 3] < 0).all()


def test_marginals_of_what_happens_by_chance_are_its_frequency():
    X = [sparse.csr_matrix(np.ones((1, 1)))] * 100
    y = [np.array([int(i < 30)]) for i in range(100)]
    fitted = LinearChainCRF(lambda_=1e-5, tol=1e-8).fit(X, y, n_labels=2)
    assert fitted.marginals(X[:1])[0][0].tolist() == pytest.approx([0.7, 0.3], abs=1e-3)


def test_fewer_iterations_are_an_unfinished_fit(problem):
    X, y = problem
    short = LinearChainCRF(max_iterations=2).fit(X, y, n_labels=3)
    long = LinearChainCRF().fit(X, y, n_labels=3)
    assert short.n_iterations_ == 2
    assert long.n_iterations_ > 2
    assert short.gradient_norm_ > long.gradient_norm_
    assert short.objective_ > long.objective_
