import numpy as np
import pytest
from scipy import optimize, sparse

from structce.learners.inference.viterbi import count_edges, sequence_score
from structce.learners.solvers.frank_wolfe import solve_frank_wolfe, textbook_frank_wolfe
from structce.learners.solvers.problem import Problem, primal

ONES = np.ones(3)


def run(X, y, *, weights=ONES, make=Problem.of_pages, **changes):
    problem = make([sparse.csr_array(page) for page in X], y, weights)
    settings = {"lambda_": 0.1, "max_epochs": 500, "tol": 0.01, "random_state": 0}
    return solve_frank_wolfe(problem, **{**settings, **changes})


def objective(X, y, emissions, transitions, lambda_, sequences, weights=ONES):
    """Return the primal objective by its definition, over all sequences."""
    total = 0.0
    for page, gold in zip(X, y, strict=True):
        scores = page @ emissions
        right = sequence_score(scores, transitions, gold)
        total += max(
            weights[gold[z != gold]].sum() + sequence_score(scores, transitions, z) - right
            for z in sequences(len(gold), len(transitions))
        )
    return lambda_ / 2 * ((emissions**2).sum() + (transitions**2).sum()) + total / len(X)


def quadratic_programme(X, y, n_labels, lambda_, sequences, weights=ONES):
    """Return the least objective, with one constraint a page and sequence, by SLSQP."""
    n_columns = X[0].shape[1]
    size = n_columns * n_labels + n_labels**2
    rows, losses = [], []
    for i, (page, gold) in enumerate(zip(X, y, strict=True)):
        for z in sequences(len(gold), n_labels):
            nodes = page.T @ (np.eye(n_labels)[gold] - np.eye(n_labels)[z])
            edges = count_edges(gold, n_labels) - count_edges(z, n_labels)
            rows.append(np.concatenate([nodes.ravel(), edges.ravel(), np.eye(len(X))[i]]))
            losses.append(weights[gold[z != gold]].sum())
    A, b = np.array(rows), np.array(losses)
    weight = np.concatenate([np.full(size, lambda_), np.zeros(len(X))])
    slack = np.concatenate([np.zeros(size), np.full(len(X), 1 / len(X))])
    result = optimize.minimize(
        lambda w: w @ (weight * w) / 2 + slack @ w,
        np.concatenate([np.zeros(size), np.full(len(X), b.max())]),
        jac=lambda w: weight * w + slack,
        constraints={"type": "ineq", "fun": lambda w: A @ w - b, "jac": lambda _: A},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-10},
    )
    assert result.success
    return result.fun


@pytest.fixture
def short_pages(make_pages):
    X, y = make_pages(4, n_regions=3, n_columns=5, stay=0.5, noise=0.4, seed=2)
    return [page[:4] for page in X], [labels[:4] for labels in y]


@pytest.mark.parametrize(
    ("lambda_", "weights"),
    [(1.0, ONES), (0.1, np.array([0.5, 1.0, 3.0]))],
    ids=["hamming", "weighted"],
)
def test_the_optimum_is_that_of_a_quadratic_programme(short_pages, all_sequences, lambda_, weights):
    X, y = short_pages
    solution = run(X, y, lambda_=lambda_, weights=weights, tol=1e-4, max_epochs=5000)
    weights_of_both = solution.emissions, solution.transitions
    best = quadratic_programme(X, y, 3, lambda_, all_sequences, weights)
    assert solution.gap <= 1e-4
    value = objective(X, y, *weights_of_both, lambda_, all_sequences, weights)
    assert solution.primal == pytest.approx(value)
    assert best * (1 - 1e-6) <= solution.primal <= best * (1 + 2e-4)
    assert solution.curve[-1][2] <= best * (1 + 1e-6)


def test_the_textbook_reaches_the_optimum(short_pages, all_sequences):
    X, y = short_pages
    problem = Problem.of_pages([sparse.csr_array(page) for page in X], y, ONES)
    *weights, dual = textbook_frank_wolfe(problem, lambda_=1.0, n_epochs=300, random_state=0)
    best = quadratic_programme(X, y, 3, 1.0, all_sequences)
    assert 0.99 * best <= dual <= best * (1 + 1e-6)
    value = objective(X, y, *weights, 1.0, all_sequences)
    assert best * (1 - 1e-6) <= value <= 1.02 * best


@pytest.mark.parametrize(("make", "lambda_"), [(Problem.of_pages, 0.3), (Problem.of_regions, 1.0)])
def test_long_chains_reach_the_optimum_of_the_textbook(make_pages, make, lambda_):
    X, y = make_pages(8, n_regions=12, stay=0.7, noise=0.4)
    problem = make([sparse.csr_array(page) for page in X], y, ONES)
    settings = {"lambda_": lambda_, "random_state": 0}
    solution = solve_frank_wolfe(problem, tol=1e-3, max_epochs=300, **settings)
    assert solution.gap <= 1e-3
    *weights, dual = textbook_frank_wolfe(problem, n_epochs=40, **settings)
    value = primal(problem, lambda_ * len(X), *weights)[0] / len(X)
    assert dual <= solution.primal * (1 + 1e-9)
    assert solution.curve[-1][2] <= value * (1 + 1e-9)
    assert value - dual < 0.25 * value  # near enough for the bounds to say something
    # The objective is strongly convex: how near two weights are follows from their gaps.
    distance = np.sqrt(
        ((weights[0] - solution.emissions) ** 2).sum()
        + ((weights[1] - solution.transitions) ** 2).sum()
    )
    radii = [np.sqrt(2 * gap / lambda_) for gap in (value - dual, solution.gap * solution.primal)]
    assert distance <= sum(radii)


def test_the_gap_reaches_the_tolerance(make_pages, caplog):
    X, y = make_pages(10, stay=0.5, noise=0.2)
    run(X, y, tol=1e-6, max_epochs=2)
    assert "after 2 epochs" in caplog.text
    solution = run(X, y, tol=0.05)
    epochs, primals, duals = zip(*solution.curve, strict=True)
    assert 0 <= solution.gap <= 0.05
    assert epochs == tuple(range(1, solution.n_epochs + 1))
    assert list(duals) == sorted(duals)
    assert list(primals) == sorted(primals, reverse=True)
    assert min(primals) >= max(duals)
    assert solution.gap == pytest.approx((primals[-1] - duals[-1]) / primals[-1])
