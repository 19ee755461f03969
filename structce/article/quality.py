"""Quality of an article: the probability that the body of its page was read well."""

from __future__ import annotations

import numpy as np

from structce.arrays import Floats
from structce.article.columns import Facts, rows_of
from structce.article.evidence import Evidence
from structce.article.page_type import PAGE_COLUMNS
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


def doubt_facts(chars: Floats, p: Floats) -> Facts:
    """Return features of the certainty with which a body was chosen.

    ``doubt`` is the share of characters that are likely in the wrong place, ``sure_share`` that of
    blocks beyond doubt, ``n_runs`` the number of runs of blocks in the body, less one if the page
    begins with it. ``p`` contains the probability that each block is part of the body, (n_blocks,).
    """
    inside = p >= 0.5
    total, body = max(chars.sum(), 1.0), max(chars[inside].sum(), 1.0)
    is_sure = (p < _SURE[0]) | (p > _SURE[1])
    return {
        "doubt": float((chars * np.minimum(p, 1 - p)).sum() / body),
        "chars_inside": float(np.log1p(chars[inside].sum())),
        "sure_share": float(chars[is_sure].sum() / total),
        "mean_inside": float((chars * p)[inside].sum() / body),
        "mean_outside": float((chars * p)[~inside].sum() / max(total - body, 1.0)),
        "n_runs": float(np.count_nonzero(np.diff(inside.astype(np.int8)) == 1)),
    }


def page_quality(
    evidence: Evidence, p: Floats, page: Facts, trees: BoostedTrees | None
) -> float | None:
    """Return the probability that a page's body was read well, in [0, 1]; None without trees.

    It is 0 for a page without a visible region. ``p`` contains the probability that each block is
    part of the body, (n_blocks,), ``page`` the features of the page.
    """
    if trees is None:
        return None
    if not len(evidence.page):
        return 0.0
    facts = {**page, **doubt_facts(block_chars(evidence), p)}
    return float(trees.probability(rows_of([facts], trees.names))[0])
