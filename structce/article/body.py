"""Blocks of a page as candidates of its body, and the features by which they are judged.

A learner labels regions one by one. Whether a block belongs to the body also depends on how much of
its container does, on its neighbours, and on how much text is left before and after it; boosted
trees weigh these (:mod:`structce.article.choice`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import accumulate, pairwise

import numpy as np

from structce.arrays import Floats, Integers32
from structce.article.evidence import SURROUNDINGS, Columns, Evidence
from structce.article.regions import has_unspaced
from structce.article.tuned import patterns
from structce.features import text_index
from structce.language import SENTENCE_ENDS, normalise
from structce.page import TEXT_KINDS, stated_texts

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
_MANY = 400  # characters of a region that count, so that no long block outweighs the page
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
    chars = evidence.lengths.astype(np.float64)
    mass = evidence.body * np.minimum(chars, _MANY)
    bits = evidence.surroundings[evidence.page.element[evidence.starts]]
    return {
        **_own(evidence, chars),
        **_neighbours(evidence, chars, mass),
        **_containers(evidence, chars, mass),
        **_page_place(evidence, chars, mass),
        **_paths(evidence, chars, mass),
        **_container_contents(evidence, chars),
        **_main_container(evidence, mass),
        **_headings(evidence),
        **_repetition_and_labels(evidence, chars),
        **_about_title(evidence, chars),
        **_columns_of_title(evidence, chars, mass),
        **{f"in_{name}": (bits >> n & 1).astype(np.float64) for n, name in enumerate(SURROUNDINGS)},
        **_stated(evidence),
    }


def _sums(evidence: Evidence, values: Floats) -> Floats:
    """Return the sum over each block's regions, shape (n_blocks,)."""
    return np.add.reduceat(values, evidence.starts)


def block_mean(evidence: Evidence, values: Floats, weights: Floats) -> Floats:
    """Return the weighted mean over each block's regions, shape (n_blocks,)."""
    weights = weights + 1e-3
    return _sums(evidence, values * weights) / _sums(evidence, weights)


def _running_sums(values: Floats) -> Floats:
    """Return the sum of the values before each index, and of all."""
    return np.concatenate([[0.0], np.cumsum(values)])


def _sums_inside(evidence: Evidence, values: Floats) -> Floats:
    """Return the sum over the regions inside each element, shape (n_elements,)."""
    first, end = evidence.region_ranges
    sums = _running_sums(values)
    return sums[end] - sums[first]


def _elements_above(evidence: Evidence, n_levels: int) -> list[Integers32]:
    """Return the element of each block, and those up to ``n_levels`` above it, (n_blocks,) each."""
    parent = evidence.page.elements.parent
    above = [evidence.page.block_element[evidence.starts]]
    for _ in range(n_levels):
        around = parent[above[-1]]
        above.append(np.where(around >= 0, around, above[-1]))
    return above


def _own(evidence: Evidence, chars: Floats) -> dict[str, Floats]:
    """Return a block's label probabilities, size, share of links, and element.

    ``kind`` is that of the nearest element of a kind, ``level`` that of a heading, 0 for other
    blocks, and ``depth`` that of the block's element in the document.
    """
    page, starts = evidence.page, evidence.starts
    weights = chars + 1e-3
    rows = np.stack([evidence.body, *map(evidence.probability, _MEANS)])
    sums = np.add.reduceat(rows * weights, starts, axis=1)
    body, *means = sums / _sums(evidence, weights)
    words = np.fromiter((text.count(" ") + 1 for text in page.text), np.float64, len(page))
    total = _sums(evidence, chars)
    holder = page.block_element[starts]
    return {
        "body": body,
        "body_highest": evidence.highest(evidence.body),
        **{f"p_{name.lower()}": mean for name, mean in zip(_MEANS, means, strict=True)},
        "n_chars": np.log1p(total),
        "n_words": np.log1p(_sums(evidence, words * (chars > 0))),
        "n_regions": _sums(evidence, np.ones(len(page))),
        "link_share": _sums(evidence, chars * evidence.in_link) / np.maximum(total, 1),
        "kind": evidence.nearest(_KINDS)[holder].astype(np.float64),
        "landmark": evidence.landmark[page.element[starts]].astype(np.float64),
        "level": evidence.level[starts].astype(np.float64),
        "depth": page.elements.depth[holder].astype(np.float64),
    }


