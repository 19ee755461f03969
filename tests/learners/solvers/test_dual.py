"""Dual ascent: every step against what marginals, weights and sequences must be."""

import numpy as np
import pytest
from scipy import optimize, sparse

from structce.learners.solvers.frank_wolfe import (
    Dual,
    _blocks,
    box_steps,
    local_steps,
    project_onto_simplex,
    run_steps,
    worst_supported,
)
from structce.learners.solvers.problem import Problem, primal


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
