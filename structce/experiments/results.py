"""Results of an experiment as plain values: everything that ``report.json`` holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from structce.corpus import Corpus
from structce.evaluation import FieldScore, Interval, ReliabilityBin, Scores, SegmentScores
from structce.experiments.config import Experiment, Parameters

Diagnostics = Mapping[str, float | None]
"""How the solver of a learner stopped, by name; None where that is no finite number."""


@dataclass(frozen=True)
class GridPoint:
    """One point of a grid: fitted on the training part, scored on the validation part.

    Parameters
    ----------
    value
        Of the measure that the experiment chooses by, in [0, 1].
    stop
        How the solver stopped: ``gap`` or ``gradient_norm``, ``objective``, ...; None where that
        is no finite number.
    temperature
        Of its calibration on the validation part; None for a learner without confidences.
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
        The best of the grid; on a tie the first.
    points
        The grid, in its order; empty if there was nothing to choose and nothing to calibrate.
    stop
        How the solver of the tested model stopped.
    steps
        Epochs of training the tested model; empty for a learner that reports none.
    warnings
        Of the learner, each once, and whether the tested model is unfinished.
    temperature
        That of the calibration, above 0; None for a learner without confidences.
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
    """A column that speaks for a wrong label, or ``(neighbours)``.

    Parameters
    ----------
    lead
        Its part in the score of the predicted label minus its part in that of the right one.
    """

    column: str
    lead: float


@dataclass(frozen=True)
class Mistake:
    """A region with a wrong label.

    Parameters
    ----------
    region
        Its number on the page, from 0.
    text
        At most 120 characters of it.
    confidence
        Of the predicted label, in [0, 1]; None for a learner that gives none.
    reasons
        The columns that speak most for the wrong label; empty for learners that cannot be
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
        Share of its known regions with the right label, in [0, 1].
    n_wrong, n_known
        Its regions with a wrong, and with a known label.
    mistakes
        Some of its wrong regions, those that are not background first.
    """

    arm: str
    split: int
    page: str
    site: str
    accuracy: float
    n_wrong: int
    n_known: int
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True)
class Reliability:
    """How well confidence agrees with being right, over the known regions of all test pages.

    Parameters
    ----------
    error
        Expected calibration error, in [0, 1].
    brier
        Brier score of the predicted labels, in [0, 1].
    bins
        The points of the reliability diagram.
    """

    error: float
    brier: float
    bins: tuple[ReliabilityBin, ...]


@dataclass(frozen=True)
class Calibration:
    """How well a learner's confidence agrees with being right, without calibration and with it."""

    before: Reliability
    after: Reliability


@dataclass(frozen=True)
class LearnerResult:
    """A learner's scores pooled over all test pages, whatever features or pages it was given.

    Parameters
    ----------
    scores
        Region by region.
    segments
        Segment by segment: a title split over three regions is one title.
    fields
        Label by label, background left out: pages whose regions of the label are found exactly.
    page_exactness
        Share of test pages without any wrong region, in [0, 1].
    confusion : shape (n_labels, n_labels)
        Gold labels are rows, in the order of the label set.
    page_accuracy
        By page; pages without regions of known label have none. A page that is tested in several
        splits has the mean.
    intervals
        By measure: ``accuracy``, ``macro_f1``, ``macro_f1_foreground``, ``page_exactness``, and
        ``f1.Title`` and so on for every label that occurs.
    trials
        One a split.
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
        None for a learner without confidences.
    """

    name: str
    row: LearnerResult
    calibration: Calibration | None = None


@dataclass(frozen=True)
class Comparison:
    """Paired comparison of two results on the same test pages: difference, interval, test.

    Parameters
    ----------
    first, second
        Names of candidates, or of parts of the features.
    difference
        Mean over pages of the accuracy of the first minus that of the second, in [-1, 1].
    interval
        Of the difference; (-1, 1) if nothing is known.
    p
        Of Wilcoxon's matched-pairs signed-ranks test over pages, two-sided.
    p_holm
        The same after Holm's correction over the pairs that stand in one table.
    effect
        Matched-pairs rank-biserial correlation, in [-1, 1]: share of the ranks of differences in
        favour of the first minus that in favour of the second; 0 if no page differs.
    n_pages, n_differ
        Pages that were compared, and those on which the two differ.
    macro_difference, macro_interval
        Macro F1 of the first minus that of the second, and its interval.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    p: float
    p_holm: float
    effect: float
    n_pages: int
    n_differ: int
    macro_difference: float
    macro_interval: Interval


@dataclass(frozen=True)
class Power:
    """Power of the test pages: how small a difference they could have shown.

    Parameters
    ----------
    n_pages
        Test pages with an accuracy.
    spread
        Standard deviation over pages of the difference of two candidates, the median of all pairs.
    detectable
        Least mean difference of page accuracy that a Wilcoxon test at the 0.05 level would find in
        four experiments of five; None if nothing can be said.
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
        ``without`` or ``only``, and which family.
    n_columns
        One number a split, the bias counted.
    pair
        Against the same candidate with all features.
    """

    arm: str
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
        Of the sites (or pages, in a split by page) of training and validation part, in (0, 1].
    n_pages
        Mean over splits.
    """

    arm: str
    share: float
    n_pages: float
    row: LearnerResult