def _shifted(values: Floats, offset: int) -> Floats:
    """Return the value of the block ``offset`` blocks on; NaN beyond the page."""
    at = np.arange(len(values)) + offset
    inside = (at >= 0) & (at < len(values))
    return np.where(inside, values[np.where(inside, at, 0)], np.nan)


def _neighbours(evidence: Evidence, chars: Floats, mass: Floats) -> dict[str, Floats]:
    """Return the share of body in the blocks around each, and the length of its neighbours.

    ``mean_6`` is the share in the block and the six blocks on each side of it.
    """
    body = block_mean(evidence, evidence.body, chars)
    length = np.log1p(_sums(evidence, chars))
    columns = {f"body_{offset:+d}": _shifted(body, offset) for offset in _NEIGHBOURS}
    columns |= {f"chars_{offset:+d}": _shifted(length, offset) for offset in (-1, 1)}
    masses = _running_sums(_sums(evidence, mass))
    weights = _running_sums(_sums(evidence, np.minimum(chars, _MANY)))
    at = np.arange(evidence.n_blocks)
    for width in _WIDTHS:
        low, high = np.maximum(at - width, 0), np.minimum(at + width + 1, evidence.n_blocks)
        held = masses[high] - masses[low]
        columns[f"mean_{width}"] = held / (weights[high] - weights[low] + 1)
    return columns


def _containers(evidence: Evidence, chars: Floats, mass: Floats) -> dict[str, Floats]:
    """Return features of the containers above a block, from the innermost outwards.

    They are the share of body in the container (``share_1``), the container's share of the whole
    body (``part_1``), and its size in characters (``like_1``).
    """
    held, room = (_sums_inside(evidence, values) for values in (mass, np.minimum(chars, _MANY)))
    share, part = held / (room + 1), held / (np.cumsum(mass)[-1] + 1)
    columns: dict[str, Floats] = {}
    for level, above in enumerate(_elements_above(evidence, _LEVELS)[1:], start=1):
        columns[f"share_{level}"], columns[f"part_{level}"] = share[above], part[above]
        if level <= _SIZED_LEVELS:
            columns[f"like_{level}"] = np.log1p(room[above])
    return columns


def _page_place(evidence: Evidence, chars: Floats, mass: Floats) -> dict[str, Floats]:
    """Return a block's place on the page, the page's amount of body, and the block's first words.

    ``before`` and ``after`` are the shares of the body on both sides of the block, ``n_same``
    counts the blocks that begin with the same text.
    """
    page, starts, n = evidence.page, evidence.starts, evidence.n_blocks
    masses = _sums(evidence, mass)
    total = masses.sum() + 1
    before = (np.cumsum(masses) - masses) / total
    text = [page.text[i] for i in starts.tolist()]
    counts = Counter(text)
    last = [*(starts[1:] - 1).tolist(), len(page) - 1]
    ends = np.array([page.text[i][-1:] in _LINE_ENDS for i in last], dtype=np.float64)
    headings = np.flatnonzero(evidence.level[starts] == 1)
    title = int(np.argmax(evidence.probability("Title")))
    from_title = np.clip(np.arange(n) - int(page.blocks[title]), -50, 200)
    return {
        "before": before,
        "after": 1 - before - masses / total,
        "page_mass": np.full(n, np.log1p(total)),
        "page_share": np.full(n, total / (np.minimum(chars, _MANY).sum() + 1)),
        "page_blocks": np.full(n, np.log1p(n)),
        "n_same": np.array([counts[line] for line in text], dtype=np.float64),
        "ends_sentence": ends,
        "first_heading": np.clip(np.arange(n) - (headings[0] if len(headings) else n), -50, 200),
        "from_title": from_title,
        "read_more": np.array([_LEADS_AWAY.match(line) is not None for line in text], np.float64),
        "ends_colon": np.array([line.endswith(":") for line in text], dtype=np.float64),
        "is_caps": np.array([line.isupper() for line in text], dtype=np.float64),
    }


