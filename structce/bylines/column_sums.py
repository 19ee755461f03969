"""Scores of a byline's tokens, with the weights of each group of columns summed only once.

The score of a token is the sum of the weights of its columns, see :mod:`structce.bylines.columns`.
Words recur, so the sums that a word adds to itself and to its neighbours are kept as rows of a
table; so are the sums for the columns of a part of a line, and for a place in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
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

_MAX_ROWS = 2**14  # of the table; a full one is replaced by an empty one
_BEYOND = -1  # in place of the row of a word before the first or after the last


class _Rows:
    """Table of sums; rows are only ever added, so that several threads can share it."""

    def __init__(self, n_labels: int) -> None:
        self.lock = Lock()
        self.n = 0
        self.sums: Floats = np.zeros((1024, n_labels))
        self.groups: dict[tuple[str, ...], int] = {}
        self.words: dict[tuple[str, frozenset[str]], int] = {}

    def add(self, sums: Floats) -> int:
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
        self._nothing = np.zeros((1, weights.shape[1]))
        self._padded = np.concatenate([weights, self._nothing])  # the last row is of no column
        self._weights_of = lru_cache(maxsize=_MAX_ROWS // 2)(self._own_and_near)

    def scores(
        self,
        texts: Sequence[Sequence[Token]],
        code: str,
        names: PageNames,
        hints: Sequence[Sequence[Hints]],
    ) -> list[Floats]:
        """Return the scores of the labels at the tokens of each text, (n_tokens, n_labels) each.

        The parameters are those of :func:`structce.bylines.columns.columns_of`, for several texts.
        """
        if self._rows.n > _MAX_ROWS:
            self._rows = _Rows(self.weights.shape[1])
        rows = self._rows
        everywhere = self._group(rows, text_columns(code))
        apart = [_BEYOND] * max(NEAR)  # between texts, so that none sees the words of another
        words, at = [*apart], []
        for tokens, marks in zip(texts, hints, strict=True):
            lists = lists_of(tokens, code)
            pairs = zip(tokens, lists, strict=True)
            words += [*(self._word(rows, token.text, kinds) for token, kinds in pairs), *apart]
            stated = stated_columns(tokens, lists, names)
            lines = line_columns(tokens, lists, names, self._given, marks)
            parts: dict[int, int] = {}  # row of each part of a line, by its columns' identity
            for (line, place), known in zip(lines, stated, strict=True):
                part = parts.get(id(line))
                if part is None:
                    part = parts[id(line)] = self._group(rows, line)
                at.append((everywhere, part, self._group(rows, place), self._group(rows, known)))
        if not at:
            return [self._nothing[:0]] * len(texts)
        own = np.array(at), self._with_neighbours(rows, np.array(words))
        sums = rows.sums.take(np.concatenate(own, axis=1), axis=0).sum(axis=1)
        return np.split(sums, np.cumsum([len(tokens) for tokens in texts[:-1]]))

    def _with_neighbours(self, rows: _Rows, words: Integers) -> Integers:
        """Return for each word its own row and those of its neighbours, (n_words, 5)."""
        places = np.flatnonzero(words != _BEYOND)
        columns = [words[places]]
        for k, step in enumerate(NEAR, start=1):
            near = words[places + step]
            nothing = self._group(rows, tuple(neighbour_columns(step, None)))
            columns.append(np.where(near == _BEYOND, nothing, near + k))
        return np.stack(columns, axis=1)

    def _word(self, rows: _Rows, text: str, kinds: frozenset[str]) -> int:
        """Return the row of a word by itself; those as a neighbour at places of ``NEAR`` follow."""
        row = rows.words.get((text, kinds))
        if row is None:
            at = [*map(self._weights_of, own_columns(text, kinds, self._given))]
            row = rows.words[text, kinds] = rows.add(self._padded.take(at, axis=0).sum(axis=0))
        return row

    def _own_and_near(self, name: str) -> list[int]:
        """Return the places of a column's weights for its token, and for neighbours of that."""
        near = (neighbour_columns(step, [name]) for step in NEAR)
        names = [name, *(names[0] if names else "" for names in near)]
        return [self._columns.get(name, -1) for name in names]

    def _group(self, rows: _Rows, names: tuple[str, ...]) -> int:
        """Return the row of some columns."""
        row = rows.groups.get(names)
        if row is None:
            at = [place for name in names if (place := self._columns.get(name)) is not None]
            weights = self.weights.take(at, axis=0) if at else self._nothing
            row = rows.groups[names] = rows.add(weights.sum(axis=0, keepdims=True))
        return row
