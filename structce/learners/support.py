"""The lowest-scoring label sequences among those that have mass.

The sequences of a chain are the paths through a lattice, and marginals are a flow in it; a
sequence has mass where all its edges do. Chains fall apart at regions whose label is certain.

References
----------
D. Garber, O. Meshi (2016). Linear-memory and decomposition-invariant linearly convergent
conditional gradient algorithm for structured polytopes. NIPS, section 3: the away vertex over
the support.
"""

from __future__ import annotations

import numpy as np

from structce.learners.arrays import Floats, Labels
from structce.learners.dual import Dual
from structce.learners.packing import Packing


def worst_supported(dual: Dual, scores: Floats) -> Labels:
    """Return the lowest-scoring sequences with mass, shape (n_regions,).

    Parameters
    ----------
    scores : shape (n_regions, n_labels)
        Emissions plus loss, to which the dual's transitions are added.
    """
    labels = dual.certain[:-1].copy()
    regions = np.flatnonzero(labels < 0)
    if not len(regions):
        return labels
    starts_run = np.append(True, (np.diff(regions) > 1)) | ~dual.has_left[regions]
    sizes = np.diff(np.append(np.flatnonzero(starts_run), len(regions)))
    packing = Packing.of(sizes.tolist())
    packed = regions[packing.order]
    best = np.where(dual.regions[packed] > 0, -scores[packed], -np.inf)
    links = _links(dual, packed)
    first = packing.rows(0)
    best[first] += links[first].max(axis=1)  # at most one label stands before a run
    last = packed[packing.last()]
    leaving = last[dual.has_right[last]]
    best[packing.last()[dual.has_right[last]]] += _links(dual, leaving + 1).max(axis=2)
    for step in range(1, len(packing)):
        rows = packing.rows(step)
        best[rows] += (best[packing.before(step)][:, :, None] + links[rows]).max(axis=1)
    found = np.empty(len(packed), dtype=np.int64)
    for step in range(len(packing) - 1, -1, -1):
        rows = packing.rows(step)
        if step + 1 < len(packing):
            after = packing.rows(step + 1)
            chosen = found[after]
            best[packing.before(step + 1)] += links[after][np.arange(len(chosen)), :, chosen]
        found[rows] = best[rows].argmax(axis=1)
    labels[packed] = found
    return labels


def _links(dual: Dual, regions: Labels) -> Floats:
    """Return what the edges with mass to some regions cost, shape (n, n_labels, n_labels).

    Where a region begins its chain nothing is before it: zeros.
    """
    costs = np.where(dual.edges[regions] > 0, -dual.transitions, -np.inf)
    costs[~dual.has_left[regions]] = 0.0
    return costs
