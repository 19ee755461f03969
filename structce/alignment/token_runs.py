"""Common runs of two token sequences that are nearly the same.

Runs that occur once in each sequence are anchors. The gaps between anchors are small, so that a
longest common subsequence of each is cheap, and the time grows about linearly with the texts.

References
----------
J. W. Hunt, T. G. Szymanski (1977). A fast algorithm for computing longest common subsequences.
Comm. ACM 20(5); here, the longest chain of unique common runs that is in order in both sequences.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

Tokens = Sequence[int]

_GRAMS = (6, 3)  # tokens of an anchor: six, which are hardly ever chance; otherwise three
_SMALL = 20_000  # cells of a gap that needs no more anchors
_MAX_CELLS = 100_000_000  # cells that a longest common subsequence may take: some 12 MB


@dataclass(frozen=True, order=True)
class Run:
    """Run of tokens that two sequences share."""

    first: int  # first token of the run in the first sequence
    second: int  # and in the second
    length: int  # number of tokens, at least 1


@dataclass(frozen=True)
class _Gap:
    """Ranges of the two sequences, ends excluded, that may share tokens."""

    a: int
    a_end: int
    b: int
    b_end: int
    level: int

    @property
    def cells(self) -> int:
        return (self.a_end - self.a) * (self.b_end - self.b)


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
    waiting = [_Gap(0, len(first), 0, len(second), 0)]
    while waiting:
        gap = _trim(first, second, waiting.pop(), runs)
        if not gap.cells:
            continue
        size = _size(gap)
        if size == 0:
            sides = first[gap.a : gap.a_end], second[gap.b : gap.b_end]
            runs += subsequence(*sides, gap.a, gap.b)
        elif anchors := list(_anchors(first, second, gap, size)):
            runs += anchors
            waiting += _between(gap, anchors)
        elif gap.level < len(_GRAMS):
            waiting.append(_Gap(gap.a, gap.a_end, gap.b, gap.b_end, gap.level + 1))
    return _join(sorted(runs))


def _size(gap: _Gap) -> int:
    """Return the number of tokens of an anchor in a gap; 0 if the gap is small enough."""
    if gap.cells <= _SMALL:
        return 0
    if gap.level < len(_GRAMS):
        return _GRAMS[gap.level]
    return 0 if gap.cells <= _MAX_CELLS else 1


def _trim(first: Tokens, second: Tokens, gap: _Gap, runs: list[Run]) -> _Gap:
    """Return the gap without its sides' common beginning and end, which are added to ``runs``."""
    most = min(gap.a_end - gap.a, gap.b_end - gap.b)
    head = 0
    while head < most and first[gap.a + head] == second[gap.b + head]:
        head += 1
    tail = 0
    while tail < most - head and first[gap.a_end - 1 - tail] == second[gap.b_end - 1 - tail]:
        tail += 1
    if head:
        runs.append(Run(gap.a, gap.b, head))
    if tail:
        runs.append(Run(gap.a_end - tail, gap.b_end - tail, tail))
    return _Gap(gap.a + head, gap.a_end - tail, gap.b + head, gap.b_end - tail, gap.level)


def _anchors(first: Tokens, second: Tokens, gap: _Gap, size: int) -> Iterator[Run]:
    """Yield the anchors of a gap in order: unique common runs, extended as far as possible."""
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
    """Return the place of each n-gram of a size that occurs once between two places."""
    places: dict[tuple[int, ...], int] = {}
    for i in range(start, end - size + 1):
        key = tuple(tokens[i : i + size])
        places[key] = -1 if key in places else i
    return {key: i for key, i in places.items() if i >= 0}


def _chain(
    ours: dict[tuple[int, ...], int], second: Tokens, gap: _Gap, size: int
) -> list[tuple[int, int]]:
    """Return the longest chain of places that increases in both sequences."""
    theirs = _unique(second, gap.b, gap.b_end, size)
    pairs = [(i, theirs[key]) for key, i in ours.items() if key in theirs]  # rising in the first
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


def _between(gap: _Gap, anchors: Sequence[Run]) -> Iterator[_Gap]:
    a, b = gap.a, gap.b
    for anchor in (*anchors, Run(gap.a_end, gap.b_end, 0)):
        yield _Gap(a, anchor.first, b, anchor.second, gap.level)
        a, b = anchor.first + anchor.length, anchor.second + anchor.length


def subsequence(
    first: Sequence[Hashable], second: Sequence[Hashable], a: int, b: int
) -> Iterator[Run]:
    """Yield the runs of a longest common subsequence, with places counted from ``a`` and ``b``."""
    for block in LCSseq.opcodes(first, second).as_matching_blocks():
        if block.size:
            yield Run(a + block.a, b + block.b, block.size)


def _join(runs: Sequence[Run]) -> list[Run]:
    """Return the runs, with those that are adjacent in both sequences joined."""
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
