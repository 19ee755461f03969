"""Labels of regions from annotations of the page itself: marked nodes and marked texts.

A mark names a node of the page by its address. A block is text: the texts of all blocks are aligned
with the text of the page character by character, and each region gets the label that most of its
characters vote for. Runs of tokens that occur once in each text are anchors of the alignment, and
the small gaps between them are searched for a longest common subsequence.

References
----------
J. W. Hunt, T. G. Szymanski (1977). A fast algorithm for computing longest common subsequences.
Comm. ACM 20(5); here, the longest chain of unique common runs that is in order in both sequences.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from structce.arrays import Flags, Floats, Integers
from structce.gold import EXACT, ORDERED, PLACED, SIMILAR, Gold, Match
from structce.labels import UNKNOWN
from structce.language import display_width, normalise
from structce.page import MIN_SIMILARITY, Page

MIN_VOTES = 2 / 3
"""Least share of a region's judged characters that its label must have, otherwise it is unknown."""

MIN_FOUND = 0.5
"""Least share of a text's characters that must be found on the page. Texts that share less with the
page share only the words that all texts have."""

_MAX_VALUE = 200  # characters of a value in a match
_OF_MEDIA = frozenset({"Multimedia"})
_OF_TEXT = frozenset({"Author", "Caption", "Date", "Paragraph", "Subtitle", "Title"})
_MAX_GAP = 2_000  # characters that are compared letter by letter, which takes quadratic time
_MAX_EXCESS = 2.0  # a gap more than twice as long as the missing text contains something else

_GRAMS = (6, 3)  # tokens of an anchor: six, which are hardly ever chance; otherwise three
_SMALL = 20_000  # cells of a gap that needs no more anchors
_MAX_CELLS = 100_000_000  # cells that a longest common subsequence may take: some 12 MB


def labels_of_marks(page: Page, gold: Gold) -> tuple[list[str], list[Match]]:
    """Return one label per region from the marks of a gold, and the regions of each mark.

    The innermost mark around a region counts; an unmarked region gets ``gold.rest``. A mark on an
    element labels its content, but text is never ``Multimedia``, nor an image a ``Paragraph``: such
    a region is unknown unless the mark is on the region itself. Regions with contradictory marks on
    one node are unknown, too.
    """
    marks: dict[str, list[int]] = {}
    for n, mark in enumerate(gold.marks):
        marks.setdefault(mark.xpath, []).append(n)
    inside: list[list[int]] = [[] for _ in gold.marks]
    labels = []
    for i, xpath in enumerate(page.xpath):
        addresses = [xpath.rsplit("/", n)[0] for n in range(xpath.count("/"))]  # innermost first
        around = [address for address in addresses if address in marks]
        for address in around:
            for n in marks[address]:
                inside[n].append(i)
        label = gold.rest
        if around:
            named = {gold.marks[n].label for n in marks[around[0]]}
            label = named.pop() if len(named) == 1 else UNKNOWN
            if around[0] != xpath and label in (_OF_TEXT if page.is_media[i] else _OF_MEDIA):
                label = UNKNOWN
        labels.append(label)
    matches = []
    for mark, regions in zip(gold.marks, inside, strict=True):
        how = (PLACED, 1.0, tuple(regions)) if regions else ()
        matches.append(Match(mark.kind, mark.xpath[-_MAX_VALUE:], *how))
    return labels, matches


def labels_of_blocks(page: Page, gold: Gold) -> tuple[list[str], list[Match]]:
    """Return one label per region from the blocks of a gold, and the regions of each block.

    A region gets the label of a clear majority of its characters. It is unknown if two blocks meet
    inside it, or if it is where a block that was not found should be. Text in no block gets
    ``gold.rest``. Media are unknown, since blocks are text; a region of punctuation alone gets the
    label of the texts before and after it if they agree.
    """
    aligned = align_characters(page, [block.text for block in gold.blocks])
    labels = _majority_labels(aligned, gold, len(page))
    for i in [i for i, label in enumerate(labels) if not label and not page.is_media[i]]:
        around = {next(filter(None, side), UNKNOWN) for side in (labels[i::-1], labels[i:])}
        labels[i] = around.pop() if len(around) == 1 else UNKNOWN
    return [label or UNKNOWN for label in labels], list(_matches(aligned, gold))


def _majority_labels(aligned: CharacterAlignment, gold: Gold, n_regions: int) -> list[str]:
    """Return the label that each region's characters vote for; empty without characters."""
    names = sorted({block.label for block in gold.blocks} | {gold.rest, UNKNOWN})
    numbers = {name: n for n, name in enumerate(names)}
    unknown = numbers[UNKNOWN]
    ours = np.array([numbers[block.label] for block in gold.blocks], dtype=np.int64)[aligned.text]
    votes = np.full(len(aligned.place), numbers[gold.rest], dtype=np.int64)
    votes[_possible_places(aligned, ours != numbers[gold.rest])] = unknown
    votes[aligned.matched] = ours[aligned.place[aligned.matched]]
    counts = np.bincount(aligned.region * len(names) + votes, minlength=n_regions * len(names))
    labels = []
    for row in counts.reshape(n_regions, len(names)).tolist():
        known = [(n, name) for n, name in zip(row, names, strict=True) if name != UNKNOWN]
        n_known, (most, name) = sum(n for n, _ in known), max(known, default=(0, UNKNOWN))
        is_clear = n_known > row[unknown] and most >= MIN_VOTES * n_known
        labels.append((name if is_clear else UNKNOWN) if any(row) else "")
    return labels


