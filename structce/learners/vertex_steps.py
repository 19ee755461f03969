"""Steps of whole runs of regions towards the most violating label sequences.

The direction of Frank-Wolfe leads from the marginals of a chain to its most violating sequence.
It is zero where both agree, and so falls apart into runs of regions, each of which can go its own
way; a single step length for a whole page, as in the textbook, is held back by the worst of them.
A swap takes the mass of the run from the worst sequence that has some, instead of from all alike,
and so can empty it, which mixing never does; near the optimum that is what closes the gap. Runs of
one region are left to `structce.learners.local_steps`.

References
----------
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML, algorithm 4 with line search.
D. Garber, O. Meshi (2016). Linear-memory and decomposition-invariant linearly convergent
conditional gradient algorithm for structured polytopes. NIPS: the swaps. The runs are our choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structce.learners.arrays import Floats, Labels
from structce.learners.blocks import Block
from structce.learners.dual import Dual, Move
from structce.learners.simplex import box_steps
from structce.learners.support import worst_supported

REGIONS_PER_BATCH = 100
"""Of runs that move at once, our choice: each is compared with each."""


class Direction(NamedTuple):
    """Where runs of regions are to go.

    Attributes
    ----------
    regions : shape (n_regions, n_labels)
    edges : shape (n_edges, n_labels, n_labels)
    limits : shape (n_runs,)
        How far each run can go before some mass is negative.
    """

    regions: Floats
    edges: Floats
    limits: Floats


class Runs(NamedTuple):
    """Regions that move together, and the edges at them.

    Attributes
    ----------
    regions, owner : shape (n_regions,)
        Each region, and which run it belongs to.
    edges, edge_owner : shape (n_edges,)
        Each edge by its right region, and which run it belongs to.
    """

    regions: Labels
    owner: Labels
    edges: Labels
    edge_owner: Labels


def vertex_steps(dual: Dual, sequences: Labels) -> None:
    """Raise the dual by moving runs of regions from where they are towards given sequences.

    Parameters
    ----------
    sequences : shape (n_regions,)
        Any sequences will do; the more they violate, the more is gained.
    """

    def directed(runs: Runs) -> Direction:
        regions = _ones(dual, runs, sequences)[0] - dual.regions[runs.regions]
        edges = _ones(dual, runs, sequences)[1] - dual.edges[runs.edges]
        return Direction(regions, edges, np.ones(int(runs.owner[-1]) + 1))

    _step(dual, dual.certain[:-1] != sequences, directed)


def swap_steps(dual: Dual, sequences: Labels, scores: Floats) -> None:
    """Raise the dual by moving runs of regions from the worst sequences that have mass.

    Parameters
    ----------
    sequences : shape (n_regions,)
        Where to, as in `vertex_steps`.
    scores : shape (n_regions, n_labels)
        Emissions plus loss, by which the worst are found.
    """
    if not len(dual.edges):
        return
    worst = worst_supported(dual, scores)

    def directed(runs: Runs) -> Direction:
        limits = np.full(int(runs.owner[-1]) + 1, np.inf)
        held = dual.regions[runs.regions, worst[runs.regions]]
        np.minimum.at(limits, runs.owner, held)
        held = dual.edges[runs.edges, worst[runs.edges - 1], worst[runs.edges]]
        np.minimum.at(limits, runs.edge_owner, held)
        to, away = _ones(dual, runs, sequences), _ones(dual, runs, worst)
        return Direction(to[0] - away[0], to[1] - away[1], limits)

    _step(dual, worst != sequences, directed)


def _step(dual: Dual, moves: NDArray[np.bool_], directed: Callable[[Runs], Direction]) -> None:
    """Move the runs of at least two regions that are to move, some at a time."""
    for starts, stops in _batches(*_borders(dual, moves)):
        runs = _runs(dual, starts, stops)
        block = Block.of(dual.problem, runs.regions)
        dual.apply(_move(dual, block, runs, directed(runs)), block.rows)


def _borders(dual: Dual, moves: NDArray[np.bool_]) -> tuple[Labels, Labels]:
    """Return first regions of the runs to move, and the regions after their last ones."""
    linked = moves & dual.has_left & np.append(False, moves[:-1])[: len(moves)]
    starts = np.flatnonzero(moves & ~linked)
    stops = np.flatnonzero(moves & ~np.append(linked[1:], False)[: len(moves)]) + 1
    longer = stops - starts > 1
    return starts[longer], stops[longer]


def _batches(starts: Labels, stops: Labels) -> Iterator[tuple[Labels, Labels]]:
    """Yield runs in groups of about `REGIONS_PER_BATCH`."""
    group = np.cumsum(stops - starts) // REGIONS_PER_BATCH
    for borders in np.split(np.arange(len(starts)), np.flatnonzero(np.diff(group)) + 1):
        if len(borders):
            yield starts[borders], stops[borders]


def _runs(dual: Dual, starts: Labels, stops: Labels) -> Runs:
    """Return regions and edges of some runs."""
    sizes = stops - starts
    owner = np.repeat(np.arange(len(starts)), sizes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    regions = starts[owner] + np.arange(len(owner)) - first
    is_last = np.append(np.diff(owner) != 0, True)
    left, right = dual.has_left[regions], is_last & dual.has_right[regions]
    edges = np.concatenate([regions[left], regions[right] + 1])
    return Runs(regions, owner, edges, np.concatenate([owner[left], owner[right]]))


def _ones(dual: Dual, runs: Runs, labels: Labels) -> tuple[Floats, Floats]:
    """Return the marginals of certain labels at the regions and the edges of some runs."""
    n_labels = dual.problem.n_labels
    edges = np.zeros((len(runs.edges), n_labels, n_labels))
    edges[np.arange(len(edges)), labels[runs.edges - 1], labels[runs.edges]] = 1.0
    return np.eye(n_labels)[labels[runs.regions]], edges


def _move(dual: Dual, block: Block, runs: Runs, direction: Direction) -> Move:
    """Return how far each run goes, found with regard to all others."""
    regions, edges, limits = direction
    counts = np.zeros((len(limits), regions.shape[1] ** 2))
    np.add.at(counts, runs.edge_owner, edges.reshape(len(edges), -1))
    borders = np.flatnonzero(np.diff(runs.owner, prepend=-1))
    pull = (regions * dual.augmented(block)).sum(axis=1)
    gains = np.add.reduceat(pull, borders) + counts @ dual.transitions.ravel()
    kernel = (block.rows @ block.rows.T).toarray() * (regions @ regions.T)
    kernel = np.add.reduceat(np.add.reduceat(kernel, borders, axis=0), borders, axis=1)
    steps = box_steps(gains, (kernel + counts @ counts.T) / dual.scale, limits)
    return Move(
        runs.regions,
        steps[runs.owner][:, None] * regions,
        runs.edges,
        steps[runs.edge_owner][:, None, None] * edges,
    )
