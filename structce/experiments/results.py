"""Results of an experiment as plain values: everything in ``report.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from structce.corpus import Corpus
from structce.evaluation import FieldScore, Interval, ReliabilityBin, Scores, SegmentScores
from structce.experiments.config import Experiment, Parameters

Diagnostics = Mapping[str, float | None]
"""Last values of what the solver of a learner stops by, by name; None if not a finite number."""


@dataclass(frozen=True)
class GridPoint:
    """One point of a grid: fitted on the training part, scored on the validation part.

    Parameters
    ----------
    value
        Value of the measure that the experiment chooses by, in [0, 1].
    stop
        How the solver stopped: ``gap`` or ``gradient_norm``, ``objective``, ...; None for values
        that are not finite.
    temperature
        Temperature of its calibration on the validation part; None without confidences.
    """

    parameters: Parameters
    value: float
    stop: Diagnostics
    temperature: float | None = None


@dataclass(frozen=True)
class Epoch:
    """State of a solver after an epoch; see :class:`structce.learners.base.Progress`."""

    epoch: int
    objective: float | None
    gap: float | None


@dataclass(frozen=True)
class TrainingRecord:
    """Tuning and training of one learner on one split.

    Parameters
    ----------
    split
        Number of the split, from 0.
    parameters
        Best point of the grid; on a tie the first.
    points
        Points of the grid, in its order; empty if there was nothing to choose or calibrate.
    stop
        How the solver of the tested model stopped.
    steps
        Epochs of training the tested model; empty for a learner that reports none.
    warnings
        Warnings of the learner, each once, and of an unfinished tested model.
    temperature
        Temperature of the calibration, above 0; None for a learner without confidences.
    """

    split: int
    parameters: Parameters
    points: tuple[GridPoint, ...]
    stop: Diagnostics
    steps: tuple[Epoch, ...] = ()
    warnings: tuple[str, ...] = ()
    temperature: float | None = None


@dataclass(frozen=True)
class ColumnLead:
    """A column that supports a wrong label, or ``(neighbours)``.

    Parameters
    ----------
    lead
        Its contribution to the score of the predicted label minus that to the right one's.
    """

    column: str
    lead: float


@dataclass(frozen=True)
class Mistake:
    """A region with a wrong label.

    Parameters
    ----------
    region
        Index of the region on the page, from 0.
    text
        Text of the region, at most 120 characters.
    confidence
        Confidence in the predicted label, in [0, 1]; None for a learner without confidences.
    reasons
        Columns that most support the wrong label; empty for learners that cannot be
        explained.
    """

    region: int
    text: str
    gold: str
    predicted: str
    confidence: float | None = None
    reasons: tuple[ColumnLead, ...] = ()


@dataclass(frozen=True)
class WorstPage:
    """A test page on which a candidate has the lowest accuracy.

    Parameters
    ----------
    accuracy
        Share of its regions of known label with the right label, in [0, 1].
    n_wrong, n_known
        Number of its regions with a wrong label, and with a known label.
    mistakes
        Some of its wrong regions, those that are not background first.
    """

    candidate: str
    split: int
    page: str
    site: str
    accuracy: float
    n_wrong: int
    n_known: int
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True)
class Reliability:
    """Agreement of confidence with accuracy, over the regions of known label of all test pages.

    Parameters
    ----------
    error
        Expected calibration error, in [0, 1].
    brier
        Brier score of the predicted labels, in [0, 1].
    bins
        Points of the reliability diagram.
    """

    error: float
    brier: float
    bins: tuple[ReliabilityBin, ...]


@dataclass(frozen=True)
class Calibration:
    """Agreement of a learner's confidence with its accuracy, before and after calibration."""

    before: Reliability
    after: Reliability


@dataclass(frozen=True)
class LearnerResult:
    """A learner's scores pooled over all test pages, with any choice of features or pages.

    Parameters
    ----------
    scores
        Scores by region.
    segments
        Scores by segment: a title split over three regions is one title.
    fields
        By label, without background: pages whose regions of the label are found exactly.
    page_exactness
        Share of test pages without any wrong region, in [0, 1].
    confusion : shape (n_labels, n_labels)
        Gold labels are rows, in the order of the label set.
    page_accuracy
        Accuracy by page; pages without regions of known label have none. A page tested in several
        splits has the mean.
    intervals
        Intervals by measure: ``accuracy``, ``macro_f1``, ``macro_f1_foreground``,
        ``page_exactness``, and ``f1.Title`` and so on for every label that gold has.
    trials
        One per split.
    """

    scores: Scores
    segments: SegmentScores
    fields: tuple[FieldScore, ...]
    page_exactness: float
    confusion: tuple[tuple[int, ...], ...]
    page_accuracy: Mapping[str, float]
    intervals: Mapping[str, Interval]
    trials: tuple[TrainingRecord, ...]


