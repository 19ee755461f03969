"""Measures of articles: title, authors and date compared with the gold, and segments of the text.

All take plain texts, so that they apply to any system. The main text is measured by the overlaps of
:mod:`structce.evaluation.overlap`, or by the segments that must and must not be in it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from structce.evaluation.overlap import Overlap, bag_overlap, fold_space, words

TITLE_F1 = 0.9
"""Least F1 of the words of a right title; our choice, as editors add words."""


def is_title(prediction: str, gold: str) -> bool:
    """Return whether a title is right: the F1 of its words is at least ``TITLE_F1``."""
    return bag_overlap(prediction, gold).f1 >= TITLE_F1


def author_overlap(predictions: Iterable[str], gold: Iterable[str]) -> Overlap:
    """Return the overlap of two sets of names, which are compared by their words.

    Two empty sets agree.
    """
    first, second = (
        {key for name in names if (key := name_key(name))} for names in (predictions, gold)
    )
    return Overlap.of_counts(len(first & second), len(first), len(second))


def name_key(name: str) -> str:
    """Return the key by which names are compared: their words, case folded."""
    return " ".join(words(name))


def is_day(prediction: date | None, gold: date) -> bool:
    """Return whether a date is the gold's calendar day, each in its own time zone."""
    return prediction is not None and _day(prediction) == _day(gold)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


class SegmentTally(NamedTuple):
    """Counts of the segments that must be in a text, and of those that must not.

    Parameters
    ----------
    n_found, n_lost
        Segments that must be in the text and are, or are not.
    n_wrong, n_absent
        Segments that must not be in the text but are, or are not.

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
        n_found = sum(_collapsed(segment) in whole for segment in must)
        n_wrong = sum(_collapsed(segment) in whole for segment in must_not)
        return cls(n_found, len(must) - n_found, n_wrong, len(must_not) - n_wrong)

    @property
    def accuracy(self) -> float:
        """Share of the segments that are rightly found or absent; 0 without segments."""
        return (self.n_found + self.n_absent) / max(sum(self), 1)

    @property
    def overlap(self) -> Overlap:
        """Precision and recall of the segments in the text."""
        given, wanted = self.n_found + self.n_wrong, self.n_found + self.n_lost
        return Overlap.of_counts(self.n_found, given, wanted)


def _collapsed(text: str) -> str:
    return fold_space(unicodedata.normalize("NFKC", text))
