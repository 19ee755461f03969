"""Quality of an article: how likely the body of its page was read well."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from structce.arrays import Floats
from structce.article.evidence import Evidence
from structce.article.page_type import PAGE_COLUMNS, page_row
from structce.learners import BoostedTrees

QUALITY_COLUMNS = (
    *PAGE_COLUMNS,
    *"doubt chars_inside sure_share mean_inside mean_outside n_runs".split(),
)
"""Columns of a page that tell how well its body was read."""

_SURE = (0.1, 0.9)  # probabilities beyond which a block is in no doubt


def block_chars(evidence: Evidence) -> Floats:
    """Return the characters of each block, shape (n_blocks,)."""
    if not evidence.n_blocks:
        return np.zeros(0)
    return np.add.reduceat(evidence.lengths, evidence.starts).astype(np.float64)


def doubt_row(chars: Floats, p: Floats) -> Floats:
    """Return how sure the choice of a body is, shape (1, n_columns).

    Parameters
    ----------
    chars : shape (n_blocks,)
    p : shape (n_blocks,)
        Probability of each block to be part of the body.
    """
    inside = p >= 0.5
    total, body = max(chars.sum(), 1.0), max(chars[inside].sum(), 1.0)
    is_sure = (p < _SURE[0]) | (p > _SURE[1])
    return np.array(
        [
            [
                (chars * np.minimum(p, 1 - p)).sum() / body,
                np.log1p(chars[inside].sum()),
                chars[is_sure].sum() / total,
                (chars * p)[inside].sum() / body,
                (chars * p)[~inside].sum() / max(total - body, 1.0),
                np.count_nonzero(np.diff(inside.astype(np.int8)) == 1),
            ]
        ],
        dtype=np.float64,
    )


def page_quality(
    evidence: Evidence,
    p: Floats,
    trees: Mapping[str, BoostedTrees],
    row: Floats | None = None,
) -> float | None:
    """Return the probability that a page's body was read well, in [0, 1]; None without trees.

    0 for a page without a visible region.

    Parameters
    ----------
    p : shape (n_blocks,)
        Probability of each block to be part of the body.
    row
        As :func:`structce.article.page_type.page_row` gives it, where it is known.
    """
    if "quality" not in trees:
        return None
    if not len(evidence.page):
        return 0.0
    row = page_row(evidence) if row is None else row
    whole = np.concatenate([row, doubt_row(block_chars(evidence), p)], axis=1)
    return float(trees["quality"].probability(whole)[0])
