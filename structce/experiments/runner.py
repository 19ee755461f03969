"""Runner of experiments: the jobs of all studies, resumed from a journal, to one report."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from joblib import effective_n_jobs

from structce.corpus import Corpus
from structce.experiments.backends import LOCAL, Backend
from structce.experiments.config import Experiment, ExtractionExperiment, Learners
from structce.experiments.config_toml import to_table
from structce.experiments.extractors import LIBRARIES, extraction_records
from structce.experiments.files import file_stem
from structce.experiments.journal import Journal, job_bar
from structce.experiments.learners import (
    LearnerStudy,
    StudyResult,
    count_jobs,
    count_unknown,
    study_result,
)
from structce.experiments.report import Report
from structce.experiments.splits import plan_studies
from structce.experiments.statistics import contrast_studies, rank_learners
from structce.experiments.toml_tables import unknown_name
from structce.extras import check_extras
from structce.features import FeatureSet
from structce.learners import LEARNERS
from structce.requirements import installed_versions

NO_LAYOUT = (
    "%s: the %s renderer gives no layout, so %d of %d features are unknown in every region; "
    "render with chromium to use them"
)
PACKAGES = ("structce", "numpy", "scipy", "scikit-learn", "python-crfsuite")
EXTRA = ("pandas", "matplotlib", "scikit_posthocs")
"""Modules that reports need, of the extra ``experiments``."""

TABLE_FILE = "results.tsv"  # path of the table of all rows of extractors, beside the report

_log = logging.getLogger(__name__)


class Result(NamedTuple):
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

    report: Report
    tables: Mapping[str, str]
    pictures: Mapping[tuple[str, str], str] = {}


def run(
    experiment: Experiment | ExtractionExperiment,
    corpora: Corpus | Callable[[str, str], Corpus] | None = None,
    *,
    learners: Learners = LEARNERS,
    backend: Backend = LOCAL,
    journal: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> Result:
    """Run an experiment with learners or with extractors.

    Learners: columns come only from the training pages of a split. Each point of a candidate's grid
    is fitted on them and scored on the validation pages; the best is calibrated there. It is then
    fitted again on training and validation pages, unless ``refit`` is false, keeps that
    calibration, and is tested once; so is each part of an ablation and of a learning curve, at the
    same hyper-parameters. With folds, each fold is the test part once, the next one the validation
    part. Scores are pooled over splits.

    Extractors: each method reads every page from its bytes, on this machine; its time is measured
    up to the text. A method of page classes learns from pages of each part of a source, and a
    trainable one from all folds except one, or from the split that the source names.

    A job that raised is a failure; the others continue.

    Parameters
    ----------
    corpora
        One corpus of rendered and labelled pages, whatever its name in the experiment; or a
        function that opens one by its path and the name of a renderer, empty to leave it as it is.
    journal
        File of finished jobs, which are not run again. None for no journal.
    command
        Command line that repeats the run, for the report.

    Raises
    ------
    CorpusError
        If there are too few sites or pages to split, no region has a known label, or pages cannot
        be read.
    ExperimentError
        If a learner is unknown, or a source has no page with main content.
    MissingExtraError
        If the extra ``experiments``, or that of the backend, is not installed.
    """
    check_extras(EXTRA, "an experiment", "experiments")
    with Journal(journal) as kept:
        if isinstance(experiment, ExtractionExperiment):
            return _run_extractors(experiment, kept, backend.n_jobs, progress, command)
        for candidate in experiment.candidates:
            if candidate.learner not in learners:
                raise unknown_name(candidate.learner, learners, "learners")
        if corpora is None:
            raise TypeError("an experiment with learners needs a corpus")
        opened = (lambda *_: corpora) if isinstance(corpora, Corpus) else corpora
        n_splits = (experiment.splits.folds or 1) * experiment.splits.repeats
        plans = plan_studies(experiment)
        n_jobs = count_jobs(experiment, learners) * n_splits * len(plans)
        with job_bar(n_jobs, progress) as bar:
            results = []
            for plan in plans:
                corpus = opened(plan.corpus, plan.renderer)
                features = _features(experiment, corpus, plan.preset)
                # All pages of a site are counted, in whichever part: this uses pages, as anyone who
                # labels a site has them, but no labels.
                corpus = corpus.with_sites() if features.needs_sites else corpus
                study = LearnerStudy(
                    experiment, plan, corpus, features, learners, backend, kept, bar
                )
                study.run()
                results.append(study_result(study))
        return _learner_result(experiment, results, command)


def _features(experiment: Experiment, corpus: Corpus, preset: str) -> FeatureSet:
    """Return the features of a study; warns of those that no page of its corpus can have."""
    corpus.check_known()
    features = experiment.features.feature_set(preset)
    if n_unknown := count_unknown(features, corpus):
        _log.warning(NO_LAYOUT, corpus.name, corpus.renderer, n_unknown, len(features.names))
    return features


def _learner_result(experiment: Experiment, results: Sequence[StudyResult], command: str) -> Result:
    studies = [result.study for result in results]
    pooled = {result.study.name: result.pooled for result in results}
    names = dict.fromkeys(name for result in results for name in result.records)
    records = {name: [r for one in results for r in one.records.get(name, ())] for name in names}
    records["pairs"] += contrast_studies(studies, pooled, experiment.seed)
    records["rankings"] = [*rank_learners(studies, pooled)]
    report = Report(
        kind="learners",
        experiment=to_table(experiment),
        command=command,
        versions=installed_versions(PACKAGES),
        studies=tuple(studies),
        **{name: tuple(own) for name, own in records.items()},  # type: ignore[arg-type]
    )
    pictures = {
        (one.study.name, page): drawn for one in results for page, drawn in one.pictures.items()
    }
    stems = [file_stem(study.name) for study in studies]
    tables = {
        f"predictions/{stem}{f'-{i}' if stem in stems[:i] else ''}.tsv": result.predictions
        for i, (stem, result) in enumerate(zip(stems, results, strict=True))
    }
    return Result(report, tables, pictures)


def _run_extractors(
    experiment: ExtractionExperiment, journal: Journal, n_jobs: int, progress: bool, command: str
) -> Result:
    with job_bar(0, progress) as bar:
        records, table = extraction_records(experiment, journal, bar, effective_n_jobs(n_jobs))
    report = Report(
        kind="extractors",
        experiment=to_table(experiment),
        command=command,
        versions=installed_versions(LIBRARIES),
        **records,
    )
    return Result(report, {TABLE_FILE: table})
