import numpy as np
from scipy import optimize

from structce.learners.solvers.dual import box_steps, project_onto_simplex


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