@dataclass(frozen=True)
class FailureRecord:
    """A job that raised; what depends on it has no scores.

    Parameters
    ----------
    unit
        The job in words: ``structured-svm, lambda = 0.1, split 1``.
    error
        Class and message.
    """

    arm: str
    unit: str
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
    """A split of the pages, and the number of columns that its training pages gave."""

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
        As the experiment writes it.
    counts
        Regions by label, in the order of the label set.
    n_unknown
        Regions of unknown label: nothing is learnt from them, and no score counts them.
    n_several
        Regions whose gold is a set of labels: any of the set counts as right.
    site_rule
        What told the sites of the pages; empty where the data set itself did.
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
        )


@dataclass(frozen=True)
class Study:
    """Results on one corpus under one way of splitting.

    Parameters
    ----------
    name
        Unique in the report: ``news by site``.
    n_train
        By label the regions that a tested model was fitted on, validation pages included; the
        mean over splits.
    n_test
        By label the regions of all test pages; those of unknown label are in none.
    arms
        Those that have scores, in the order of the experiment.
    reference
        Name of the candidate that the stars of Table 2 refer to; empty without candidates.
    pairs
        Every two candidates, each once.
    worst
        The twenty pages on which the candidate of the highest score has the lowest accuracy.
    page_sites
        The site of every test page, so that two reports can be compared with sites drawn again.
    """

    name: str
    source: CorpusRecord
    by: str
    splits: tuple[SplitRecord, ...]
    n_train: Mapping[str, float]
    n_test: Mapping[str, int]
    arms: tuple[CandidateResult, ...]
    failures: tuple[FailureRecord, ...] = ()
    reference: str = ""
    pairs: tuple[Comparison, ...] = ()
    power: Power | None = None
    ablations: tuple[Ablation, ...] = ()
    learning: tuple[LearningPoint, ...] = ()
    worst: tuple[WorstPage, ...] = ()
    page_sites: Mapping[str, str] = field(default_factory=dict)

    def arm(self, name: str) -> CandidateResult:
        """Return the candidate of a name.

        Raises
        ------
        KeyError
            If it has no scores.
        """
        return {one.name: one for one in self.arms}[name]

    def pair(self, first: str, second: str) -> Comparison | None:
        """Return how two candidates differ; None if one of them has no scores."""
        found = {(one.first, one.second): one for one in self.pairs}
        return found.get((first, second))


@dataclass(frozen=True)
class Ranking:
    """Ranking of candidates over several studies, after Demsar (2006).

    Parameters
    ----------
    studies
        Those in which every candidate has scores.
    ranks
        Mean rank by candidate, 1 is best; ties share their ranks.
    p_friedman
        That the ranks differ by chance; None for fewer than three candidates or studies.
    p_pairs
        By candidate and other candidate: Nemenyi's test; empty without a Friedman test.
    critical_difference
        Of mean ranks, at 0.05; None where there is no Friedman test.
    """

    measure: str
    studies: tuple[str, ...]
    ranks: Mapping[str, float]
    p_friedman: float | None = None
    p_pairs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    critical_difference: float | None = None


@dataclass(frozen=True)
class Contrast:
    """A candidate in two studies that differ in one thing: split, corpus or renderer.

    Parameters
    ----------
    what
        ``by``, ``corpus`` or ``renderer``.
    first, second
        Names of the studies.
    values
        Macro F1 over all labels in the first and in the second, in [0, 1].
    pair
        The difference on the same test pages; None where other pages were tested.
    """

    what: str
    arm: str
    first: str
    second: str
    values: tuple[float, float]
    pair: Comparison | None = None


@dataclass(frozen=True)
class Cost:
    """Time and memory of one step of one job; these alone differ from run to run.

    Parameters
    ----------
    study, split, arm
        Of the job; the candidate is empty for the features of all pages.
    step
        ``features``, ``tuning`` (with calibration), ``training`` of a model that was tested, its
        ``prediction``.
    seconds
        Wall clock.
    megabytes
        Most memory that it took, beyond what its process had before; None if unknown.
    part
        Of features or training pages, such as ``without text``; empty for all of them.
    parameters
        Of a job that tunes.
    """

    study: str
    split: int
    arm: str
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
        That repeats the experiment; empty if it was run from Python.
    versions
        Of the packages behind the numbers.
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
    version: int = 2

    @property
    def is_complete(self) -> bool:
        """Whether nothing raised."""
        return not any(study.failures for study in self.studies)