def _matches(aligned: CharacterAlignment, gold: Gold) -> Iterator[Match]:
    """Yield the place of each block: the regions it fills by half, otherwise all that it is in."""
    texts = aligned.text[aligned.place[aligned.matched]]
    borders = np.searchsorted(texts, np.arange(len(gold.blocks) + 1))
    sizes = np.bincount(aligned.region, minlength=1)
    for n, block in enumerate(gold.blocks):
        positions = aligned.matched[borders[n] : borders[n + 1]]
        value = block.text[:_MAX_VALUE]
        if not len(positions):
            yield Match(block.kind, value)
            continue
        regions, counts = np.unique(aligned.region[positions], return_counts=True)
        most = regions[2 * counts >= sizes[regions]]
        score = float(aligned.scores[n])
        is_whole = positions[-1] - positions[0] + 1 == len(positions)
        method = SIMILAR if score < 1 else EXACT if is_whole else ORDERED
        chosen = most if len(most) else regions
        yield Match(block.kind, value, method, score, tuple(chosen.tolist()))


class CharacterAlignment(NamedTuple):
    """Alignment of the normalised characters of texts and of a page."""

    place: Integers  # match of each character of the page in the texts; -1 if unmatched
    text: Integers  # text that each character of the texts belongs to; never decreases
    region: Integers  # region that each character of the page belongs to; never decreases
    matched: Integers  # places on the page with a character of the texts, in order
    scores: Floats  # share of each text's characters found on the page, in [0, 1]


def _possible_places(aligned: CharacterAlignment, wanted: Flags) -> Flags:
    """Return where the page may contain a text that was not found, shape (n_characters,).

    A gap between two places on the page may contain the wanted characters of the texts if it is not
    much longer than those missing between the same two places.
    """
    place = aligned.place[aligned.matched]
    after = np.concatenate([[-1], aligned.matched])
    before = np.concatenate([aligned.matched, [len(aligned.place)]])
    counts = np.concatenate([[0], np.cumsum(wanted)])
    next_ours = np.concatenate([place, [len(aligned.text)]])
    missing = counts[next_ours] - counts[np.concatenate([[-1], place]) + 1]
    lengths = before - after - 1
    result = np.zeros(len(aligned.place), dtype=bool)
    for k in np.flatnonzero((lengths > 0) & (lengths <= _MAX_EXCESS * missing)):
        result[after[k] + 1 : before[k]] = True
    return result


def align_characters(page: Page, texts: Sequence[str]) -> CharacterAlignment:
    """Return the alignment of a page with texts, which are in the order of the page.

    Words are compared first, then letters within short gaps. A text with a share of less than
    ``MIN_FOUND`` on the page counts as missing entirely: words that all texts have are no evidence.
    """
    tokens: dict[str, tuple[str, ...]] = {}
    theirs = [_tokens(text, tokens) for text in page.text]
    ours = [_tokens(text, tokens) for text in texts]
    first, second = ([token for row in rows for token in row] for rows in (ours, theirs))
    starts, page_starts = ([0, *accumulate(map(len, tokens))] for tokens in (first, second))
    runs = [  # counted in characters
        Run(starts[a], page_starts[b], starts[a + n] - starts[a])
        for a, b, n in common_runs(first, second)
    ]
    text, page_text = "".join(first), "".join(second)
    counterpart = np.full(len(page_text), -1, dtype=np.int64)
    for run in (*runs, *_runs_in_gaps(text, page_text, runs)):
        counterpart[run.second : run.second + run.length] = np.arange(
            run.first, run.first + run.length
        )
    lengths, shown = (
        np.array([sum(map(len, row)) for row in rows], dtype=np.int64) for rows in (ours, theirs)
    )
    owner = np.repeat(np.arange(len(ours)), lengths)
    region = np.repeat(np.arange(len(theirs)), shown)
    matched = np.flatnonzero(counterpart >= 0)
    counts = np.bincount(owner[counterpart[matched]], minlength=len(lengths))
    scores = counts / np.maximum(lengths, 1)
    is_missing = (scores < MIN_FOUND)[owner[counterpart[matched]]]
    counterpart[matched[is_missing]] = -1
    return CharacterAlignment(counterpart, owner, region, matched[~is_missing], scores)


