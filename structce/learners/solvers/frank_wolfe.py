"""Block-coordinate Frank-Wolfe: the solver that the SVMs share, and the textbook version.

Both minimise ``lambda/2 |w|^2 + (1/N) sum_i H_i(w)`` over N pages, where the hinge ``H_i`` of a
page is the highest value of loss plus score over all label sequences, minus the score of the
correct one (margin rescaling). `textbook_frank_wolfe` moves one page at a time, all its regions by
one step length, towards the page's most violating sequence.

`solve_frank_wolfe` is faster for four reasons. An epoch moves runs of regions, each
by its own step length, towards the most violating sequences and away from the least violating ones
(`vertex_steps`, `swap_steps`), then every region among its own labels (`local_step`). Steps are
taken block by block, with one matrix product per block and exact line search. Regions whose labels
are settled are left out of an epoch (`unsettled`). And the weights are averaged over an epoch: each
block overshoots in favour of its own regions, and the average is closer to the optimum than the
last iterate.

References
----------
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML.
B. Taskar, C. Guestrin, D. Koller (2003). Max-margin Markov networks. NIPS.
D. Garber, O. Meshi (2016). Linear-memory and decomposition-invariant linearly convergent
conditional gradient algorithm for structured polytopes. NIPS: the steps away from vertices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats, Labels
from structce.learners.base import Callback
from structce.learners.inference.batch import BatchLayout, places_in_runs
from structce.learners.inference.viterbi import count_edges, viterbi
from structce.learners.inputs import matmul
from structce.learners.solvers.dual import (
    NO_MASS,
    Dual,
    Marginals,
    Move,
    box_steps,
    primal,
    project_onto_simplex,
    squared_norm,
)
from structce.learners.solvers.problem import CoordinateBlock, Problem, scattered_regions
from structce.learners.solvers.solution import ConvergenceMonitor, Solution

REGIONS_PER_BATCH = 100
"""Number of regions in the runs that move at once; the work grows with the square of the runs."""

SAMPLES = 20
"""Number of times per epoch that the weights are averaged; each is a pass over all weights."""

MARGIN = 0.1
"""Lead of a label with which its region is left out of an epoch, in units of the highest loss. On
pages of trafilatura and WCXB 0.1 and 0.3 took as many epochs, and 0.1 a tenth less time."""

SLACK = 0.3
"""Fraction of the requested gap that ignored violations may add up to. Ignoring small violations
saves work, and the gap can still close as long as this is below 1."""


def textbook_frank_wolfe(
    problem: Problem, *, lambda_: float, n_epochs: int, random_state: int
) -> tuple[Floats, Floats, float]:
    """Return the weights after some epochs of block-coordinate Frank-Wolfe, as published.

    Every chain of the problem is a block. Each step finds its most violating sequence by Viterbi
    and moves the chain's part of the weights towards it, with exact line search.

    Returned are emissions, transitions and the dual objective, a lower bound of the primal.

    References
    ----------
    S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
    optimization for structural SVMs. ICML, algorithm 4. Our hinges are sums over pages divided by
    ``n_pages``, which is therefore its n, however many chains there are.
    """
    random = np.random.default_rng(random_state)
    n, n_labels = problem.n_pages, problem.n_labels
    n_columns, chains = problem.rows.shape[1], len(problem.lengths)
    w = np.zeros((n_columns + n_labels, n_labels))  # emissions above transitions
    w_of, loss_of = np.zeros((chains, *w.shape)), np.zeros(chains)
    for _ in range(n_epochs):
        for i in random.permutation(chains):
            chain = slice(problem.starts[i], problem.starts[i] + problem.lengths[i])
            rows, gold, loss = problem.rows[chain], problem.gold[chain], problem.loss[chain]
            worst = viterbi(rows @ w[:n_columns] + loss, w[n_columns:])
            psi = np.vstack([
                matmul(rows.T, np.eye(n_labels)[gold] - np.eye(n_labels)[worst]),
                count_edges(gold, n_labels) - count_edges(worst, n_labels),
            ])  # fmt: skip
            w_s = psi / (lambda_ * n)
            loss_s = loss[np.arange(len(worst)), worst].sum() / n
            way = w_of[i] - w_s
            ascent = lambda_ * np.vdot(way, w) - loss_of[i] + loss_s
            gamma = np.clip(ascent / max(lambda_ * np.vdot(way, way), 1e-300), 0, 1)
            w -= gamma * way
            w_of[i] -= gamma * way
            loss_of[i] += gamma * (loss_s - loss_of[i])
    emissions, transitions = w[:n_columns], w[n_columns:]
    dual = loss_of.sum() - lambda_ / 2 * squared_norm(emissions, transitions)
    return emissions, transitions, float(dual)


def solve_frank_wolfe(
    problem: Problem,
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    start: Marginals | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Return weights with a relative duality gap of at most ``tol``, if `max_epochs` suffice.

    It begins with the given dual variables, or else with the correct labels, for which the weights
    are 0. The callback is called after every epoch with the best weights so far.
    """
    random = np.random.default_rng(random_state)
    dual = Dual(problem, lambda_ * problem.n_pages, start)
    monitor = ConvergenceMonitor(problem.n_pages, max_epochs, tol, callback)
    weights = dual.emissions.copy(), dual.transitions.copy()
    best, violators, scores = primal(problem, dual.scale, *weights)
    is_done = False
    while not is_done:
        if monitor.curve or start is not None:
            vertex_steps(dual, violators)
            swap_steps(dual, violators, scores)
        groups = scattered_regions(problem, random, unsettled(dual, scores))
        dual.start_average()
        slack = SLACK * max(tol, monitor.gap) * best / max(1, len(problem.gold))
        for n_done, i in enumerate(random.permutation(len(groups)), start=1):
            local_step(dual, CoordinateBlock.of(problem, groups[i]), slack)
            if n_done * SAMPLES // len(groups) > dual.n_samples:
                dual.sample()
        average = dual.average()
        value, violators, scores = primal(problem, dual.scale, *average)
        if value <= best:
            best, weights = value, average
        is_done = monitor.note(best, dual.value(), weights)
    return monitor.solution(weights, Marginals(dual.regions, dual.edges))


