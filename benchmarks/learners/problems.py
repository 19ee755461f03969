"""Problems that learners are measured on, and their files.

A problem is a file of plain arrays, so that every measurement can run in a process of its own and
start from the same bytes; nothing is pickled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

import numpy as np
from scipy import sparse

from structce.arrays import Labels
from structce.corpus.corpus import Corpus
from structce.evaluation.metrics import Scores, confusion, score_confusion
from structce.experiments.config import FRACTIONS
from structce.features.feature_set import FeatureSet
from structce.labels import LabelSet
from structce.learners.inputs import Features


@dataclass(frozen=True, eq=False)
class Part:
    """Pages as matrices and label indices, one per page; a page may have no region."""

    X: list[Features]
    y: list[Labels]


class Facts(TypedDict):
    """Size of a problem, for a report; counts of regions and non-zeros are of training pages."""

    source: str
    n_pages: list[int]
    n_regions: int
    longest: int
    n_columns: int
    n_labels: int
    n_nonzeros: int
    background: float


@dataclass(frozen=True, eq=False)
class Problem:
    """Encoded pages in three parts.

    Parameters
    ----------
    label_set
        Names and background.
    source
        Where the pages come from, in words; with the digest, if from a corpus.
    """

    train: Part
    validation: Part
    test: Part
    label_set: LabelSet
    source: str

    @property
    def parts(self) -> tuple[Part, Part, Part]:
        """Training, validation and test pages."""
        return self.train, self.validation, self.test

    @property
    def n_columns(self) -> int:
        """Number of columns, those that no page uses included."""
        return int(self.train.X[0].shape[1])

    def scores(self, predicted: Sequence[Labels], part: Part) -> Scores:
        """Return how well labels agree with those of a part."""
        pair = np.concatenate(part.y), np.concatenate(predicted)
        return score_confusion(confusion(*pair, len(self.label_set)), self.label_set)

    def macro_f1(self, predicted: Sequence[Labels], part: Part) -> float:
        """Return the mean F1 over all labels that occur, in [0, 1]."""
        return self.scores(predicted, part).macro_f1

    def facts(self) -> Facts:
        """Return the problem's size."""
        y = np.concatenate(self.train.y)
        background = self.label_set.index(self.label_set.background)
        return Facts(
            source=self.source,
            n_pages=[len(part.y) for part in self.parts],
            n_regions=len(y),
            longest=max(len(labels) for labels in self.train.y),
            n_columns=self.n_columns,
            n_labels=len(self.label_set),
            n_nonzeros=sum(page.nnz for page in self.train.X),
            background=float(np.mean(y == background)),
        )

    def narrowed(self, n_columns: int) -> Problem:
        """Return the problem on the columns that most training regions have; ties by index."""
        used = np.concatenate([page.indices for page in self.train.X])
        counts = np.bincount(used, minlength=self.n_columns)
        kept = np.sort(np.argsort(-counts, kind="stable")[:n_columns])
        train, validation, test = (
            Part([sparse.csr_matrix(page[:, kept]) for page in part.X], part.y)
            for part in self.parts
        )
        source = f"{self.source}, {len(kept):,} most frequent columns"
        return Problem(train, validation, test, self.label_set, source)

    def save(self, path: Path) -> None:
        """Write the problem into an uncompressed ``.npz`` file."""
        pages = [page for part in self.parts for page in part.X]
        np.savez(
            path,
            allow_pickle=False,
            data=np.concatenate([page.data for page in pages]),
            indices=np.concatenate([page.indices for page in pages]).astype(np.int32),
            row_sizes=np.concatenate([np.diff(page.indptr) for page in pages]),
            page_sizes=np.array([page.shape[0] for page in pages]),
            part_sizes=np.array([len(part.y) for part in self.parts]),
            y=np.concatenate([y for part in self.parts for y in part.y]),
            n_columns=np.array(self.n_columns),
            names=np.array(self.label_set.names),
            background=np.array(self.label_set.background),
            source=np.array(self.source),
        )

    @classmethod
    def load(cls, path: Path) -> Problem:
        """Return a problem that `save` wrote; the pages share three large arrays."""
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        page_ends = np.cumsum(arrays["page_sizes"])
        row_ends = np.concatenate([[0], np.cumsum(arrays["row_sizes"])])
        X: list[Features] = []
        start = 0
        for end in page_ends.tolist():
            low, high = int(row_ends[start]), int(row_ends[end])
            indptr = (row_ends[start : end + 1] - low).astype(np.int32)
            page = arrays["data"][low:high], arrays["indices"][low:high], indptr
            shape = (end - start, int(arrays["n_columns"]))
            X.append(sparse.csr_matrix(page, shape=shape, copy=False))
            start = end
        y = np.split(arrays["y"], page_ends[:-1])
        bounds = [0, *np.cumsum(arrays["part_sizes"]).tolist()]
        train, validation, test = (Part(X[a:b], y[a:b]) for a, b in pairwise(bounds))
        label_set = LabelSet(tuple(arrays["names"].tolist()), str(arrays["background"]))
        return cls(train, validation, test, label_set, str(arrays["source"]))


def encode_corpus(folder: Path, seed: int) -> Problem:
    """Return a corpus as an experiment encodes it: split by site, columns of training pages.

    Raises
    ------
    CorpusError
        If the folder contains no corpus, or there are too few sites.
    """
    corpus = Corpus.load(folder)
    split = corpus.split(FRACTIONS, by="site", seed=seed)
    features = FeatureSet()
    features.fit([page.page for page in split[0]])
    train, validation, test = (
        Part(
            [features.transform(page.page) for page in part],
            [corpus.label_set.encode(page.labels) for page in part],
        )
        for part in split
    )
    source = f"corpus {corpus.digest[:12]}, {corpus.renderer}, split by site, seed {seed}"
    return Problem(train, validation, test, corpus.label_set, source)