def _paths(evidence: Evidence, chars: Floats, mass: Floats) -> dict[str, Floats]:
    """Return the share of body in all blocks of a block's path, and their share of the whole body.

    ``path_share`` and ``path_part`` are of paths of tags with classes, ``tags_share`` and
    ``tags_part`` of paths of tags alone; ``n_alike`` counts the elements with the block's path.
    """
    holder = evidence.page.block_element[evidence.starts]
    masses, weights = _sums(evidence, mass), _sums(evidence, np.minimum(chars, _MANY))
    columns: dict[str, Floats] = {}
    for name, shapes in zip(("path", "tags"), evidence.shapes, strict=True):
        numbers = shapes[holder]
        held = np.bincount(numbers, masses)[numbers]
        columns[f"{name}_share"] = held / (np.bincount(numbers, weights)[numbers] + 1)
        columns[f"{name}_part"] = held / (masses.sum() + 1)
    whole = evidence.shapes[0]
    return {**columns, "n_alike": np.log1p(np.bincount(whole)[whole[holder]])}


def _container_contents(evidence: Evidence, chars: Floats) -> dict[str, Floats]:
    """Return the share of links in containers above a block, and the number of their blocks.

    ``links_3`` is of the container three levels above the block.
    """
    begins = np.zeros(len(evidence.page))
    begins[evidence.starts] = 1
    linked, every, blocks = (
        _sums_inside(evidence, values) for values in (chars * evidence.in_link, chars, begins)
    )
    above = _elements_above(evidence, 4)
    columns = {f"links_{n}": linked[above[n]] / (every[above[n]] + 1) for n in (3, 4)}
    return columns | {f"blocks_{n}": np.log1p(blocks[above[n]]) for n in (1, 2)}


def _main_container(evidence: Evidence, mass: Floats) -> dict[str, Floats]:
    """Return the place of each block relative to the main container, the deepest around the body.

    ``in_main`` is whether the block is inside the deepest container of nearly all of the body,
    ``below_main`` how many levels up from the deepest container of most of it the block is found,
    and ``main_part`` the share of the body in that container.
    """
    page, starts = evidence.page, evidence.starts
    first, end = evidence.region_ranges
    share = _sums_inside(evidence, mass) / (np.cumsum(mass)[-1] + 1e-9)
    depth = page.elements.depth
    wide, narrow = (
        int(np.argmax(np.where(share >= least, depth, -1))) for least in (_NEARLY_ALL, _MOST)
    )
    left = np.full(evidence.n_blocks, float(depth[narrow] + 1))
    for above in page.elements.ancestors(narrow):  # from the innermost outwards
        outside = (starts < first[above]) | (starts >= end[above])
        left = np.where(outside, left, np.minimum(left, depth[narrow] - depth[above]))
    inside = (starts >= first[wide]) & (starts < end[wide])
    return {
        "in_main": inside.astype(np.float64),
        "below_main": left,
        "main_part": np.full(evidence.n_blocks, share[narrow]),
    }


def _headings(evidence: Evidence) -> dict[str, Floats]:
    """Return whether the heading above each block leads away from the article, and its level."""
    level = evidence.level[evidence.starts]
    headings = np.flatnonzero(level)
    if not len(headings):
        n = evidence.n_blocks
        return {"heading_away": np.full(n, -1.0), "heading_level": np.zeros(n)}
    text, starts = evidence.page.text, evidence.starts[headings].tolist()
    away = np.array([_TOPICS_ELSEWHERE.match(text[i]) is not None for i in starts])
    at = np.searchsorted(headings, np.arange(evidence.n_blocks), side="right") - 1
    has_any = at >= 0
    return {
        "heading_away": np.where(has_any, away[at], -1.0),
        "heading_level": np.where(has_any, level[headings[at]], 0.0),
    }


