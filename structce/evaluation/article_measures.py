"""Measures of articles: title, authors, date and main text against what the gold says.

All take plain texts, so that every system can be measured, whatever it works on. A text is
compared as a bag of words (`bag_overlap`), as the longest sequences of words that its lines share
with the gold (`rouge_lsum`), by runs of four words (`shingle_overlap`), or by the sentences that
must and must not be in it (`SegmentTally`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from rapidfuzz.distance import LCSseq

TITLE_F1 = 0.9
"""Least F1 of the words of a title that counts as right; our choice, as editors add a word."""

SHINGLE = 4
"""Words a shingle, as in the article extraction benchmark (Scrapinghub 2020)."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Scripts that write no spaces: Thai, Lao, Burmese, Khmer, kana and Chinese characters."""

_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

Tokenise = Callable[[str], list[str]]


@dataclass(frozen=True)
class Overlap:
    """Precision, recall and F1 of a text, each in [0, 1]."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def words(text: str) -> list[str]:
    """Return the words of a text, case folded (NFKC); single characters of unspaced scripts.

    >>> words("A day in 東京")
    ['a', 'day', 'in', '東', '京']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def bag_overlap(found: str, gold: str) -> Overlap:
    """Return how well two texts agree as bags of words.

    A word counts as often as it stands in both. Two texts without words agree; a text without
    words has precision and recall 0 against one that has some.
    """
    first, second = Counter(words(found)), Counter(words(gold))
    return _overlap((first & second).total(), first.total(), second.total())


def is_title(found: str, gold: str) -> bool:
    """Return whether a title is right: the F1 of its words is at least ``TITLE_F1``."""
    return bag_overlap(found, gold).f1 >= TITLE_F1


def author_overlap(found: Iterable[str], gold: Iterable[str]) -> Overlap:
    """Return how well two sets of names agree, names compared by their words.

    No name against no name agrees.
    """
    first, second = _names(found), _names(gold)
    return _overlap(len(first & second), len(first), len(second))


def is_day(found: date | None, gold: date) -> bool:
    """Return whether a date is the gold's calendar day, each as written in its own zone."""
    return found is not None and _day(found) == _day(gold)


def rouge_lsum(found: str, gold: str, tokenise: Tokenise = words) -> Overlap:
    """Return ROUGE-LSum: the union of longest common subsequences, line by line.

    Of each line of the gold those words count that stand in a longest common subsequence with
    some line of the answer; a word counts at most as often as it stands in the answer. Where
    several subsequences are longest, one is taken: implementations differ by some ten-thousandths.

    Parameters
    ----------
    tokenise
        Splits a line into words; ``str.split`` for tokens between white space.

    References
    ----------
    C.-Y. Lin (2004). ROUGE: a package for automatic evaluation of summaries. Text summarization
    branches out, ACL workshop, section 3.2.
    """
    lines, gold_lines = _lines(found, tokenise), _lines(gold, tokenise)
    given = Counter(word for line in lines for word in line)
    n_found, n_gold = given.total(), sum(map(len, gold_lines))
    hits = 0
    whole, candidates = set(lines), [line for line in dict.fromkeys(lines) if line]
    for line in gold_lines:
        common = line if line in whole else _union_of_common(line, candidates)
        for word in common:
            if given[word] > 0:
                given[word] -= 1
                hits += 1
    return _overlap(hits, n_found, n_gold)


def shingle_counts(found: str, gold: str, n: int = SHINGLE) -> tuple[float, float, float]:
    """Return the shares of shingles that are right, too many, and too few; their sum is 1.

    A shingle is a run of ``n`` words; a text of fewer words is one shingle. Shares, so that a
    long page weighs no more than a short one. (0, 0, 0) for two texts without words.
    """
    first, second = _shingles(found, n), _shingles(gold, n)
    right = (first & second).total()
    counts = right, first.total() - right, second.total() - right
    total = sum(counts)
    return (counts[0] / total, counts[1] / total, counts[2] / total) if total else (0.0, 0.0, 0.0)


