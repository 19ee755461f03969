"""Columns of the blocks of a page, by which trees judge whether each belongs to the body.

A learner labels regions one by one. Whether a block belongs to the body also depends on how much of
its container does, on its neighbours, and on how much text is left before and after it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats, Integers, Integers32
from structce.article.evidence import SURROUNDINGS, Columns, Evidence, word_key
from structce.article.regions import has_unspaced
from structce.article.tuned import patterns
from structce.features import dom_tree, text_index
from structce.language import SENTENCE_ENDS, normalise
from structce.page import TEXT_KINDS, Page, stated_texts
from structce.patterns import lazy_pattern

_KINDS: Mapping[str, int] = {
    tag: n
    for n, tags in enumerate(
        """
        p, li, td th, dd dt, pre code, blockquote, figcaption caption, h1 h2 h3 h4 h5 h6,
        button label option summary legend
        """.split(","),
        start=1,
    )
    for tag in tags.split()
}
_MEANS = ("Paragraph", "Subtitle", "None", "Title", "Author", "Date", "Caption")
_NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
_WIDTHS = (2, 6, 15)  # blocks on each side of a local mean
_LEVELS, _SIZED_LEVELS = 5, 3  # containers above a block that are looked at, and sized
_NEAR = 4  # blocks on each side in which bylines are looked for
_NEARLY_ALL, _MOST = 0.9, 0.75  # of the body, in the containers that are taken for the main ones
_STEM, _SHORTEST_STEM, _MOST_STEMS = 5, 4, 24  # letters of a stem; number of a title's stems
_MOST_CHARS = 400  # characters of a region that count, so that no long block outweighs the page
_LEAST_STATED = 40  # letters of all stated texts of a kind; less is no content
_LONG_STATED = 15  # letters that do not occur by accident, in a stated text or a region
_FEW_REGIONS = 20  # regions of a block that may be one short text
_HALF = 0.5  # share of a block's letters from which it counts as stated
_FAR = 50  # blocks; greater distances are all the same
_OF_STATED = ("stated_found", "from_stated")

BLOCK_COLUMNS = (
    "body",
    "body_highest",
    *(f"p_{name.lower()}" for name in _MEANS),
    *"n_chars n_words n_regions link_share kind landmark level depth".split(),
    *(f"body_{offset:+d}" for offset in _NEIGHBOURS),
    *(f"chars_{offset:+d}" for offset in (-1, 1)),
    *(f"mean_{width}" for width in _WIDTHS),
    *(f"share_{level}" for level in range(1, _LEVELS + 1)),
    *(f"part_{level}" for level in range(1, _LEVELS + 1)),
    *(f"like_{level}" for level in range(1, _SIZED_LEVELS + 1)),
    *"""
    before after page_mass page_share page_blocks n_same ends_sentence first_heading from_title
    read_more ends_colon is_caps path_share path_part tags_share tags_part n_alike links_3 links_4
    blocks_1 blocks_2 in_main below_main main_part heading_away heading_level chars_again
    bylines_near p_multimedia title_p title_words title_words_2 title_words_4 heading_in_link
    heading_words link_-1 link_+1 title_levels column_links column_part column_blocks
    """.split(),
    *(f"in_{name}" for name in SURROUNDINGS),
    *(f"stated_{kind}" for kind in TEXT_KINDS),
    *_OF_STATED,
)
"""Columns of the blocks; each is described where it is computed."""


def block_columns(evidence: Evidence) -> Columns:
    """Return the features of the blocks by the names in ``BLOCK_COLUMNS``, each (n_blocks,)."""
    if not evidence.n_blocks:
        return dict.fromkeys(BLOCK_COLUMNS, np.zeros(0))
    sums = _sums(evidence)
    return {
        **_text_columns(evidence, sums),
        **_container_columns(evidence, sums),
        **_position_columns(evidence, sums),
        **_path_columns(evidence, sums),
        **_title_columns(evidence, sums),
        **evidence.surrounding_columns(evidence.page.element[evidence.block_starts]),
        **_stated_columns(evidence),
    }


class _Sums(NamedTuple):
    """Characters, expected ones of the body, ones in links, and ones capped at ``_MOST_CHARS``.

    The rows of ``blocks`` are in this order, and so are the first of ``inside``, whose last row is
    the number of blocks that begin there.
    """

    blocks: Floats  # shape (4, n_blocks)
    inside: Floats  # shape (5, n_elements)
    begun: Integers  # blocks that begin before each region, and all, shape (n_regions + 1,)
    body: float  # of the whole page
    capped: float
    element: Integers32  # of each block, shape (n_blocks,)
    above: list[Integers32]  # elements one to five levels above; above the outermost is itself


def _sums(evidence: Evidence) -> _Sums:
    page, chars, (first, end) = evidence.page, evidence.chars, evidence.region_ranges
    rows = np.zeros((5, len(chars)))
    rows[0], rows[3] = chars, np.minimum(chars, _MOST_CHARS)
    rows[1], rows[2] = evidence.p_body * rows[3], chars * evidence.in_link
    rows[4, evidence.block_starts] = 1
    running = _running_sums(rows)
    inside = running[:, end] - running[:, first]
    blocks = np.add.reduceat(rows[:4], evidence.block_starts, axis=1)
    element = page.block_element[evidence.block_starts]
    levels, outer = [element], page.elements.parent.copy()
    outer[outer < 0] = np.flatnonzero(outer < 0)
    for _ in range(_LEVELS):
        levels.append(outer[levels[-1]])
    body, capped, begun = float(running[1, -1]), float(rows[3].sum()), running[4].astype(np.int64)
    return _Sums(blocks, inside, begun, body, capped, element, levels[1:])


def _running_sums(rows: Floats) -> Floats:
    """Return the sums of the values before each place, and of all, shape (n_rows, n + 1)."""
    sums = np.zeros((len(rows), rows.shape[1] + 1))
    np.cumsum(rows, axis=1, out=sums[:, 1:])
    return sums


def word_counts(page: Page) -> Integers:
    """Return the number of words between spaces in each region's text, shape (n_regions,)."""
    return page.text_counts[2]