def _repetition_and_labels(evidence: Evidence, chars: Floats) -> dict[str, Floats]:
    """Return the repeated characters, the bylines nearby, and the probability of other labels."""
    text = [evidence.page.text[i] for i in evidence.starts.tolist()]
    counts = Counter(text)
    again = np.array([(counts[line] - 1) * len(line) for line in text], dtype=np.float64)
    bylines = _sums(evidence, evidence.probability("Author") + evidence.probability("Date"))
    sums, at = _running_sums(bylines), np.arange(evidence.n_blocks)
    low, high = np.maximum(at - _NEAR, 0), np.minimum(at + _NEAR + 1, evidence.n_blocks)
    title = float(evidence.probability("Title").max(initial=0))
    return {
        "chars_again": np.log1p(again),
        "bylines_near": sums[high] - sums[low],
        "p_multimedia": block_mean(evidence, evidence.probability("Multimedia"), chars),
        "title_p": np.full(evidence.n_blocks, title),
    }


def _about_title(evidence: Evidence, chars: Floats) -> dict[str, Floats]:
    """Return how much of the title each block and its heading repeat, and the links around it.

    ``title_words`` is the share of the title's words in the block, ``title_words_2`` and
    ``title_words_4`` that in the containers two and four levels above it, and ``heading_words``
    that in the heading above it. ``heading_in_link`` is the share of that heading in links, as
    those of teasers are, and ``link_-1`` that of the block before.
    """
    n = evidence.n_blocks
    held = _words_held(evidence)
    first, end = evidence.region_ranges
    sums = np.concatenate([np.zeros((1, held.shape[1])), np.cumsum(held, axis=0)])
    above = _elements_above(evidence, 4)
    words = {"title_words": held.mean(axis=1)}
    for level in (2, 4):
        low = np.searchsorted(evidence.starts, first[above[level]])
        high = np.maximum(np.searchsorted(evidence.starts, end[above[level]]), low)
        words[f"title_words_{level}"] = (sums[high] - sums[low] > 0).mean(axis=1)
    total = _sums(evidence, chars)
    linked = _sums(evidence, chars * evidence.in_link) / np.maximum(total, 1)
    headings = np.flatnonzero(evidence.level[evidence.starts])
    at = np.searchsorted(headings, np.arange(n), side="right") - 1
    is_below = at >= 0
    nearest = headings[np.maximum(at, 0)] if len(headings) else np.zeros(n, dtype=np.int64)
    return {
        **words,
        "heading_in_link": np.where(is_below, linked[nearest], -1.0),
        "heading_words": np.where(is_below, words["title_words"][nearest], -1.0),
        **{f"link_{offset:+d}": _shifted(linked, offset) for offset in (-1, 1)},
    }


def _words_held(evidence: Evidence) -> Floats:
    """Return which of the title's words each block has, shape (n_blocks, n_words), n_words > 0."""
    page, title = evidence.page, evidence.title_place
    text = f"{page.metadata.title} {page.text[title] if len(page) else ''}"
    words = map(normalise, _BETWEEN_WORDS.split(text))
    stems = {word[:_STEM] for word in words if len(word) >= _SHORTEST_STEM}
    if has_unspaced(text):
        stems |= {a + b for a, b in pairwise(text) if has_unspaced(a) and has_unspaced(b)}
    kept = sorted(stems)[:_MOST_STEMS]
    held = np.zeros((evidence.n_blocks, max(len(kept), 1)))
    title_block = int(page.blocks[title]) if len(page) else -1
    whole, blocks, starts = "\n".join(page.letters), page.blocks.tolist(), evidence.starts.tolist()
    begins = [0, *accumulate(len(letters) + 1 for letters in page.letters)]
    for column, stem in enumerate(kept):
        at = whole.find(stem)
        while at >= 0:
            block = blocks[bisect_right(begins, at) - 1]
            if block != title_block:
                held[block, column] = 1.0
            last = starts[block + 1] if block + 1 < len(held) else len(page)
            at = whole.find(stem, begins[last])
    return held


