"""Quality of an article: the probability that the body of its page was read well."""

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
"""Columns of a page from which the quality of its body is estimated."""

_SURE = (0.1, 0.9)  # probabilities below and above which a block is beyond doubt


def block_chars(evidence: Evidence) -> Floats:
    """Return the characters of each block, shape (n_blocks,)."""
    if not evidence.n_blocks:
        return np.zeros(0)
    return np.add.reduceat(evidence.lengths, evidence.starts).astype(np.float64)


def doubt_row(chars: Floats, p: Floats) -> Floats:
    """Return features of the certainty of a body's choice, shape (1, n_columns).

    Parameters
    ----------
    chars : shape (n_blocks,)
        Characters of each block.
    p : shape (n_blocks,)
        Probability that each block is part of the body.
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

    It is 0 for a page without a visible region.

    Parameters
    ----------
    p : shape (n_blocks,)
        Probability that each block is part of the body.
    row
        Result of :func:`structce.article.page_type.page_row`; computed if None.
    """
    if "quality" not in trees:
        return None
    if not len(evidence.page):
        return 0.0
    row = page_row(evidence) if row is None else row
    whole = np.concatenate([row, doubt_row(block_chars(evidence), p)], axis=1)
    return float(trees["quality"].probability(whole)[0])
