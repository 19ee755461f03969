"""Measures of articles: title, authors and date against what the gold says, segments of the text.

All take plain texts, so that every system can be measured, whatever it works on. The main text is
measured by the overlaps of :mod:`structce.evaluation.overlap`, or by the sentences that must and
must not be in it (`SegmentTally`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from structce.evaluation.overlap import (
    Overlap,
    bag_overlap,
    rouge_lsum,
    shingle_counts,
    shingle_overlap,
    words,
)

__all__ = [
    "TITLE_F1",
    "Overlap",
    "SegmentTally",
    "author_overlap",
    "bag_overlap",
    "is_day",
    "is_title",
    "name_key",
    "rouge_lsum",
    "shingle_counts",
    "shingle_overlap",
    "words",
]

TITLE_F1 = 0.9
"""Least F1 of the words of a title that counts as right; our choice, as editors add a word."""


def is_title(found: str, gold: str) -> bool:
    """Return whether a title is right: the F1 of its words is at least ``TITLE_F1``."""
    return bag_overlap(found, gold).f1 >= TITLE_F1


def author_overlap(found: Iterable[str], gold: Iterable[str]) -> Overlap:
    """Return how well two sets of names agree, names compared by their words.

    No name against no name agrees.
    """
    first, second = _names(found), _names(gold)
    return Overlap.of_counts(len(first & second), len(first), len(second))


def is_day(found: date | None, gold: date) -> bool:
    """Return whether a date is the gold's calendar day, each as written in its own zone."""
    return found is not None and _day(found) == _day(gold)


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
        return Overlap.of_counts(self.n_found, given, wanted)


def name_key(name: str) -> str:
    """Return what names are compared by: their words, case folded."""
    return " ".join(words(name))


def _names(names: Iterable[str]) -> set[str]:
    return {folded for name in names if (folded := name_key(name))}


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _collapsed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
