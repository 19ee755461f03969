"""Vocabulary of a network over text leaves: the tags and words that it counts, and its columns.

Section 3.1 of Leonhardt, Anand and Khosla (2020): a leaf is represented by the counts of the most
common tags on its path from the root, and of the most common words in it, each with an additional
count for all others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import scipy  # its rooms are loaded at first use: sparse takes 0.2 s

from structce.arrays import Integers, Integers32
from structce.errors import ExtractionError
from structce.extraction.boilernet.leaves import TextLeaves, leaf_words

N_TAGS, N_WORDS = 50, 1000
"""Numbers of most common tags and words that the paper counts."""


@dataclass(frozen=True)
class Vocabulary:
    """Tags and words that a network counts, and the columns of a leaf.

    Column 0 counts tags that are not listed, column ``1 + i`` tag ``i``; column ``1 + n_tags``
    counts words that are not listed, column ``2 + n_tags + i`` word ``i``. (The paper's code lets
    one unknown word overwrite the count of another; we add them up.)

    Parameters
    ----------
    tags, words
        Tags and words in lower case, the most common first.
    """

    tags: tuple[str, ...]
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.tags)) < len(self.tags) or len(set(self.words)) < len(self.words):
            raise ExtractionError("vocabulary: a tag or a word is listed twice")

    @classmethod
    def of_pages(
        cls, pages: Iterable[TextLeaves], n_tags: int = N_TAGS, n_words: int = N_WORDS
    ) -> Self:
        """Return the most common tags and words of pages; ties are in alphabetical order.

        A tag counts once for each leaf and each occurrence on the path to it.
        """
        tags: Counter[str] = Counter()
        words: Counter[str] = Counter()
        for leaves in pages:
            for tag, count in zip(leaves.tag, _leaves_below(leaves).tolist(), strict=True):
                tags[tag] += count
            for text in leaves.text:
                words.update(leaf_words(text))
        return cls(_most_common(tags, n_tags), _most_common(words, n_words))

    @property
    def n_columns(self) -> int:
        """Number of columns of a leaf."""
        return 2 + len(self.tags) + len(self.words)

    def encode(self, leaves: TextLeaves) -> scipy.sparse.csr_array[np.float32]:
        """Return the counts of each leaf, shape (n_leaves, n_columns), float32."""
        paths = self._path_counts(leaves)[leaves.element]
        rows, columns = paths.nonzero()
        numbers = self._word_columns
        unknown = 1 + len(self.tags)
        words = [[numbers.get(word, unknown) for word in leaf_words(text)] for text in leaves.text]
        owner = np.repeat(np.arange(len(words)), [len(own) for own in words])
        word_columns = np.array([column for own in words for column in own], dtype=np.int64)
        ones = np.ones(len(word_columns))
        values = np.concatenate([paths[rows, columns], ones]).astype(np.float32)
        places = np.concatenate([rows, owner]), np.concatenate([columns, word_columns])
        shape = (len(leaves), self.n_columns)
        return scipy.sparse.csr_array((values, places), shape=shape)  # adds up words

    def _path_counts(self, leaves: TextLeaves) -> Integers32:
        """Return how often each tag occurs on the path to each element, including itself."""
        numbers = {tag: 1 + i for i, tag in enumerate(self.tags)}
        counts = np.zeros((len(leaves.tag) + 1, 1 + len(self.tags)), dtype=np.int32)
        for i, (tag, parent) in enumerate(zip(leaves.tag, leaves.parent.tolist(), strict=True)):
            counts[i] = counts[parent]  # for the root this is the last row, which is zero
            counts[i, numbers.get(tag, 0)] += 1
        return counts

    @cached_property
    def _word_columns(self) -> Mapping[str, int]:
        return {word: 2 + len(self.tags) + i for i, word in enumerate(self.words)}

    def to_json(self) -> bytes:
        """Return the vocabulary as JSON: an object with the lists ``tags`` and ``words``."""
        entries = {"tags": self.tags, "words": self.words}
        return (json.dumps(entries, ensure_ascii=False, indent=0) + "\n").encode()

    @classmethod
    def from_entries(cls, entries: object) -> Self:
        """Return the vocabulary of an object with the lists ``tags`` and ``words``.

        Raises
        ------
        ExtractionError
            If ``entries`` is not such an object.
        """
        if not isinstance(entries, dict) or not {"tags", "words"} <= set(entries):
            raise ExtractionError("vocabulary: expected an object with tags and words")
        lists = []
        for name in ("tags", "words"):
            values = entries[name]
            if not isinstance(values, list) or not all(isinstance(name, str) for name in values):
                raise ExtractionError(f"vocabulary: {name}: expected a list of strings")
            lists.append(tuple(values))
        return cls(*lists)


def _leaves_below(leaves: TextLeaves) -> Integers:
    """Return how many leaves are in each element, at any depth."""
    counts = np.bincount(leaves.element, minlength=len(leaves.tag)).tolist()
    parents = leaves.parent.tolist()
    for i in range(len(counts) - 1, 0, -1):
        counts[parents[i]] += counts[i]
    return np.array(counts, dtype=np.int64)


def _most_common(counts: Counter[str], n: int) -> tuple[str, ...]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(name for name, count in ranked[:n] if count)