def unsettled(dual: Dual, scores: Floats) -> Flags:
    """Return the regions that local steps may move, shape (n_regions,).

    The others, and their neighbours, are certain of a label that leads by `MARGIN` times the
    highest loss. If one falls behind, the gap, which covers all regions, shows it, and the next
    epoch moves that region.

    ``scores`` are emissions plus loss, to which the dual's transitions are added.
    """
    n_labels, labels = scores.shape[1], dual.certain[:-1]
    nothing = np.zeros((1, n_labels))
    before = np.where(dual.has_left, np.roll(labels, 1), n_labels)
    after = np.where(dual.has_right, np.roll(labels, -1), n_labels)
    total = scores + np.vstack([dual.transitions, nothing])[before]
    total += np.vstack([dual.transitions.T, nothing])[after]
    every = np.arange(len(labels))
    ahead = total[every, labels]
    total[every, labels] = -np.inf
    margin = MARGIN * dual.problem.loss.max(initial=0.0)
    is_behind = ahead - total.max(axis=1, initial=-np.inf) < margin
    return np.asarray(is_behind | (labels < 0) | (before < 0) | (after < 0))


class Direction(NamedTuple):
    """Direction in which runs of regions move."""

    regions: Floats  # shape (n_regions, n_labels)
    edges: Floats  # shape (n_edges, n_labels, n_labels)
    limits: Floats  # longest step of each run before some mass becomes negative


class Runs(NamedTuple):
    """Regions that move together, and the edges at them."""

    regions: Labels
    owner: Labels  # run of each region
    edges: Labels  # each edge by its right region
    edge_owner: Labels  # run of each edge


def vertex_steps(dual: Dual, sequences: Labels) -> None:
    """Raise the dual by moving runs of regions from their marginals towards given sequences.

    The more these violate, the larger the gain.
    """

    def directed(runs: Runs) -> Direction:
        regions, edges = _ones(dual, runs, sequences)
        limits = np.ones(int(runs.owner[-1]) + 1)
        return Direction(
            regions - dual.regions[runs.regions], edges - dual.edges[runs.edges], limits
        )

    _step(dual, dual.certain[:-1] != sequences, directed)


