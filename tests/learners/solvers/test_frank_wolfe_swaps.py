import numpy as np
import pytest
from scipy import sparse

from structce.learners.inference.viterbi import sequence_score
from structce.learners.solvers.dual import Dual, primal
from structce.learners.solvers.frank_wolfe import (
    local_step,
    swap_steps,
    vertex_steps,
    worst_supported,
)
from structce.learners.solvers.problem import CoordinateBlock, Problem, scattered_regions


def mixed(X, y, seed):
    """Return a dual whose marginals are uncertain at many regions, some of them neighbours."""
    problem = Problem.of_pages([sparse.csr_array(page) for page in X], y, np.ones(3))
    dual = Dual(problem, 0.3)
    random = np.random.default_rng(seed)
    for _ in range(3):
        vertex_steps(dual, random.integers(3, size=len(problem.gold)))
        for group in scattered_regions(problem, random):
            local_step(dual, CoordinateBlock.of(problem, group), 0.0)
    return dual


def has_mass(dual, start, z):
    """Whether all regions and edges of a sequence have mass."""
    places = start + np.arange(len(z))
    nodes = dual.regions[places, z] > 0
    edges = dual.edges[places[1:], z[:-1], z[1:]] > 0
    return bool(nodes.all() and edges.all())


@pytest.mark.parametrize("seed", range(5))
def test_the_worst_of_all_sequences_with_mass_is_found(make_pages, all_sequences, seed):
    X, y = make_pages(8, n_regions=4, stay=0.5, noise=0.5, seed=seed)
    dual = mixed(X, y, seed)
    assert (dual.certain[:-1] < 0).sum() > 5
    problem = dual.problem
    scores = np.random.default_rng(seed).normal(size=dual.regions.shape)
    supported = worst_supported(dual, scores)
    for start, length in zip(problem.starts, problem.lengths, strict=True):
        part = slice(start, start + length)
        every = [z for z in all_sequences(length, 3) if has_mass(dual, start, z)]
        worst = min(sequence_score(scores[part], dual.transitions, z) for z in every)
        assert has_mass(dual, start, supported[part])
        assert sequence_score(scores[part], dual.transitions, supported[part]) == pytest.approx(
            worst
        )


def test_certain_labels_are_the_only_ones_with_mass(make_pages):
    X, y = make_pages(4)
    problem = Problem.of_pages([sparse.csr_array(page) for page in X], y, np.ones(3))
    dual = Dual(problem, 0.3)
    assert np.array_equal(worst_supported(dual, np.zeros(dual.regions.shape)), problem.gold)


def test_a_swap_can_empty_a_sequence_that_mixing_only_thins_out(make_pages):
    X, y = make_pages(8, n_regions=8, stay=0.7, noise=0.5, seed=1)
    dual = mixed(X, y, 0)
    had_mass, value = dual.regions > 0, dual.value()
    for _ in range(20):
        _, violators, scores = primal(dual.problem, dual.scale, dual.emissions, dual.transitions)
        swap_steps(dual, violators, scores)
    emptied = had_mass & (dual.regions == 0)
    assert emptied.any()
    assert dual.value() > value
