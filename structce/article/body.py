"""Blocks of a page as candidates of its body: what speaks for each of being part of it.

A learner labels regions one by one. Whether a block belongs to the body also hangs on how much of
its container does, on its neighbours, and on how much text is left before and after it; boosted
trees weigh these (:mod:`structce.article.choice`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from structce.arrays import Floats, Integers
from structce.article.evidence import SURROUNDINGS, Evidence

_KINDS: Mapping[str, int] = {
    **{"p": 1, "li": 2, "td": 3, "th": 3, "dd": 4, "dt": 4, "pre": 5, "code": 5, "blockquote": 6},
    **{"figcaption": 7, "caption": 7, "h1": 8, "h2": 8, "h3": 8, "h4": 8, "h5": 8, "h6": 8},
    **{"button": 9, "label": 9, "option": 9, "summary": 9, "legend": 9},
}
_MEANS = ("Paragraph", "Subtitle", "None", "Title", "Author", "Date", "Caption")
_NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
_WIDTHS = (2, 6, 15)  # blocks on each side of a local mean
_LEVELS = 5  # containers above a block that are looked at
_MANY = 400  # characters of a region that count; one long block is not the whole page

BLOCK_COLUMNS = (
    *("body", "body_highest", *(f"p_{name.lower()}" for name in _MEANS)),
    *("n_chars", "n_words", "n_regions", "link_share", "kind", "landmark", "level", "depth"),
    *(f"body_{offset:+d}" for offset in _NEIGHBOURS),
    *(f"chars_{offset:+d}" for offset in (-1, 1)),
    *(f"mean_{width}" for width in _WIDTHS),
    *(f"share_{level}" for level in range(1, _LEVELS + 1)),
    *(f"part_{level}" for level in range(1, _LEVELS + 1)),
    *(f"like_{level}" for level in range(1, 4)),
    *("before", "after", "page_mass", "page_share", "page_blocks", "n_same", "ends_sentence"),
    *("first_heading", "from_title", "read_more", "ends_colon", "is_caps"),
    *(f"in_{name}" for name in SURROUNDINGS),
)
"""Columns of the blocks."""


def block_rows(evidence: Evidence) -> Floats:
    """Return what speaks for each block, shape (n_blocks, n_columns); see ``BLOCK_COLUMNS``."""
    if not evidence.n_blocks:
        return np.zeros((0, len(BLOCK_COLUMNS)))
    chars = evidence.lengths.astype(np.float64)
    mass = evidence.body * np.minimum(chars, _MANY)
    columns = [
        *_own(evidence, chars),
        *_neighbours(evidence, chars, mass),
        *_containers(evidence, chars, mass),
        *_page(evidence, chars, mass),
    ]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _sums(evidence: Evidence, values: Floats) -> Floats:
    return np.add.reduceat(values, evidence.starts)


def block_mean(evidence: Evidence, values: Floats, weights: Floats) -> Floats:
    """Return the mean of each block's regions, weighted, shape (n_blocks,)."""
    weights = weights + 1e-3
    return _sums(evidence, values * weights) / _sums(evidence, weights)


def _block_means(evidence: Evidence, rows: list[Floats], weights: Floats) -> list[Floats]:
    """Return the weighted mean of each block's regions for several values at once."""
    weights = weights + 1e-3
    sums = np.add.reduceat(np.stack(rows) * weights, evidence.starts, axis=1)
    return [*(sums / _sums(evidence, weights))]


def _own(evidence: Evidence, chars: Floats) -> list[Floats]:
    """Return the columns up to ``depth``."""
    page, starts = evidence.page, evidence.starts
    rows = [evidence.body, *map(evidence.probability, _MEANS)]
    body, *means = _block_means(evidence, rows, chars)
    words = np.fromiter((text.count(" ") + 1 for text in page.text), np.float64, len(page))
    total = _sums(evidence, chars)
    holder = page.block_element[starts]
    return [
        body,
        evidence.highest(evidence.body),
        *means,
        np.log1p(total),
        np.log1p(_sums(evidence, words * (chars > 0))),
        _sums(evidence, np.ones(len(page))),
        _sums(evidence, chars * evidence.in_link) / np.maximum(total, 1),
        _kinds(evidence)[holder].astype(np.float64),
        evidence.landmark[page.element[starts]].astype(np.float64),
        evidence.level[starts].astype(np.float64),
        page.elements.depth[holder].astype(np.float64),
    ]


def _kinds(evidence: Evidence) -> Integers:
    """Return the kind of each element, of the nearest one that has a kind, (n_elements,)."""
    elements = evidence.page.elements
    kinds = [_KINDS.get(tag, 0) for tag in elements.tag]
    for i, parent in enumerate(elements.parent.tolist()):
        if not kinds[i] and parent >= 0:
            kinds[i] = kinds[parent]
    return np.array(kinds, dtype=np.int64)