def swap_steps(dual: Dual, sequences: Labels, scores: Floats) -> None:
    """Raise the dual by moving runs of regions from the worst sequences that have mass.

    ``sequences`` are those to move towards; ``scores`` are emissions plus loss.
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


def _step(dual: Dual, moves: Flags, directed: Callable[[Runs], Direction]) -> None:
    """Move the runs of two or more marked regions, about `REGIONS_PER_BATCH` regions at once."""
    linked = moves & dual.has_left & np.append(False, moves[:-1])[: len(moves)]
    starts = np.flatnonzero(moves & ~linked)
    stops = np.flatnonzero(moves & ~np.append(linked[1:], False)[: len(moves)]) + 1
    longer = stops - starts > 1
    starts, stops = starts[longer], stops[longer]
    group = np.cumsum(stops - starts) // REGIONS_PER_BATCH
    for batch in np.split(np.arange(len(starts)), np.flatnonzero(np.diff(group)) + 1):
        if len(batch):
            runs = _runs(dual, starts[batch], stops[batch])
            block = CoordinateBlock.of(dual.problem, runs.regions)
            dual.apply(_move(dual, block, runs, directed(runs)), block.rows)


def _runs(dual: Dual, starts: Labels, stops: Labels) -> Runs:
    """Return regions and edges of some runs."""
    sizes = stops - starts
    owner = np.repeat(np.arange(len(starts)), sizes)
    regions = starts[owner] + places_in_runs(sizes)
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


def _move(dual: Dual, block: CoordinateBlock, runs: Runs, direction: Direction) -> Move:
    """Return the step of each run, chosen jointly with all others."""
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


class Simplices(NamedTuple):
    """Labels of a region, given those of its neighbours; ``n_labels`` means no neighbour."""

    owner: Labels  # region as an index into the block, ascending
    before: Labels  # label of the left neighbour
    after: Labels  # label of the right neighbour
    mass: Floats  # shape (n_simplices, n_labels)
    scores: Floats  # shape (n_simplices, n_labels)


def local_step(dual: Dual, block: CoordinateBlock, slack: float) -> None:
    """Raise the dual by moving the regions of a block, none of which are neighbours.

    Each region moves towards the point of its simplices that would be best for it alone; the step
    lengths are chosen jointly. Simplices that are violated by no more than ``slack`` do not move.
    """
    simplices = _violated(dual, block, slack)
    if len(simplices.owner):
        squared_norms = dual.problem.squared_norms[block.regions[simplices.owner]]
        squared_norms = np.maximum(squared_norms, NO_MASS)
        total = simplices.mass.sum(axis=1, keepdims=True)
        ahead = simplices.mass + (dual.scale / squared_norms)[:, None] * simplices.scores
        change = total * project_onto_simplex(ahead / total) - simplices.mass
        _line_search(dual, block, simplices, change)


def _line_search(dual: Dual, block: CoordinateBlock, simplices: Simplices, change: Floats) -> None:
    """Move each region in its direction by step lengths that are best jointly."""
    moved, starts = np.unique(simplices.owner, return_index=True)
    n_labels = change.shape[1]
    direction = np.add.reduceat(change, starts)
    gains = np.add.reduceat((change * simplices.scores).sum(axis=1), starts)
    which = np.repeat(np.arange(len(moved)), np.diff(np.append(starts, len(change))))
    left = np.zeros((len(moved), n_labels + 1, n_labels))
    right = np.zeros_like(left)
    np.add.at(left, (which, simplices.before), change)
    np.add.at(right, (which, simplices.after), change)
    left, right = left[:, :-1], right[:, :-1].transpose(0, 2, 1)
    edges = (left + right).reshape(len(moved), -1)
    rows = block.rows[moved]
    kernel = (rows @ rows.T).toarray() * (direction @ direction.T)
    curvature = (kernel + edges @ edges.T) / dual.scale
    steps = box_steps(gains, curvature, np.ones(len(moved)))[:, None]
    regions = block.regions[moved]
    has_left, has_right = dual.has_left[regions], dual.has_right[regions]
    edge_change = np.concatenate([left[has_left], right[has_right]])
    edge_steps = np.concatenate([steps[has_left], steps[has_right]])
    move = Move(
        regions,
        steps * direction,
        np.concatenate([regions[has_left], regions[has_right] + 1]),
        edge_steps[:, None] * edge_change,
    )
    dual.apply(move, rows)


def _violated(dual: Dual, block: CoordinateBlock, slack: float) -> Simplices:
    """Return the simplices of a block in which some label scores above those with mass."""
    scores = dual.augmented(block)
    owner, before, after, mass = _all_simplices(dual, block)
    nothing = np.zeros(scores.shape[1])
    from_left = np.vstack([dual.transitions, nothing])
    to_right = np.vstack([dual.transitions.T, nothing])
    total = scores[owner] + from_left[before] + to_right[after]
    violation = total.max(axis=1) * mass.sum(axis=1) - (total * mass).sum(axis=1)
    kept = np.flatnonzero(violation > slack)
    kept = kept[np.argsort(owner[kept], kind="stable")]
    return Simplices(owner[kept], before[kept], after[kept], mass[kept], total[kept])


def _all_simplices(dual: Dual, block: CoordinateBlock) -> tuple[Labels, Labels, Labels, Floats]:
    """Return owner, neighbours' labels and mass of every simplex of a block."""
    regions, n_labels = block.regions, dual.problem.n_labels
    before = np.where(dual.has_left[regions], dual.certain[regions - 1], n_labels)
    after = np.where(dual.has_right[regions], dual.certain[regions + 1], n_labels)
    is_mixed = (before < 0) | (after < 0)
    if not is_mixed.any():
        return np.arange(len(regions)), before, after, dual.regions[regions]
    plain, mixed = np.flatnonzero(~is_mixed), np.flatnonzero(is_mixed)
    certain = plain, before[plain], after[plain], dual.regions[regions[plain]]
    owner, left, right, mass = map(
        np.concatenate, zip(certain, _mixed(dual, block, mixed), strict=True)
    )
    return owner, left, right, mass


