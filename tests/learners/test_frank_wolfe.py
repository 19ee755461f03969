import logging

import numpy as np
import pytest
from scipy import optimize, sparse

from structce.learners.blocks import page_blocks, region_blocks
from structce.learners.chain import count_edges, score
from structce.learners.frank_wolfe import FrankWolfe, project, solve
from structce.learners.max_product import viterbi


def make_state(X, y, *, n_labels=3, lambda_=0.1, with_transitions=True):
    return FrankWolfe(
        page_blocks(X, y, n_labels),
        n_columns=X[0].shape[1],
        n_labels=n_labels,
        scale=lambda_ * len(X),
        with_transitions=with_transitions,
    )


def run(X, y, **changes):
    settings = {
        "n_labels": 3,
        "lambda_": 0.1,
        "with_transitions": True,
        "max_epochs": 500,
        "tol": 0.01,
        "random_state": 0,
    }
    return solve(X, y, **{**settings, **changes})


def objective(X, y, emissions, transitions, lambda_, sequences):
    """Return the primal objective by its definition, over all sequences."""
    total = 0.0
    for page, gold in zip(X, y, strict=True):
        scores = page @ emissions
        right = score(scores, transitions, gold)
        total += max(
            (z != gold).sum() + score(scores, transitions, z) - right
            for z in sequences(len(gold), len(transitions))
        )
    return lambda_ / 2 * ((emissions**2).sum() + (transitions**2).sum()) + total / len(X)


def quadratic_programme(X, y, n_labels, lambda_, sequences):
    """Return the least objective, with one constraint a page and sequence, by SLSQP."""
    n_columns = X[0].shape[1]
    size = n_columns * n_labels + n_labels**2
    rows, losses = [], []
    for i, (page, gold) in enumerate(zip(X, y, strict=True)):
        for z in sequences(len(gold), n_labels):
            nodes = page.T @ (np.eye(n_labels)[gold] - np.eye(n_labels)[z])
            edges = count_edges(gold, n_labels) - count_edges(z, n_labels)
            rows.append(np.concatenate([nodes.ravel(), edges.ravel(), np.eye(len(X))[i]]))
            losses.append((z != gold).sum())
    A, b = np.array(rows), np.array(losses)
    weight = np.concatenate([np.full(size, lambda_), np.zeros(len(X))])
    slack = np.concatenate([np.zeros(size), np.full(len(X), 1 / len(X))])
    found = optimize.minimize(
        lambda w: w @ (weight * w) / 2 + slack @ w,
        np.concatenate([np.zeros(size), np.full(len(X), b.max())]),
        jac=lambda w: weight * w + slack,
        constraints={"type": "ineq", "fun": lambda w: A @ w - b, "jac": lambda _: A},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-10},
    )
    assert found.success
    return found.fun


@pytest.fixture
def small(make_pages):
    X, y = make_pages(4, n_regions=3, n_columns=5, stay=0.5, noise=0.4, seed=2)
    return [page[:4] for page in X], [labels[:4] for labels in y]


def test_the_oracle_finds_the_most_violating_of_all_sequences(small, all_sequences):
    X, y = small
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(5, 3)), random.normal(size=(3, 3))
    for page, gold, block in zip(X, y, page_blocks(X, y, 3), strict=True):
        augmented = FrankWolfe._augmented(block, emissions)
        worst = max(
            all_sequences(len(gold), 3),
            key=lambda z: (z != gold).sum() + score(page @ emissions, transitions, z),
        )
        assert viterbi(augmented, transitions).tolist() == worst.tolist()


@pytest.mark.parametrize("with_transitions", [True, False])
def test_no_step_lowers_the_dual_and_the_gap_is_never_negative(make_pages, with_transitions):
    X, y = make_pages(6, stay=0.5, noise=0.3)
    state = make_state(X, y, with_transitions=with_transitions)
    random = np.random.default_rng(0)
    before = state.dual()
    assert before == 0
    for _ in range(200):
        state.step(int(random.integers(len(X))))
        assert state.dual() >= before - 1e-9
        before = state.dual()
    assert state.primal(state.emissions, state.transitions) >= before
    assert state.best()[0] >= before


@pytest.mark.parametrize("with_transitions", [True, False])
def test_the_dual_variables_stay_marginals_of_a_distribution(make_pages, with_transitions):
    X, y = make_pages(5, stay=0.5, noise=0.3)
    state = make_state(X, y, with_transitions=with_transitions)
    for i in list(range(5)) * 20:
        state.step(i)
    for block, marginals, edges in zip(state.blocks, state.marginals, state.edges, strict=True):
        assert np.allclose(marginals.sum(axis=1), 1)
        assert marginals.min() > -1e-12
        if with_transitions:
            assert np.allclose(edges.sum(axis=1), marginals[:-1].sum(axis=0))
            assert np.allclose(edges.sum(axis=0), marginals[1:].sum(axis=0))
        assert len(block.gold) == len(marginals)


