"""Runner of experiments: the jobs of all studies, resumed from a journal, to one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from structce.corpus import Corpus
from structce.experiments.config import AnyExperiment, Experiment, Learners, to_table
from structce.experiments.extractors import EXTRACTION_LIBRARIES, extractor_rows
from structce.experiments.jobs import Engine, JobRun
from structce.experiments.learners import LIBRARIES, learner_rows
from structce.experiments.page import file_stem
from structce.experiments.report import Report, make_report
from structce.extras import check_extras
from structce.learners import LEARNERS
from structce.requirements import installed_versions

EXTRA = ("pandas", "matplotlib")
"""Modules that reports need, of the extra ``experiments``."""


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
    experiment: AnyExperiment,
    corpora: Corpus | Callable[[str, str], Corpus] | None = None,
    *,
    learners: Learners = LEARNERS,
    engine: Engine = "local",
    n_jobs: int = 1,
    journal: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> Result:
    """Run an experiment with learners or with extractors.

    Learners: columns come only from the training pages of a split. Each point of a candidate's grid
    is fitted on them and scored on the validation pages; the best is calibrated there. It is then
    fitted again on training and validation pages, unless ``refit`` is false, and tested once; so is
    each part of an ablation and of a learning curve, at the same hyper-parameters. Scores are
    pooled over splits.

    Extractors: each method reads every page from its bytes, on this machine; its time is measured
    up to the text. Methods that learn do so from pages of the same part, from the other folds, or
    from the split that the source names.

    A job that raised is a failure; the others continue.

    Parameters
    ----------
    corpora
        One corpus of rendered and labelled pages, whatever its name in the experiment; or a
        function that opens one by its path and the name of a renderer, empty to leave it as it is.
    engine
        Where learners are fitted: ``local``, or ``ray`` for the cluster that ``RAY_ADDRESS`` names,
        or else one that is started on this machine.
    n_jobs
        Number of parallel jobs; -1 for one per processor. The figures do not depend on it.
    journal
        File of finished jobs, which are not run again. None for no journal.
    progress
        Whether to show a bar on standard error; without a terminal, lines on finished jobs.
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
        If the extra ``experiments``, or that of the engine, is not installed.
    """
    check_extras(EXTRA, "an experiment", "experiments")
    with JobRun(engine, n_jobs, journal, progress) as jobs:
        if not isinstance(experiment, Experiment):
            rows, text = extractor_rows(experiment, jobs)
            versions = installed_versions(EXTRACTION_LIBRARIES)
            report = make_report("extractors", to_table(experiment), command, versions, rows)
            return Result(report, {"results.tsv": text})
        if corpora is None:
            raise TypeError("an experiment with learners needs a corpus")
        opened = (lambda *_: corpora) if isinstance(corpora, Corpus) else corpora
        rows, predictions, pictures = learner_rows(experiment, opened, learners, jobs)
    versions = installed_versions(("structce", *LIBRARIES))
    report = make_report("learners", to_table(experiment), command, versions, rows)
    stems = [file_stem(study) for study in predictions]
    tables = {
        f"predictions/{stem}{f'-{i}' if stem in stems[:i] else ''}.tsv": text
        for i, (stem, text) in enumerate(zip(stems, predictions.values(), strict=True))
    }
    return Result(report, tables, pictures)
