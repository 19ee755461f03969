"""Columns of the blocks of a page, by which trees judge whether each belongs to the body.

A learner labels regions one by one. Whether a block belongs to the body also depends on how much of
its container does, on its neighbours, and on how much text is left before and after it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats, Integers, Integers32
from structce.article.evidence import SURROUNDINGS, Evidence, word_key
from structce.article.regions import has_unspaced
from structce.article.tuned import patterns
from structce.features import dom_tree, text, text_index
from structce.language import SENTENCE_ENDS, normalise
from structce.page import TEXT_KINDS, stated_texts
from structce.patterns import lazy_pattern


def numbers_of_tags(groups: str) -> dict[str, int]:
    """Return the number of each tag's group, from 1; groups are separated by commas."""
    return {tag: n for n, tags in enumerate(groups.split(","), 1) for tag in tags.split()}


_KINDS = numbers_of_tags(
    "p, li, td th, dd dt, pre code, blockquote, figcaption caption, h1 h2 h3 h4 h5 h6,"
    "button label option summary legend"
)
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

_ROWS = {name: n for n, name in enumerate(BLOCK_COLUMNS)}
_COUNTS = """
n_chars n_words like_1 like_2 like_3 chars_again n_alike blocks_1 blocks_2 column_blocks
""".split()
_COUNT_ROWS = [*map(_ROWS.__getitem__, _COUNTS)]  # of these the logarithms are the features
_BESIDE = {"body": "body", "chars": "n_chars", "link": "link_share"}  # what is known of neighbours
_NEIGHBOUR_ROWS = [
    (_ROWS[name], _ROWS[_BESIDE[name[:-3]]], int(name[-2:]))
    for name in BLOCK_COLUMNS
    if name[-2] in "+-"
]
"""Row of a neighbour's value, row of a block's own, and the distance of the neighbour in blocks."""

_Values = Mapping[str, np.ndarray | float]
"""Values of blocks, or of all of them at once, by column; of several rows, by the first column."""


def block_columns(evidence: Evidence) -> Floats:
    """Return the features of the blocks, shape (n_columns, n_blocks), rows as in ``BLOCK_COLUMNS``.

    NaN where a feature is unknown.
    """
    n = evidence.n_blocks
    table = np.full((len(BLOCK_COLUMNS), n), np.nan)
    if not n:
        return table
    sums = _sums(evidence)
    for values in (
        _of_text(evidence, sums),
        _of_containers(evidence, sums),
        _of_positions(evidence, sums),
        _of_paths(evidence, sums),
        _of_title(evidence, sums),
        _of_statements(evidence, sums),
    ):
        for name, own in values.items():
            n_rows = len(own) if isinstance(own, np.ndarray) and own.ndim == 2 else 1
            table[_ROWS[name] : _ROWS[name] + n_rows] = own
    table[_COUNT_ROWS] = np.log1p(table[_COUNT_ROWS])
    for row, own_row, offset in _NEIGHBOUR_ROWS:
        n_kept = max(n - abs(offset), 0)
        left, right = slice(n_kept), slice(n - n_kept, n)
        target, source = (left, right) if offset > 0 else (right, left)
        table[row, target] = table[own_row, source]
    return table


class _Sums(NamedTuple):
    """Sums of what `_sums` lists over blocks, and of the first five over elements."""

    blocks: Floats  # shape (n_rows, n_blocks)
    inside: Floats  # shape (5, n_elements)
    body: float  # of the whole page
    capped: float
    letters: Integers  # of the page before each block, shape (n_blocks,)
    element: Integers32  # of each block, shape (n_blocks,)
    above: Integers32  # elements one to five levels above; above the outermost is itself


def _sums(evidence: Evidence) -> _Sums:
    """Return sums of characters, expected ones of the body, ones in links, and ones that count.

    Then of blocks that begin, words, letters, probabilities of bylines, and weights; of blocks, the
    means of ``p_body`` and of label probabilities by these weights follow.
    """
    page, chars, (first, end) = evidence.page, evidence.chars, evidence.region_ranges
    starts, labels = evidence.block_starts, (*_MEANS, "Multimedia")
    rows = np.zeros((10 + len(labels), len(chars)))
    rows[0], rows[3] = chars, np.minimum(chars, _MOST_CHARS)
    rows[1], rows[2] = evidence.p_body * rows[3], chars * evidence.in_link
    rows[4, starts], rows[5] = 1, text.space_counts(page) + (chars > 0)
    rows[6] = np.fromiter(map(len, page.letters), np.int64, len(page))
    rows[7] = evidence.probability("Author") + evidence.probability("Date")
    rows[8] = weights = chars + 1e-3
    rows[9:] = [evidence.p_body, *map(evidence.probability, labels)]
    rows[9:] *= weights
    blocks = np.add.reduceat(rows, starts, axis=1)
    blocks[9:] /= blocks[8]
    letters = (blocks[6].cumsum() - blocks[6]).astype(np.int64)
    running = _running_sums(rows[:5])
    inside = running.take(end, axis=1) - running.take(first, axis=1)
    element, parent = page.block_element[starts], page.elements.parent
    outer = np.where(parent < 0, np.arange(len(parent), dtype=np.int32), parent)
    above = [outer[element]]
    for _ in range(_LEVELS - 1):
        above.append(outer[above[-1]])
    body, capped = float(running[1, -1]), float(rows[3].sum())
    return _Sums(blocks, inside, body, capped, letters, element, np.array(above))


