"""Results of an extraction experiment, as ``report.json`` contains them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from structce.evaluation import Overlap, Spread
from structce.experiments.extraction.config import ExtractionExperiment
from structce.experiments.results import PairedTest, Ranking


@dataclass(frozen=True)
class MeanDeviation:
    """Mean over pages, and their standard deviation as a sample; None for a single page."""

    mean: float
    deviation: float | None

    @classmethod
    def of(cls, spread: Spread) -> MeanDeviation | None:
        """Return the mean and deviation of a spread; None for one without values."""
        if not spread.n_values:
            return None
        return cls(spread.mean, spread.deviation if spread.n_values > 1 else None)


@dataclass(frozen=True)
class MeasureScores:
    """Precision, recall and F1 by one measure, in [0, 1]."""

    precision: MeanDeviation
    recall: MeanDeviation
    f1: MeanDeviation


@dataclass(frozen=True)
class MethodScores:
    """Scores of one method, or of one setting of it, on all pages of a package.

    Parameters
    ----------
    n_failures
        Number of pages on which it failed; they count as if nothing had been extracted.
    seconds_per_kb, median_milliseconds
        Over the pages whose time is known, the latter per page; None without such pages.
    leaves
        Precision and recall of the text nodes of all pages together, by the measures ``LEAVES``;
        empty unless the experiment has both.
    """

    name: str
    n_pages: int
    n_failures: int
    seconds_per_kb: MeanDeviation | None
    median_milliseconds: float | None
    measures: Mapping[str, MeasureScores]
    leaves: Mapping[str, Overlap] = field(default_factory=dict)


@dataclass(frozen=True)
class MethodPair(PairedTest):
    """Paired test of the F1 of a method and that of the reference, by the first measure."""

    method: str
    reference: str


@dataclass(frozen=True)
class PackageResult:
    """Results of all methods on one package.

    Parameters
    ----------
    source
        Name of the source in the experiment; the package has the same name unless it is a part.
    digest
        Digest of pages and main contents; for a part, that of the whole source.
    link_quota, main_quota
        Median over pages of the share of text inside links, and of the main content's share of the
        words, in [0, 1].
    n_lost
        Number of pages of the source that could not be read or have no main content.
    n_learnt
        Number of pages of the source that trained methods learnt from; 0 for folds.
    """

    name: str
    source: str
    digest: str
    n_pages: int
    n_sites: int
    n_bytes: int
    n_lost: int
    link_quota: float
    main_quota: float
    methods: tuple[MethodScores, ...]
    pairs: tuple[MethodPair, ...]
    n_learnt: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the package is the whole of its source."""
        return self.name == self.source

    def method(self, name: str) -> MethodScores | None:
        """Return the scores of a method; None if it has none."""
        return next((scores for scores in self.methods if scores.name == name), None)

    def pair(self, name: str) -> MethodPair | None:
        """Return how a method differs from the reference; None if it is the reference."""
        return next((pair for pair in self.pairs if pair.method == name), None)


@dataclass(frozen=True)
class PageClassPoint:
    """Scores of a method that learnt from a number of pages of each class of a source.

    Parameters
    ----------
    setting
        Name of the method with its number of pages, as in the packages.
    n_classes
        Number of classes with that many pages; smaller ones are left out.
    seen, unseen
        Scores by the name of the measure, on pages that were learnt from, and on others of these
        classes; empty without such pages.
    learning_milliseconds
        Mean over classes of the time to learn from a page, from its bytes on; None if unknown.
    milliseconds
        Mean over pages of the time to extract from a page; None if unknown.
    """

    source: str
    method: str
    setting: str
    n_pages: int
    n_classes: int
    n_seen: int
    n_unseen: int
    seen: Mapping[str, MeasureScores]
    unseen: Mapping[str, MeasureScores]
    learning_milliseconds: float | None
    milliseconds: float | None


@dataclass(frozen=True)
class LearntTokens:
    """Tokens of ``id`` and ``class`` that a trained method looks for, on one source.

    There is one model per fold; counts are of the models that have each token, the most frequent
    first.
    """

    source: str
    setting: str
    n_models: int
    counts: Mapping[str, int]


@dataclass(frozen=True)
class MethodFailure:
    """A method that could not be made, or failed on pages of a package, with the first error.

    The package is empty for a method that could not be made. One that failed on all pages of a
    package has no scores there.
    """

    method: str
    package: str
    n_pages: int
    error: str


@dataclass(frozen=True)
class ExtractionReport:
    """An extraction experiment and its results: ``report.json``.

    Parameters
    ----------
    packages
        Each source as a whole, followed by its parts.
    ranking, part_rankings
        Mean ranks of the methods by mean F1, over the sources (None for a single one), and over the
        parts of each source.
    trained_on
        Sources whose data sets a method's shipped model was trained on, by the method's name: its
        scores on them are not of unseen pages.
    """

    experiment: ExtractionExperiment
    command: str
    versions: Mapping[str, str]
    packages: tuple[PackageResult, ...]
    failures: tuple[MethodFailure, ...] = ()
    ranking: Ranking | None = None
    part_rankings: Mapping[str, Ranking] = field(default_factory=dict)
    page_classes: tuple[PageClassPoint, ...] = ()
    tokens: tuple[LearntTokens, ...] = ()
    trained_on: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    format: str = "structce-extraction-report"
    version: int = 1

    @property
    def is_complete(self) -> bool:
        """Whether no method failed."""
        return not self.failures

    @property
    def wholes(self) -> tuple[PackageResult, ...]:
        """The sources, each as a whole."""
        return tuple(package for package in self.packages if package.is_whole)