def _shifted(values: Floats, offset: int) -> Floats:
    """Return the value of the block so many places on; NaN beyond the page."""
    found = np.full(len(values), np.nan)
    if offset > 0:
        found[:-offset] = values[offset:] if offset < len(values) else found[:-offset]
    else:
        found[-offset:] = values[:offset] if -offset < len(values) else found[-offset:]
    return found


def _neighbours(evidence: Evidence, chars: Floats, mass: Floats) -> list[Floats]:
    """Return the columns of the blocks around each, up to ``mean_15``."""
    body = block_mean(evidence, evidence.body, chars)
    length = np.log1p(_sums(evidence, chars))
    columns = [_shifted(body, offset) for offset in _NEIGHBOURS]
    columns += [_shifted(length, offset) for offset in (-1, 1)]
    masses = np.concatenate([[0.0], np.cumsum(_sums(evidence, mass))])
    weights = np.concatenate([[0.0], np.cumsum(_sums(evidence, np.minimum(chars, _MANY)))])
    at = np.arange(evidence.n_blocks)
    for width in _WIDTHS:
        low, high = np.maximum(at - width, 0), np.minimum(at + width + 1, evidence.n_blocks)
        columns.append((masses[high] - masses[low]) / (weights[high] - weights[low] + 1))
    return columns


def _containers(evidence: Evidence, chars: Floats, mass: Floats) -> list[Floats]:
    """Return how much of each container above a block is body, and how much of the body it holds.

    Also, for the nearest ones, the like share of its element's siblings of the same name: items of
    a list stand or fall together.
    """
    page = evidence.page
    first, end = evidence.region_ranges
    masses, weights = (
        np.concatenate([[0.0], np.cumsum(values)]) for values in (mass, np.minimum(chars, _MANY))
    )
    held = masses[end] - masses[first]
    room = weights[end] - weights[first]
    share, part = held / (room + 1), held / (masses[-1] + 1)
    parent = page.elements.parent
    above = page.block_element[evidence.starts]
    shares, parts, likes = [], [], []
    for level in range(_LEVELS):
        above = np.where(parent[above] >= 0, parent[above], above)
        shares.append(share[above])
        parts.append(part[above])
        if level < 3:
            likes.append(np.log1p(room[above]))
    return [*shares, *parts, *likes]


def _page(evidence: Evidence, chars: Floats, mass: Floats) -> list[Floats]:
    """Return the columns of a block's place on the page and of the page itself."""
    page, starts, n = evidence.page, evidence.starts, evidence.n_blocks
    masses = _sums(evidence, mass)
    total = masses.sum() + 1
    before = (np.cumsum(masses) - masses) / total
    text = [page.text[i] for i in starts.tolist()]
    counts: dict[str, int] = {}
    for one in text:
        counts[one] = counts.get(one, 0) + 1
    last = [*(starts[1:] - 1).tolist(), len(page) - 1]
    ends = np.array([page.text[i][-1:] in _SENTENCE_ENDS for i in last], dtype=np.float64)
    headings = np.flatnonzero(evidence.level[starts] == 1)
    title = int(np.argmax(evidence.probability("Title")))
    from_title = np.clip(np.arange(n) - int(page.blocks[title]), -50, 200)
    return [
        before,
        1 - before - masses / total,
        np.full(n, np.log1p(total)),
        np.full(n, total / (np.minimum(chars, _MANY).sum() + 1)),
        np.full(n, np.log1p(n)),
        np.array([counts[one] for one in text], dtype=np.float64),
        ends,
        np.clip(np.arange(n) - (headings[0] if len(headings) else n), -50, 200),
        from_title,
        np.array([_LEADS_AWAY.match(one) is not None for one in text], dtype=np.float64),
        np.array([one.endswith(":") for one in text], dtype=np.float64),
        np.array([one.isupper() for one in text], dtype=np.float64),
        *_surroundings(evidence),
    ]


def _surroundings(evidence: Evidence) -> list[Floats]:
    """Return whether each block is in a part that is named like each kind."""
    bits = evidence.surroundings[evidence.page.element[evidence.starts]]
    return [((bits >> n) & 1).astype(np.float64) for n in range(len(SURROUNDINGS))]


_LEADS_AWAY = re.compile(
    r"\W*(?:read (?:more|also|next)|see also|also read|more (?:from|on)|related|subscribe|sign up"
    r"|follow us|click here|share|advertisement|photo:|image:|source:|©|copyright|lesen sie"
    r"|mehr zum|lesetipp|siehe auch|anzeige|foto:|quelle:|lire aussi|à lire|voir aussi"
    r"|lea también|leer más"
    r"|czytaj|zobacz|leia|veja|leggi|lees ook|läs (?:mer|också)|les også|关注|責任編輯|责任编辑)",
    re.IGNORECASE,
)
_SENTENCE_ENDS = frozenset(
    {".", "!", "?", "…", "。", "！", "？", ".”", "”", '"', "»", "“", ":", "।"}
)
