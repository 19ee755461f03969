"""The tables of a report, and how text, Markdown and LaTeX write them."""

from structce.experiments.telling.tables.across import contrast_table, ranking_table, study_table
from structce.experiments.telling.tables.averages import interval_table, learner_table
from structce.experiments.telling.tables.by_label import label_notes, label_table
from structce.experiments.telling.tables.paired import describe_pair, pair_table, power_note
from structce.experiments.telling.tables.parts import ablation_notes, ablation_table, learning_table
from structce.experiments.telling.tables.table import Table, to_latex, to_markdown
from structce.experiments.telling.tables.training import (
    calibration_table,
    failure_table,
    grid_table,
    tuning_table,
)

__all__ = [
    "Table",
    "ablation_notes",
    "ablation_table",
    "calibration_table",
    "contrast_table",
    "describe_pair",
    "failure_table",
    "grid_table",
    "interval_table",
    "label_notes",
    "label_table",
    "learner_table",
    "learning_table",
    "pair_table",
    "power_note",
    "ranking_table",
    "study_table",
    "to_latex",
    "to_markdown",
    "tuning_table",
]
