"""Texts laid beside a page in document order: which of its characters stand where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from structce.corpora.marks.anchors import Run, common_runs
from structce.page import Page
from structce.text import normalise, width
from structce.text_index import FUZZY

MIN_SCORE = 0.5
"""Share of its characters that a text must have on the page, else it is missing; our choice."""

_MAX_PATCH = 2_000  # characters of a gap that is compared letter by letter; our choice
_MAX_STAND_IN = 2.0  # a stretch this much longer than a missing text is not that text; our choice

Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


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
    def scores(self) -> NDArray[np.float64]:
        """Share of each text's characters that stand on the page, shape (n_texts,), in [0, 1]."""
        counts = np.bincount(self.text[self.place[self.found]], minlength=len(self.lengths))
        return counts / np.maximum(self.lengths, 1)

    def stand_ins(self, wanted: Bools) -> Bools:
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
            parts = tuple(token) if width(token) > len(token) else (token,)
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
            elif fuzz.ratio(one, other) >= FUZZY:
                for code in LCSseq.opcodes(one, other):
                    if code.tag == "equal":
                        length = code.src_end - code.src_start
                        yield Run(a + code.src_start, b + code.dest_start, length)
        a, b = run.first + run.length, run.second + run.length
