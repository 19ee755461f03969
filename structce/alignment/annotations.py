"""Two sequences of tokens that tell nearly the same text: which stretches of them are the same.

Stretches that occur once in either sequence hold the two together; what lies between is small,
and a longest common subsequence of it is cheap. So the time grows about as the texts do.

References
----------
J. W. Hunt, T. G. Szymanski (1977). A fast algorithm for computing longest common subsequences.
Comm. ACM 20(5): of what is common and unique, the longest chain in both orders.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from structce.arrays import Flags, Floats, Integers
from structce.gold import EXACT, ORDERED, PLACED, SIMILAR, Gold, Match
from structce.labels import NEWS, UNKNOWN
from structce.language import display_width, normalise
from structce.page import Page
from structce.text_index import MIN_SIMILARITY

_GRAMS = (6, 3)  # tokens of a stretch that ties the sequences together; our choice
_SMALL = 20_000  # cells of a gap that needs no more ties
_MAX_CELLS = 100_000_000  # cells that a longest common subsequence may take: some 12 MB

Tokens = Sequence[int]


@dataclass(frozen=True, order=True)
class Run:
    """A stretch that two sequences share.

    Parameters
    ----------
    first, second
        Where it starts in either sequence.
    length
        Number of tokens, at least 1.
    """

    first: int
    second: int
    length: int


@dataclass(frozen=True)
class _Gap:
    """Stretches of the two sequences, from start to before end, that may share something."""

    a: int
    a_end: int
    b: int
    b_end: int
    level: int

    @property
    def cells(self) -> int:
        return (self.a_end - self.a) * (self.b_end - self.b)


def common_runs(first: Tokens, second: Tokens) -> list[Run]:
    """Return stretches that the sequences share, in an order that holds for both.

    Not always as many tokens as a longest common subsequence has, but whole stretches rather than
    tokens here and there. Two sequences without a common token, or an empty one, give none.
    """
    found: list[Run] = []
    waiting = [_Gap(0, len(first), 0, len(second), 0)]
    while waiting:
        gap = _trim(first, second, waiting.pop(), found)
        if not gap.cells:
            continue
        size = _size(gap)
        if size == 0:
            found += _subsequence(first, second, gap)
        elif ties := list(_ties(first, second, gap, size)):
            found += ties
            waiting += _between(gap, ties)
        elif gap.level < len(_GRAMS):
            waiting.append(_Gap(gap.a, gap.a_end, gap.b, gap.b_end, gap.level + 1))
    return _joined(sorted(found))


def _size(gap: _Gap) -> int:
    """Return how many tokens a tie has in a gap; 0 where the gap is small enough without."""
    if gap.cells <= _SMALL:
        return 0
    if gap.level < len(_GRAMS):
        return _GRAMS[gap.level]
    return 0 if gap.cells <= _MAX_CELLS else 1


def _trim(first: Tokens, second: Tokens, gap: _Gap, found: list[Run]) -> _Gap:
    """Return the gap without what its two sides begin and end with alike, which is found."""
    most = min(gap.a_end - gap.a, gap.b_end - gap.b)
    head = 0
    while head < most and first[gap.a + head] == second[gap.b + head]:
        head += 1
    tail = 0
    while tail < most - head and first[gap.a_end - 1 - tail] == second[gap.b_end - 1 - tail]:
        tail += 1
    if head:
        found.append(Run(gap.a, gap.b, head))
    if tail:
        found.append(Run(gap.a_end - tail, gap.b_end - tail, tail))
    return _Gap(gap.a + head, gap.a_end - tail, gap.b + head, gap.b_end - tail, gap.level)


def _ties(first: Tokens, second: Tokens, gap: _Gap, size: int) -> Iterator[Run]:
    """Yield stretches around what is unique on both sides, in order, as long as they go."""
    end_a, end_b = gap.a, gap.b
    for a, b in _chain(_unique(first, gap.a, gap.a_end, size), second, gap, size):
        if a < end_a or b < end_b:
            continue
        back = 0
        while a - back > end_a and b - back > end_b and first[a - back - 1] == second[b - back - 1]:
            back += 1
        ahead = size
        while (
            a + ahead < gap.a_end
            and b + ahead < gap.b_end
            and first[a + ahead] == second[b + ahead]
        ):
            ahead += 1
        yield Run(a - back, b - back, back + ahead)
        end_a, end_b = a + ahead, b + ahead


def _unique(tokens: Tokens, start: int, end: int, size: int) -> dict[tuple[int, ...], int]:
    """Return the place of each stretch of a size that occurs once between two places."""
    places: dict[tuple[int, ...], int] = {}
    for i in range(start, end - size + 1):
        key = tuple(tokens[i : i + size])
        places[key] = -1 if key in places else i
    return {key: i for key, i in places.items() if i >= 0}


def _chain(
    ours: dict[tuple[int, ...], int], second: Tokens, gap: _Gap, size: int
) -> list[tuple[int, int]]:
    """Return the longest row of places that rises in both sequences."""
    theirs = _unique(second, gap.b, gap.b_end, size)
    pairs = [(i, theirs[key]) for key, i in ours.items() if key in theirs]  # rises in the first
    ends: list[int] = []
    last: list[int] = []  # the pair that a row of each length ends with
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


def _between(gap: _Gap, ties: Sequence[Run]) -> Iterator[_Gap]:
    a, b = gap.a, gap.b
    for tie in (*ties, Run(gap.a_end, gap.b_end, 0)):
        yield _Gap(a, tie.first, b, tie.second, gap.level)
        a, b = tie.first + tie.length, tie.second + tie.length


def _subsequence(first: Tokens, second: Tokens, gap: _Gap) -> Iterator[Run]:
    codes = LCSseq.opcodes(list(first[gap.a : gap.a_end]), list(second[gap.b : gap.b_end]))
    for code in codes:
        if code.tag == "equal":
            length = code.src_end - code.src_start
            yield Run(gap.a + code.src_start, gap.b + code.dest_start, length)


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with those that follow one another in both sequences made one."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.first + last.length == run.first
            and last.second + last.length == run.second
        ):
            joined[-1] = Run(last.first, last.second, last.length + run.length)
        else:
            joined.append(run)
    return joined


MIN_SCORE = 0.5
"""Share of its characters that a text must have on the page, else it is missing; our choice."""

_MAX_PATCH = 2_000  # characters of a gap that is compared letter by letter; our choice
_MAX_STAND_IN = 2.0  # a stretch this much longer than a missing text is not that text; our choice


@dataclass(frozen=True, eq=False)
class Laid:
    """Characters of texts and of a page, normalised, side by side.

    Parameters
    ----------
    place : shape (n_characters,)
        For each character of the page the one of the texts that stands there; -1 where none does.
    text : shape (n_text_characters,)
        Which text each character of the texts belongs to; never falls.
    region : shape (n_characters,)
        Which region each character of the page belongs to; never falls.
    lengths : shape (n_texts,)
        Characters of each text; 0 for one without letters and digits.
    """

    place: Integers
    text: Integers
    region: Integers
    lengths: Integers

    @cached_property
    def found(self) -> Integers:
        """Places on the page where characters of the texts stand, in order."""
        return np.flatnonzero(self.place >= 0)

    @cached_property
    def scores(self) -> Floats:
        """Share of each text's characters that stand on the page, shape (n_texts,), in [0, 1]."""
        counts = np.bincount(self.text[self.place[self.found]], minlength=len(self.lengths))
        return counts / np.maximum(self.lengths, 1)

    def stand_ins(self, wanted: Flags) -> Flags:
        """Return where the page may hold a text that was not found, shape (n_characters,).

        Parameters
        ----------
        wanted : shape (n_text_characters,)
            Characters of the texts to look for. A stretch of the page between two places is one if
            it is not much longer than what of these is missing between the same two.
        """
        after = np.concatenate([[-1], self.found])
        before = np.concatenate([self.found, [len(self.place)]])
        ours = np.concatenate([[-1], self.place[self.found]])
        next_ours = np.concatenate([self.place[self.found], [len(self.text)]])
        counts = np.concatenate([[0], np.cumsum(wanted)])
        missing = counts[next_ours] - counts[ours + 1]
        lengths = before - after - 1
        result = np.zeros(len(self.place), dtype=bool)
        for k in np.flatnonzero((lengths > 0) & (lengths <= _MAX_STAND_IN * missing)):
            result[after[k] + 1 : before[k]] = True
        return result


