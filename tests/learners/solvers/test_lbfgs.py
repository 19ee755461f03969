import numpy as np
import pytest
from scipy import optimize, sparse

from structce.arrays import UNKNOWN_INDEX
from structce.learners.solvers.lbfgs import ChainProblem, chain_objective, fit_lbfgs


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


def test_the_problem_has_the_value_and_the_gradient_norm_of_the_objective(
    chain_data, chain_problem
):
    vector = np.random.default_rng(0).normal(size=len(zero(chain_problem)))
    value, gradient = chain_problem(vector)
    expected, gradients = chain_objective(
        *chain_data, *chain_problem.weights(vector), 0.3, np.array([1.0, 2.0, 0.5, 1.0])
    )
    norm = np.sqrt(sum((gradient**2).sum() for gradient in gradients))
    assert value == pytest.approx(expected)
    assert np.linalg.norm(gradient) == pytest.approx(norm)
    assert chain_problem.gradient_norm() == pytest.approx(norm)


def test_the_gradient_of_the_problem_equals_finite_differences(chain_problem):
    vector = np.random.default_rng(0).normal(size=len(zero(chain_problem)))
    numeric = optimize.approx_fprime(vector, lambda v: chain_problem(v)[0], epsilon=1e-6)
    assert np.allclose(chain_problem(vector)[1], numeric, atol=1e-4)


def test_vectors_and_weights_are_the_same_but_for_what_no_loss_sees(chain_problem):
    random = np.random.default_rng(0)
    vector = random.normal(size=len(zero(chain_problem)))
    emissions, transitions = chain_problem.weights(vector)
    assert np.allclose(emissions.sum(axis=1), 0)
    assert not emissions[::5].any()  # columns that never occur
    assert np.linalg.norm(vector) ** 2 == pytest.approx(
        (emissions**2).sum() + (transitions**2).sum()
    )
    shifted = emissions + random.normal(size=(12, 1))
    assert np.allclose(chain_problem.vector(shifted, transitions), vector)


def test_the_optimum_is_that_of_another_optimiser_over_all_the_weights(make_pages):
    X, y = make_pages(12, stay=0.6, noise=0.3)
    problem = ChainProblem(X, y, 4, 0.2)

    def flat(weights):
        value, gradients = chain_objective(
            X, y, weights[:48].reshape(12, 4), weights[48:].reshape(4, 4), 0.2
        )
        return value, np.concatenate([gradient.ravel() for gradient in gradients])

    best = optimize.minimize(flat, np.zeros(64), jac=True, method="BFGS", tol=1e-9)
    solution = fit_lbfgs(problem, zero(problem), max_iterations=500, tol=1e-10)
    assert solution.objective == pytest.approx(best.fun, rel=1e-9)
    assert np.allclose(solution.emissions, best.x[:48].reshape(12, 4), atol=1e-5)
    assert np.allclose(solution.transitions, best.x[48:].reshape(4, 4), atol=1e-5)
    assert solution.gradient_norm < 1e-4


def test_the_curve_tells_objective_and_gradient_of_each_iteration(chain_data, chain_problem):
    heard = []
    solution = fit_lbfgs(
        chain_problem, zero(chain_problem), max_iterations=5, tol=1e-9, callback=heard.append
    )
    assert [step[0] for step in solution.curve] == [1, 2, 3, 4, 5]
    assert [(p.epoch, p.objective, p.gap) for p in heard] == solution.curve
    for progress in heard:
        value, gradients = chain_objective(
            *chain_data, *progress.weights(), 0.3, np.array([1.0, 2.0, 0.5, 1.0])
        )
        norm, length = (
            np.sqrt(sum((array**2).sum() for array in arrays))
            for arrays in (gradients, progress.weights())
        )
        assert progress.max_epochs == 5
        assert progress.objective == pytest.approx(value)
        assert progress.gap == pytest.approx(norm / max(1, length))


def test_it_stops_where_ten_steps_bring_little(chain_problem):
    long = fit_lbfgs(chain_problem, zero(chain_problem), max_iterations=500, tol=1e-12).curve
    tol = 1e-3
    curve = fit_lbfgs(chain_problem, zero(chain_problem), max_iterations=500, tol=tol).curve
    slow = [i for i in range(10, len(long)) if long[i - 10][1] - long[i][1] < tol * long[i][1]]
    flat = [i for i, step in enumerate(long) if step[2] < tol]
    assert len(curve) == min([*slow, *flat]) + 1
    assert curve == long[: len(curve)]


def test_the_callback_stops_it_with_the_weights_of_that_moment(chain_problem):
    heard = []

    def tell(progress):
        heard.append(progress.weights())
        return len(heard) == 3

    solution = fit_lbfgs(
        chain_problem, zero(chain_problem), max_iterations=500, tol=1e-9, callback=tell
    )
    assert len(solution.curve) == 3
    assert np.array_equal(solution.emissions, heard[-1][0])
    assert np.array_equal(solution.transitions, heard[-1][1])
    assert not np.array_equal(heard[0][0], heard[1][0])


def test_the_order_of_the_columns_does_not_matter(chain_data):
    X, y = chain_data
    order = np.random.default_rng(3).permutation(12)
    solutions = [
        fit_lbfgs(problem, zero(problem), max_iterations=500, tol=1e-9)
        for problem in (
            ChainProblem(X, y, 4, 0.1),
            ChainProblem([sparse.csr_array(page[:, order]) for page in X], y, 4, 0.1),
        )
    ]
    assert np.allclose(solutions[0].emissions[order], solutions[1].emissions, atol=1e-5)