def _running_sums(rows: Floats) -> Floats:
    """Return the sums of the values before each place, and of all, shape (n_rows, n + 1)."""
    sums = np.zeros((len(rows), rows.shape[1] + 1))
    np.cumsum(rows, axis=1, out=sums[:, 1:])
    return sums


def _of_text(evidence: Evidence, sums: _Sums) -> _Values:
    """Return a block's label probabilities, size, share of links and element, and what is around.

    ``kind`` is that of the nearest element of a kind, ``level`` that of a heading, 0 for other
    blocks, and ``depth`` that of the block's element in the document. ``mean_6`` is the share of
    body in the block and the six blocks on each side of it; ``before`` and ``after`` are the shares
    of all the body on both sides of the block.
    """
    page, starts, n = evidence.page, evidence.block_starts, evidence.n_blocks
    chars, masses, links = sums.blocks[:3]
    running, total, at = _running_sums(sums.blocks[[1, 3, 7]]), masses.sum() + 1, np.arange(n)
    ends, begins = at + _AROUND, at + _BEFORE  # at the borders of the page, clipped
    windows = running.take(ends, axis=1, mode="clip") - running.take(begins, axis=1, mode="clip")
    before = (running[0, 1:] - masses) / total
    return {
        "body": sums.blocks[9],
        "body_highest": evidence.block_max(evidence.p_body),
        "p_paragraph": sums.blocks[10:-1],
        "p_multimedia": sums.blocks[-1],
        "n_chars": chars,
        "n_words": sums.blocks[5],
        "n_regions": np.append(starts[1:], len(page)) - starts,
        "link_share": links / np.maximum(chars, 1),
        "kind": evidence.nearest_codes(_KINDS)[sums.element],
        "landmark": evidence.landmark[page.element[starts]],
        "level": evidence.level[starts],
        "depth": page.elements.depth[sums.element],
        "mean_2": windows[0, :-1] / (windows[1, :-1] + 1),
        "bylines_near": windows[2, -1],
        "before": before,
        "after": 1 - before - masses / total,
        "page_mass": np.log1p(total),
        "page_share": total / (sums.capped + 1),
        "page_blocks": np.log1p(n),
    }


_BEFORE = -np.array([*_WIDTHS, _NEAR])[:, None]
_AROUND = 1 - _BEFORE


def _of_containers(evidence: Evidence, sums: _Sums) -> _Values:
    """Return features of the containers above a block, from the innermost outwards.

    They are the share of body in the container (``share_1``), the container's share of the whole
    body (``part_1``), its size in characters (``like_1``), its blocks (``blocks_1``) and its share
    of links (``links_3``). ``in_main`` is whether the block is inside the deepest container of
    nearly all of the body, ``below_main`` how many levels up from the deepest container of most of
    it the block is found, and ``main_part`` the share of the body in that container.
    """
    page, starts, depth = evidence.page, evidence.block_starts, evidence.page.elements.depth
    chars, body, links, capped, n_blocks = sums.inside.take(sums.above, axis=1)  # of five levels
    of_body = sums.inside[1] / (sums.body + 1e-9)
    wide, narrow = (
        int(np.where(of_body >= least, depth, -1).argmax()) for least in (_NEARLY_ALL, _MOST)
    )
    (first, end), elements = evidence.region_ranges, page.element[starts]
    shared = evidence.shared_with(narrow)[elements]
    return {
        "share_1": body / (capped + 1),
        "part_1": body / (sums.body + 1),
        "like_1": capped[:_SIZED_LEVELS],
        "blocks_1": n_blocks[:2],
        "links_3": links[2:4] / (chars[2:4] + 1),
        "in_main": (starts >= first[wide]) & (starts < end[wide]),
        "below_main": depth[narrow] - np.where(shared >= 0, depth[shared], -1),
        "main_part": of_body[narrow],
        "in_comment": evidence.surrounding_rows(elements),
    }