def lay(page: Page, texts: Sequence[str]) -> Laid:
    """Return where the characters of texts stand on a page, texts in the order of the page.

    Words are compared first, then letters where only little is between. A text of which less than
    ``MIN_SCORE`` is there counts as missing altogether: words that every text has are no find.
    """
    known: dict[str, tuple[str, ...]] = {}
    theirs = [_tokens(text, known) for text in page.text]
    ours = [_tokens(text, known) for text in texts]
    runs = _runs([t for row in ours for t in row], [t for row in theirs for t in row])
    shown = "".join(t for row in theirs for t in row)
    place = np.full(len(shown), -1, dtype=np.int64)
    for run in (*runs, *_patches("".join(t for row in ours for t in row), shown, runs)):
        place[run.second : run.second + run.length] = np.arange(run.first, run.first + run.length)
    lengths = _lengths(ours)
    laid = Laid(place, _owners(lengths), _owners(_lengths(theirs)), lengths)
    place[laid.found[(laid.scores < MIN_SCORE)[laid.text[place[laid.found]]]]] = -1
    return Laid(place, laid.text, laid.region, lengths)


def _lengths(rows: Sequence[Sequence[str]]) -> Integers:
    return np.array([sum(map(len, row)) for row in rows], dtype=np.int64)


def _owners(lengths: Integers) -> Integers:
    return np.repeat(np.arange(len(lengths)), lengths)


