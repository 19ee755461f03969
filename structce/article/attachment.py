"""Blocks that hang on the body: a list, a table, code or a line right after a sure paragraph.

Trees judge the blocks of a page one by one, and doubt those at the end of an article and those
that few articles have. What follows the body in the same container and does not lead away
belongs to it, unless it is next to impossible.
"""

from __future__ import annotations

from itertools import groupby, islice

import numpy as np

from structce.arrays import Flags, Floats
from structce.article.columns import Columns
from structce.article.evidence import Evidence
from structce.article.tuned import tuned

_HANGING = frozenset(
    "ul ol dl menu dir li dt dd table thead tbody tr td th caption pre code blockquote".split()
)
_PAGE = frozenset({"html", "body", "main"})
_LEVELS = 8  # around a block, in which the list or table is looked for that it is a part of
_BESIDE = ("comment", "related", "promotion", "share", "profile", "frame", "notice", "hidden")

_MOST_LINKS, _MOST_OF_BODY, _MOST_OTHERS = 0.5, 0.5, 0.2
"""Most characters in links; most characters of a list or table, and of all other blocks that are
added, as shares of the body's: no layout table hangs on a paragraph, and no second article. Our
choices."""

_PARAGRAPH, _BYLINE = 0.5, 0.5
"""Probability of a paragraph from which a doubtful block in a part without links stays; of author
or date from which a block is a byline. Our choices."""


def with_attached(evidence: Evidence, taken: Flags, p: Floats, columns: Columns) -> Flags:
    """Return the blocks of a body with those that hang on it, shape (n_blocks,).

    Parameters
    ----------
    taken, p : shape (n_blocks,)
        Blocks of the body, and the probability of each block.
    columns
        Result of :func:`structce.article.body.block_columns`.
    """
    chars = np.add.reduceat(evidence.lengths, evidence.starts).astype(np.float64)
    most, left = (share * float(chars[taken].sum()) for share in (_MOST_OF_BODY, _MOST_OTHERS))
    pieces = _pieces(evidence, most)
    parents, is_beside = evidence.page.elements.parents, named_beside(columns, taken, chars)
    away = columns["heading_away"] == 1
    is_beside |= (columns["read_more"] == 1) | (columns["p_author"] + columns["p_date"] >= _BYLINE)
    kept, followed = taken.copy(), set[int]()
    for (piece, is_hanging), blocks in groupby(range(len(p)), pieces.__getitem__):
        own, container = [*blocks], parents[piece]
        total = float(chars[own].sum())
        links = float(columns["link_share"][own] @ chars[own])
        has_few_links = links < _MOST_LINKS * total
        if taken[own].any():
            is_rest = is_hanging and taken[own].mean() >= tuned("rest-of-list")
            kept[own] |= is_rest and has_few_links
            followed.add(container)
        elif total and container in followed:
            before = own[0] - 1
            announces = columns["ends_colon"][before] == 1 or columns["level"][before] > 0
            is_announced = is_hanging and kept[before] and announces
            least = tuned("hanging-block" if is_hanging else "following-block")
            is_likely = p[own].max() >= least
            is_below = away[own[0]] and not (kept[before] and away[before])
            is_away = is_below or is_beside[own[0]]
            is_likely &= total <= (most if is_hanging else left) and not is_away
            if is_likely and (has_few_links or is_announced):
                kept[own] = True
                left -= 0 if is_hanging else total
            else:
                followed.discard(container)
    return kept


def _pieces(evidence: Evidence, most: float) -> list[tuple[int, bool]]:
    """Return the element that each block stands or falls with, and whether it is a list or such."""
    page = evidence.page
    tags, parents = page.elements.tag, page.elements.parents
    first, end = evidence.region_ranges
    sums = np.concatenate([[0], np.cumsum(evidence.lengths)])
    sizes = (sums[end] - sums[first]).tolist()
    ranges = list(zip(first.tolist(), end.tolist(), strict=True))
    known: dict[int, tuple[int, bool]] = {}
    holders = page.block_element[evidence.starts].tolist()
    for holder in holders:
        if holder in known:
            continue
        around = [holder, *islice(page.elements.ancestors(holder), _LEVELS)]
        hanging = [e for e in around if tags[e] in _HANGING and sizes[e] <= most]
        piece = hanging[-1] if hanging else holder
        while (above := parents[piece]) >= 0 and tags[above] not in _PAGE:
            if ranges[above] != ranges[piece]:
                break
            piece = above
        known[holder] = piece, bool(hanging)
    return [known[holder] for holder in holders]


def named_beside(columns: Columns, taken: Flags, chars: Floats) -> Flags:
    """Return which blocks are in parts that are named like no part of an article, (n_blocks,).

    A name that most of the body has says nothing about a block.
    """
    half, is_beside = float(chars[taken].sum()) / 2, np.zeros(len(taken), dtype=bool)
    for name in _BESIDE:
        is_named = columns[f"in_{name}"] > 0
        if chars[taken & is_named].sum() <= half:
            is_beside |= is_named
    return is_beside


def in_plain_part(columns: Columns, taken: Flags, chars: Floats) -> Flags:
    """Return which blocks are likely paragraphs in a part without links, shape (n_blocks,).

    Teasers have links; a section of an article that an advertisement parts from the others has
    none.
    """
    is_plain = (columns["column_links"] <= 0) & (columns["p_paragraph"] >= _PARAGRAPH)
    return is_plain & ~named_beside(columns, taken, chars)