def _letter_counts(page: Page) -> Integers:
    return np.fromiter(map(len, page.letters), np.int64, len(page))


def _text_columns(evidence: Evidence, sums: _Sums) -> dict[str, Floats]:
    """Return a block's label probabilities, size, share of links and element, and its neighbours'.

    ``kind`` is that of the nearest element of a kind, ``level`` that of a heading, 0 for other
    blocks, and ``depth`` that of the block's element in the document. ``mean_6`` is the share of
    body in the block and the six blocks on each side of it.
    """
    page, starts, n = evidence.page, evidence.block_starts, evidence.n_blocks
    weights = evidence.chars + 1e-3
    rows = np.array([evidence.p_body, *map(evidence.probability, (*_MEANS, "Multimedia"))])
    body, *means, multimedia = np.add.reduceat(rows * weights, starts, axis=1) / np.add.reduceat(
        weights, starts
    )
    total, masses, links, capped = sums.blocks
    length, linked, margin = np.log1p(total), links / np.maximum(total, 1), max(_NEIGHBOURS)
    near = np.full((3, n + 2 * margin), np.nan)
    near[:, margin : margin + n] = body, length, linked
    bylines = evidence.probability("Author") + evidence.probability("Date")
    running = _running_sums(np.array([masses, capped, np.add.reduceat(bylines, starts)]))
    at, widths = np.arange(n), np.array([*_WIDTHS, _NEAR])[:, None]
    windows = running[:, np.minimum(at + widths + 1, n)] - running[:, np.maximum(at - widths, 0)]
    local = windows[0] / (windows[1] + 1)
    return {
        "body": body,
        "body_highest": evidence.block_max(evidence.p_body),
        **{f"p_{name.lower()}": mean for name, mean in zip(_MEANS, means, strict=True)},
        "p_multimedia": multimedia,
        "n_chars": length,
        "n_words": np.log1p(np.add.reduceat(word_counts(page), starts)),
        "n_regions": np.diff(starts, append=len(page)).astype(np.float64),
        "link_share": linked,
        "kind": evidence.nearest_codes(_KINDS)[sums.element].astype(np.float64),
        "landmark": evidence.landmark[page.element[starts]].astype(np.float64),
        "level": evidence.level[starts].astype(np.float64),
        "depth": page.elements.depth[sums.element].astype(np.float64),
        **{f"body_{k:+d}": near[0, margin + k :][:n] for k in _NEIGHBOURS},
        **{f"chars_{k:+d}": near[1, margin + k :][:n] for k in (-1, 1)},
        **{f"link_{k:+d}": near[2, margin + k :][:n] for k in (-1, 1)},
        **{f"mean_{width}": mean for width, mean in zip(_WIDTHS, local, strict=False)},
        "bylines_near": windows[2, -1],
    }