def _tokens(text: str, known: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the words of a text, normalised; where scripts have no spaces, the characters."""
    tokens: list[str] = []
    for word in text.split():
        if word not in known:
            token = normalise(word)
            parts = tuple(token) if display_width(token) > len(token) else (token,)
            known[word] = parts if token else ()
        tokens += known[word]
    return tokens


def _runs(ours: Sequence[str], theirs: Sequence[str]) -> list[Run]:
    """Return the stretches that two rows of tokens share, counted in characters."""
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(token, len(numbers)) for token in ours]
    second = [numbers.setdefault(token, len(numbers)) for token in theirs]
    a, b = _ends(ours), _ends(theirs)
    return [
        Run(a[run.first], b[run.second], a[run.first + run.length] - a[run.first])
        for run in common_runs(first, second)
    ]


def _ends(tokens: Sequence[str]) -> list[int]:
    return [0, *np.cumsum([len(token) for token in tokens], dtype=np.int64).tolist()]


def _patches(ours: str, theirs: str, runs: Sequence[Run]) -> Iterator[Run]:
    """Yield what is the same between two runs though words are cut, or written, otherwise."""
    a = b = 0
    for run in (*runs, Run(len(ours), len(theirs), 0)):
        one, other = ours[a : run.first], theirs[b : run.second]
        if one and other and max(len(one), len(other)) <= _MAX_PATCH:
            if one == other:
                yield Run(a, b, len(one))
            elif fuzz.ratio(one, other) >= MIN_SIMILARITY:
                for code in LCSseq.opcodes(one, other):
                    if code.tag == "equal":
                        length = code.src_end - code.src_start
                        yield Run(a + code.src_start, b + code.dest_start, length)
        a, b = run.first + run.length, run.second + run.length


MIN_SHARE = 2 / 3
"""Share of a region's judged characters that one label must have, else it is a mix; our choice."""

_MAX_VALUE = 200  # characters of a value in a match
_OF_MEDIA = frozenset({"Multimedia"})
_OF_TEXT = frozenset({"Author", "Caption", "Date", "Paragraph", "Subtitle", "Title"})


def labels_of_marks(
    page: Page, gold: Gold, background: str = NEWS.background
) -> tuple[list[str], list[Match]]:
    """Return one label a region from the marks of a gold, and where each mark stands.

    The innermost mark around a region counts; ``gold.rest`` where there is none. A mark on an
    element says what is in it, but text is never ``Multimedia``, nor an image a ``Paragraph``: such
    a region is unknown, unless the mark stands on the region itself. So are regions of which two
    marks on one node say different things.

    Parameters
    ----------
    background
        The caller's name of what gold calls ``None``.
    """
    marks: dict[str, list[int]] = {}
    for n, mark in enumerate(gold.marks):
        marks.setdefault(mark.xpath, []).append(n)
    inside: list[list[int]] = [[] for _ in gold.marks]
    labels = []
    for i, xpath in enumerate(page.xpath):
        around = [address for address in _upward(xpath) if address in marks]
        for address in around:
            for n in marks[address]:
                inside[n].append(i)
        label = gold.rest
        if around:
            said = {gold.marks[n].label for n in marks[around[0]]}
            label = said.pop() if len(said) == 1 else UNKNOWN
            if around[0] != xpath and label in (_OF_TEXT if page.is_media[i] else _OF_MEDIA):
                label = UNKNOWN
        labels.append(background if label == NEWS.background else label)
    matches = [
        Match(mark.kind, mark.xpath[-_MAX_VALUE:], PLACED, 1.0, tuple(regions))
        if regions
        else Match(mark.kind, mark.xpath[-_MAX_VALUE:])
        for mark, regions in zip(gold.marks, inside, strict=True)
    ]
    return labels, matches


def _upward(xpath: str) -> Iterator[str]:
    """Yield the address of a region and those of the elements above, innermost first."""
    while xpath:
        yield xpath
        xpath = xpath.rpartition("/")[0]


def labels_of_blocks(
    page: Page, gold: Gold, background: str = NEWS.background
) -> tuple[list[str], list[Match]]:
    """Return one label a region from the blocks of a gold, and where each block stands.

    A region has the label of most of its characters, if that is clear, else it is unknown: where
    two blocks meet inside it, or where it stands in the place of a block that was not found.
    Text on no block has ``gold.rest``. Blocks tell nothing of media, which are unknown; a region
    of punctuation alone has the label of the texts before and after it where they agree.

    Parameters
    ----------
    background
        The caller's name of what gold calls ``None``.
    """
    laid = lay(page, [block.text for block in gold.blocks])
    labels = _voted(laid, gold, len(page))
    for i in [i for i, label in enumerate(labels) if not label and not page.is_media[i]]:
        around = {_first(labels[i::-1]), _first(labels[i:])}
        labels[i] = around.pop() if len(around) == 1 else UNKNOWN
    named = [background if label == NEWS.background else label or UNKNOWN for label in labels]
    return named, list(_matches(laid, gold))


def _first(labels: Sequence[str]) -> str:
    """Return the first label that there is."""
    return next((label for label in labels if label), UNKNOWN)


def _voted(laid: Laid, gold: Gold, n_regions: int) -> list[str]:
    """Return the label that the characters of each region vote for; empty where it has none."""
    names = sorted({block.label for block in gold.blocks} | {gold.rest, UNKNOWN})
    numbers = {name: n for n, name in enumerate(names)}
    ours = np.array([numbers[block.label] for block in gold.blocks], dtype=np.int64)[laid.text]
    votes = np.full(len(laid.place), numbers[gold.rest], dtype=np.int64)
    votes[laid.stand_ins(ours != numbers[gold.rest])] = numbers[UNKNOWN]
    votes[laid.found] = ours[laid.place[laid.found]]
    counts = np.bincount(laid.region * len(names) + votes, minlength=n_regions * len(names))
    table = counts.reshape(n_regions, len(names))
    return [_elected(row, names) for row in table.tolist()]


def _elected(row: Sequence[int], names: Sequence[str]) -> str:
    if not any(row):
        return ""
    unknown = row[names.index(UNKNOWN)]
    n_known = sum(row) - unknown
    if n_known <= unknown:
        return UNKNOWN
    most, name = max((n, name) for n, name in zip(row, names, strict=True) if name != UNKNOWN)
    return name if most >= MIN_SHARE * n_known else UNKNOWN


def _matches(laid: Laid, gold: Gold) -> Iterator[Match]:
    """Yield where each block stands: the regions that it has half of, or else that it is in."""
    texts = laid.text[laid.place[laid.found]]
    borders = np.searchsorted(texts, np.arange(len(gold.blocks) + 1))
    sizes = np.bincount(laid.region, minlength=1)
    for n, block in enumerate(gold.blocks):
        places = laid.found[borders[n] : borders[n + 1]]
        value = block.text[:_MAX_VALUE]
        if not len(places):
            yield Match(block.kind, value)
            continue
        regions, counts = np.unique(laid.region[places], return_counts=True)
        most = regions[2 * counts >= sizes[regions]]
        score = float(laid.scores[n])
        is_whole = places[-1] - places[0] + 1 == len(places)
        method = SIMILAR if score < 1 else EXACT if is_whole else ORDERED
        yield Match(
            block.kind, value, method, score, tuple((most if len(most) else regions).tolist())
        )
