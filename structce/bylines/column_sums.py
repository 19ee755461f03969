"""Scores of a byline's tokens, with the weights of each group of columns summed only once.

The score of a token is the sum of the weights of its columns, see :mod:`structce.bylines.columns`.
Words recur, so the sums that a word adds to itself and to its neighbours are kept as rows of a
table; so are the sums for the columns of a part of a line, and for a place in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from threading import Lock

import numpy as np

from structce.arrays import Floats, Integers
from structce.bylines.columns import (
    NEAR,
    PageNames,
    line_columns,
    neighbour_columns,
    own_columns,
    stated_columns,
    text_columns,
)
from structce.bylines.surroundings import Hints
from structce.bylines.tokens import Token, lists_of

_MAX_ROWS = 2**15  # of the table; a full one is replaced by an empty one


class _Rows:
    """Table of sums; rows are only ever added, so that several threads can share it."""

    def __init__(self, n_labels: int) -> None:
        self.lock = Lock()
        self.n = 0
        self.sums: Floats = np.zeros((1024, n_labels))
        self.groups: dict[tuple[str, ...], int] = {}
        self.words: dict[tuple[str, frozenset[str]], int] = {}

    def add(self, sums: Sequence[Floats]) -> int:
        """Add rows; return the number of the first."""
        with self.lock:
            first, self.n = self.n, self.n + len(sums)
            if self.n > len(self.sums):
                self.sums = np.pad(self.sums, ((0, first), (0, 0)))
            self.sums[first : self.n] = sums
            return first


class ColumnSums:
    """Scorer of tokens by the sums of their columns' weights.

    Parameters
    ----------
    weights : shape (n_columns, n_labels)
        Weights of the chain; they must not change while the scorer is in use.
    columns
        Row of each column in the weights; other columns have no weight.
    given
        Known given names, case folded.
    """

    def __init__(self, weights: Floats, columns: Mapping[str, int], given: Collection[str]) -> None:
        self.weights = weights
        self._columns, self._given = columns, given
        self._rows = _Rows(weights.shape[1])
        self._nothing = np.zeros(weights.shape[1])

    def scores(
        self, tokens: Sequence[Token], code: str, names: PageNames, hints: Sequence[Hints]
    ) -> Floats:
        """Return the score of each label at each token, shape (n_tokens, n_labels).

        The parameters are those of :func:`structce.bylines.columns.columns_of`.
        """
        if not tokens:
            return np.zeros((0, self.weights.shape[1]))
        if self._rows.n > _MAX_ROWS:
            self._rows = _Rows(self.weights.shape[1])
        rows, lists = self._rows, lists_of(tokens, code)
        stated = stated_columns(tokens, lists, names)
        lines = line_columns(tokens, lists, names, self._given, hints)
        everywhere = self._group(rows, text_columns(code))
        parts: dict[int, int] = {}  # row of each part of a line, by the identity of its columns
        at = []
        for i, (line, place) in enumerate(lines):
            part = parts.get(id(line))
            if part is None:
                part = parts[id(line)] = self._group(rows, line)
            at.append((everywhere, part, self._group(rows, place), self._group(rows, stated[i])))
        words = [
            self._word(rows, token.text, kinds) for token, kinds in zip(tokens, lists, strict=True)
        ]
        sums: Floats = rows.sums.take(
            np.concatenate([at, self._neighbours(rows, words)], axis=1), axis=0
        ).sum(axis=1)
        return sums

    def _neighbours(self, rows: _Rows, words: Sequence[int]) -> Integers:
        """Return for each token its own row and those of its neighbours."""
        beyond = [self._group(rows, tuple(neighbour_columns(step, None))) for step in NEAR]
        own = np.array(words)
        near = np.tile([0, *beyond], (len(own), 1))
        near[:, 0] = own
        for k, step in enumerate(NEAR, start=1):
            inside = slice(max(-step, 0), max(len(own) - max(step, 0), 0))
            near[inside, k] = own[max(step, 0) : max(len(own) + min(step, 0), 0)] + k
        return near

    def _word(self, rows: _Rows, text: str, kinds: frozenset[str]) -> int:
        """Return the row of a word by itself; those as a neighbour at places of ``NEAR`` follow."""
        row = rows.words.get((text, kinds))
        if row is None:
            names = own_columns(text, kinds, self._given)
            groups = (names, *(neighbour_columns(step, names) for step in NEAR))
            row = rows.words[text, kinds] = rows.add([self._sum(group) for group in groups])
        return row

    def _group(self, rows: _Rows, names: tuple[str, ...]) -> int:
        """Return the row of some columns."""
        row = rows.groups.get(names)
        if row is None:
            row = rows.groups[names] = rows.add([self._sum(names)])
        return row

    def _sum(self, names: Sequence[str]) -> Floats:
        at = [row for name in names if (row := self._columns.get(name)) is not None]
        return np.add.reduce(self.weights.take(at, axis=0), axis=0) if at else self._nothing