def _of_positions(evidence: Evidence, sums: _Sums) -> _Values:
    """Return a block's distance from the title and the first heading, and its first and last words.

    ``n_same`` counts the blocks that begin with the same text, ``chars_again`` their characters.
    """
    page, starts, n = evidence.page, evidence.block_starts, evidence.n_blocks
    first = [*map(page.text.__getitem__, starts.tolist())]
    numbers, marks = kernels.number_values(first), text.last_characters(page)
    n_same, at = np.bincount(numbers)[numbers], np.arange(n)
    headings = np.flatnonzero(evidence.level[starts] == 1)
    return {
        "n_same": n_same,
        "chars_again": (n_same - 1) * evidence.chars[starts],
        "first_heading": _bounded(at - (headings[0] if len(headings) else n)),
        "from_title": _bounded(at - page.blocks[evidence.title_region]),
        "ends_sentence": (marks[np.append(starts[1:], len(page)) - 1] == _LINE_ENDS).any(axis=0),
        "read_more": _which_begin(_LEADS_AWAY, first),
        "ends_colon": marks[starts] == ord(":"),
        "is_caps": text.all_capitals(page)[starts],
    }


def _which_begin(pattern: re.Pattern[str], lines: Sequence[str]) -> Flags:
    """Return which lines begin with a pattern in lower case, after a line feed and signs."""
    whole = "\n".join(["", *lines]).lower()
    flags, n, end = np.zeros(whole.count("\n"), dtype=bool), 0, 0
    for match in pattern.finditer(whole):
        n, end = n + whole.count("\n", end, match.start()), match.start()
        flags[n] = True
    return flags


def _bounded(distances: Integers) -> Integers:
    """Return distances in blocks, within bounds beyond which all are the same."""
    return np.minimum(np.maximum(distances, -_FAR), 4 * _FAR)


def _of_paths(evidence: Evidence, sums: _Sums) -> _Values:
    """Return the share of body in all blocks of a block's path, and their share of the whole body.

    ``path_share`` and ``path_part`` are of paths of tags with classes, ``tags_share`` and
    ``tags_part`` of paths of tags alone; ``n_alike`` counts the elements with the block's path.
    """
    masses, capped, whole = sums.blocks[1], sums.blocks[3], evidence.path_numbers[0]
    values: dict[str, np.ndarray | float] = {"n_alike": np.bincount(whole)[whole[sums.element]]}
    for name, shapes in zip(("path", "tags"), evidence.path_numbers, strict=True):
        numbers = shapes[sums.element]
        held = np.bincount(numbers, masses)[numbers]
        values[f"{name}_share"] = held / (np.bincount(numbers, capped)[numbers] + 1)
        values[f"{name}_part"] = held / (masses.sum() + 1)
    return values


def _of_title(evidence: Evidence, sums: _Sums) -> _Values:
    """Return how blocks, the headings above them and the containers around them suit the title.

    ``title_words`` is the share of the title's words in the block, ``title_words_2`` and
    ``title_words_4`` that in the containers two and four levels above it, and ``heading_words``
    that in the heading above it. ``heading_away`` is whether that heading leads away from the
    article, and ``heading_in_link`` its share in links, as those of teasers are. ``title_levels``
    is the number of levels from the title up to a container that also contains the block; of that
    container's child around the block are the share of links, the share of the body, and the number
    of blocks (``column_links``, ...): teasers beside the article are far from its headline.
    """
    page, starts, parent = evidence.page, evidence.block_starts, evidence.page.elements.parent
    held, n_words = _title_words(evidence, sums)
    inside = np.zeros(len(parent), dtype=np.int64)
    np.bitwise_or.at(inside, page.element[starts], held)
    inside = kernels.bits_up(parent, inside)
    sets = np.array([held, inside[sums.above[1]], inside[sums.above[3]]])
    title_words, *wider = (_N_BITS[sets & 4095] + _N_BITS[sets >> 12]) / max(n_words, 1)
    levels = evidence.level[starts]
    headings, at = np.flatnonzero(levels), np.cumsum(levels > 0) - 1
    nearest, is_below = headings[at] if len(headings) else np.zeros_like(at), at >= 0
    lines = [page.text[i] for i in starts[headings].tolist()]
    away = _which_begin(_TOPICS_ELSEWHERE, [*lines, ""])
    title = int(page.element[evidence.title_region])
    shared, depth = evidence.shared_with(title), page.elements.depth
    is_shared = shared == np.arange(len(shared))
    is_part = ~is_shared & ((parent < 0) | is_shared[parent])
    part = np.where(is_shared, shared, dom_tree.nearest_marked(page, is_part))[sums.element]
    around = shared[sums.element]
    chars, masses, links, _, n_blocks = sums.inside.take(part, axis=1)
    in_link = sums.blocks[2] / np.maximum(sums.blocks[0], 1)
    return {
        "title_words": title_words,
        "title_words_2": wider[0],
        "title_words_4": wider[1],
        "title_p": evidence.probability("Title").max(initial=0),
        "heading_level": np.where(is_below, levels[nearest], 0),
        "heading_away": np.where(is_below, away[at], -1),
        "heading_in_link": np.where(is_below, in_link[nearest], -1),
        "heading_words": np.where(is_below, title_words[nearest], -1),
        "title_levels": np.where(around >= 0, depth[title] - depth[around], -1),
        "column_links": links / (chars + 1),
        "column_part": masses / (sums.body + 1),
        "column_blocks": n_blocks,
    }


