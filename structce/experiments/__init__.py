"""One question, one file: what to compare, how it is run, and how it is reported."""

from structce.experiments.families import Variant
from structce.experiments.inputs import Part, Source, Split
from structce.experiments.reading import read_experiment
from structce.experiments.report import to_json, write_report
from structce.experiments.results import (
    Ablation,
    Calibration,
    Comparison,
    Confidence,
    Failure,
    LearnerResult,
    Point,
    Reliability,
    Result,
    Trial,
)
from structce.experiments.runner import run
from structce.experiments.spec import Experiment, Grid, quick
from structce.experiments.tables import (
    Table,
    ablation_table,
    calibration_table,
    label_table,
    learner_table,
    summary,
)

__all__ = [
    "Ablation",
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
    "Variant",
    "ablation_table",
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