def _columns_of_title(evidence: Evidence, chars: Floats, mass: Floats) -> dict[str, Floats]:
    """Return the place of each block relative to the title.

    ``title_levels`` is the number of levels from the title up to a container that also contains the
    block. The others are of that container's child around the block: its share of links, its share
    of the body, and the number of its blocks. Teasers in a column beside the article are far from
    its headline.
    """
    page, parents = evidence.page, evidence.page.elements.parents
    title = int(page.element[evidence.title_place])
    levels = {above: n for n, above in enumerate(page.elements.ancestors(title))}
    # Of each element: its distance from the title, and the child of the shared container around it.
    distances = {above: (float(n), above) for above, n in levels.items()}
    holders = page.block_element[evidence.starts].tolist()
    for holder in holders:
        path, above = [], holder
        while above not in distances and above >= 0:
            path.append(above)
            above = parents[above]
        for i in reversed(path):
            level, part = distances[parents[i]] if parents[i] >= 0 else (-1.0, i)
            distances[i] = level, i if parents[i] in levels else part
    around = np.array([distances[holder][1] for holder in holders], dtype=np.int64)
    linked, every, body = (
        _sums_inside(evidence, values)[around] for values in (chars * evidence.in_link, chars, mass)
    )
    first, end = evidence.region_ranges
    blocks = np.searchsorted(evidence.starts, end) - np.searchsorted(evidence.starts, first)
    return {
        "title_levels": np.array([distances[holder][0] for holder in holders]),
        "column_links": linked / (every + 1),
        "column_part": body / (np.cumsum(mass)[-1] + 1),
        "column_blocks": np.log1p(np.maximum(blocks[around], 0)),
    }


def _stated(evidence: Evidence) -> dict[str, Floats]:
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
    letters = np.fromiter(map(len, evidence.page.letters), np.float64, len(evidence.page))
    total = np.maximum(_sums(evidence, letters), 1)
    for kind, texts in stated_texts(evidence.page.metadata).items():
        keys = dict.fromkeys(filter(None, map(normalise, texts)))
        n_stated = sum(map(len, keys))
        if n_stated < _LEAST_STATED:
            continue
        letters_shown = _shown_letters(evidence, keys)
        columns[f"stated_{kind}"] = share = _sums(evidence, letters_shown) / total
        if kind == "content":
            columns["stated_found"] = np.full(n, min(letters_shown.sum() / n_stated, 2.0))
            stated_blocks, at = np.flatnonzero(share >= _HALF), np.arange(n)
            if len(stated_blocks):
                away = np.minimum(at - stated_blocks[0], 0) + np.maximum(at - stated_blocks[-1], 0)
                columns["from_stated"] = np.clip(away, -_FAR, _FAR).astype(np.float64)
    return columns


def _shown_letters(evidence: Evidence, keys: Collection[str]) -> Floats:
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
    ends = [*evidence.starts[1:].tolist(), len(page)]
    for start, end in zip(evidence.starts.tolist(), ends, strict=True):
        if end - start <= _FEW_REGIONS and "".join(page.letters[start:end]) in keys:
            found[start:end] = [len(text_letters) for text_letters in page.letters[start:end]]
    return found


_LEADS_AWAY, _TOPICS_ELSEWHERE = (
    re.compile(patterns("beginnings")[name], re.IGNORECASE)
    for name in ("leads_away", "topics_elsewhere")
)
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_LINE_ENDS = frozenset(f'{SENTENCE_ENDS}।:"”»“')  # a colon introduces a list or a quotation
