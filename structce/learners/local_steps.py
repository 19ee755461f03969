"""Steps of single regions, given how their neighbours' labels are distributed.

Given the labels of its two neighbours, the labels of a region form a simplex of its own, whose
mass is the probability of these neighbours. Moving mass inside it keeps the neighbours'
marginals as they are, so regions that are no neighbours move at the same time. With certain
neighbours, and without any, it is the simplex of the multi-class SVM.

References
----------
B. Taskar, C. Guestrin, D. Koller (2003). Max-margin Markov networks. NIPS, section 5, which moves
two labels of one region at a time; all labels of many regions at once is our choice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from structce.learners.arrays import Floats, Labels
from structce.learners.blocks import Block
from structce.learners.dual import NOTHING, Dual, Move
from structce.learners.simplex import box_steps, project


class Simplices(NamedTuple):
    """Labels of a region, given those of its neighbours; ``n_labels`` stands for no neighbour.

    Attributes
    ----------
    owner : shape (n_simplices,)
        Region, as its place in the block; ascending.
    before, after : shape (n_simplices,)
        Labels of the left and the right neighbour.
    mass : shape (n_simplices, n_labels)
    scores : shape (n_simplices, n_labels)
    """

    owner: Labels
    before: Labels
    after: Labels
    mass: Floats
    scores: Floats


def local_step(dual: Dual, block: Block, slack: float) -> None:
    """Raise the dual by moving the regions of a block, none of which are neighbours.

    Each region heads for the point of its simplices that would be best for it alone; how far
    each goes is found with regard to all others.

    Parameters
    ----------
    slack
        Simplices that are violated by no more than this stay as they are.
    """
    simplices = _violated(dual, block, slack)
    if len(simplices.owner):
        squared_norms = dual.problem.squared_norms[block.regions[simplices.owner]]
        squared_norms = np.maximum(squared_norms, NOTHING)
        total = simplices.mass.sum(axis=1, keepdims=True)
        ahead = simplices.mass + (dual.scale / squared_norms)[:, None] * simplices.scores
        change = total * project(ahead / total) - simplices.mass
        _go(dual, block, simplices, change)


def _go(dual: Dual, block: Block, simplices: Simplices, change: Floats) -> None:
    """Move each region in its direction, as far as is best with regard to all others."""
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


def _violated(dual: Dual, block: Block, slack: float) -> Simplices:
    """Return the simplices of a block in which some label scores above what has the mass."""
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


def _all_simplices(dual: Dual, block: Block) -> tuple[Labels, Labels, Labels, Floats]:
    """Return owner, neighbours' labels and mass of every simplex of a block."""
    regions, n_labels = block.regions, dual.problem.n_labels
    before = np.where(dual.has_left[regions], dual.certain[regions - 1], n_labels)
    after = np.where(dual.has_right[regions], dual.certain[regions + 1], n_labels)
    is_mixed = (before < 0) | (after < 0)
    if not is_mixed.any():
        return np.arange(len(regions)), before, after, dual.regions[regions]
    plain, mixed = np.flatnonzero(~is_mixed), np.flatnonzero(is_mixed)
    certain = plain, before[plain], after[plain], dual.regions[regions[plain]]
    uncertain = _mixed(dual, block, mixed)
    owner, left, right = (
        np.concatenate([a, b]) for a, b in zip(certain[:3], uncertain[:3], strict=True)
    )
    return owner, left, right, np.concatenate([certain[3], uncertain[3]])


def _mixed(dual: Dual, block: Block, owner: Labels) -> tuple[Labels, Labels, Labels, Floats]:
    """Return the simplices of regions that have a neighbour of uncertain label.

    Their masses are those of the Markov chain with the same marginals: given its own label, the
    neighbours of a region do not depend on each other.
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
    region, before, after = np.nonzero(left @ share > NOTHING)
    mass = left[region, before] * share[region, :, after]
    return owner[region], before, after, mass