@dataclass(frozen=True)
class CandidateResult:
    """A candidate of the experiment: a learner with its grid, tuned and tested on every split.

    Parameters
    ----------
    calibration
        Calibration; None for a learner without confidences.
    """

    name: str
    row: LearnerResult
    calibration: Calibration | None = None


@dataclass(frozen=True)
class PairedTest:
    """Paired test of the scores of two rivals on the same pages: difference, interval, effect.

    Parameters
    ----------
    difference
        Mean over pages of the score of the first minus that of the second, in [-1, 1].
    interval
        Interval of the difference, from resampling whole sites; (-1, 1) if nothing is known.
    p
        P-value of Wilcoxon's matched-pairs signed-ranks test over pages, two-sided.
    p_holm
        The same after Holm's correction over the pairs in one table.
    effect
        Matched-pairs rank-biserial correlation, in [-1, 1]: share of the ranks of differences in
        favour of the first minus that in favour of the second; 0 if no page differs.
    n_pages, n_differ
        Number of compared pages, and of those on which the two differ.
    """

    difference: float
    interval: Interval
    p: float
    p_holm: float
    effect: float
    n_pages: int
    n_differ: int


@dataclass(frozen=True)
class Comparison(PairedTest):
    """Paired test of the page accuracies of two results, with their macro F1.

    Parameters
    ----------
    first, second
        Names of candidates, or of parts of the features.
    macro_difference, macro_interval
        Macro F1 of the first minus that of the second, and its interval.
    """

    first: str
    second: str
    macro_difference: float
    macro_interval: Interval


@dataclass(frozen=True)
class Power:
    """Power of the test pages: the smallest difference that they could have shown.

    Parameters
    ----------
    n_pages
        Number of test pages with an accuracy.
    spread
        Standard deviation over pages of the difference of two candidates, the median of all pairs.
    detectable
        Smallest mean difference of page accuracy that a Wilcoxon test at the 0.05 level finds in
        four experiments out of five; None if it is not known.
    is_small
        Whether that is more than one point, so that finding no difference says little.
    """

    n_pages: int
    spread: float
    detectable: float | None
    is_small: bool


@dataclass(frozen=True)
class Ablation:
    """A candidate with a part of the features, at the full set's hyper-parameters.

    Parameters
    ----------
    kind, family
        ``without`` or ``only``, and the family.
    n_columns
        One number per split, including the bias.
    pair
        Comparison with the same candidate with all features.
    """

    candidate: str
    kind: str
    family: str
    n_columns: tuple[int, ...]
    row: LearnerResult
    pair: Comparison

    @property
    def name(self) -> str:
        """The part in words: ``without text``."""
        return f"{self.kind} {self.family}"


@dataclass(frozen=True)
class LearningPoint:
    """A candidate fitted on a share of the training pages, at the hyper-parameters of all.

    Parameters
    ----------
    share
        Share of the sites (pages in a split by page) of training and validation part, in (0, 1].
    n_pages
        Number of pages, the mean over splits.
    """

    candidate: str
    share: float
    n_pages: float
    row: LearnerResult


@dataclass(frozen=True)
class FailureRecord:
    """A job that raised; results that depend on it have no scores.

    Parameters
    ----------
    job
        The job in words: ``structured-svm, lambda = 0.1, split 1``.
    error
        Class and message of the error.
    """

    candidate: str
    job: str
    error: str


@dataclass(frozen=True)
class PartRecord:
    """The pages and the sites of one part of a split; both sorted."""

    pages: tuple[str, ...]
    sites: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus) -> PartRecord:
        """Return the record of a corpus that is one part."""
        return cls(tuple(sorted(page.id for page in corpus)), corpus.sites)


@dataclass(frozen=True)
class SplitRecord:
    """A split of the pages, and the number of columns from its training pages."""

    seed: int
    train: PartRecord
    validation: PartRecord
    test: PartRecord
    n_columns: int


@dataclass(frozen=True)
class CorpusRecord:
    """The corpus of an experiment, without its pages.

    Parameters
    ----------
    path
        Path as written in the experiment.
    counts
        Number of regions by label, in the order of the label set.
    n_unknown
        Number of regions of unknown label: nothing is learnt from them, and no score counts them.
    n_several
        Number of regions whose gold is a set of labels, any of which counts as right.
    site_rule
        Rule that determined the sites of the pages; empty if the data set states them.
    is_invented
        Whether the pages were written for tests, as the corpus' manifest states, not published.
    """

    path: str
    name: str
    digest: str
    n_pages: int
    sites: tuple[str, ...]
    renderer: str
    counts: Mapping[str, int]
    background: str
    n_unknown: int = 0
    n_several: int = 0
    site_rule: str = ""
    is_invented: bool = False

    @classmethod
    def of(cls, corpus: Corpus, path: str) -> CorpusRecord:
        """Return the record of a corpus."""
        return cls(
            path=path,
            name=corpus.name,
            digest=corpus.digest,
            n_pages=len(corpus),
            sites=corpus.sites,
            renderer=corpus.renderer,
            counts=corpus.counts,
            background=corpus.label_set.background,
            n_unknown=corpus.n_unknown,
            n_several=corpus.n_several,
            site_rule=str(corpus.notes.get("sites", "")),
            is_invented=corpus.notes.get("invented") is True,
        )


