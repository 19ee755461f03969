"""Job of an experiment, one fit: its settings, its data, and its outcome, all plain values."""

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
from structce.experiments.results import ColumnLead, Diagnostics, Epoch, GridPoint
from structce.experiments.toml_tables import written_name
from structce.features import FeatureSet
from structce.labelling import encode_pages
from structce.labels import LabelSet

JobStep = Literal["tune", "test"]


@dataclass(frozen=True)
class Job:
    """One fit of one learner on one split.

    Parameters
    ----------
    step
        ``tune``: fit on the training part, score and calibrate on the validation part. ``test``:
        fit on both, or with ``refit`` false on the training part (unless a job that tuned has
        kept the model), predict the test part.
    temperature
        Temperature of the calibration that a tested model takes over; None without calibration.
    part
        Subset of the features, such as ``without text``; empty for all of them.
    pages
        Indices of the pages, of training and validation part together, that a tested model is
        fitted on; empty for all.
    share
        Share of the training sites that these pages are, in (0, 1].
    """

    study: str
    split: int
    candidate: str
    learner: str
    parameters: Parameters
    step: JobStep
    seed: int
    measure: str
    temperature: float | None = None
    part: str = ""
    pages: tuple[int, ...] = ()
    share: float = 1.0
    neighbours: bool = True
    refit: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether the job uses all features and all training pages."""
        return not self.part and self.share == 1.0

    @property
    def subset(self) -> str:
        """Description of its features or training pages; empty for all of them."""
        return self.part or (f"{100 * self.share:g} % of the sites" if self.share < 1 else "")

    def __str__(self) -> str:
        settings = [f"{written_name(name)} = {value}" for name, value in self.parameters.items()]
        share = f"{100 * self.share:g} % of the training sites" if self.share < 1 else ""
        parts = filter(None, (self.candidate, *settings, self.part, share))
        return f"{', '.join(parts)}, {self.study}, split {self.split + 1}, {self.step}"


@dataclass(frozen=True)
class ResourceUse:
    """Wall-clock seconds and megabytes of memory; see :class:`structce.experiments.fit.Meter`."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Trial:
    """Outcome of a job that tunes: one point of the grid with its score."""

    point: GridPoint
    spent: ResourceUse


@dataclass(frozen=True)
class WrongRegion:
    """Region of a test page with a wrong label: numbers of page and region, label indices."""

    page: int
    region: int
    gold: int
    predicted: int
    confidence: float | None = None
    reasons: tuple[ColumnLead, ...] = ()


@dataclass(frozen=True)
class TestResult:
    """Outcome of a job that tests: label indices page by page, and how they came about.

    Parameters
    ----------
    before, after
        Confidence of each predicted label, page by page, before calibration and after it; empty
        for a learner without confidences, and for jobs on a subset.
    wrong
        Wrong regions of the worst pages; none for jobs on a subset.
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
    """Outcome of a job that raised: class and message of the error. Never cached."""

    error: str


JobOutcome = Trial | TestResult | Failure


@dataclass(frozen=True)
class ColumnCounts:
    """Numbers of columns from the training pages of a split, and by part of an ablation."""

    n_columns: int
    spent: ResourceUse
    n_parts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class EncodedPages:
    """Pages stacked into one matrix and one array of label indices, with the borders between them.

    Worker processes can share a few large arrays in memory; the matrix of a page is a view.

    Parameters
    ----------
    rows : shape (n_regions, n_columns)
    labels : shape (n_regions,)
        -1 where the label is unknown.
    borders : shape (n_pages + 1,)
        Row at which each page begins, and at which the last ends.
    """

    rows: csr_matrix
    labels: Labels
    borders: Labels

    @classmethod
    def of(cls, X: Sequence[csr_matrix], y: Sequence[Labels], n_columns: int) -> EncodedPages:
        """Return stacked pages; there may be none."""
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
        """One matrix per page, shape (n_regions, n_columns)."""
        return [self._page(first, last) for first, last in pairwise(self.borders.tolist())]

    @property
    def targets(self) -> list[Labels]:
        """One array of label indices per page, shape (n_regions,)."""
        return [self.labels[first:last] for first, last in pairwise(self.borders.tolist())]

    def take(self, places: Integers) -> EncodedPages:
        """Return the pages with some columns, by index; much cheaper than encoding again."""
        return EncodedPages(self.rows[:, places], self.labels, self.borders)

    def pages(self, chosen: Sequence[int]) -> EncodedPages:
        """Return some of the pages, by index."""
        X, y = self.matrices, self.targets
        return EncodedPages.of([X[i] for i in chosen], [y[i] for i in chosen], self.rows.shape[1])

    def _page(self, first: int, last: int) -> csr_matrix:
        begin, end = self.rows.indptr[first], self.rows.indptr[last]
        borders = self.rows.indptr[first : last + 1] - begin
        cells = self.rows.data[begin:end], self.rows.indices[begin:end], borders
        return csr_matrix(cells, shape=(last - first, self.rows.shape[1]), copy=False)


@dataclass(frozen=True, eq=False)
class EncodedSplit:
    """The three parts of a split, encoded with the columns of the training pages."""

    train: EncodedPages
    validation: EncodedPages
    test: EncodedPages
    columns: tuple[str, ...]
    label_set: LabelSet

    def take(self, places: Integers) -> EncodedSplit:
        """Return the three parts with some columns, by index."""
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
    """Fit the features on the training pages and encode all three parts with their columns."""
    features.fit([page.page for page in train])

    def encoded(part: Corpus) -> EncodedPages:
        return EncodedPages.of(*encode_pages(features, part, part.label_set), n_columns)

    n_columns = len(features.columns_)
    parts = encoded(train), encoded(validation), encoded(test)
    return EncodedSplit(*parts, tuple(features.columns_), train.label_set)
