"""One question, one file: what to compare, how it is run, and how it is reported.

``asking`` reads what a file or a command line asks, ``running`` does it unit by unit, ``finding``
holds what was found as plain values, and ``telling`` makes tables, plots and pages of them.
"""

from structce.experiments.asking import (
    Arm,
    Experiment,
    Splits,
    quick,
    read_experiment,
    to_toml,
)
from structce.experiments.finding.report import Report, Study
from structce.experiments.running.engines import Engine
from structce.experiments.running.runner import Result, run
from structce.experiments.telling.differences import difference
from structce.experiments.telling.files import read_report, to_json

__all__ = [
    "Arm",
    "Engine",
    "Experiment",
    "Report",
    "Result",
    "Splits",
    "Study",
    "difference",
    "quick",
    "read_experiment",
    "read_report",
    "run",
    "to_json",
    "to_toml",
]