def shingle_overlap(pages: Iterable[tuple[float, float, float]]) -> Overlap:
    """Return mean precision and mean recall of pages, from their :func:`shingle_counts`.

    Precision is the mean over pages with an answer, recall over pages with a gold text, and F1
    that of the two means: neither the mean of F1 nor that of pooled shingles.

    References
    ----------
    Scrapinghub (2020). Article extraction benchmark: open-source libraries and commercial
    services. Technical report, section on metrics.
    """
    counts = list(pages)
    precision = [right / (right + many) for right, many, _ in counts if right + many]
    recall = [right / (right + few) for right, _, few in counts if right + few]
    return Overlap(*(float(np.mean(values)) if values else 0.0 for values in (precision, recall)))


@dataclass(frozen=True)
class SegmentTally:
    """Counts of segments of a text that must be there, and of such that must not.

    Parameters
    ----------
    n_found, n_lost
        Segments that must be in the text: in it, and not in it.
    n_wrong, n_absent
        Segments that must not: in it, and not in it.

    References
    ----------
    A. Barbaresi (2021). Trafilatura: a web scraping library and command-line tool for text
    discovery and extraction. ACL, system demonstrations, section 5.
    """

    n_found: int = 0
    n_lost: int = 0
    n_wrong: int = 0
    n_absent: int = 0

    @classmethod
    def of(cls, text: str, must: Sequence[str], must_not: Sequence[str]) -> SegmentTally:
        """Return the counts of one page; texts are compared with white space collapsed (NFKC)."""
        whole = _collapsed(text)
        found = sum(_collapsed(segment) in whole for segment in must)
        wrong = sum(_collapsed(segment) in whole for segment in must_not)
        return cls(found, len(must) - found, wrong, len(must_not) - wrong)

    def __add__(self, other: SegmentTally) -> SegmentTally:
        return SegmentTally(
            self.n_found + other.n_found,
            self.n_lost + other.n_lost,
            self.n_wrong + other.n_wrong,
            self.n_absent + other.n_absent,
        )

    @property
    def n_segments(self) -> int:
        """All segments."""
        return self.n_found + self.n_lost + self.n_wrong + self.n_absent

    @property
    def accuracy(self) -> float:
        """Share of the segments that are treated right; 0 without segments."""
        return (self.n_found + self.n_absent) / max(self.n_segments, 1)

    @property
    def overlap(self) -> Overlap:
        """Precision and recall of the segments in the text."""
        given, wanted = self.n_found + self.n_wrong, self.n_found + self.n_lost
        return _overlap(self.n_found, given, wanted)


def _overlap(n_common: float, n_found: float, n_gold: float) -> Overlap:
    if not n_gold:
        return Overlap(float(not n_found), 1.0)
    return Overlap(n_common / n_found if n_found else 0.0, n_common / n_gold)


def name_key(name: str) -> str:
    """Return what names are compared by: their words, case folded."""
    return " ".join(words(name))


def _names(names: Iterable[str]) -> set[str]:
    return {folded for name in names if (folded := name_key(name))}


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _lines(text: str, tokenise: Tokenise) -> list[tuple[str, ...]]:
    return [tuple(tokenise(line.lower())) for line in text.split("\n")]


def _union_of_common(line: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the words of a line that are in a longest common subsequence with some other."""
    own, places = set(line), set[int]()
    for other in others:
        if len(places) == len(line):
            break
        if not own.isdisjoint(other):
            for block in LCSseq.opcodes(line, other):
                if block.tag == "equal":
                    places.update(range(block.src_start, block.src_end))
    return [line[place] for place in sorted(places)]


def _shingles(text: str, n: int) -> Counter[tuple[str, ...]]:
    tokens = words(text)
    starts = range(max(len(tokens) - n + 1, 1)) if tokens else range(0)
    return Counter(tuple(tokens[start : start + n]) for start in starts)


def _collapsed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
