import numpy as np
import pytest
from scipy import optimize, sparse

from structce.learners.inference.viterbi import count_edges, sequence_score
from structce.learners.solvers.frank_wolfe import (
    Dual,
    _blocks,
    box_steps,
    local_steps,
    project_onto_simplex,
    run_steps,
    solve_frank_wolfe,
    textbook_frank_wolfe,
    worst_supported,
)
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
    solved = (solution.emissions, solution.transitions)
    distance = np.hypot(*(np.linalg.norm(a - b) for a, b in zip(weights, solved, strict=True)))
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


@pytest.fixture(params=["of_pages", "of_regions"])
def dual_problem(request, make_pages):
    X, y = make_pages(6, n_regions=12, stay=0.5, noise=0.3)
    make = getattr(Problem, request.param)
    return make([sparse.csr_array(page) for page in X], y, np.array([1.0, 2.0, 0.5]))


def blocks_of(problem, seed=0):
    return _blocks(problem, np.random.default_rng(seed), np.ones(len(problem.gold), dtype=bool))


def steps(dual, n_epochs=5):
    """Yield after each step of some epochs, of runs and of single regions."""
    for _ in range(n_epochs):
        current = dual.emissions, dual.transitions
        _, violators, scores = primal(dual.problem, dual.scale, *current)
        run_steps(dual, violators)
        yield
        if len(dual.edges):
            run_steps(dual, violators, worst_supported(dual, scores))
            yield
        for block in blocks_of(dual.problem):
            local_steps(dual, block, 0.0)
            yield


def test_no_step_lowers_the_dual_and_the_primal_stays_above_it(dual_problem):
    dual = Dual(dual_problem, 0.5)
    before = dual.value()
    assert before == 0
    for _ in steps(dual):
        assert dual.value() >= before - 1e-9
        before = dual.value()
        assert primal(dual_problem, 0.5, dual.emissions, dual.transitions)[0] >= before
    assert before > 0


def test_dual_variables_stay_marginals_of_distributions(dual_problem):
    dual = Dual(dual_problem, 0.5)
    for _ in steps(dual):
        assert np.allclose(dual.regions.sum(axis=1), 1)
        assert dual.regions.min() >= 0
        right = np.flatnonzero(dual_problem.has_left)
        if len(right):
            assert dual.edges.min() >= 0
            assert np.allclose(dual.edges[right].sum(axis=2), dual.regions[right - 1])
            assert np.allclose(dual.edges[right].sum(axis=1), dual.regions[right])
            assert not dual.edges[dual_problem.starts].any()
        certain = dual.certain[:-1]
        assert np.array_equal(certain >= 0, (dual.regions > 0).sum(axis=1) == 1)


def test_projection_is_the_nearest_point_of_the_simplex():
    random = np.random.default_rng(0)
    points = np.concatenate([random.normal(size=(20, 4)) * 3, np.eye(4), [[1e18, 0, 0, 1e18]]])
    nearest = project_onto_simplex(points)
    assert np.allclose(nearest.sum(axis=1), 1)
    assert nearest.min() >= 0
    assert np.allclose(nearest[-5:-1], np.eye(4))
    corners = np.eye(4)[None] - nearest[:20, None]
    # The way to any corner is at a right or obtuse angle to the way to the point itself.
    assert (np.einsum("rcl,rl->rc", corners, points[:20] - nearest[:20]) < 1e-9).all()


def test_box_steps_gain_nearly_what_the_best_do():
    random = np.random.default_rng(0)
    for _ in range(20):
        directions = random.normal(size=(6, 8))
        curvature, gains = directions @ directions.T, random.uniform(0, 5, size=6)

        def loss(steps, gains=gains, curvature=curvature):
            return steps @ curvature @ steps / 2 - gains @ steps

        best = optimize.minimize(loss, np.zeros(6), bounds=[(0, 1)] * 6).fun
        found = box_steps(gains, curvature, np.ones(6))
        assert ((found >= 0) & (found <= 1)).all()
        assert best - 1e-6 <= loss(found) <= 0.9 * best
