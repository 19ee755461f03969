"""Run an experiment: every study, split by split, unit by unit; what is done is not done again."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from structce.corpus import Corpus
from structce.evaluation import check_extras
from structce.experiments.aggregate import StudyResult, aggregate_study
from structce.experiments.backends import LOCAL, Backend
from structce.experiments.cache import Cache
from structce.experiments.config import Experiment, Learners
from structce.experiments.job import know_sites
from structce.experiments.results import Report
from structce.experiments.schedule import Schedule, SplitData, SplitRun, count_jobs
from structce.experiments.splits import count_splits, draw_splits, plan_studies
from structce.experiments.statistics import PooledResult, contrast_studies, rank_studies
from structce.experiments.toml_tables import unknown_name
from structce.learners import LEARNERS

CorpusOpener = Callable[[str, str], Corpus]
"""Opens a corpus by its path and the name of a renderer, which is empty for as it is."""

PACKAGES = (
    "structce",
    "numpy",
    "scipy",
    "scikit-learn",
    "python-crfsuite",
    "statsmodels",
    "scikit-posthocs",
)


@dataclass(frozen=True)
class ExperimentResult:
    """What came of an experiment.

    Parameters
    ----------
    pictures
        By study and page the drawing of each worst page, safe to put into a page of HTML.
    """

    report: Report
    pictures: Mapping[tuple[str, str], str]


def run(
    experiment: Experiment,
    corpora: Corpus | CorpusOpener,
    *,
    learners: Learners = LEARNERS,
    engine: Backend = LOCAL,
    store: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> ExperimentResult:
    """Return what an experiment finds.

    Columns come from the training pages of a split alone. Each point of an arm's grid is fitted on
    them and measured on the validation pages; the best is calibrated there. It is then fitted
    again on training and validation pages, takes the calibration over, and is tested once. The
    columns stay those of the training pages: one encoding serves all, and what only the validation
    pages show is little. An arm with nothing to choose and nothing to calibrate is not measured on
    the validation pages.

    An ablation and a learning curve add to each arm a fit and a test for each part of the features
    and each share of the training sites, at the hyper-parameters that were chosen with all of
    them. Nothing is tuned again, and nothing encoded again.

    With folds, each fold is the test part once, the next one the validation part, and the rest
    are for training; scores are pooled over splits.

    Parameters
    ----------
    corpora
        One corpus of rendered and labelled pages, whatever the experiment calls it; or what opens
        them.
    learners
        The learners there are.
    store
        Folder of finished units: what stands there is not done again. None keeps nothing.
    progress
        Whether to show a bar on standard error, if that is a terminal.
    command
        That repeats it, for the report.

    Returns
    -------
    A unit that raised is a failure in its study, and the others go on.

    Raises
    ------
    CorpusError
        If there are too few sites or pages to split.
    ExperimentError
        If a learner is unknown.
    MissingExtraError
        If the engine, or what the statistics take, is not installed.
    """
    for arm in experiment.arms:
        if arm.learner not in learners:
            raise unknown_name(arm.learner, learners, "learners")
    check_extras(("statsmodels", "scikit_posthocs"), "an experiment")
    asked = plan_studies(experiment)
    n_units = count_jobs(experiment, learners) * count_splits(experiment) * len(asked)
    judged = []
    with tqdm(total=n_units, unit="unit", disable=None if progress else True) as bar:
        for question in asked:
            if isinstance(corpora, Corpus):
                corpus = corpora
            else:
                corpus = corpora(question.corpus, question.renderer)
            work = Schedule(experiment, question, learners, engine, Cache(store), bar)
            benches = _benches(work, corpus)
            judged.append(aggregate_study(experiment, question, benches, corpus))
    return _result(experiment, judged, command)


def _benches(work: Schedule, corpus: Corpus) -> list[SplitRun]:
    """Return the splits of a study, all their units done."""
    features = work.experiment.feature_set()
    known = know_sites(corpus, features)
    ground = SplitData.of(work.experiment, features, work.store, known)
    benches = []
    for i, parts in enumerate(draw_splits(work.experiment, known, work.question.by)):
        benches.append(SplitRun(i, parts, ground))
        work.do(benches[-1])
        benches[-1].forget()
    return benches


def _result(experiment: Experiment, judged: list[StudyResult], command: str) -> ExperimentResult:
    studies = [one.study for one in judged]
    pooled: dict[str, Mapping[str, PooledResult]] = {one.study.name: one.pooled for one in judged}
    report = Report(
        experiment=experiment,
        command=command,
        versions=versions(),
        studies=tuple(studies),
        rankings=rank_studies(studies),
        contrasts=contrast_studies(studies, pooled, experiment.seed),
        costs=tuple(cost for one in judged for cost in one.costs),
    )
    pictures = {
        (one.study.name, page): drawn for one in judged for page, drawn in one.pictures.items()
    }
    return ExperimentResult(report, pictures)


def versions() -> dict[str, str]:
    """Return the installed versions of what the numbers depend on; empty if not installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = ""
    return found