def _container_columns(evidence: Evidence, sums: _Sums) -> dict[str, Floats]:
    """Return features of the containers above a block, from the innermost outwards.

    They are the share of body in the container (``share_1``), the container's share of the whole
    body (``part_1``), its size in characters (``like_1``), its blocks (``blocks_1``) and its share
    of links (``links_3``). ``in_main`` is whether the block is inside the deepest container of
    nearly all of the body, ``below_main`` how many levels up from the deepest container of most of
    it the block is found, and ``main_part`` the share of the body in that container.
    """
    page, starts, depth = evidence.page, evidence.block_starts, evidence.page.elements.depth
    inside = sums.inside[:, np.array(sums.above)]  # shape (5, n_levels, n_blocks)
    chars, body, links, capped, n_blocks = inside
    share, part, size, links = (
        body / (capped + 1), body / (sums.body + 1), np.log1p(capped), links / (chars + 1)
    )  # fmt: skip
    of_body = sums.inside[1] / (sums.body + 1e-9)
    wide, narrow = (
        int(np.argmax(np.where(of_body >= least, depth, -1))) for least in (_NEARLY_ALL, _MOST)
    )
    (first, end), shared = evidence.region_ranges, evidence.shared_with(narrow)
    levels = np.where(shared >= 0, depth[narrow] - depth[shared], depth[narrow] + 1)
    return {
        **{f"share_{level}": row for level, row in enumerate(share, 1)},
        **{f"part_{level}": row for level, row in enumerate(part, 1)},
        **{f"like_{level}": row for level, row in enumerate(size[:_SIZED_LEVELS], 1)},
        **{f"blocks_{level}": row for level, row in enumerate(np.log1p(n_blocks[:2]), 1)},
        **{f"links_{level}": row for level, row in enumerate(links[2:4], 3)},
        "in_main": ((starts >= first[wide]) & (starts < end[wide])).astype(np.float64),
        "below_main": levels[page.element[starts]].astype(np.float64),
        "main_part": np.full(len(starts), of_body[narrow]),
    }


def _position_columns(evidence: Evidence, sums: _Sums) -> dict[str, Floats]:
    """Return a block's place on the page, the page's amount of body, and the block's first words.

    ``before`` and ``after`` are the shares of the body on both sides of the block, ``n_same``
    counts the blocks that begin with the same text, and ``chars_again`` their characters.
    """
    texts, starts, n = evidence.page.text, evidence.block_starts, evidence.n_blocks
    masses, at = sums.blocks[1], np.arange(n)
    total = masses.sum() + 1
    before = (np.cumsum(masses) - masses) / total
    first = [*map(texts.__getitem__, starts.tolist())]
    last = [*map(texts.__getitem__, [*(starts[1:] - 1).tolist(), len(texts) - 1])]
    n_same = np.array([*map(Counter(first).__getitem__, first)], dtype=np.float64)
    leads_away = _LEADS_AWAY.match
    headings = np.flatnonzero(evidence.level[starts] == 1)
    title = int(evidence.page.blocks[evidence.title_region])
    flags = {
        "ends_sentence": [text[-1:] in _LINE_ENDS for text in last],
        "read_more": [leads_away(text) is not None for text in first],
        "ends_colon": [text[-1:] == ":" for text in first],
        "is_caps": [*map(str.isupper, first)],
    }
    return {
        "before": before,
        "after": 1 - before - masses / total,
        "page_mass": np.full(n, np.log1p(total)),
        "page_share": np.full(n, total / (sums.capped + 1)),
        "page_blocks": np.full(n, np.log1p(n)),
        "n_same": n_same,
        "chars_again": np.log1p((n_same - 1) * evidence.chars[starts]),
        "first_heading": _bounded(at - (headings[0] if len(headings) else n)),
        "from_title": _bounded(at - title),
        **{name: np.array(values, dtype=np.float64) for name, values in flags.items()},
    }


def _bounded(distances: Integers) -> Floats:
    """Return distances in blocks, within bounds beyond which all are the same."""
    return np.minimum(np.maximum(distances, -_FAR), 4 * _FAR).astype(np.float64)


