"""Experiments: learners or content extractors compared, from one TOML file to one report.

``config_toml`` reads and writes the files of both kinds. ``runner`` runs learners study by study
(``schedule``, ``job``, ``fit``, ``backends``), ``extraction`` runs extractors package by package.
Both resume from ``cache``, are tested and ranked by ``significance``, and are written by
``report`` as JSON, HTML and tables. ``feature_trials`` measures what one feature adds.
"""

from typing import TYPE_CHECKING

from structce.doors import lazy_names
from structce.experiments.backends import BACKENDS, Backend
from structce.experiments.config import MEASURES, Candidate, Experiment, Splits, check_features
from structce.experiments.results import Report, Study
from structce.experiments.toml_tables import (
    check_known,
    convert_table,
    require,
    unknown_name,
    written_name,
)
from structce.extras import check_import_name

if TYPE_CHECKING:  # imported at first use, so that a process that only runs jobs starts sooner
    from structce.experiments.config_toml import (
        quick,
        read_experiment,
        shipped_experiments,
        to_toml,
    )
    from structce.experiments.extraction.config import ExtractionExperiment
    from structce.experiments.extraction.results import ExtractionReport
    from structce.experiments.extraction.runner import run_extraction
    from structce.experiments.feature_trials import (
        N_TRIAL_FOLDS,
        TRIAL_LEARNER,
        FeatureTrial,
        ScoreChange,
        count_steps,
        try_features,
    )
    from structce.experiments.report.diff import ReportDifference, diff_reports, difference_text
    from structce.experiments.report.files import (
        figure_files,
        read_learner_report,
        read_report,
        report_files,
        report_page,
        report_schema,
        report_text,
        to_json,
        write_report,
    )
    from structce.experiments.report.page import ReportPage
    from structce.experiments.report.tables.base import percent, percentage_points
    from structce.experiments.runner import ExperimentResult, run

check_import_name(__name__)

_LAZY = {
    "config_toml": "quick read_experiment shipped_experiments to_toml",
    "extraction.config": "ExtractionExperiment",
    "extraction.results": "ExtractionReport",
    "extraction.runner": "run_extraction",
    "feature_trials": "N_TRIAL_FOLDS TRIAL_LEARNER FeatureTrial ScoreChange count_steps "
    "try_features",
    "report.diff": "ReportDifference diff_reports difference_text",
    "report.files": "figure_files read_learner_report read_report report_files report_page "
    "report_schema report_text to_json write_report",
    "report.page": "ReportPage",
    "report.tables.base": "percent percentage_points",
    "runner": "ExperimentResult run",
}

__all__ = [
    "BACKENDS", "MEASURES", "N_TRIAL_FOLDS", "TRIAL_LEARNER", "Backend", "Candidate",
    "Experiment", "ExperimentResult", "ExtractionExperiment", "ExtractionReport",
    "FeatureTrial", "Report", "ReportDifference", "ReportPage",
    "ScoreChange", "Splits", "Study", "check_features", "check_known", "convert_table",
    "count_steps", "diff_reports", "difference_text", "figure_files",
    "percent", "percentage_points", "quick", "read_experiment",
    "read_learner_report", "read_report", "report_files",
    "report_page", "report_schema", "report_text", "require", "run", "run_extraction",
    "shipped_experiments", "to_json", "to_toml", "try_features", "unknown_name", "write_report",
    "written_name",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _LAZY.items() for name in names.split()},
)


def __dir__() -> list[str]:
    return sorted(__all__)
