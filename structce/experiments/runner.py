"""Runner of experiments: the jobs of all studies, resumed from a journal, to one report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from structce.corpus import Corpus
from structce.experiments.config import AnyExperiment, Experiment, Learners, to_table
from structce.experiments.extractors import EXTRACTION_LIBRARIES, add_extractor_rows
from structce.experiments.jobs import open_run
from structce.experiments.learners import LIBRARIES, add_learner_rows
from structce.experiments.report import Report, make_report
from structce.experiments.statistics import Rows
from structce.extras import check_extras
from structce.learners import LEARNERS
from structce.requirements import installed_versions

EXTRA = ("pandas", "matplotlib")
"""Modules that reports need, of the extra ``experiments``."""


def run(
    experiment: AnyExperiment,
    corpora: Corpus | Callable[[str, str], Corpus] | None = None,
    *,
    learners: Learners = LEARNERS,
    n_jobs: int = 1,
    journal: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> Report:
    """Run an experiment with learners or with extractors.

    Learners: columns come only from the training pages of a split. Each point of a candidate's grid
    is fitted on them and scored on the validation pages; the best is calibrated there. It is then
    fitted again on training and validation pages, unless ``refit`` is false, and tested once; so is
    each part of an ablation and of a learning curve, at the same hyper-parameters. Scores are
    pooled over splits.

    Extractors: each method reads every page from its bytes; its time is measured up to the text.
    Methods that learn do so from pages of the same part, from the other folds, or from the split
    that the source names.

    Parameters
    ----------
    corpora
        One corpus of rendered and labelled pages, whatever its name in the experiment; or a
        function that opens one by its path and the name of a renderer, empty to leave it as it is.
    n_jobs
        Number of parallel jobs; -1 for one per processor. The figures do not depend on it.
    journal
        File of finished jobs, which are not run again. None for no journal.
    progress
        Whether to show a bar on standard error, if that is a terminal.
    command
        Command line that repeats the run, for the report.

    Raises
    ------
    CorpusError
        If there are too few sites or pages to split, no region has a known label, or pages cannot
        be read. A job that raises is a failure in the report; the others continue.
    ExperimentError
        If a learner is unknown, or a source has no page with main content.
    MissingExtraError
        If the extra ``experiments`` is not installed.
    """
    check_extras(EXTRA, "an experiment", "experiments")
    rows: Rows = defaultdict(list)
    with open_run(n_jobs, journal, progress) as jobs:
        if not isinstance(experiment, Experiment):
            kind, libraries = "extractors", EXTRACTION_LIBRARIES
            add_extractor_rows(rows, experiment, jobs)
        elif corpora is None:
            raise TypeError("an experiment with learners needs a corpus")
        else:
            kind, libraries = "learners", ("structce", *LIBRARIES)
            opened = (lambda *_: corpora) if isinstance(corpora, Corpus) else corpora
            add_learner_rows(rows, experiment, opened, learners, jobs)
    return make_report(kind, to_table(experiment), command, installed_versions(libraries), rows)