def _mixed(
    dual: Dual, block: CoordinateBlock, owner: Labels
) -> tuple[Labels, Labels, Labels, Floats]:
    """Return the simplices of regions with a neighbour of uncertain label.

    Their masses are those of the Markov chain with the same marginals: the neighbours of a region
    are independent given its own label.
    """
    regions = block.regions[owner]
    own = dual.regions[regions]
    n_regions, n_labels = own.shape
    left = np.zeros((n_regions, n_labels + 1, n_labels))
    right = np.zeros((n_regions, n_labels, n_labels + 1))
    has_left, has_right = dual.has_left[regions], dual.has_right[regions]
    left[has_left, :-1] = dual.edges[regions[has_left]]
    right[has_right, :, :-1] = dual.edges[regions[has_right] + 1]
    left[~has_left, -1] = own[~has_left]
    right[~has_right, :, -1] = own[~has_right]
    share = np.divide(right, own[:, :, None], out=np.zeros_like(right), where=own[:, :, None] > 0)
    region, before, after = np.nonzero(left @ share > NO_MASS)
    mass = left[region, before] * share[region, :, after]
    return owner[region], before, after, mass


def worst_supported(dual: Dual, scores: Floats) -> Labels:
    """Return the lowest-scoring sequences with mass, shape (n_regions,); scores: `unsettled`."""
    labels = dual.certain[:-1].copy()
    regions = np.flatnonzero(labels < 0)
    if not len(regions):
        return labels
    starts_run = np.append(True, (np.diff(regions) > 1)) | ~dual.has_left[regions]
    sizes = np.diff(np.append(np.flatnonzero(starts_run), len(regions)))
    layout = BatchLayout.of(sizes.tolist())
    packed = regions[layout.order]
    best = np.where(dual.regions[packed] > 0, -scores[packed], -np.inf)
    links = _links(dual, packed)
    first = layout.rows(0)
    best[first] += links[first].max(axis=1)  # at most one label precedes a run
    last = packed[layout.last()]
    leaving = last[dual.has_right[last]]
    best[layout.last()[dual.has_right[last]]] += _links(dual, leaving + 1).max(axis=2)
    for step in range(1, len(layout)):
        rows = layout.rows(step)
        best[rows] += (best[layout.before(step)][:, :, None] + links[rows]).max(axis=1)
    lowest = np.empty(len(packed), dtype=np.int64)
    for step in range(len(layout) - 1, -1, -1):
        rows = layout.rows(step)
        if step + 1 < len(layout):
            after = layout.rows(step + 1)
            chosen = lowest[after]
            best[layout.before(step + 1)] += links[after][np.arange(len(chosen)), :, chosen]
        lowest[rows] = best[rows].argmax(axis=1)
    labels[packed] = lowest
    return labels


def _links(dual: Dual, regions: Labels) -> Floats:
    """Return the costs of edges with mass that lead to regions, shape (n, n_labels, n_labels).

    Zeros if a region begins its chain.
    """
    costs = np.where(dual.edges[regions] > 0, -dual.transitions, -np.inf)
    costs[~dual.has_left[regions]] = 0.0
    return costs
