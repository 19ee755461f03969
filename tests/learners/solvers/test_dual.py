import numpy as np
import pytest
from scipy import optimize, sparse

from structce.learners.inference.viterbi import count_edges, sequence_score
from structce.learners.solvers.dual import (
    Dual,
    Marginals,
    box_steps,
    primal,
    project_onto_simplex,
)
from structce.learners.solvers.frank_wolfe import local_step, swap_steps, vertex_steps
from structce.learners.solvers.problem import CoordinateBlock, Problem, scattered_regions


@pytest.fixture(params=["of_pages", "of_regions"])
def dual_problem(request, make_pages):
    X, y = make_pages(6, n_regions=12, stay=0.5, noise=0.3)
    make = getattr(Problem, request.param)
    return make([sparse.csr_array(page) for page in X], y, np.array([1.0, 2.0, 0.5]))


def steps(dual, n_epochs=5):
    """Yield after each step of some epochs, vertex steps and local ones."""
    groups = scattered_regions(dual.problem, np.random.default_rng(0))
    for _ in range(n_epochs):
        current = dual.emissions, dual.transitions
        _, violators, scores = primal(dual.problem, dual.scale, *current)
        vertex_steps(dual, violators)
        yield
        swap_steps(dual, violators, scores)
        yield
        for group in groups:
            local_step(dual, CoordinateBlock.of(dual.problem, group), 0.0)
            yield


def test_no_step_lowers_the_dual_and_the_gap_is_never_negative(dual_problem):
    dual = Dual(dual_problem, 0.5)
    before = dual.value()
    assert before == 0
    for _ in steps(dual):
        assert dual.value() >= before - 1e-9
        before = dual.value()
        assert primal(dual_problem, 0.5, dual.emissions, dual.transitions)[0] >= before
    assert before > 0


def test_the_dual_variables_stay_marginals_of_distributions(dual_problem):
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


def test_weights_are_what_the_dual_variables_say(dual_problem):
    dual = Dual(dual_problem, 0.5)
    for _ in steps(dual):
        pass
    again = Dual(dual_problem, 0.5, Marginals(dual.regions, dual.edges))
    assert np.allclose(again.emissions, dual.emissions)
    assert np.allclose(again.transitions, dual.transitions)
    expected = dual_problem.rows.T @ (np.eye(3)[dual_problem.gold] - dual.regions) / 0.5
    assert np.allclose(dual.emissions, expected)


def test_the_average_is_over_the_samples_since_it_began(dual_problem):
    dual = Dual(dual_problem, 0.5)
    for _ in steps(dual, 1):
        dual.sample()
    dual.start_average()
    samples = []
    for group in scattered_regions(dual_problem, np.random.default_rng(1)):
        local_step(dual, CoordinateBlock.of(dual_problem, group), 0.0)
        dual.sample()
        samples.append((dual.emissions.copy(), dual.transitions.copy()))
    for average, all_of in zip(dual.average(), zip(*samples, strict=True), strict=True):
        assert np.allclose(average, np.mean(all_of, axis=0))


def test_the_primal_is_the_hinge_of_the_worst_of_all_sequences(dual_problem, all_sequences):
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(12, 3)), random.normal(size=(3, 3))
    short = dual_problem.lengths <= 7
    kept = np.repeat(short, dual_problem.lengths)
    dual_problem = Problem(
        dual_problem.rows[kept],
        dual_problem.gold[kept],
        dual_problem.loss[kept],
        dual_problem.lengths[short],
        6,
    )
    scores, expected, worst = dual_problem.rows @ emissions, 0.0, []
    for start, length in zip(dual_problem.starts, dual_problem.lengths, strict=True):
        part = slice(start, start + length)
        augmented = scores[part] + dual_problem.loss[part]
        best = max(
            all_sequences(length, 3), key=lambda z: sequence_score(augmented, transitions, z)
        )
        worst.append(best)
        right = sequence_score(scores[part], transitions, dual_problem.gold[part])
        expected += sequence_score(augmented, transitions, best) - right
    expected += 0.7 / 2 * ((emissions**2).sum() + (transitions**2).sum())
    value, violators, _ = primal(dual_problem, 0.7, emissions, transitions)
    assert value == pytest.approx(expected)
    assert np.array_equal(violators, np.concatenate(worst))


def test_certain_marginals_count_edges_of_each_chain(make_pages):
    X, y = make_pages(4)
    problem = Problem.of_pages([sparse.csr_array(page) for page in X], y, np.ones(3))
    marginals = Marginals.of_labels(problem.gold, problem)
    assert np.array_equal(marginals.edges.sum(axis=0), sum(count_edges(labels, 3) for labels in y))


def test_the_projection_is_the_nearest_point_of_the_simplex():
    random = np.random.default_rng(0)
    points = np.concatenate([random.normal(size=(20, 4)) * 3, np.eye(4), [[1e18, 0, 0, 1e18]]])
    nearest = project_onto_simplex(points)
    assert np.allclose(nearest.sum(axis=1), 1)
    assert nearest.min() >= 0
    assert np.allclose(nearest[-5:-1], np.eye(4))
    corners = np.eye(4)[None] - nearest[:20, None]
    # The way to any corner is at a right or obtuse angle to the way to the point itself.
    assert (np.einsum("rcl,rl->rc", corners, points[:20] - nearest[:20]) < 1e-9).all()


def test_steps_in_the_box_are_the_best_where_directions_do_not_meet():
    curvature = np.diag([1.0, 2.0, 4.0, 0.0])
    limits = np.array([1.0, 1.0, 1.0, 0.3])
    steps = box_steps(np.array([0.5, 8.0, -1.0, 1.0]), curvature, limits)
    assert steps.tolist() == [
        0.5,
        1.0,
        0.0,
        0.3,
    ]


def test_steps_in_the_box_gain_nearly_what_the_best_do():
    random = np.random.default_rng(0)
    for _ in range(20):
        directions = random.normal(size=(6, 8))
        curvature, gains = directions @ directions.T, random.uniform(0, 5, size=6)

        def loss(steps, gains=gains, curvature=curvature):
            return steps @ curvature @ steps / 2 - gains @ steps

        best = optimize.minimize(loss, np.zeros(6), bounds=[(0, 1)] * 6).fun
        steps = box_steps(gains, curvature, np.ones(6))
        assert ((steps >= 0) & (steps <= 1)).all()
        assert best - 1e-6 <= loss(steps) <= 0.9 * best


def test_no_directions_have_no_steps():
    assert box_steps(np.zeros(0), np.zeros((0, 0)), np.zeros(0)).shape == (0,)
