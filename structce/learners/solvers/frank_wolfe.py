"""Block-coordinate Frank-Wolfe for the SVMs: first as published, then the solver that is used.

Both minimise ``lambda/2 |w|^2 + (1/N) sum_i H_i(w)`` over N pages, where the hinge ``H_i`` of a
page is the highest value of loss plus score over all label sequences, minus the score of the
correct one (margin rescaling). Inside the fast solver, objectives are N times as large: sums over
pages, with ``scale`` = lambda N as the weight of the regulariser.

References
----------
S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher (2013). Block-coordinate Frank-Wolfe
optimization for structural SVMs. ICML.
B. Taskar, C. Guestrin, D. Koller (2003). Max-margin Markov networks. NIPS, section 4: marginals in
place of a distribution over sequences, and steps over the labels of few regions.
D. Garber, O. Meshi (2016). Linear-memory and decomposition-invariant linearly convergent
conditional gradient algorithm for structured polytopes. NIPS: the steps away from vertices.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats, Labels
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.inference.viterbi import count_edges, places_in_runs, viterbi
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.problem import (
    UNFINISHED,
    Marginals,
    Problem,
    Solution,
    primal,
    squared_norm,
)

_logger = logging.getLogger(__name__)

NONZEROS_PER_BLOCK = 30_000  # large enough that most time is spent in NumPy
MOST_REGIONS = 400  # in a block: those that move are compared pairwise
FEWEST_BLOCKS = 50  # all regions of a block move at once, so few blocks achieve little
SAMPLES = 20  # times per epoch that the weights are averaged; each is a pass over all weights
MARGIN = 0.1
"""Lead of a label with which its region is left out of an epoch, in units of the highest loss."""

SLACK = 0.3
"""Fraction of the requested gap that ignored violations may add up to. Ignoring small violations
saves work, and the gap can still close as long as this is below 1."""


def textbook_frank_wolfe(
    problem: Problem, *, lambda_: float, n_epochs: int, random_state: int
) -> tuple[Floats, Floats, float]:
    """Return the weights after some epochs of block-coordinate Frank-Wolfe, as published.

    Every chain of the problem is a block. Returned are emissions, transitions and the dual
    objective, a lower bound of the primal. Numbers are those of the lines of algorithm 4 in
    Lacoste-Julien et al. (2013), whose n is ``n_pages``.
    """
    random = np.random.default_rng(random_state)
    n, n_labels = problem.n_pages, problem.n_labels
    n_columns, chains = problem.rows.shape[1], len(problem.lengths)
    # 1. Let w and all w_i be 0, l and all l_i be 0.
    w = np.zeros((n_columns + n_labels, n_labels))  # emissions above transitions
    w_of, loss_of = np.zeros((chains, *w.shape)), np.zeros(chains)
    for _ in range(n_epochs):
        for i in random.permutation(chains):  # 2., 3. For k = 0..K, pick a block i at random.
            chain = slice(problem.starts[i], problem.starts[i] + problem.lengths[i])
            rows, gold, loss = problem.rows[chain], problem.gold[chain], problem.loss[chain]
            # 4. Solve y* = argmax H_i(y; w).
            worst = viterbi(rows @ w[:n_columns] + loss, w[n_columns:])
            # 5. Let w_s = psi_i(y*) / (lambda n) and l_s = L_i(y*) / n.
            psi = np.vstack([
                matmul(rows.T, np.eye(n_labels)[gold] - np.eye(n_labels)[worst]),
                count_edges(gold, n_labels) - count_edges(worst, n_labels),
            ])  # fmt: skip
            w_s = psi / (lambda_ * n)
            loss_s = loss[np.arange(len(worst)), worst].sum() / n
            # 6. Let gamma be the step that minimises the dual on the way, clipped to [0, 1].
            way = w_of[i] - w_s
            ascent = lambda_ * np.vdot(way, w) - loss_of[i] + loss_s
            gamma = np.clip(ascent / max(lambda_ * np.vdot(way, way), 1e-300), 0, 1)
            # 7., 8. Update w_i and l_i, and with them w and l.
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

    It begins with the given dual variables, or with the correct labels. The callback is called
    after every epoch. Faster than `textbook_frank_wolfe` for four reasons: an epoch moves runs of
    regions, each by its own step length, towards the most violating sequences and away from the
    least violating ones, then every region among its own labels; steps are taken block by block
    with one matrix product and exact line search; regions whose labels are settled are left out;
    and the weights are averaged over an epoch, since each block overshoots in favour of its own
    regions.
    """
    random = np.random.default_rng(random_state)
    dual = Dual(problem, lambda_ * problem.n_pages, start)
    weights = dual.emissions.copy(), dual.transitions.copy()
    best, violators, scores = primal(problem, dual.scale, *weights)
    curve: list[tuple[int, float, float]] = []
    gap, is_done, is_stopped = 0.0, False, False
    while not is_done:
        if curve or start is not None:
            run_steps(dual, violators)
            if len(dual.edges):
                run_steps(dual, violators, worst_supported(dual, scores))
        slack = SLACK * max(tol, gap) * best / max(1, len(problem.gold))
        blocks = _blocks(problem, random, unsettled(dual, scores))
        average = np.zeros_like(dual.emissions), np.zeros_like(dual.transitions)
        n_samples = 0
        for n_done, i in enumerate(random.permutation(len(blocks)), start=1):
            local_steps(dual, blocks[i], slack)
            if n_done * SAMPLES // len(blocks) > n_samples:
                n_samples += 1
                average[0][:] += dual.emissions
                average[1][:] += dual.transitions
        average = average[0] / max(1, n_samples), average[1] / max(1, n_samples)
        value, violators, scores = primal(problem, dual.scale, *average)
        if value <= best:
            best, weights = value, average
        objective, bound = best / problem.n_pages, dual.value() / problem.n_pages
        if objective < 0:
            raise LearnerError(f"objective of {objective:.3g}; a regularised hinge is 0 or more")
        curve.append((len(curve) + 1, objective, bound))
        gap = max(0.0, (objective - bound) / objective) if objective > 0 else 0.0
        if callback is not None:
            is_stopped = bool(callback(Progress(len(curve), max_epochs, objective, gap)))
        is_done = is_stopped or gap <= tol or len(curve) >= max_epochs
    if gap > tol and not is_stopped:
        _logger.warning(UNFINISHED, len(curve), gap, tol)
    marginals = Marginals(dual.regions, dual.edges)
    return Solution(*weights, objective, gap, len(curve), curve, marginals)