def _path_columns(evidence: Evidence, sums: _Sums) -> dict[str, Floats]:
    """Return the share of body in all blocks of a block's path, and their share of the whole body.

    ``path_share`` and ``path_part`` are of paths of tags with classes, ``tags_share`` and
    ``tags_part`` of paths of tags alone; ``n_alike`` counts the elements with the block's path.
    """
    _, masses, _, capped = sums.blocks
    columns: dict[str, Floats] = {}
    for name, shapes in zip(("path", "tags"), evidence.path_numbers, strict=True):
        numbers = shapes[sums.element]
        held = np.bincount(numbers, masses)[numbers]
        columns[f"{name}_share"] = held / (np.bincount(numbers, capped)[numbers] + 1)
        columns[f"{name}_part"] = held / (masses.sum() + 1)
    whole = evidence.path_numbers[0]
    return {**columns, "n_alike": np.log1p(np.bincount(whole)[whole[sums.element]])}


def _title_columns(evidence: Evidence, sums: _Sums) -> dict[str, Floats]:
    """Return how blocks, the headings above them and the containers around them suit the title.

    ``title_words`` is the share of the title's words in the block, ``title_words_2`` and
    ``title_words_4`` that in the containers two and four levels above it, and ``heading_words``
    that in the heading above it. ``heading_away`` is whether that heading leads away from the
    article, and ``heading_in_link`` its share in links, as those of teasers are. ``title_levels``
    is the number of levels from the title up to a container that also contains the block; of that
    container's child around the block are the share of links, the share of the body, and the number
    of blocks (``column_links``, ...): teasers beside the article are far from its headline.
    """
    page, starts, n = evidence.page, evidence.block_starts, evidence.n_blocks
    parent, (first, end) = page.elements.parent, evidence.region_ranges
    held = _title_word_columns(evidence)
    running = np.zeros((n + 1, held.shape[1]), dtype=np.int32)
    np.cumsum(held, axis=0, out=running[1:])
    columns = {"title_words": held.sum(axis=1) / held.shape[1]}
    for level in (2, 4):
        low, high = (sums.begun[bound[sums.above[level - 1]]] for bound in (first, end))
        is_inside = running.take(high, axis=0) > running.take(low, axis=0)
        columns[f"title_words_{level}"] = is_inside.sum(axis=1) / held.shape[1]
    levels = evidence.level[starts]
    headings = np.flatnonzero(levels)
    at = np.cumsum(levels > 0) - 1
    nearest, is_below = headings[at] if len(headings) else np.zeros(n, dtype=np.int64), at >= 0
    lines = [page.text[i] for i in starts[headings].tolist()]
    away = np.array([*(_TOPICS_ELSEWHERE.match(line) is not None for line in lines), False])
    title = int(page.element[evidence.title_region])
    shared, depth = evidence.shared_with(title), page.elements.depth
    is_shared = shared == np.arange(len(shared))
    is_part = ~is_shared & ((parent < 0) | is_shared[parent])
    part = np.where(is_shared, shared, dom_tree.nearest_marked(page, is_part))[sums.element]
    around = shared[sums.element]
    chars, masses, links, _, n_blocks = sums.inside[:, part]
    in_link = sums.blocks[2] / np.maximum(sums.blocks[0], 1)
    return {
        **columns,
        "title_p": np.full(n, evidence.probability("Title").max(initial=0)),
        "heading_level": np.where(is_below, levels[nearest], 0.0),
        "heading_away": np.where(is_below, away[at], -1.0),
        "heading_in_link": np.where(is_below, in_link[nearest], -1.0),
        "heading_words": np.where(is_below, columns["title_words"][nearest], -1.0),
        "title_levels": np.where(around >= 0, depth[title] - depth[around], -1.0),
        "column_links": links / (chars + 1),
        "column_part": masses / (sums.body + 1),
        "column_blocks": np.log1p(n_blocks),
    }


