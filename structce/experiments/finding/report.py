"""Everything that an experiment found, as values: they are what ``report.json`` holds.

All of them are made of numbers, texts, tuples and mappings, so that a report is written and read
without a line of code for each key. Arrays stay in the units, see :mod:`...running.units`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from structce.experiments.asking.spec import Experiment, Parameters
from structce.experiments.finding.inputs import Source, Split
from structce.experiments.finding.rows import (
    Ablation,
    ArmResult,
    Failure,
    LearningPoint,
    Pair,
    Power,
)
from structce.experiments.finding.trials import WorstPage


@dataclass(frozen=True)
class Study:
    """Everything found on one corpus under one way of splitting.

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
        Name of the arm that the stars of Table 2 refer to; empty without arms.
    pairs
        Every two arms, each once.
    worst
        The twenty pages that the arm of the highest score got most wrong.
    page_sites
        The site of every test page, so that two reports can be compared with sites drawn again.
    """

    name: str
    source: Source
    by: str
    splits: tuple[Split, ...]
    n_train: Mapping[str, float]
    n_test: Mapping[str, int]
    arms: tuple[ArmResult, ...]
    failures: tuple[Failure, ...] = ()
    reference: str = ""
    pairs: tuple[Pair, ...] = ()
    power: Power | None = None
    ablations: tuple[Ablation, ...] = ()
    learning: tuple[LearningPoint, ...] = ()
    worst: tuple[WorstPage, ...] = ()
    page_sites: Mapping[str, str] = field(default_factory=dict)

    def arm(self, name: str) -> ArmResult:
        """Return the arm of a name.

        Raises
        ------
        KeyError
            If it has no scores.
        """
        return {one.name: one for one in self.arms}[name]

    def pair(self, first: str, second: str) -> Pair | None:
        """Return how two arms differ; None if one of them has no scores."""
        found = {(one.first, one.second): one for one in self.pairs}
        return found.get((first, second))


@dataclass(frozen=True)
class Ranking:
    """Arms ranked over several studies, after Demsar (2006).

    Parameters
    ----------
    studies
        Those in which every arm has scores.
    ranks
        Mean rank by arm, 1 is best; ties share their ranks.
    p_friedman
        That the ranks differ by chance; None for fewer than three arms or studies.
    p_pairs
        By arm and other arm: Nemenyi's test; empty where there is no Friedman test.
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
    """One arm in two studies that differ in one thing: the split, the corpus, or the renderer.

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
    pair: Pair | None = None


@dataclass(frozen=True)
class Cost:
    """What one step of one unit took; these alone differ from run to run.

    Parameters
    ----------
    study, split, arm
        Of what; the arm is empty for the features of all pages.
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
        Of a unit that tunes.
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
    """An experiment and everything that it found: ``report.json``.

    Parameters
    ----------
    command
        That repeats it; empty if it was run from Python.
    versions
        Of the packages that the numbers depend on.
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