def unsettled(dual: Dual, scores: Floats) -> Flags:
    """Return the regions that local steps may move, shape (n_regions,).

    The others, and their neighbours, are certain of a label that leads by `MARGIN` times the
    highest loss. If one falls behind, the gap, which covers all regions, shows it, and the next
    epoch moves that region. ``scores`` are emissions plus loss.
    """
    n_labels, labels = scores.shape[1], dual.certain[:-1]
    before = np.where(dual.has_left, np.roll(labels, 1), n_labels)
    after = np.where(dual.has_right, np.roll(labels, -1), n_labels)
    from_left, to_right = dual.neighbour_scores(before, after)
    total = scores + from_left + to_right
    every = np.arange(len(labels))
    ahead = total[every, labels]
    total[every, labels] = -np.inf
    margin = MARGIN * dual.problem.loss.max(initial=0.0)
    is_behind = ahead - total.max(axis=1, initial=-np.inf) < margin
    return np.asarray(is_behind | (labels < 0) | (before < 0) | (after < 0))


def _blocks(problem: Problem, random: np.random.Generator, chosen: Flags) -> list[Labels]:
    """Return the chosen regions in random groups, each ascending and without neighbours."""
    density = problem.rows.nnz / max(1, len(problem.gold))
    usual = int(min(MOST_REGIONS, NONZEROS_PER_BLOCK / max(density, 1.0)))
    size = min(usual, -(-int(chosen.sum()) // FEWEST_BLOCKS))
    place = places_in_runs(problem.lengths)
    blocks = []
    for parity in (0, 1):
        regions = random.permutation(np.flatnonzero(chosen & (place % 2 == parity)))
        if len(regions):
            groups = np.array_split(regions, -(-len(regions) // size))
            blocks += [np.sort(group) for group in groups]
    return blocks


NO_MASS = 1e-10  # probability that counts as 0; residues of rounding are smaller
SWEEPS = 3  # passes over the steps of one joint line search
REGIONS_PER_BATCH = 100
"""Number of regions in the runs that move at once; the work grows with the square of the runs."""

_LEAST_CURVATURE = 1e-12


class Move(NamedTuple):
    """Direction in which groups of regions move, each by a step length of its own."""

    regions: Labels  # shape (n_moved,)
    owner: Labels  # group of each region, ascending
    change: Floats  # shape (n_moved, n_labels)
    edges: Labels  # each edge by its right region; may repeat
    edge_owner: Labels  # group of each edge
    edge_change: Floats  # shape (n_edges, n_labels, n_labels)
    limits: Floats  # longest step of each group before some mass becomes negative


class Dual:
    """The state of a solver: marginals, and the weights that belong to them."""

    def __init__(self, problem: Problem, scale: float, start: Marginals | None = None) -> None:
        self.problem = problem
        self.scale = scale
        self.has_left = problem.has_left
        self.has_right = np.append(self.has_left[1:], False)[: len(self.has_left)]
        n_labels, follows = problem.n_labels, np.flatnonzero(self.has_left)
        gold = np.eye(n_labels)[problem.gold]
        if start is None:  # the correct labels, for which the weights are 0
            edges = np.zeros((len(gold) + 1 if len(follows) else 0, n_labels, n_labels))
            edges[follows, problem.gold[follows - 1], problem.gold[follows]] = 1.0
            start = Marginals(gold, edges)
        self.regions, self.edges = start.regions.copy(), start.edges.copy()
        self.certain = np.append(_certain(self.regions), -1)
        self.emissions = matmul(problem.rows.T, gold - self.regions) / scale
        gold_edges = count_edges(problem.gold, n_labels, self.has_left)
        self.transitions = (gold_edges - self.edges.sum(axis=0)) / scale
        self._occurs = np.zeros(problem.rows.shape[1], dtype=bool)
        self._place = np.zeros(problem.rows.shape[1], dtype=np.int32)

    def augmented(self, regions: Labels, rows: SparseRows) -> Floats:
        """Return emission scores plus loss of some regions: shape (n_regions, n_labels)."""
        return matmul(rows, self.emissions) + self.problem.loss[regions]

    def neighbour_scores(self, before: Labels, after: Labels) -> tuple[Floats, Floats]:
        """Return what the labels before and after regions add; ``n_labels`` for no neighbour."""
        nothing = np.zeros((1, self.problem.n_labels))
        from_left = np.vstack([self.transitions, nothing])
        to_right = np.vstack([self.transitions.T, nothing])
        return from_left[before], to_right[after]

    def line_search(self, move: Move, rows: SparseRows, scores: Floats) -> None:
        """Move each group by the step length that is best jointly with those of all others.

        ``rows`` and `augmented` ``scores`` are those of the regions that move.
        """
        import scipy  # late: labelling a page does not need it

        counts = np.zeros((len(move.limits), move.change.shape[1] ** 2))
        np.add.at(counts, move.edge_owner, move.edge_change.reshape(-1, counts.shape[1]))
        borders = np.flatnonzero(np.diff(move.owner, prepend=-1))
        pull = (move.change * scores).sum(axis=1)
        gains = np.add.reduceat(pull, borders) + counts @ self.transitions.ravel()
        kernel = (rows @ rows.T).toarray() * (move.change @ move.change.T)
        kernel = np.add.reduceat(np.add.reduceat(kernel, borders, axis=0), borders, axis=1)
        steps = box_steps(gains, (kernel + counts @ counts.T) / self.scale, move.limits)
        change = steps[move.owner][:, None] * move.change
        edge_change = steps[move.edge_owner][:, None, None] * move.edge_change
        self._occurs[rows.indices] = True  # only columns that occur in the rows change
        columns = np.flatnonzero(self._occurs)
        self._occurs[columns] = False
        self._place[columns] = np.arange(len(columns), dtype=np.int32)
        cells = rows.data, self._place[rows.indices], rows.indptr
        compact = scipy.sparse.csr_array(cells, shape=(rows.shape[0], len(columns)))
        self.emissions[columns] -= matmul(compact.T, change) / self.scale
        self.transitions -= edge_change.sum(axis=0) / self.scale
        moved = _cleaned(self.regions[move.regions] + change)
        self.regions[move.regions] = moved
        self.certain[move.regions] = _certain(moved)
        np.add.at(self.edges, move.edges, edge_change)
        self.edges[move.edges] = _cleaned(self.edges[move.edges])

    def value(self) -> float:
        """Return the dual objective, a lower bound of the primal at any weights."""
        loss = float(np.vdot(self.problem.loss, self.regions))
        return loss - self.scale / 2 * squared_norm(self.emissions, self.transitions)


def _certain(regions: Floats) -> Labels:
    """Return the label that has all mass of a region, or -1: shape (n_regions,)."""
    alone = np.count_nonzero(regions, axis=1) == 1
    return np.where(alone, regions.argmax(axis=1), -1)


def _cleaned(mass: Floats) -> Floats:
    """Return masses with residues of rounding set to 0."""
    return np.where(mass < NO_MASS, 0.0, mass)


def run_steps(dual: Dual, sequences: Labels, origin: Labels | None = None) -> None:
    """Move runs of two or more regions towards given sequences, about `REGIONS_PER_BATCH` at once.

    They move from their marginals, which shrinks all masses in proportion, or from the sequences
    ``origin``, which have mass: such a swap can remove it completely (Garber and Meshi 2016).
    """
    moves = (dual.certain[:-1] if origin is None else origin) != sequences
    linked = moves & dual.has_left & np.append(False, moves[:-1])[: len(moves)]
    starts = np.flatnonzero(moves & ~linked)
    stops = np.flatnonzero(moves & ~np.append(linked[1:], False)[: len(moves)]) + 1
    longer = stops - starts > 1
    starts, stops = starts[longer], stops[longer]
    batch = np.cumsum(stops - starts) // REGIONS_PER_BATCH
    for chosen in np.split(np.arange(len(starts)), np.flatnonzero(np.diff(batch)) + 1):
        if len(chosen):
            move = _run_move(dual, starts[chosen], stops[chosen], sequences, origin)
            rows = dual.problem.rows[move.regions]
            dual.line_search(move, rows, dual.augmented(move.regions, rows))


def _run_move(
    dual: Dual, starts: Labels, stops: Labels, sequences: Labels, origin: Labels | None
) -> Move:
    """Return the direction of some runs, see `run_steps`."""
    sizes, n_labels = stops - starts, dual.problem.n_labels
    owner = np.repeat(np.arange(len(starts)), sizes)
    regions = starts[owner] + places_in_runs(sizes)
    is_last = np.append(np.diff(owner) != 0, True)
    left, right = dual.has_left[regions], is_last & dual.has_right[regions]
    edges = np.concatenate([regions[left], regions[right] + 1])
    edge_owner = np.concatenate([owner[left], owner[right]])

    def certain(labels: Labels) -> tuple[Floats, Floats]:
        """Return the marginals of one sequence at the regions and edges."""
        masses = np.zeros((len(edges), n_labels, n_labels))
        masses[np.arange(len(edges)), labels[edges - 1], labels[edges]] = 1.0
        return np.eye(n_labels)[labels[regions]], masses

    if origin is None:
        limits = np.ones(len(starts))
        held, held_edges = dual.regions[regions], dual.edges[edges]
    else:
        limits = np.full(len(starts), np.inf)
        np.minimum.at(limits, owner, dual.regions[regions, origin[regions]])
        np.minimum.at(limits, edge_owner, dual.edges[edges, origin[edges - 1], origin[edges]])
        held, held_edges = certain(origin)
    ones, edge_ones = certain(sequences)
    change, edge_change = ones - held, edge_ones - held_edges
    return Move(regions, owner, change, edges, edge_owner, edge_change, limits)


def worst_supported(dual: Dual, scores: Floats) -> Labels:
    """Return the lowest-scoring sequences with mass, shape (n_regions,).

    ``scores`` are emissions plus loss. Between regions of certain label there are short runs, which
    do not depend on each other once the edges at their ends are added.
    """
    labels = dual.certain[:-1].copy()
    regions = np.flatnonzero(labels < 0)
    has_left = dual.has_left[regions]
    costs = np.where(dual.edges[regions] > 0, -dual.transitions, -np.inf)  # of edges from the left
    follows = has_left & (np.diff(regions, prepend=-2) == 1)
    precedes = np.append(follows[1:], False)[: len(regions)]
    best = np.where(dual.regions[regions] > 0, -scores[regions], -np.inf)
    enters, leaves = has_left & ~follows, dual.has_right[regions] & ~precedes
    best[enters] += costs[enters].max(axis=1)  # only one label precedes a run
    to_right = np.where(dual.edges[regions[leaves] + 1] > 0, -dual.transitions, -np.inf)
    best[leaves] += to_right.max(axis=2)
    costs[~follows] = 0.0
    labels[regions] = viterbi(best, costs[1:])
    return labels


class Simplices(NamedTuple):
    """Labels of a region, given those of its neighbours; ``n_labels`` means no neighbour."""

    owner: Labels  # region as an index into a block, ascending
    before: Labels  # label of the left neighbour
    after: Labels  # label of the right neighbour
    mass: Floats  # shape (n_simplices, n_labels)


def local_steps(dual: Dual, regions: Labels, slack: float) -> None:
    """Move the regions of a block, none of which are neighbours, among their own labels.

    Each region moves towards the point of its simplices that would be best for it alone; the step
    lengths are chosen jointly. Simplices that are violated by no more than ``slack`` do not move.
    """
    rows = dual.problem.rows[regions]
    scores = dual.augmented(regions, rows)
    simplices = _simplices(dual, regions)
    from_left, to_right = dual.neighbour_scores(simplices.before, simplices.after)
    totals = scores[simplices.owner] + from_left + to_right
    mass = simplices.mass
    violation = totals.max(axis=1) * mass.sum(axis=1) - (totals * mass).sum(axis=1)
    kept = np.flatnonzero(violation > slack)
    if len(kept):
        kept = kept[np.argsort(simplices.owner[kept], kind="stable")]
        simplices = Simplices._make(values[kept] for values in simplices)
        squared_norms = np.maximum(dual.problem.squared_norms[regions[simplices.owner]], NO_MASS)
        mass, total = simplices.mass, simplices.mass.sum(axis=1, keepdims=True)
        ahead = mass + (dual.scale / squared_norms)[:, None] * totals[kept]
        change = total * project_onto_simplex(ahead / total) - mass
        moved, move = _local_move(dual, regions, simplices, change)
        dual.line_search(move, rows[moved], scores[moved])


def _local_move(
    dual: Dual, block: Labels, simplices: Simplices, change: Floats
) -> tuple[Labels, Move]:
    """Return the regions of a block that move, and the direction of each, summed by region."""
    moved, starts = np.unique(simplices.owner, return_index=True)
    owner, n_labels = np.arange(len(moved)), change.shape[1]
    which = np.repeat(owner, np.diff(np.append(starts, len(change))))
    left = np.zeros((len(moved), n_labels + 1, n_labels))
    right = np.zeros_like(left)
    np.add.at(left, (which, simplices.before), change)
    np.add.at(right, (which, simplices.after), change)
    regions = block[moved]
    has_left, has_right = dual.has_left[regions], dual.has_right[regions]
    return moved, Move(
        regions=regions,
        owner=owner,
        change=np.add.reduceat(change, starts),
        edges=np.concatenate([regions[has_left], regions[has_right] + 1]),
        edge_owner=np.concatenate([owner[has_left], owner[has_right]]),
        edge_change=np.concatenate([left[has_left, :-1], right[has_right, :-1].transpose(0, 2, 1)]),
        limits=np.ones(len(moved)),
    )


def _simplices(dual: Dual, regions: Labels) -> Simplices:
    """Return every simplex of a block: several for a region with a neighbour of uncertain label."""
    n_labels = dual.problem.n_labels
    before = np.where(dual.has_left[regions], dual.certain[regions - 1], n_labels)
    after = np.where(dual.has_right[regions], dual.certain[regions + 1], n_labels)
    is_mixed = (before < 0) | (after < 0)
    plain, mixed = np.flatnonzero(~is_mixed), np.flatnonzero(is_mixed)
    certain = plain, before[plain], after[plain], dual.regions[regions[plain]]
    pairs = zip(certain, _mixed(dual, regions, mixed), strict=True)
    return Simplices(*map(np.concatenate, pairs))


def _mixed(dual: Dual, block: Labels, owner: Labels) -> Simplices:
    """Return the simplices of regions with a neighbour of uncertain label.

    Their masses are those of the Markov chain with the same marginals: the neighbours of a region
    are independent given its own label.
    """
    regions = block[owner]
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
    return Simplices(owner[region], before, after, mass)


def project_onto_simplex(points: Floats) -> Floats:
    """Return the nearest point of the probability simplex to each row.

    Source: J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra (2008). Efficient projections onto
    the l1-ball for learning in high dimensions. ICML, figure 1.
    """
    shifted = points - points.max(axis=1, keepdims=True)
    descending = -np.sort(-shifted, axis=1)
    excess = descending.cumsum(axis=1) - 1
    counts = np.arange(1, points.shape[1] + 1)
    n_kept = (descending * counts > excess).sum(axis=1)
    threshold = excess[np.arange(len(points)), n_kept - 1] / n_kept
    return np.asarray(np.maximum(shifted - threshold[:, None], 0))


def box_steps(gains: Floats, curvature: Floats, limits: Floats) -> Floats:
    """Return steps from 0 to their limits that raise ``gains @ t - t @ curvature @ t / 2``.

    Coordinate ascent from 0, at most `SWEEPS` passes; every step is exact given the others, so
    the value never falls below 0. ``curvature`` is symmetric and positive semi-definite.
    """
    steps = [0.0] * len(gains)
    slopes = gains.copy()
    bends = np.maximum(curvature.diagonal(), _LEAST_CURVATURE).tolist()
    ends = limits.tolist()
    for _ in range(SWEEPS):
        largest = 0.0
        for i, (bend, end) in enumerate(zip(bends, ends, strict=True)):
            old = steps[i]
            new = min(end, max(0.0, old + slopes.item(i) / bend))
            change = new - old
            if abs(change) > 1e-6 * end:
                slopes -= curvature[i] * change
                steps[i] = new
                largest = max(largest, abs(change) / end)
        if largest < 1e-2:
            break
    return np.array(steps)
