"""One question, one file: what to compare, how it is run, and how it is reported."""

from structce.experiments.reading import read_experiment
from structce.experiments.report import to_json, write_report
from structce.experiments.results import (
    Calibration,
    Comparison,
    Confidence,
    Failure,
    LearnerResult,
    Part,
    Point,
    Reliability,
    Result,
    Source,
    Split,
    Trial,
)
from structce.experiments.runner import run
from structce.experiments.spec import Experiment, Grid, quick
from structce.experiments.tables import (
    Table,
    calibration_table,
    label_table,
    learner_table,
    summary,
)

__all__ = [
    "Calibration",
    "Comparison",
    "Confidence",
    "Experiment",
    "Failure",
    "Grid",
    "LearnerResult",
    "Part",
    "Point",
    "Reliability",
    "Result",
    "Source",
    "Split",
    "Table",
    "Trial",
    "calibration_table",
    "label_table",
    "learner_table",
    "quick",
    "read_experiment",
    "run",
    "summary",
    "to_json",
    "write_report",
]
