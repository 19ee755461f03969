"""Experiments: learners or content extractors compared, from one TOML file to one report.

``config`` reads the files of both kinds. ``runner`` runs them: ``learners`` study by study, each a
``fit`` per job, ``extractors`` source by source, as ``jobs`` that a journal keeps. Both are tested
by ``statistics`` and give the frames of one ``report``, which ``tables``, ``plots`` and ``page``
show and ``diff`` compares. ``feature_trials`` measures what one feature adds.
"""

from typing import TYPE_CHECKING

from structce.experiments.toml_tables import (
    check_known,
    convert_table,
    require,
    unknown_name,
)
from structce.extras import check_import_name
from structce.lazy_import import lazy_names

if TYPE_CHECKING:  # imported at first use, so that a process that only runs jobs starts sooner
    from structce.experiments.config import (
        Experiment,
        ExtractionExperiment,
        Features,
        quick,
        quick_extraction,
        read_experiment,
        read_subject,
        shipped_experiments,
    )
    from structce.experiments.diff import diff_reports, difference_text
    from structce.experiments.feature_trials import try_features
    from structce.experiments.frames import percent, percentage_points
    from structce.experiments.page import report_files, report_text
    from structce.experiments.report import Report, read_report, write_report
    from structce.experiments.runner import run
    from structce.experiments.statistics import Pooled, learner_scores, pool
    from structce.experiments.tables import report_tables

check_import_name(__name__)

_LAZY = {
    "config": "Experiment ExtractionExperiment Features quick quick_extraction read_experiment "
    "read_subject shipped_experiments",
    "diff": "diff_reports difference_text",
    "feature_trials": "try_features",
    "frames": "percent percentage_points",
    "page": "report_files report_text",
    "report": "Report read_report write_report",
    "runner": "run",
    "statistics": "Pooled learner_scores pool",
    "tables": "report_tables",
}

__all__ = [
    "Experiment", "ExtractionExperiment", "Features", "Pooled", "Report", "check_known",
    "convert_table", "diff_reports", "difference_text", "learner_scores", "percent",
    "percentage_points", "pool", "quick", "quick_extraction", "read_experiment", "read_report",
    "read_subject", "report_files", "report_tables", "report_text", "require", "run",
    "shipped_experiments", "try_features", "unknown_name", "write_report",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _LAZY.items() for name in names.split()},
)


def __dir__() -> list[str]:
    return sorted(__all__)