def _title_word_columns(evidence: Evidence) -> Integers32:
    """Return which of the title's words each block has, shape (n_blocks, n_words), n_words > 0."""
    page, title = evidence.page, evidence.title_region
    text = f"{page.metadata.title} {page.text[title] if len(page) else ''}"
    words = map(word_key, _BETWEEN_WORDS.split(text))
    stems = {word[:_STEM] for word in words if len(word) >= _SHORTEST_STEM}
    if has_unspaced(text):
        stems |= {a + b for a, b in pairwise(text) if has_unspaced(a) and has_unspaced(b)}
    kept = sorted(stems)[:_MOST_STEMS]
    held = np.zeros((evidence.n_blocks, max(len(kept), 1)), dtype=np.int32)
    title_block = int(page.blocks[title]) if len(page) else -1
    whole, blocks = "\n".join(page.letters), page.blocks.tolist()
    starts = [*evidence.block_starts.tolist(), len(page)]
    begins = [0, *np.cumsum(_letter_counts(page) + 1).tolist()]
    for column, stem in enumerate(kept):
        at = whole.find(stem)
        while at >= 0:
            block = blocks[bisect_right(begins, at) - 1]
            if block != title_block:
                held[block, column] = 1
            at = whole.find(stem, begins[starts[block + 1]])
    return held


def _stated_columns(evidence: Evidence) -> dict[str, Floats]:
    """Return how much of each block the page's JSON-LD states as well.

    ``stated_content`` and the like are the shares of the block's letters that occur in stated texts
    of each kind of ``TEXT_KINDS``; ``stated_found`` is the share of the stated content that the
    page shows, and ``from_stated`` the distance in blocks from the part of the page that contains
    it, negative before it. All are NaN if no such text is stated.
    """
    n = evidence.n_blocks
    unknown = np.full(n, np.nan)
    columns = dict.fromkeys((*(f"stated_{kind}" for kind in TEXT_KINDS), *_OF_STATED), unknown)
    if not evidence.page.metadata.json_ld:
        return columns
    letters = _letter_counts(evidence.page)
    total = np.maximum(np.add.reduceat(letters, evidence.block_starts), 1)
    for kind, texts in stated_texts(evidence.page.metadata).items():
        keys = dict.fromkeys(filter(None, map(normalise, texts)))
        n_stated = sum(map(len, keys))
        if n_stated < _LEAST_STATED:
            continue
        letters_shown = _stated_letters(evidence, keys)
        columns[f"stated_{kind}"] = share = (
            np.add.reduceat(letters_shown, evidence.block_starts) / total
        )
        if kind == "content":
            columns["stated_found"] = np.full(n, min(letters_shown.sum() / n_stated, 2.0))
            stated_blocks, at = np.flatnonzero(share >= _HALF), np.arange(n)
            if len(stated_blocks):
                away = np.minimum(at - stated_blocks[0], 0) + np.maximum(at - stated_blocks[-1], 0)
                columns["from_stated"] = np.minimum(np.maximum(away, -_FAR), _FAR).astype(
                    np.float64
                )
    return columns


def _stated_letters(evidence: Evidence, keys: Collection[str]) -> Floats:
    """Return the letters of each region that occur in normalised texts, shape (n_regions,).

    A text may extend over several regions, or a region over a part of a text; a short text counts
    only if it is a whole block.
    """
    page, index = evidence.page, text_index(evidence.page)
    found = np.zeros(len(page))
    for key in keys:
        for span in index.find_inside(key) if len(key) >= _LONG_STATED else ():
            for i, share in index.overlapping(span):
                found[i] = max(found[i], share * len(page.letters[i]))
    whole = "\n".join(keys)
    for i, text_letters in enumerate(page.letters):
        if len(text_letters) >= _LONG_STATED and text_letters in whole:
            found[i] = len(text_letters)
    ends = [*evidence.block_starts[1:].tolist(), len(page)]
    for start, end in zip(evidence.block_starts.tolist(), ends, strict=True):
        if end - start > _FEW_REGIONS:
            continue
        own = page.letters[start] if end - start == 1 else "".join(page.letters[start:end])
        if own in keys:
            found[start:end] = [len(text_letters) for text_letters in page.letters[start:end]]
    return found


_LEADS_AWAY, _TOPICS_ELSEWHERE = (
    lazy_pattern(patterns("beginnings")[name], re.IGNORECASE)
    for name in ("leads_away", "topics_elsewhere")
)
_BETWEEN_WORDS = lazy_pattern(r"[\W_]+")
_LINE_ENDS = frozenset(f'{SENTENCE_ENDS}।:"”»“')  # a colon introduces a list or a quotation
