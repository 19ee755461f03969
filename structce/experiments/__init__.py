"""Experiments: learners or content extractors compared, from one TOML file to one report.

``config_toml`` reads the files of both kinds into ``config``. ``runner`` runs them, resumed from a
``journal``: ``learners`` study by study (``splits``, ``fit``, ``backends``), ``extractors`` source
by source (``packages``). Both are tested and ranked by ``statistics`` and give one ``report`` of
records, which ``tables`` (of ``frames``), ``plots``, ``answer`` and ``page`` show, ``files`` writes
and ``diff`` compares. ``feature_trials`` measures what one feature adds.
"""

from typing import TYPE_CHECKING

from structce.doors import lazy_names
from structce.experiments.toml_tables import (
    check_known,
    convert_table,
    require,
    unknown_name,
    written_name,
)
from structce.extras import check_import_name

if TYPE_CHECKING:  # imported at first use, so that a process that only runs jobs starts sooner
    from structce.experiments.backends import BACKENDS, Backend
    from structce.experiments.config import (
        MEASURES,
        Candidate,
        Experiment,
        ExtractionExperiment,
        Features,
        PackageSource,
        Splits,
        check_features,
    )
    from structce.experiments.config_toml import (
        quick,
        read_experiment,
        shipped_experiments,
        to_toml,
    )
    from structce.experiments.diff import diff_reports, difference_text
    from structce.experiments.feature_trials import (
        N_TRIAL_FOLDS,
        TRIAL_LEARNER,
        FeatureTrial,
        ScoreChange,
        count_steps,
        try_features,
    )
    from structce.experiments.files import figure_files, report_files, report_text
    from structce.experiments.frames import percent, percentage_points
    from structce.experiments.page import report_page
    from structce.experiments.plots import report_plots
    from structce.experiments.report import (
        Report,
        frame,
        read_report,
        report_schema,
        to_json,
        write_report,
    )
    from structce.experiments.runner import Result, run
    from structce.experiments.tables import report_tables

check_import_name(__name__)

_LAZY = {
    "backends": "BACKENDS Backend",
    "config": "MEASURES Candidate Experiment ExtractionExperiment Features PackageSource Splits "
    "check_features",
    "config_toml": "quick read_experiment shipped_experiments to_toml",
    "diff": "diff_reports difference_text",
    "feature_trials": "N_TRIAL_FOLDS TRIAL_LEARNER FeatureTrial ScoreChange count_steps "
    "try_features",
    "files": "figure_files report_files report_text",
    "frames": "percent percentage_points",
    "page": "report_page",
    "plots": "report_plots",
    "report": "Report frame read_report report_schema to_json write_report",
    "runner": "Result run",
    "tables": "report_tables",
}

__all__ = [
    "BACKENDS", "MEASURES", "N_TRIAL_FOLDS", "TRIAL_LEARNER", "Backend", "Candidate",
    "Experiment", "ExtractionExperiment", "FeatureTrial", "Features", "PackageSource", "Report",
    "Result", "ScoreChange", "Splits", "check_features", "check_known", "convert_table",
    "count_steps", "diff_reports", "difference_text", "figure_files", "frame", "percent",
    "percentage_points", "quick", "read_experiment", "read_report", "report_files", "report_page",
    "report_plots", "report_schema", "report_tables", "report_text", "require", "run",
    "shipped_experiments", "to_json", "to_toml", "try_features", "unknown_name", "write_report",
    "written_name",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _LAZY.items() for name in names.split()},
)


def __dir__() -> list[str]:
    return sorted(__all__)