def test_weights_are_what_the_dual_variables_say(make_pages):
    X, y = make_pages(5, stay=0.5, noise=0.3)
    state = make_state(X, y)
    for i in list(range(5)) * 10:
        state.step(i)
    emissions, transitions = np.zeros((12, 3)), np.zeros((3, 3))
    for page, gold, marginals, edges in zip(X, y, state.marginals, state.edges, strict=True):
        emissions += page.T @ (np.eye(3)[gold] - marginals) / state.scale
        transitions += (count_edges(gold, 3) - edges) / state.scale
    assert np.allclose(state.emissions, emissions)
    assert np.allclose(state.transitions, transitions)


def test_the_lazy_average_equals_the_obvious_one(make_pages):
    X, y = make_pages(5, stay=0.5, noise=0.3)
    state = make_state(X, y)
    emissions, transitions = np.zeros((12, 3)), np.zeros((3, 3))
    random = np.random.default_rng(0)
    for k in range(40):
        state.step(int(random.integers(5)))
        emissions = k / (k + 2) * emissions + 2 / (k + 2) * state.emissions
        transitions = k / (k + 2) * transitions + 2 / (k + 2) * state.transitions
    average = state.average()
    assert np.allclose(average[0], emissions)
    assert np.allclose(average[1], transitions)


@pytest.mark.parametrize("lambda_", [1.0, 0.1])
def test_the_optimum_is_that_of_a_quadratic_programme(small, all_sequences, lambda_):
    X, y = small
    solution = run(X, y, lambda_=lambda_, tol=2e-3, max_epochs=20000)
    weights = solution.emissions, solution.transitions
    best = quadratic_programme(X, y, 3, lambda_, all_sequences)
    assert solution.gap <= 2e-3
    assert solution.primal == pytest.approx(objective(X, y, *weights, lambda_, all_sequences))
    assert best * (1 - 1e-6) <= solution.primal <= best * (1 + 3e-3)
    assert solution.curve[-1][2] <= best * (1 + 1e-6)


def test_the_gap_reaches_the_tolerance_and_the_curve_tells_how(make_pages):
    X, y = make_pages(10, stay=0.5, noise=0.2)
    solution = run(X, y, tol=0.05)
    epochs, primals, duals = zip(*solution.curve, strict=True)
    assert 0 <= solution.gap <= 0.05
    assert epochs[-1] == solution.n_epochs
    assert list(duals) == sorted(duals)
    assert min(primals) >= max(duals)
    assert solution.gap == pytest.approx((primals[-1] - duals[-1]) / primals[-1])


def test_an_unfinished_solver_says_so(make_pages, caplog):
    X, y = make_pages(10, stay=0.5, noise=0.2)
    with caplog.at_level(logging.WARNING):
        solution = run(X, y, tol=1e-6, max_epochs=2)
    assert solution.n_epochs == 2
    assert solution.gap > 1e-6
    assert "after 2 epochs" in caplog.text


def test_without_transitions_whole_pages_and_random_blocks_have_one_optimum(make_pages):
    X, y = make_pages(10, n_regions=20, stay=0.5, noise=0.2)
    state = make_state(X, y, with_transitions=False)
    for i in list(range(10)) * 300:
        state.step(i)
    solution = run(X, y, with_transitions=False, tol=1e-3)
    assert solution.primal == pytest.approx(state.best()[0] / 10, rel=2e-3)
    assert not solution.transitions.any()


def test_pages_of_one_region_need_no_transitions(make_pages):
    X, y = make_pages(40, noise=0.2)
    X, y = [page[:1] for page in X], [labels[:1] for labels in y]
    chained = run(X, y, tol=1e-3, max_epochs=5000)
    alone = run(X, y, tol=1e-3, with_transitions=False)
    assert chained.primal == pytest.approx(alone.primal, rel=2e-3)
    assert not chained.transitions.any()


def test_random_blocks_hold_every_region_once(make_pages):
    X, y = make_pages(30)
    blocks = region_blocks(X, y, 3, np.random.default_rng(0))
    assert len(blocks) > 1
    rows = []
    for block in blocks:
        page = np.zeros((len(block.gold), 12))
        page[:, block.columns] = block.rows.toarray()
        rows.append(np.hstack([page, block.gold]))
    expected = np.hstack([sparse.vstack(X).toarray(), np.eye(3)[np.concatenate(y)]])
    found = np.concatenate(rows)
    assert np.array_equal(found[np.lexsort(found.T)], expected[np.lexsort(expected.T)])


def test_the_projection_is_the_nearest_point_of_the_simplex():
    random = np.random.default_rng(0)
    points = np.concatenate([random.normal(size=(20, 4)) * 3, np.eye(4), [[1e18, 0, 0, 1e18]]])
    nearest = project(points)
    assert np.allclose(nearest.sum(axis=1), 1)
    assert nearest.min() >= 0
    assert np.allclose(nearest[-5:-1], np.eye(4))
    corners = np.eye(4)[None] - nearest[:20, None]
    # The way to any corner is at a right or obtuse angle to the way to the point itself.
    assert (np.einsum("rcl,rl->rc", corners, points[:20] - nearest[:20]) < 1e-9).all()
