"""Runner of learners: study by study, split by split, to the report of all of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from structce.corpus import Corpus
from structce.experiments.aggregate import aggregate_study, count_unknown
from structce.experiments.backends import LOCAL, Backend
from structce.experiments.cache import Cache, job_bar
from structce.experiments.config import Experiment, Learners
from structce.experiments.report.files import prediction_files
from structce.experiments.report.page import AnyReport
from structce.experiments.results import Report
from structce.experiments.schedule import Schedule, SplitData, SplitRun, count_jobs
from structce.experiments.splits import count_splits, draw_splits, plan_studies
from structce.experiments.statistics import contrast_studies, rank_studies
from structce.experiments.toml_tables import unknown_name
from structce.extras import installed_versions
from structce.learners import LEARNERS

NO_LAYOUT = (
    "%s: the %s renderer gives no layout, so %d of %d features are unknown in every region; "
    "render with chromium to use them"
)
_log = logging.getLogger(__name__)

PACKAGES = ("structce", "numpy", "scipy", "scikit-learn", "python-crfsuite")

_AnyReport = TypeVar("_AnyReport", bound=AnyReport, covariant=True)


@dataclass(frozen=True)
class ExperimentResult(Generic[_AnyReport]):
    """The report of an experiment, and what is written beside it.

    Parameters
    ----------
    tables
        Tables by path, cells separated by tabs: for learners, the gold label, predicted labels and
        confidences of the regions of test pages, one file per study; for extractors, the scores of
        every page.
    pictures
        Drawings of the worst pages by study and page, as SVG that is safe to embed in HTML.
    """

    report: _AnyReport
    tables: Mapping[str, str]
    pictures: Mapping[tuple[str, str], str] = field(default_factory=dict)


def run(
    experiment: Experiment,
    corpora: Corpus | Callable[[str, str], Corpus],
    *,
    learners: Learners = LEARNERS,
    backend: Backend = LOCAL,
    cache: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> ExperimentResult[Report]:
    """Run an experiment with learners.

    Columns come only from the training pages of a split. Each point of a candidate's grid is fitted
    on them and scored on the validation pages; the best is calibrated there. It is then fitted
    again on training and validation pages, unless ``refit`` is false, keeps that calibration, and
    is tested once. A candidate with nothing to choose and nothing to calibrate is not scored on the
    validation pages.

    An ablation and a learning curve add to each candidate one fit and one test for each part of the
    features and each share of the training sites, at the hyper-parameters chosen with all of them.
    With folds, each fold is the test part once, the next one the validation part, and the rest
    are for training; scores are pooled over splits.

    Parameters
    ----------
    corpora
        One corpus of rendered and labelled pages, whatever its name in the experiment; or a
        function that opens one by its path and the name of a renderer, empty to leave it as it is.
    cache
        Folder of finished jobs, which are not run again. None for no cache.
    progress
        Whether to show a bar on standard error, if that is a terminal.
    command
        Command line that repeats the run, for the report.

    Returns
    -------
    Report of all studies, predictions and drawings. A job that raised is a failure in its study;
    the others continue.

    Raises
    ------
    CorpusError
        If there are too few sites or pages to split, or no region has a known label.
    ExperimentError
        If a learner is unknown.
    MissingExtraError
        If the backend is not installed.
    """
    for candidate in experiment.candidates:
        if candidate.learner not in learners:
            raise unknown_name(candidate.learner, learners, "learners")
    plans = plan_studies(experiment)
    n_jobs = count_jobs(experiment, learners) * count_splits(experiment) * len(plans)
    results = []
    with job_bar(n_jobs, progress) as bar:
        for plan in plans:
            corpus = corpora if isinstance(corpora, Corpus) else corpora(plan.corpus, plan.renderer)
            schedule = Schedule(experiment, plan, learners, backend, Cache(cache), bar)
            splits = _run_splits(schedule, corpus)
            results.append(aggregate_study(experiment, plan, splits, corpus))
    studies = tuple(result.study for result in results)
    pooled = {result.study.name: result.pooled for result in results}
    report = Report(
        experiment=experiment,
        command=command,
        versions=installed_versions(PACKAGES),
        studies=studies,
        rankings=rank_studies(studies),
        contrasts=contrast_studies(studies, pooled, experiment.seed),
        costs=tuple(cost for result in results for cost in result.costs),
    )
    pictures = {
        (result.study.name, page): drawn
        for result in results
        for page, drawn in result.pictures.items()
    }
    predictions = {result.study.name: result.predictions for result in results}
    return ExperimentResult(report, prediction_files(predictions), pictures)


def _run_splits(schedule: Schedule, corpus: Corpus) -> list[SplitRun]:
    """Return the splits of a study with the outcomes of all their jobs."""
    corpus.check_known()
    features = schedule.experiment.feature_set(schedule.plan.preset)
    if n_unknown := count_unknown(features, corpus):
        _log.warning(NO_LAYOUT, corpus.name, corpus.renderer, n_unknown, len(features.names))
    # All pages of a site are counted, in whichever part: this uses pages, as anyone who labels a
    # site has them, but no labels.
    corpus = corpus.with_sites() if features.needs_sites else corpus
    shared = SplitData.of(schedule.experiment, features, schedule.cache, corpus)
    splits = []
    for i, pages in enumerate(draw_splits(schedule.experiment, corpus, schedule.plan.by)):
        splits.append(SplitRun(i, pages, shared))
        schedule.run(splits[-1])
        splits[-1].forget()
    return splits