def _tokens(text: str, known: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the normalised words of a text, or the characters in scripts without spaces."""
    tokens: list[str] = []
    for word in text.split():
        if word not in known:
            token = normalise(word)
            parts = tuple(token) if display_width(token) > len(token) else (token,)
            known[word] = parts if token else ()
        tokens += known[word]
    return tokens


def _runs_in_gaps(ours: str, theirs: str, runs: Sequence[Run]) -> Iterator[Run]:
    """Yield matches between two runs, where words are split or spelt differently."""
    a = b = 0
    for run in (*runs, Run(len(ours), len(theirs), 0)):
        gold_gap, page_gap = ours[a : run.first], theirs[b : run.second]
        if gold_gap and page_gap and max(len(gold_gap), len(page_gap)) <= _MAX_GAP:
            if gold_gap == page_gap:
                yield Run(a, b, len(gold_gap))
            elif fuzz.ratio(gold_gap, page_gap) >= MIN_SIMILARITY:
                yield from _subsequence(gold_gap, page_gap, a, b)
        a, b = run.first + run.length, run.second + run.length


Tokens = Sequence[int]


class Run(NamedTuple):
    """Run of tokens that two sequences share: its first token in each, and their number."""

    first: int
    second: int
    length: int


def common_runs(ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[Run]:
    """Return runs of tokens that the sequences share, in the order of both.

    They may have fewer tokens than a longest common subsequence, but are whole runs rather than
    scattered tokens. Sequences without a common token have none.
    """
    numbers: dict[Hashable, int] = {}
    first, second = (
        [numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in (ours, theirs)
    )
    runs: list[Run] = []
    waiting = [(0, len(first), 0, len(second), 0)]  # ranges that may share tokens, and the level
    while waiting:
        a, a_end, b, b_end, level = waiting.pop()
        head = _n_equal(first, second, a, b, min(a_end - a, b_end - b))
        runs.append(Run(a, b, head))
        a, b = a + head, b + head
        tail = _n_equal(first, second, a_end - 1, b_end - 1, min(a_end - a, b_end - b), -1)
        a_end, b_end = a_end - tail, b_end - tail
        runs.append(Run(a_end, b_end, tail))
        n_cells = (a_end - a) * (b_end - b)
        is_coarse = level < len(_GRAMS)
        if n_cells <= (_SMALL if is_coarse else _MAX_CELLS):
            runs += _subsequence(first[a:a_end], second[b:b_end], a, b)
            continue
        size = _GRAMS[level] if is_coarse else 1
        anchors = list(_anchors(first, second, (a, a_end, b, b_end), size))
        runs += anchors
        for anchor in (*anchors, Run(a_end, b_end, 0)) if anchors else ():
            waiting.append((a, anchor.first, b, anchor.second, level))
            a, b = anchor.first + anchor.length, anchor.second + anchor.length
        if is_coarse and not anchors:
            waiting.append((a, a_end, b, b_end, level + 1))
    joined: list[Run] = []
    for run in sorted(run for run in runs if run.length):
        last = joined[-1] if joined else Run(0, 0, 0)
        if joined and (last.first + last.length, last.second + last.length) == run[:2]:
            joined[-1] = last._replace(length=last.length + run.length)
        else:
            joined.append(run)
    return joined


def _n_equal(first: Tokens, second: Tokens, a: int, b: int, most: int, step: int = 1) -> int:
    """Return how many tokens are equal from two places on, forwards or backwards."""
    n = 0
    while n < most and first[a + step * n] == second[b + step * n]:
        n += 1
    return n


def _anchors(
    first: Tokens, second: Tokens, gap: tuple[int, int, int, int], size: int
) -> Iterator[Run]:
    """Yield the anchors of a gap in order: unique common runs, extended as far as possible."""
    end_a, last_a, end_b, last_b = gap
    ours, theirs = _unique(first, end_a, last_a, size), _unique(second, end_b, last_b, size)
    for a, b in _chain([(i, theirs[key]) for key, i in ours.items() if key in theirs]):
        if a >= end_a and b >= end_b:
            back = _n_equal(first, second, a - 1, b - 1, min(a - end_a, b - end_b), -1)
            ahead = _n_equal(first, second, a, b, min(last_a - a, last_b - b))
            yield Run(a - back, b - back, back + ahead)
            end_a, end_b = a + ahead, b + ahead


def _unique(tokens: Tokens, start: int, end: int, size: int) -> dict[tuple[int, ...], int]:
    """Return the place of each n-gram of a size that occurs once between two places."""
    positions: dict[tuple[int, ...], int] = {}
    for i in range(start, end - size + 1):
        key = tuple(tokens[i : i + size])
        positions[key] = -1 if key in positions else i
    return {key: i for key, i in positions.items() if i >= 0}


def _chain(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs, which increase in the first, that does so in both."""
    ends: list[int] = []
    last: list[int] = []  # last pair of the chain of each length
    before: list[int] = []
    for n, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [n]
    chain = []
    n = last[-1] if last else -1
    while n >= 0:
        chain.append(pairs[n])
        n = before[n]
    return chain[::-1]


def _subsequence(
    first: Sequence[Hashable], second: Sequence[Hashable], a: int, b: int
) -> Iterator[Run]:
    """Yield the runs of a longest common subsequence, with places counted from ``a`` and ``b``."""
    for block in LCSseq.opcodes(first, second).as_matching_blocks():
        if block.size:
            yield Run(a + block.a, b + block.b, block.size)
