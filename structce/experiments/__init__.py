"""One question, one file: what to compare, how it is run, and how it is reported.

``asking`` reads what a file or a command line asks, ``running`` does it unit by unit, ``finding``
holds what was found as plain values, and ``telling`` makes tables, plots and pages of them.
"""

from structce.experiments.backends import BACKENDS, Backend
from structce.experiments.config import MEASURES, Candidate, Experiment, Splits
from structce.experiments.config_toml import quick, read_experiment, to_toml
from structce.experiments.feature_trials import (
    N_TRIAL_FOLDS,
    TRIAL_LEARNER,
    FeatureTrial,
    ScoreChange,
    count_steps,
    try_features,
)
from structce.experiments.report.diff import Difference, describe, difference
from structce.experiments.report.files import encoded, read_report, schema, to_json, write_report
from structce.experiments.report.html import render_html
from structce.experiments.report.text import latex, markdown, summary
from structce.experiments.results import Report, Study
from structce.experiments.runner import ExperimentResult, run

__all__ = [
    "BACKENDS",
    "MEASURES",
    "N_TRIAL_FOLDS",
    "TRIAL_LEARNER",
    "Backend",
    "Candidate",
    "Difference",
    "Experiment",
    "ExperimentResult",
    "FeatureTrial",
    "Report",
    "ScoreChange",
    "Splits",
    "Study",
    "count_steps",
    "describe",
    "difference",
    "encoded",
    "latex",
    "markdown",
    "quick",
    "read_experiment",
    "read_report",
    "render_html",
    "run",
    "schema",
    "summary",
    "to_json",
    "to_toml",
    "try_features",
    "write_report",
]
