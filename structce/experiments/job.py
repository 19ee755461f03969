"""What one unit of an experiment is asked, and what comes of it: values that stand in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy.sparse import csr_matrix, vstack

from structce.arrays import Integers, Labels
from structce.corpus import Corpus
from structce.experiments.config import Parameters
from structce.experiments.results import ColumnLead, Diagnostics, GridPoint
from structce.experiments.results import Epoch as Epoch
from structce.features import FeatureSet
from structce.labels import LabelSet

JobStep = Literal["tune", "test"]


@dataclass(frozen=True)
class Job:
    """One fit.

    Parameters
    ----------
    step
        ``tune``: fit on the training part, measure and calibrate on the validation part. ``test``:
        fit on both, test.
    measure
        What a point of the grid is measured by.
    temperature
        Of the calibration that a tested model takes over; None if there is none.
    part
        The part of the features it is given, ``without text``; empty for all of them.
    pages
        Numbers of the pages of training and validation part together that a tested model is fitted
        on; empty for all.
    share
        Of the training sites that these are.
    """

    study: str
    split: int
    arm: str
    learner: str
    parameters: Parameters
    step: JobStep
    seed: int
    measure: str
    temperature: float | None = None
    part: str = ""
    pages: tuple[int, ...] = ()
    share: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether it has all features and all training pages."""
        return not self.part and self.share == 1.0

    def __str__(self) -> str:
        settings = [f"{name.rstrip('_')} = {value}" for name, value in self.parameters.items()]
        share = [f"{100 * self.share:g} % of the training sites"] if self.share < 1 else []
        parts = [self.arm, *settings, *([self.part] if self.part else []), *share]
        return f"{', '.join(parts)}, {self.study}, split {self.split + 1}, {self.step}"


@dataclass(frozen=True)
class ResourceUse:
    """Seconds of wall clock, and megabytes of memory; see :class:`Meter`."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Trial:
    """What comes of a unit that tunes."""

    point: GridPoint
    spent: ResourceUse


@dataclass(frozen=True)
class WrongRegion:
    """A wrong region of a test page, by number of page, region and labels."""

    page: int
    region: int
    gold: int
    predicted: int
    confidence: float | None = None
    reasons: tuple[ColumnLead, ...] = ()


@dataclass(frozen=True)
class TestResult:
    """What comes of a unit that tests.

    Parameters
    ----------
    predictions
        One tuple of label indices a test page.
    before, after
        Confidence of each predicted label, page by page, without calibration and with it; empty
        for a learner that tells none, and for parts.
    wrong
        Mistakes on the pages that came out worst; none for parts.
    """

    predictions: tuple[tuple[int, ...], ...]
    stop: Diagnostics
    training: ResourceUse
    prediction: ResourceUse
    before: tuple[tuple[float, ...], ...] = ()
    after: tuple[tuple[float, ...], ...] = ()
    steps: tuple[Epoch, ...] = ()
    warnings: tuple[str, ...] = ()
    wrong: tuple[WrongRegion, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A unit that raised: class and message of the error. It is not kept, but tried again."""

    error: str


@dataclass(frozen=True)
class ColumnCounts:
    """The columns that the training pages of a split gave.

    Parameters
    ----------
    n_parts
        By part of an ablation how many of them it has.
    """

    n_columns: int
    spent: ResourceUse
    n_parts: dict[str, int] = field(default_factory=dict)


JobOutcome = Trial | TestResult | Failure


@dataclass(frozen=True, eq=False)
class EncodedPages:
    """Pages as one matrix and one array of label indices, with the borders between them.

    A page's own matrix is a view; a few large arrays are what workers can share in memory.

    Parameters
    ----------
    rows : shape (n_regions, n_columns)
    labels : shape (n_regions,)
        -1 where nobody knows the label.
    borders : shape (n_pages + 1,)
        Where each page begins, and the last ends.
    """

    rows: csr_matrix
    labels: Labels
    borders: Labels

    @classmethod
    def of(cls, X: Sequence[csr_matrix], y: Sequence[Labels], n_columns: int) -> EncodedPages:
        """Return pages, stacked; there may be none."""
        empty = csr_matrix(np.zeros((0, n_columns), dtype=X[0].dtype if X else np.float32))
        borders = np.cumsum([0, *(len(labels) for labels in y)])
        labels = np.concatenate([np.zeros(0, dtype=np.int64), *y])
        return cls(vstack([empty, *X], format="csr"), labels, borders.astype(np.int64))

    def __len__(self) -> int:
        return len(self.borders) - 1

    def __add__(self, other: EncodedPages) -> EncodedPages:
        rows = vstack([self.rows, other.rows], format="csr")
        borders = np.concatenate([self.borders, self.borders[-1] + other.borders[1:]])
        return EncodedPages(rows, np.concatenate([self.labels, other.labels]), borders)

    @property
    def matrices(self) -> list[csr_matrix]:
        """One matrix a page, shape (n_regions, n_columns)."""
        return [self._page(first, last) for first, last in pairwise(self.borders.tolist())]

    @property
    def targets(self) -> list[Labels]:
        """One array of label indices a page, shape (n_regions,)."""
        return [self.labels[first:last] for first, last in pairwise(self.borders.tolist())]

    def take(self, places: Integers) -> EncodedPages:
        """Return the pages with some of their columns, much cheaper than encoding again."""
        return EncodedPages(self.rows[:, places], self.labels, self.borders)

    def pages(self, chosen: Sequence[int]) -> EncodedPages:
        """Return some of the pages, by their number."""
        X, y = self.matrices, self.targets
        return EncodedPages.of([X[i] for i in chosen], [y[i] for i in chosen], self.rows.shape[1])

    def _page(self, first: int, last: int) -> csr_matrix:
        begin, end = self.rows.indptr[first], self.rows.indptr[last]
        borders = self.rows.indptr[first : last + 1] - begin
        cells = self.rows.data[begin:end], self.rows.indices[begin:end], borders
        return csr_matrix(cells, shape=(last - first, self.rows.shape[1]), copy=False)


@dataclass(frozen=True, eq=False)
class EncodedSplit:
    """The three parts of a split, encoded with the columns of the training pages.

    Parameters
    ----------
    columns
        Their names.
    """

    train: EncodedPages
    validation: EncodedPages
    test: EncodedPages
    columns: tuple[str, ...]
    label_set: LabelSet

    def take(self, places: Integers) -> EncodedSplit:
        """Return the data with the columns at some places alone."""
        return EncodedSplit(
            self.train.take(places),
            self.validation.take(places),
            self.test.take(places),
            tuple(self.columns[i] for i in places.tolist()),
            self.label_set,
        )


def encode_split(
    features: FeatureSet, train: Corpus, validation: Corpus, test: Corpus
) -> EncodedSplit:
    """Return the parts of a split with the columns of the training pages."""
    features.fit([page.page for page in train])
    return EncodedSplit(
        _encoded(features, train),
        _encoded(features, validation),
        _encoded(features, test),
        tuple(features.columns_),
        train.label_set,
    )


def _encoded(features: FeatureSet, part: Corpus) -> EncodedPages:
    X = [features.transform(page.page) for page in part]
    y = [part.label_set.encode(page.labels) for page in part]
    return EncodedPages.of(X, y, len(features.columns_))


def know_sites(corpus: Corpus, features: FeatureSet) -> Corpus:
    """Return the corpus; where a feature asks for it, pages with what their sites have in common.

    All pages of a site are counted, whichever part of a split they are in: that takes pages, as
    whoever labels a site has them, and no labels.
    """
    return corpus.with_sites() if features.needs_sites else corpus