_N_BITS = np.array([n.bit_count() for n in range(4096)])
"""Number of bits of numbers of twelve."""


def _title_words(evidence: Evidence, sums: _Sums) -> tuple[Integers, int]:
    """Return which of the title's words each block has, a bit for each, and their number."""
    page, title = evidence.page, evidence.title_region
    stated = f"{page.metadata.title} {page.text[title] if len(page) else ''}"
    words = map(word_key, _BETWEEN_WORDS.split(stated))
    stems = {word[:_STEM] for word in words if len(word) >= _SHORTEST_STEM}
    if has_unspaced(stated):
        stems |= {a + b for a, b in pairwise(stated) if has_unspaced(a) and has_unspaced(b)}
    kept = sorted(stems)[:_MOST_STEMS]
    begins = sums.letters + evidence.block_starts  # each region before adds a line feed
    held = kernels.find_parts("\n".join(page.letters), kept, begins)
    held[page.blocks[title]] = 0
    return held, len(kept)


def _of_statements(evidence: Evidence, sums: _Sums) -> _Values:
    """Return how much of each block the page's JSON-LD states as well, if it states such texts.

    ``stated_content`` and the like are the shares of the block's letters that occur in stated texts
    of each kind of ``TEXT_KINDS``; ``stated_found`` is the share of the stated content that the
    page shows, and ``from_stated`` the distance in blocks from the part of the page that contains
    it, negative before it.
    """
    page, starts, values = evidence.page, evidence.block_starts, dict[str, np.ndarray | float]()
    for kind, texts in stated_texts(page.metadata).items() if page.metadata.json_ld else ():
        keys = dict.fromkeys(filter(None, map(normalise, texts)))
        n_stated = sum(map(len, keys))
        if n_stated < _LEAST_STATED:
            continue
        letters = _stated_letters(evidence, sums, keys)
        share = np.add.reduceat(letters, starts) / np.maximum(sums.blocks[6], 1)
        values[f"stated_{kind}"] = share
        if kind == "content":
            values["stated_found"] = min(letters.sum() / n_stated, 2.0)
            stated_blocks, at = np.flatnonzero(share >= _HALF), np.arange(evidence.n_blocks)
            if len(stated_blocks):
                away = np.minimum(at - stated_blocks[0], 0) + np.maximum(at - stated_blocks[-1], 0)
                values["from_stated"] = np.minimum(np.maximum(away, -_FAR), _FAR)
    return values


def _stated_letters(evidence: Evidence, sums: _Sums, keys: Collection[str]) -> Floats:
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
    sizes = {*map(len, keys)}
    for block in [n for n, size in enumerate(sums.blocks[6].tolist()) if size in sizes]:
        regions = evidence.regions_of(block)
        letters = page.letters[regions.start : regions.stop]
        if len(regions) <= _FEW_REGIONS and "".join(letters) in keys:
            found[regions.start : regions.stop] = [*map(len, letters)]
    return found


_LEADS_AWAY, _TOPICS_ELSEWHERE = (
    lazy_pattern(rf"\n[^\w\n]*{patterns('beginnings')[name]}")
    for name in ("leads_away", "topics_elsewhere")
)
_BETWEEN_WORDS = lazy_pattern(r"[\W_]+")
_LINE_ENDS = np.array([*map(ord, f'{SENTENCE_ENDS}।:"”»“')])[:, None]
"""Code points; a colon introduces a list or a quotation."""