@dataclass(frozen=True)
class Study:
    """Results on one corpus under one way of splitting.

    Parameters
    ----------
    name
        Name, unique in the report: ``news by site``.
    n_train
        Number of regions by label that a tested model was fitted on, including validation pages;
        the mean over splits.
    n_test
        Number of regions of all test pages by label, without those of unknown label.
    candidates
        Candidates with scores, in the order of the experiment.
    reference
        Name of the candidate that the stars of Table 2 refer to; empty without candidates.
    pairs
        Comparisons of every two candidates, each once.
    worst
        The twenty pages on which the candidate with the highest score has the lowest accuracy.
    page_sites
        The site of every test page, so that two reports can be compared by resampling sites.
    n_unknown_features
        Number of features that are unknown in every region, as the pages have no layout.
    """

    name: str
    source: CorpusRecord
    by: str
    splits: tuple[SplitRecord, ...]
    n_train: Mapping[str, float]
    n_test: Mapping[str, int]
    candidates: tuple[CandidateResult, ...]
    failures: tuple[FailureRecord, ...] = ()
    reference: str = ""
    pairs: tuple[Comparison, ...] = ()
    power: Power | None = None
    ablations: tuple[Ablation, ...] = ()
    learning: tuple[LearningPoint, ...] = ()
    worst: tuple[WorstPage, ...] = ()
    page_sites: Mapping[str, str] = field(default_factory=dict)
    n_unknown_features: int = 0

    def candidate(self, name: str) -> CandidateResult:
        """Return the candidate with a name; a ``KeyError`` if it has no scores."""
        return {candidate.name: candidate for candidate in self.candidates}[name]

    def pair(self, first: str, second: str) -> Comparison | None:
        """Return how two candidates differ; None if one of them has no scores."""
        pairs = {(pair.first, pair.second): pair for pair in self.pairs}
        return pairs.get((first, second))


@dataclass(frozen=True)
class Ranking:
    """Ranking of candidates over several studies, after Demsar (2006).

    Parameters
    ----------
    studies
        Studies in which every candidate has scores.
    ranks
        Mean rank by candidate, 1 is best; ties share their ranks.
    p_friedman
        P-value of the Friedman test of the ranks; None for fewer than three candidates or studies.
    p_pairs
        P-values of Nemenyi's test by candidate and other candidate; empty without a Friedman test.
    critical_difference
        Critical difference of mean ranks at 0.05; None without a Friedman test.
    """

    measure: str
    studies: tuple[str, ...]
    ranks: Mapping[str, float]
    p_friedman: float | None = None
    p_pairs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    critical_difference: float | None = None


@dataclass(frozen=True)
class Contrast:
    """A candidate in two studies that differ in one respect: split, corpus or renderer.

    Parameters
    ----------
    what
        ``by``, ``corpus`` or ``renderer``.
    first, second
        Names of the studies.
    values
        Macro F1 over all labels in the first and in the second, in [0, 1].
    pair
        Comparison on the same test pages; None if other pages were tested.
    """

    what: str
    candidate: str
    first: str
    second: str
    values: tuple[float, float]
    pair: Comparison | None = None


@dataclass(frozen=True)
class Cost:
    """Time and memory of one step of one job; the only values that differ between runs.

    Parameters
    ----------
    study, split, candidate
        Study, split and candidate of the job; no candidate for encoding the pages.
    step
        ``features``, ``tuning`` (with calibration), ``training`` of a model that was tested, its
        ``prediction``.
    seconds
        Wall-clock time.
    megabytes
        Peak memory beyond what its process held before; None if unknown.
    part
        Part of features or training pages, such as ``without text``; empty for all of them.
    parameters
        Hyper-parameters of a job that tunes.
    """

    study: str
    split: int
    candidate: str
    step: str
    seconds: float
    megabytes: float | None = None
    part: str = ""
    parameters: Parameters = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """An experiment and its results: ``report.json``.

    Parameters
    ----------
    command
        Command line that repeats the experiment; empty if it was run from Python.
    versions
        Versions of the packages behind the numbers.
    costs
        Time and memory; the only part that differs between two runs.
    """

    experiment: Experiment
    command: str
    versions: Mapping[str, str]
    studies: tuple[Study, ...]
    rankings: tuple[Ranking, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    costs: tuple[Cost, ...] = ()
    format: str = "structce-report"
    version: int = 3

    @property
    def is_complete(self) -> bool:
        """Whether no job raised."""
        return not any(study.failures for study in self.studies)
